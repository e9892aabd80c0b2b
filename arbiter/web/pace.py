"""How fast matches end, and how long the rest will take. No I/O."""

from collections import deque

WINDOW_S = 60.0


class Pace:
    """The pace of the last minute.

    Args:
        now: seconds on a monotonic clock.
    """

    def __init__(self, now: float) -> None:
        self._marks: deque[tuple[float, int]] = deque([(now, 0)])

    def add(self, now: float, ended: int) -> None:
        """Note that so many matches have ended since the call before."""
        self._marks.append((now, self._marks[-1][1] + ended))
        # What has ended since the last mark before the window took that long.
        while self._marks[1][0] <= now - WINDOW_S:
            self._marks.popleft()

    @property
    def per_second(self) -> float | None:
        """Matches that end in a second; None if none has ended in the window."""
        (begun, before), (now, total) = self._marks[0], self._marks[-1]
        return (total - before) / (now - begun) if total > before and now > begun else None

    def seconds_for(self, matches: int) -> float | None:
        """Return how long so many matches will take at this pace; None if that cannot be told."""
        rate = self.per_second
        return None if rate is None else matches / rate
