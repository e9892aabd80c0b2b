package sixtysix.game;

import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import sixtysix.v1.Cards.Card;
import sixtysix.v1.Cards.Rank;
import sixtysix.v1.Cards.Suit;
import sixtysix.v1.Rules.RuleSet;

/** The rules of a match, every value of which is known, with the tables that follow from them. */
public final class RuleBook {
    private static final int MOST_POINTS = 1_000_000;

    private final RuleSet fields;
    private final Map<Rank, Integer> strength = new EnumMap<>(Rank.class);
    private final Map<Rank, Integer> points = new EnumMap<>(Rank.class);
    private final List<Card> deck;

    /**
     * Reads the rules of an offer.
     *
     * @throws MessageException if a value is missing or unknown: no bot should play by rules that it does not know
     */
    public RuleBook(RuleSet fields) throws MessageException {
        this.fields = fields;
        checkEnums(fields);
        int ranks = fields.getRanksCount();
        if (ranks == 0 || fields.getCardPointsCount() != ranks) {
            throw new MessageException("rules.ranks and rules.card_points do not go together");
        }
        for (int place = 0; place < ranks; place++) {
            Rank rank = fields.getRanks(place);
            if (rank == Rank.UNRECOGNIZED || rank == Rank.RANK_UNSPECIFIED || strength.containsKey(rank)) {
                throw new MessageException("rules.ranks holds a rank that is not known, or one twice");
            }
            strength.put(rank, ranks - place);
            points.put(rank, count(fields.getCardPoints(place), "rules.card_points"));
        }
        count(fields.getClaimPoints(), "rules.claim_points");
        deck = makeDeck(fields.getRanksList());
        if (fields.getHandSize() < 1 || fields.getHandSize() > deck.size() / 2) {
            throw new MessageException("rules.hand_size does not fit the pack: " + fields.getHandSize());
        }
    }

    /** All fields, as sent. */
    public RuleSet fields() {
        return fields;
    }

    /** Every card in play, in the order of the protocol. */
    public List<Card> deck() {
        return deck;
    }

    /** Card points of a card. */
    public int points(Card card) {
        return points.getOrDefault(CardCode.rank(card), 0);
    }

    /** How strong a card is among those of its suit; the higher one wins. */
    public int strength(Card card) {
        return strength.getOrDefault(CardCode.rank(card), 0);
    }

    /** Does {@code reply} take a trick that {@code led} leads? */
    public boolean beats(Card led, Card reply, Suit trump) {
        if (CardCode.suit(led) == CardCode.suit(reply)) {
            return strength(reply) > strength(led);
        }
        return CardCode.suit(reply) == trump;
    }

    private static void checkEnums(RuleSet fields) throws MessageException {
        for (FieldDescriptor field : RuleSet.getDescriptor().getFields()) {
            if (field.getJavaType() != FieldDescriptor.JavaType.ENUM || field.isRepeated()) {
                continue;
            }
            int number = ((EnumValueDescriptor) fields.getField(field)).getNumber();
            if (number == 0 || field.getEnumType().findValueByNumber(number) == null) {
                throw new MessageException("rules." + field.getName() + " has the unknown value " + number);
            }
        }
    }

    private static int count(int number, String field) throws MessageException {
        if (number < 0 || number > MOST_POINTS) {
            throw new MessageException(field + " is too large: " + Integer.toUnsignedString(number));
        }
        return number;
    }

    private static List<Card> makeDeck(List<Rank> ranks) {
        List<Card> deck = new ArrayList<>();
        for (Suit suit : CardCode.SUITS) {
            for (Rank rank : ranks) {
                deck.add(CardCode.card(suit, rank));
            }
        }
        deck.sort(null);
        return List.copyOf(deck);
    }
}
