package sixtysix.game;

import java.util.ArrayList;
import java.util.List;
import sixtysix.v1.Cards.Card;
import sixtysix.v1.Cards.Rank;
import sixtysix.v1.Cards.Suit;

/** How the number of a card is made of its suit and its rank. */
public final class CardCode {
    private static final int RANKS = 6;

    /** The four suits, in the order of the protocol. */
    public static final List<Suit> SUITS =
            List.of(Suit.SUIT_CLUBS, Suit.SUIT_DIAMONDS, Suit.SUIT_HEARTS, Suit.SUIT_SPADES);

    private CardCode() {}

    public static Suit suit(Card card) {
        return Suit.forNumber((card.getNumber() - 1) / RANKS + 1);
    }

    public static Rank rank(Card card) {
        return Rank.forNumber((card.getNumber() - 1) % RANKS + 1);
    }

    public static Card card(Suit suit, Rank rank) {
        return Card.forNumber((suit.getNumber() - 1) * RANKS + rank.getNumber());
    }

    /** The cards of a message, each of them known. */
    static List<Card> known(List<Card> cards, String field) throws MessageException {
        List<Card> result = new ArrayList<>(cards.size());
        for (Card card : cards) {
            result.add(known(card, field));
        }
        return List.copyOf(result);
    }

    static Card known(Card card, String field) throws MessageException {
        if (card == Card.UNRECOGNIZED || card == Card.CARD_UNSPECIFIED) {
            throw new MessageException(field + " holds no card, or one that is not known");
        }
        return card;
    }
}
