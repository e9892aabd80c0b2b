package sixtysix.client;

/**
 * How a bot presents itself.
 *
 * @param name for logs; what the arbiter calls the bot goes before it
 * @param version for logs and reports
 * @param author for reports; may be empty
 * @param matches the most at the same time, each of which has a thread
 */
public record Introduction(String name, String version, String author, int matches) {
    public Introduction {
        if (matches < 1) {
            throw new IllegalArgumentException("a bot plays one match at a time or more, not " + matches);
        }
    }
}
