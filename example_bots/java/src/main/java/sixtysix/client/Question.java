package sixtysix.client;

import java.time.Duration;
import sixtysix.game.View;
import sixtysix.v1.BotServiceOuterClass.Clock;

/** A decision that the bot has to make. */
public final class Question {
    private final View view;
    private final long arrivedNanos;
    private volatile boolean closed;

    /**
     * A question.
     *
     * @param arrivedNanos {@link System#nanoTime} at the arrival of the decision
     */
    public Question(View view, long arrivedNanos) {
        this.view = view;
        this.arrivedNanos = arrivedNanos;
    }

    public View view() {
        return view;
    }

    public String matchId() {
        return view.decision().getMatchId();
    }

    public long decisionId() {
        return view.decision().getDecisionId();
    }

    /** Time since the decision arrived. */
    public Duration elapsed() {
        return Duration.ofNanos(System.nanoTime() - arrivedNanos);
    }

    /** How long the decision may take and what is in the bank, in microseconds, as they were when it was sent. */
    public Clock clock() {
        return view.decision().getClock();
    }

    /** True when no answer is wanted any more: a bot that thinks long should look at it now and then. */
    public boolean isClosed() {
        return closed;
    }

    void close() {
        closed = true;
    }
}
