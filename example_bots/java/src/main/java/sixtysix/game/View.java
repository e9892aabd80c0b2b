package sixtysix.game;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import sixtysix.v1.BotServiceOuterClass.Decision;
import sixtysix.v1.Cards.Card;
import sixtysix.v1.Cards.Seat;
import sixtysix.v1.Cards.Suit;
import sixtysix.v1.Deal.Action;
import sixtysix.v1.Deal.ActionKind;
import sixtysix.v1.Deal.Observation;
import sixtysix.v1.Deal.Stage;

/** Everything that a seat knows when it has to decide. */
public final class View {
    private final RuleBook rules;
    private final Decision decision;
    private final List<Card> hand;
    private final Suit trump;
    private final Optional<Card> led;
    private final List<Card> hidden;
    private final List<Action> legalActions;

    /**
     * Reads a decision.
     *
     * @throws MessageException if something is missing, or unknown, that a player has to know
     */
    public View(RuleBook rules, Decision decision) throws MessageException {
        this.rules = rules;
        this.decision = decision;
        Observation seen = decision.getObservation();
        Stage stage = decision.getStage();
        if (stage == Stage.UNRECOGNIZED || stage == Stage.STAGE_UNSPECIFIED) {
            throw new MessageException("decision.stage has the unknown value " + decision.getStageValue());
        }
        trump = seen.getTrump();
        if (!CardCode.SUITS.contains(trump)) {
            throw new MessageException("observation.trump has the unknown value " + seen.getTrumpValue());
        }
        hand = CardCode.known(seen.getHandList(), "observation.hand");
        led = optional(seen.getLedCard(), "observation.led_card");
        hidden = hidden(seen);
        legalActions =
                decision.getLegalActionsList().stream().filter(View::isKnown).toList();
        if (legalActions.isEmpty()) {
            throw new MessageException("a decision without a legal action that is known");
        }
    }

    public RuleBook rules() {
        return rules;
    }

    /** The whole message. */
    public Decision decision() {
        return decision;
    }

    /** All of the observation, for what has no method here. */
    public Observation observation() {
        return decision.getObservation();
    }

    public Stage stage() {
        return decision.getStage();
    }

    /** Own cards, in the order in which they were received. */
    public List<Card> hand() {
        return hand;
    }

    public Suit trump() {
        return trump;
    }

    /** The card on the table. */
    public Optional<Card> led() {
        return led;
    }

    /** What may be done, without kinds of actions that a later version has added. */
    public List<Action> legalActions() {
        return legalActions;
    }

    /** The first legal action of a kind. */
    public Optional<Action> legal(ActionKind kind) {
        return legalActions.stream().filter(action -> action.getKind() == kind).findFirst();
    }

    /** The legal action of a kind that names a suit. */
    public Optional<Action> legal(ActionKind kind, Suit suit) {
        return legalActions.stream()
                .filter(action -> action.getKind() == kind && action.getSuit() == suit)
                .findFirst();
    }

    /** The cards that may be played. */
    public List<Card> playable() {
        return legalActions.stream()
                .filter(action -> action.getKind() == ActionKind.ACTION_KIND_PLAY)
                .map(Action::getCard)
                .toList();
    }

    /** The legal action that plays a card. */
    public Action play(Card card) {
        return legalActions.stream()
                .filter(action -> action.getKind() == ActionKind.ACTION_KIND_PLAY && action.getCard() == card)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("not legal: " + card));
    }

    /** Own card points that are missing for a correct claim, 0 if none. */
    public int pointsNeeded() {
        return Math.max(0, rules.fields().getClaimPoints() - observation().getOwnCardPoints());
    }

    /** True while cards are drawn: the talon is neither closed nor exhausted. */
    public boolean talonOpen() {
        Observation seen = observation();
        boolean closed = seen.getTalonClosedBy() != Seat.SEAT_UNSPECIFIED;
        return !closed && (seen.getTalonCount() > 0 || seen.getTurnUp() != Card.CARD_UNSPECIFIED);
    }

    /** Cards that the other hand may hold: those known to be there and those whose place is unknown. */
    public List<Card> hidden() {
        return hidden;
    }

    /** Does the card surely win the trick? On lead: no card that the other hand may hold beats it. */
    public boolean wouldWin(Card card) {
        return led.map(first -> rules.beats(first, card, trump))
                .orElseGet(() -> hidden.stream().noneMatch(reply -> rules.beats(card, reply, trump)));
    }

    private List<Card> hidden(Observation seen) throws MessageException {
        Set<Card> placed = EnumSet.noneOf(Card.class);
        placed.addAll(hand);
        placed.addAll(CardCode.known(seen.getPlayedCardsList(), "observation.played_cards"));
        optional(seen.getTurnUp(), "observation.turn_up").ifPresent(placed::add);
        List<Card> result = new ArrayList<>(rules.deck());
        result.removeAll(placed);
        return List.copyOf(result);
    }

    private static Optional<Card> optional(Card card, String field) throws MessageException {
        return card == Card.CARD_UNSPECIFIED ? Optional.empty() : Optional.of(CardCode.known(card, field));
    }

    private static boolean isKnown(Action action) {
        return switch (action.getKind()) {
            case ACTION_KIND_PLAY -> action.getCard() != Card.UNRECOGNIZED && action.getCard() != Card.CARD_UNSPECIFIED;
            case ACTION_KIND_MARRIAGE, ACTION_KIND_TRUMP -> CardCode.SUITS.contains(action.getSuit());
            case UNRECOGNIZED, ACTION_KIND_UNSPECIFIED -> false;
            default -> true;
        };
    }
}
