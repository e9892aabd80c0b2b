"""Moments at which the arbiter itself stood still, so that no bot is charged for them. No I/O."""

from collections import deque

TICK_NS = 2_000_000
"""How often the loop is due to look at the time."""
THRESHOLD_NS = 1_000_000
"""A delay shorter than this is not a stall."""
LONG_NS = 5_000_000
"""A stall shorter than this matters only to an answer that arrives in it; a longer one may have held up a bot too."""
_KEPT = 1_000


class StallMeter:
    """Compares when the loop was due to run with when it ran; all times are monotonic nanoseconds."""

    def __init__(self, now_ns: int) -> None:
        self._due_ns = now_ns + TICK_NS
        self._stalls: deque[tuple[int, int]] = deque(maxlen=_KEPT)
        self.total_ns = 0

    def ran(self, now_ns: int) -> None:
        """The loop runs at this moment; note a stall if it was due much earlier."""
        if now_ns - self._due_ns > THRESHOLD_NS:
            self._stalls.append((self._due_ns, now_ns))
            self.total_ns += now_ns - self._due_ns
            self._due_ns = now_ns + TICK_NS

    def ticked(self, now_ns: int) -> None:
        """The periodic tick runs; the next one is due a tick later."""
        self.ran(now_ns)
        self._due_ns = now_ns + TICK_NS

    def overlap_us(self, start_ns: int, end_ns: int) -> int:
        """Microseconds of stalls between two moments, the second being that of an arrival."""
        total = 0
        for begin, end in reversed(self._stalls):
            if end <= start_ns:
                break
            if end - begin < LONG_NS and end < end_ns:
                continue
            total += max(0, min(end, end_ns) - max(begin, start_ns))
        return total // 1000
