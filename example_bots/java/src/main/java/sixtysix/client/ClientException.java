package sixtysix.client;

/** Why the bot does not play, or does not play on; its message is one line for people. */
public final class ClientException extends Exception {
    private static final long serialVersionUID = 1L;

    public ClientException(String message) {
        super(message);
    }

    public ClientException(String message, Throwable cause) {
        super(message, cause);
    }
}
