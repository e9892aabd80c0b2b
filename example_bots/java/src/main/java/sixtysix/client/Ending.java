package sixtysix.client;

/** Why a bot has played to the end. */
public enum Ending {
    /** The tournament is over. */
    OVER,
    /** {@link BotClient#interrupt} was called. */
    INTERRUPTED
}
