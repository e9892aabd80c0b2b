package sixtysix.bot;

import static java.util.Comparator.comparingInt;

import java.util.List;
import java.util.Optional;
import sixtysix.client.Bot;
import sixtysix.client.Question;
import sixtysix.game.CardCode;
import sixtysix.game.View;
import sixtysix.v1.Cards.Card;
import sixtysix.v1.Cards.Rank;
import sixtysix.v1.Cards.Suit;
import sixtysix.v1.Deal.Action;
import sixtysix.v1.Deal.ActionKind;

/** Plays by the textbook tips, without looking ahead. */
public final class GreedyBot implements Bot {
    /** Least points of a card led for which a trump is spent. */
    private static final int WORTH_A_TRUMP = 10;

    /** Points that the other player adds, as a rule, to a trick that he loses. */
    private static final int USUAL_LOSS = 3;

    private static final int TRUMP_KEPT = 25;
    private static final int MARRIAGE_KEPT = 20;
    private static final int TRUMP_MARRIAGE_KEPT = 40;

    @Override
    public Action choose(Question question) {
        return choose(question.view());
    }

    /** The action to take, by what the seat knows alone. */
    static Action choose(View view) {
        if (view.legalActions().size() == 1) {
            return view.legalActions().get(0);
        }
        Optional<Action> claim = view.legal(ActionKind.ACTION_KIND_CLAIM);
        if (claim.isPresent() && view.pointsNeeded() == 0) {
            return claim.get();
        }
        return view.legal(ActionKind.ACTION_KIND_EXCHANGE).orElseGet(() -> switch (view.stage()) {
            case STAGE_BEFORE_DRAW -> view.legal(ActionKind.ACTION_KIND_DRAW).orElseThrow();
            case STAGE_EXCHANGE_OFFER, STAGE_LAST_CLAIM ->
                view.legal(ActionKind.ACTION_KIND_PASS).orElseThrow();
            case STAGE_FOLLOW -> view.play(follow(view));
            default -> announcement(view).orElseGet(() -> view.play(lead(view)));
        });
    }

    /** What to do before a card is led, if anything. */
    private static Optional<Action> announcement(View view) {
        return marriage(view).or(() -> trumpChange(view)).or(() -> close(view));
    }

    private static Optional<Action> marriage(View view) {
        return view.legal(ActionKind.ACTION_KIND_MARRIAGE, view.trump())
                .or(() -> view.legal(ActionKind.ACTION_KIND_MARRIAGE));
    }

    /** Makes the best suit trump. */
    private static Optional<Action> trumpChange(View view) {
        Suit best = CardCode.SUITS.stream()
                .max(comparingInt(suit -> suitWorth(view, suit)))
                .orElseThrow();
        return view.legal(ActionKind.ACTION_KIND_TRUMP, best)
                .filter(change -> suitWorth(view, best) > suitWorth(view, view.trump()));
    }

    /** Closes if the highest trumps in the hand are enough by themselves. */
    private static Optional<Action> close(View view) {
        int sure = topTrumps(view).stream()
                .mapToInt(card -> view.rules().points(card) + USUAL_LOSS)
                .sum();
        return view.legal(ActionKind.ACTION_KIND_CLOSE).filter(close -> sure >= view.pointsNeeded());
    }

    /** A sure winner where nothing is drawn any more, otherwise the card that is missed least. */
    private static Card lead(View view) {
        List<Card> cards = view.playable();
        Optional<Card> winner = view.talonOpen()
                ? Optional.empty()
                : cards.stream().filter(view::wouldWin).max(comparingInt(view.rules()::points));
        return winner.orElseGet(() -> leastMissed(view, cards));
    }

    /** Wins with the plain suit, with a trump if it pays, and otherwise throws away the least. */
    private static Card follow(View view) {
        Card led = view.led().orElseThrow();
        List<Card> cards = view.playable();
        List<Card> winners = cards.stream().filter(view::wouldWin).toList();
        List<Card> plain = winners.stream()
                .filter(card -> CardCode.suit(card) == CardCode.suit(led) && !inMarriage(view, card))
                .toList();
        if (!plain.isEmpty()) {
            // A trick in a plain suit takes the points home; in trumps the cheapest card does.
            var byPoints = comparingInt(view.rules()::points);
            boolean inTrumps = CardCode.suit(led) == view.trump();
            return (inTrumps ? plain.stream().min(byPoints) : plain.stream().max(byPoints)).orElseThrow();
        }
        boolean pays = view.rules().points(led) >= WORTH_A_TRUMP;
        if (!winners.isEmpty() && (pays || winners.size() == cards.size())) {
            return leastMissed(view, winners);
        }
        List<Card> losers =
                cards.stream().filter(card -> !winners.contains(card)).toList();
        return leastMissed(view, losers);
    }

    private static Card leastMissed(View view, List<Card> cards) {
        return cards.stream().min(comparingInt(card -> keepValue(view, card))).orElseThrow();
    }

    /** How much the card would be missed: its points, more for trumps and marriages. */
    private static int keepValue(View view, Card card) {
        boolean isTrump = CardCode.suit(card) == view.trump();
        int value = 2 * view.rules().points(card);
        if (isTrump) {
            value += TRUMP_KEPT;
        }
        if (inMarriage(view, card)) {
            value += isTrump ? TRUMP_MARRIAGE_KEPT : MARRIAGE_KEPT;
        }
        return value;
    }

    /** Is the card half of a marriage in the hand that may still be declared? */
    private static boolean inMarriage(View view, Card card) {
        if (!view.talonOpen() && !view.rules().fields().getMarriageAnyLead()) {
            return false;
        }
        return switch (CardCode.rank(card)) {
            case RANK_KING -> view.hand().contains(CardCode.card(CardCode.suit(card), Rank.RANK_QUEEN));
            case RANK_QUEEN -> view.hand().contains(CardCode.card(CardCode.suit(card), Rank.RANK_KING));
            default -> false;
        };
    }

    /** Own trumps that no card of the other player can beat, in whatever order they are played. */
    private static List<Card> topTrumps(View view) {
        int highest = view.hidden().stream()
                .filter(card -> CardCode.suit(card) == view.trump())
                .mapToInt(view.rules()::strength)
                .max()
                .orElse(0);
        return view.hand().stream()
                .filter(card ->
                        CardCode.suit(card) == view.trump() && view.rules().strength(card) > highest)
                .toList();
    }

    /** How good the suit is as trump: ten for each of its cards in the hand, and their points. */
    private static int suitWorth(View view, Suit suit) {
        return view.hand().stream()
                .filter(card -> CardCode.suit(card) == suit)
                .mapToInt(card -> 10 + view.rules().points(card))
                .sum();
    }
}
