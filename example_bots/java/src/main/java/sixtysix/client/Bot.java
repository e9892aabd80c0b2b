package sixtysix.client;

import sixtysix.v1.Deal.Action;

/** Decides. */
@FunctionalInterface
public interface Bot {
    /**
     * Answers a decision. Called for several matches at the same time, by a thread for each.
     *
     * @return one of the legal actions of the view
     */
    Action choose(Question question);
}
