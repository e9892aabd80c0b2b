package bot;

import static java.util.Comparator.comparingInt;

import java.util.List;
import sixtysix.client.Bot;
import sixtysix.client.Question;
import sixtysix.game.View;
import sixtysix.v1.Cards.Card;
import sixtysix.v1.Deal.Action;
import sixtysix.v1.Deal.ActionKind;

/** The bot. */
public final class SimpleBot implements Bot {
    @Override
    public Action choose(Question question) {
        return choose(question.view());
    }

    /** One of the legal actions. The part to make better: the view has all that the bot may know. */
    static Action choose(View view) {
        if (view.pointsNeeded() == 0 && view.legal(ActionKind.ACTION_KIND_CLAIM).isPresent()) {
            return view.legal(ActionKind.ACTION_KIND_CLAIM).get();
        }
        return view.legal(ActionKind.ACTION_KIND_MARRIAGE).orElseGet(() -> cheapest(view));
    }

    /** The cheapest card that surely wins the trick, or else the cheapest of all. */
    private static Action cheapest(View view) {
        List<Card> cards = view.playable();
        if (cards.isEmpty()) { // to draw, or to pass
            return view.legalActions().stream()
                    .filter(action -> action.getKind() != ActionKind.ACTION_KIND_CLAIM)
                    .findFirst()
                    .orElseThrow();
        }
        List<Card> winners = cards.stream().filter(view::wouldWin).toList();
        Card card = (winners.isEmpty() ? cards : winners)
                .stream().min(comparingInt(view.rules()::points)).orElseThrow();
        return view.play(card);
    }
}
