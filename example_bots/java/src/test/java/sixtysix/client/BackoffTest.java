package sixtysix.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class BackoffTest {
    private final Backoff backoff = new Backoff(new SplittableRandom(1), Backoff.FIRST);

    private void assertWithinHalf(long wholeMillis, Duration delay) {
        assertTrue(delay.compareTo(Duration.ofMillis(wholeMillis)) <= 0, delay::toString);
        assertTrue(delay.compareTo(Duration.ofMillis(wholeMillis / 2)) >= 0, delay::toString);
    }

    @Test
    void eachDelayIsTwiceTheOneBeforeUpToALimit() {
        LongStream.of(100, 200, 400, 800, 1600, 3200, 5000, 5000)
                .forEach(whole -> assertWithinHalf(whole, backoff.next()));
    }

    @Test
    void delaysHaveARandomPart() {
        Backoff other = new Backoff(new SplittableRandom(2), Backoff.FIRST);
        assertTrue(!backoff.next().equals(other.next()));
    }

    @Test
    void itBeginsAnewAfterAConnection() {
        backoff.next();
        backoff.next();
        backoff.reset();
        assertWithinHalf(100, backoff.next());
        assertEquals(Duration.ofMillis(100), Backoff.FIRST);
    }
}
