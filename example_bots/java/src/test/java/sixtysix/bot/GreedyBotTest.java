package sixtysix.bot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static sixtysix.Messages.action;
import static sixtysix.Messages.follow;
import static sixtysix.Messages.lead;
import static sixtysix.Messages.schnapsen;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import sixtysix.Vectors;
import sixtysix.game.MessageException;
import sixtysix.game.RuleBook;
import sixtysix.game.View;
import sixtysix.v1.BotServiceOuterClass.Decision;
import sixtysix.v1.Cards.Seat;
import sixtysix.v1.Deal.ActionKind;
import sixtysix.v1.Deal.Stage;

class GreedyBotTest {
    static Stream<View> views() {
        return Vectors.views();
    }

    private static void assertChosen(String expected, Decision.Builder decision) throws MessageException {
        assertEquals(action(expected), GreedyBot.choose(new View(new RuleBook(schnapsen()), decision.build())));
    }

    @ParameterizedTest
    @CsvSource({"65, AC", "66, claim", "90, claim"})
    void itClaimsWithEnoughPointsAndNotBefore(int points, String expected) throws MessageException {
        Decision.Builder decision = lead("AC", "H", "AC claim");
        decision.getObservationBuilder().setOwnCardPoints(points);
        assertChosen(expected, decision);
    }

    @Test
    void itTakesTheOnlyAction() throws MessageException {
        assertChosen("AC", lead("AC", "H", "AC"));
    }

    @Test
    void itExchangesBeforeAnythingElse() throws MessageException {
        assertChosen("exchange", lead("KC QC JH", "H", "KC QC JH exchange marriage-C"));
    }

    @ParameterizedTest
    @CsvSource({"marriage-C marriage-H, marriage-H", "marriage-C marriage-S, marriage-C", "marriage-S, marriage-S"})
    void itDeclaresMarriagesTrumpsFirst(String marriages, String expected) throws MessageException {
        assertChosen(expected, lead("KC QC", "H", "KC QC claim close " + marriages));
    }

    @ParameterizedTest
    @CsvSource({
        "38, AH TH AC, AC", // 28 points are missing, the two trumps are worth 27
        "39, AH TH AC, close",
        "60, KH TH AC, AC", // the ace may be in the other hand
    })
    void itClosesIfTheTopTrumpsAreEnough(int points, String hand, String expected) throws MessageException {
        Decision.Builder decision = lead(hand, "H", hand + " claim close");
        decision.getObservationBuilder().setOwnCardPoints(points);
        assertChosen(expected, decision);
    }

    @ParameterizedTest
    @CsvSource({
        "AC TD QS, QS", // the fewest points
        "TC QH, TC", // trumps are kept
        "KC QC TD, TD", // so are marriages
    })
    void onLeadWithAnOpenTalonItPlaysWhatIsMissedLeast(String hand, String expected) throws MessageException {
        assertChosen(expected, lead(hand, "H", hand + " claim"));
    }

    @Test
    void onLeadWithAClosedTalonItPlaysTheBestSureWinner() throws MessageException {
        Decision.Builder decision = lead("AC AH TH", "H", "AC AH TH claim");
        decision.getObservationBuilder().setTalonClosedBy(Seat.SEAT_SECOND);
        assertChosen("AH", decision);
    }

    @ParameterizedTest
    @CsvSource({
        "QC, AC KC TD, AC", // wins with the plain suit, and takes the points home
        "QC, KC AS, KC",
        "QH, AH KH TS, KH", // wins in trumps with the cheapest
        "TC, JH AS QS, JH", // spends a trump on a ten
        "KC, JH AS QS, QS", // and not on a king
        "AC, AS TD QD, QD", // throws away the least
        "JC, KC QC AH JD, JD", // keeps a marriage
    })
    void itFollowsCheaply(String led, String hand, String expected) throws MessageException {
        assertChosen(expected, follow(led, hand, "H", hand));
    }

    @Test
    void itPlaysATrumpIfNothingElseIsLegal() throws MessageException {
        assertChosen("QH", follow("KC", "AH QH", "H", "AH QH"));
    }

    @ParameterizedTest
    @CsvSource({
        "STAGE_BEFORE_DRAW, draw close claim, draw",
        "STAGE_EXCHANGE_OFFER, exchange pass, exchange",
        "STAGE_LAST_CLAIM, claim pass, pass",
    })
    void inOtherStagesItGoesOn(Stage stage, String legal, String expected) throws MessageException {
        assertChosen(expected, lead("", "H", legal).setStage(stage));
    }

    @Test
    void itMakesTheBestSuitTrump() throws MessageException {
        assertChosen("trump-C", lead("AC TC 9H", "H", "AC TC 9H trump-C trump-D trump-S"));
        assertChosen("9S", lead("AH TH 9S", "H", "AH TH 9S trump-C trump-D trump-S"));
    }

    @Test
    void aMarriageThatCannotBeDeclaredAnyMoreIsNotKept() throws MessageException {
        Decision.Builder decision = follow("JC", "KC QC JD", "H", "KC QC JD");
        decision.getObservationBuilder().setTalonClosedBy(Seat.SEAT_FIRST);
        RuleBook strict =
                new RuleBook(schnapsen().toBuilder().setMarriageAnyLead(false).build());
        assertEquals(action("KC"), GreedyBot.choose(new View(strict, decision.build())));
    }

    @ParameterizedTest
    @MethodSource("views")
    void itPlaysEveryRuleSetWithoutAFalseClaim(View view) {
        var chosen = GreedyBot.choose(view);
        assertTrue(view.legalActions().contains(chosen));
        assertTrue(chosen.getKind() != ActionKind.ACTION_KIND_CLAIM || view.pointsNeeded() == 0);
    }
}
