package sixtysix.game;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static sixtysix.Messages.action;
import static sixtysix.Messages.card;
import static sixtysix.Messages.cards;
import static sixtysix.Messages.follow;
import static sixtysix.Messages.lead;
import static sixtysix.Messages.schnapsen;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import sixtysix.v1.BotServiceOuterClass.Decision;
import sixtysix.v1.Cards.Seat;
import sixtysix.v1.Cards.Suit;
import sixtysix.v1.Deal.ActionKind;

class ViewTest {
    private static View view(Decision.Builder decision) throws MessageException {
        return new View(new RuleBook(schnapsen()), decision.build());
    }

    @Test
    void itHasWhatTheSeatSees() throws MessageException {
        View view = view(lead("AC KD", "H", "AC KD marriage-D claim"));
        assertEquals(cards("AC KD"), view.hand());
        assertEquals(cards("AC KD"), view.playable());
        assertEquals(Suit.SUIT_HEARTS, view.trump());
        assertEquals(Optional.empty(), view.led());
        assertEquals(Optional.of(action("claim")), view.legal(ActionKind.ACTION_KIND_CLAIM));
        assertEquals(Optional.empty(), view.legal(ActionKind.ACTION_KIND_CLOSE));
        assertEquals(
                Optional.of(action("marriage-D")), view.legal(ActionKind.ACTION_KIND_MARRIAGE, Suit.SUIT_DIAMONDS));
        assertEquals(Optional.empty(), view.legal(ActionKind.ACTION_KIND_MARRIAGE, Suit.SUIT_HEARTS));
    }

    @Test
    void pointsNeededAreNeverBelowZero() throws MessageException {
        Decision.Builder decision = lead("AC", "H", "AC claim");
        for (int[] pair : new int[][] {{0, 66}, {65, 1}, {66, 0}, {80, 0}}) {
            decision.getObservationBuilder().setOwnCardPoints(pair[0]);
            assertEquals(pair[1], view(decision).pointsNeeded());
        }
    }

    @Test
    void theTalonIsOpenUntilItIsClosedOrExhausted() throws MessageException {
        Decision.Builder decision = lead("AC", "H", "AC");
        assertTrue(view(decision).talonOpen());
        decision.getObservationBuilder().setTalonClosedBy(Seat.SEAT_FIRST);
        assertFalse(view(decision).talonOpen());
        decision.getObservationBuilder().clearTalonClosedBy().setTalonCount(0);
        assertFalse(view(decision).talonOpen());
        decision.getObservationBuilder().setTurnUp(card("JH"));
        assertTrue(view(decision).talonOpen());
    }

    @Test
    void hiddenIsWhatIsNeitherHeldNorPlayedNorTurnedUp() throws MessageException {
        Decision.Builder decision = follow("KC", "AC TC QC JC", "H", "AC TC QC JC");
        decision.getObservationBuilder()
                .addAllPlayedCards(cards("AD TD KD QD JD AS TS KS QS JS"))
                .setTurnUp(card("JH"))
                .addOpponentKnownCards(card("QH"));
        assertEquals(
                new HashSet<>(cards("AH TH KH QH")),
                new HashSet<>(view(decision).hidden()));
    }

    @Test
    void aCardSurelyWinsOnLeadIfNoHiddenCardBeatsIt() throws MessageException {
        Decision.Builder decision = lead("AC AH TH", "H", "AC AH TH");
        assertTrue(view(decision).wouldWin(card("AH")));
        assertFalse(view(decision).wouldWin(card("AC"))); // a trump may be in the other hand
        decision.getObservationBuilder().addAllPlayedCards(cards("KH QH JH"));
        assertTrue(view(decision).wouldWin(card("AC")));
    }

    @Test
    void aCardWinsTheTrickIfItBeatsTheOneThatIsLed() throws MessageException {
        View view = view(follow("KC", "AC QC AD JH", "H", "AC QC AD JH"));
        assertEquals(
                cards("AC JH"), view.playable().stream().filter(view::wouldWin).toList());
    }

    @Test
    void actionsOfALaterVersionAreLeftOut() throws MessageException {
        Decision.Builder decision = lead("AC", "H", "AC");
        decision.addLegalActionsBuilder().setKindValue(99);
        decision.addLegalActionsBuilder()
                .setKind(ActionKind.ACTION_KIND_MARRIAGE)
                .setSuitValue(9);
        decision.addLegalActionsBuilder().setKind(ActionKind.ACTION_KIND_PLAY).setCardValue(99);
        assertEquals(List.of(action("AC")), view(decision).legalActions());
    }

    @Test
    void whatAPlayerHasToKnowIsRequired() {
        List<Decision.Builder> wrong = List.of(
                lead("AC", "H", "AC").setStageValue(99),
                lead("AC", "H", "AC").clearStage(),
                lead("AC", "H", ""),
                edited(lead("AC", "H", "AC"), "trump"),
                edited(lead("AC", "H", "AC"), "hand"),
                edited(lead("AC", "H", "AC"), "led_card"));
        for (Decision.Builder decision : wrong) {
            assertThrows(MessageException.class, () -> view(decision), decision::toString);
        }
    }

    private static Decision.Builder edited(Decision.Builder decision, String field) {
        switch (field) {
            case "trump" -> decision.getObservationBuilder().setTrumpValue(9);
            case "hand" -> decision.getObservationBuilder().addHandValue(99);
            default -> decision.getObservationBuilder().setLedCardValue(99);
        }
        return decision;
    }
}
