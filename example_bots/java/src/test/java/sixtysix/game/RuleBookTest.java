package sixtysix.game;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static sixtysix.Messages.card;
import static sixtysix.Messages.schnapsen;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import sixtysix.v1.Cards.Rank;
import sixtysix.v1.Cards.Suit;
import sixtysix.v1.Rules.RuleSet;

class RuleBookTest {
    @Test
    void theDeckHasTheRanksOfTheRules() throws MessageException {
        RuleBook rules = new RuleBook(schnapsen());
        assertEquals(20, rules.deck().size());
        assertEquals(120, rules.deck().stream().mapToInt(rules::points).sum());
        assertTrue(rules.deck().stream().noneMatch(card -> CardCode.rank(card) == Rank.RANK_NINE));
    }

    @ParameterizedTest
    @CsvSource({
        "KC, AC, true", // higher in the suit led
        "KC, QC, false",
        "AC, JH, true", // a trump on a plain suit
        "JH, AC, false",
        "JH, QH, true",
        "JC, AD, false", // another plain suit
    })
    void aTrickGoesToTheHigherCardOrTheTrump(String led, String reply, boolean beaten) throws MessageException {
        RuleBook rules = new RuleBook(schnapsen());
        assertEquals(beaten, rules.beats(card(led), card(reply), Suit.SUIT_HEARTS));
    }

    @Test
    void strengthFollowsTheOrderOfTheRanks() throws MessageException {
        List<Rank> ranks = List.of(Rank.RANK_JACK, Rank.RANK_ACE);
        RuleBook rules = new RuleBook(schnapsen().toBuilder()
                .clearRanks()
                .addAllRanks(ranks)
                .clearCardPoints()
                .addAllCardPoints(List.of(20, 1))
                .setHandSize(2)
                .build());
        assertTrue(rules.beats(card("AC"), card("JC"), Suit.SUIT_HEARTS));
        assertEquals(20, rules.points(card("JC")));
    }

    @Test
    void whatIsMissingOrUnknownIsRefused() {
        List<RuleSet.Builder> wrong = List.of(
                schnapsen().toBuilder().clearUnclaimed(),
                schnapsen().toBuilder().setLastClaimValue(3),
                schnapsen().toBuilder().addRanksValue(7).addCardPoints(1),
                schnapsen().toBuilder().addRanks(Rank.RANK_ACE).addCardPoints(1),
                schnapsen().toBuilder().addCardPoints(1),
                schnapsen().toBuilder().clearRanks().clearCardPoints(),
                schnapsen().toBuilder().setCardPoints(0, -1),
                schnapsen().toBuilder().setClaimPoints(-1),
                schnapsen().toBuilder().setHandSize(11),
                schnapsen().toBuilder().setHandSize(0));
        for (RuleSet.Builder rules : wrong) {
            assertThrows(MessageException.class, () -> new RuleBook(rules.build()), rules::toString);
        }
    }
}
