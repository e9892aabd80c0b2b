package sixtysix.game;

/** A message that cannot be understood, and without which there is no playing on. */
public final class MessageException extends Exception {
    private static final long serialVersionUID = 1L;

    public MessageException(String message) {
        super(message);
    }
}
