package sixtysix;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import sixtysix.v1.BotServiceOuterClass.Decision;
import sixtysix.v1.BotServiceOuterClass.MatchOffered;
import sixtysix.v1.BotServiceOuterClass.PlayResponse;
import sixtysix.v1.BotServiceOuterClass.Update;
import sixtysix.v1.BotServiceOuterClass.Welcome;
import sixtysix.v1.Cards.Card;
import sixtysix.v1.Cards.Rank;
import sixtysix.v1.Cards.Seat;
import sixtysix.v1.Cards.Suit;
import sixtysix.v1.Deal.Action;
import sixtysix.v1.Deal.ActionKind;
import sixtysix.v1.Deal.Observation;
import sixtysix.v1.Deal.Stage;
import sixtysix.v1.Rules.BothOver;
import sixtysix.v1.Rules.ClosedUnclaimed;
import sixtysix.v1.Rules.CloserBeaten;
import sixtysix.v1.Rules.CloserFails;
import sixtysix.v1.Rules.Duty;
import sixtysix.v1.Rules.LastClaim;
import sixtysix.v1.Rules.Leader;
import sixtysix.v1.Rules.Measure;
import sixtysix.v1.Rules.NextDealer;
import sixtysix.v1.Rules.RuleSet;
import sixtysix.v1.Rules.Unclaimed;

/** Messages for tests. Cards are written rank first, suit second: {@code TH} is the ten of hearts. */
public final class Messages {
    private static final String SUITS = "CDHS";
    private static final String RANKS = "ATKQJ9";

    private Messages() {}

    public static PlayResponse response(Update... updates) {
        return PlayResponse.newBuilder().addAllUpdates(List.of(updates)).build();
    }

    public static Update welcome(String sessionId, boolean resumed) {
        Welcome.Builder welcome =
                Welcome.newBuilder().setSessionId(sessionId).setBotName("bot").setResumed(resumed);
        return Update.newBuilder().setWelcome(welcome).build();
    }

    public static Update offer(String matchId, RuleSet rules) {
        MatchOffered.Builder offer =
                MatchOffered.newBuilder().setMatchId(matchId).setRules(rules).setSeat(Seat.SEAT_SECOND);
        return Update.newBuilder().setMatchOffered(offer).build();
    }

    public static Update offer(String matchId) {
        return offer(matchId, schnapsen());
    }

    public static Update decision(Decision decision) {
        return Update.newBuilder().setDecision(decision).build();
    }

    /** The first lead of a deal in Schnapsen. */
    public static Update decision(String matchId, long decisionId) {
        return decision(lead("AC TC JS QD AH", "H", "AC TC JS QD AH claim close")
                .setMatchId(matchId)
                .setDecisionId(decisionId)
                .build());
    }

    /** A decision on lead with an open talon, for the rest to be set. */
    public static Decision.Builder lead(String hand, String trump, String legal) {
        Decision.Builder decision = Decision.newBuilder().setStage(Stage.STAGE_LEAD);
        decision.getClockBuilder().setCapUs(1_000_000).setBankUs(60_000_000);
        Observation.Builder seen = decision.getObservationBuilder();
        seen.setSeat(Seat.SEAT_SECOND).setLeader(Seat.SEAT_SECOND).setDealer(Seat.SEAT_FIRST);
        seen.addAllHand(cards(hand)).setTrump(suit(trump)).setTalonCount(4);
        actions(legal).forEach(decision::addLegalActions);
        return decision;
    }

    /** A decision to answer the card that is on the table, with an open talon. */
    public static Decision.Builder follow(String led, String hand, String trump, String legal) {
        Decision.Builder decision = lead(hand, trump, legal).setStage(Stage.STAGE_FOLLOW);
        decision.getObservationBuilder()
                .setLeader(Seat.SEAT_FIRST)
                .setLedCard(card(led))
                .addPlayedCards(card(led));
        return decision;
    }

    public static Card card(String text) {
        int suit = SUITS.indexOf(text.charAt(1));
        int rank = RANKS.indexOf(text.charAt(0));
        return Card.forNumber(suit * RANKS.length() + rank + 1);
    }

    public static List<Card> cards(String texts) {
        return words(texts).map(Messages::card).toList();
    }

    /** Actions such as {@code AC}, {@code claim} or {@code marriage-H}. */
    public static List<Action> actions(String texts) {
        return words(texts).map(Messages::action).toList();
    }

    public static Action action(String text) {
        Action.Builder action = Action.newBuilder();
        String[] parts = text.split("-");
        if (text.length() == 2) {
            return action.setKind(ActionKind.ACTION_KIND_PLAY)
                    .setCard(card(text))
                    .build();
        }
        action.setKind(ActionKind.valueOf("ACTION_KIND_" + parts[0].toUpperCase(Locale.ROOT)));
        if (parts.length == 2) {
            action.setSuit(suit(parts[1]));
        }
        return action.build();
    }

    private static Suit suit(String text) {
        return Suit.forNumber(SUITS.indexOf(text) + 1);
    }

    private static Stream<String> words(String texts) {
        return Arrays.stream(texts.split(" ")).filter(text -> !text.isEmpty());
    }

    /** The Austrian rules. */
    public static RuleSet schnapsen() {
        return RuleSet.newBuilder()
                .setName("schnapsen")
                .addAllRanks(List.of(Rank.RANK_ACE, Rank.RANK_TEN, Rank.RANK_KING, Rank.RANK_QUEEN, Rank.RANK_JACK))
                .addAllCardPoints(List.of(11, 10, 4, 3, 2))
                .setHandSize(5)
                .addAllPackets(List.of(3, 2))
                .setTurnUpAfter(1)
                .setFirstLead(Leader.LEADER_FOREHAND)
                .setNextDealer(NextDealer.NEXT_DEALER_ALTERNATE)
                .setOpenDuty(Duty.DUTY_NONE)
                .setClosedDuty(Duty.DUTY_HEAD)
                .setExchange(true)
                .setExchangeMinFaceDown(2)
                .setMarriageAnyLead(true)
                .setMarriagePoints(20)
                .setTrumpMarriagePoints(40)
                .setClaimPoints(66)
                .setSchneiderPoints(33)
                .setCloserMeasure(Measure.MEASURE_AT_CLAIM)
                .setBothOver(BothOver.BOTH_OVER_CLAIMANT)
                .setFalseClaim(2)
                .setFalseClaimTrickless(3)
                .setCloserFails(CloserFails.CLOSER_FAILS_OTHER_TRICKLESS)
                .setCloserBeaten(CloserBeaten.CLOSER_BEATEN_AS_FAILED_CLOSE)
                .setUnclaimed(Unclaimed.UNCLAIMED_LAST_TRICK)
                .setClosedUnclaimed(ClosedUnclaimed.CLOSED_UNCLAIMED_FAILED)
                .setLastClaim(LastClaim.LAST_CLAIM_CLOSED)
                .setForfeit(2)
                .setTarget(7)
                .build();
    }
}
