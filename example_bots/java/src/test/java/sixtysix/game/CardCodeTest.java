package sixtysix.game;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import sixtysix.v1.Cards.Card;

class CardCodeTest {
    @Test
    void suitAndRankAreThoseOfTheName() {
        List<Card> cards = Arrays.stream(Card.values())
                .filter(card -> card != Card.UNRECOGNIZED && card != Card.CARD_UNSPECIFIED)
                .toList();
        assertEquals(24, cards.size());
        for (Card card : cards) {
            String[] name = card.name().split("_");
            assertEquals("SUIT_" + name[1], CardCode.suit(card).name());
            assertEquals("RANK_" + name[2], CardCode.rank(card).name());
            assertEquals(card, CardCode.card(CardCode.suit(card), CardCode.rank(card)));
        }
    }
}
