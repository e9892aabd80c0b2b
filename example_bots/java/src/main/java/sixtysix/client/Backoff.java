package sixtysix.client;

import java.time.Duration;
import java.util.random.RandomGenerator;

/** Waiting times between attempts to connect: twice as long each time, with a random part. */
final class Backoff {
    static final Duration FIRST = Duration.ofMillis(100);
    static final Duration LONGEST = Duration.ofSeconds(5);

    private final RandomGenerator random;
    private final Duration first;
    private Duration next;

    /** Waiting times of which the first is {@code first} or up to a half shorter. */
    Backoff(RandomGenerator random, Duration first) {
        this.random = random;
        this.first = first;
        next = first;
    }

    /** How long to wait now. The random part keeps many bots from coming back at the same moment. */
    Duration next() {
        Duration whole = next;
        Duration twice = whole.multipliedBy(2);
        next = twice.compareTo(LONGEST) < 0 ? twice : LONGEST;
        return Duration.ofNanos((long) (whole.toNanos() * random.nextDouble(0.5, 1.0)));
    }

    /** After a connection: the next attempts begin with short waits again. */
    void reset() {
        next = first;
    }
}
