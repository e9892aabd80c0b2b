"""One watch over all deadlines: cheaper for a decision than a cancel scope of its own."""

import time
from collections.abc import Callable
from heapq import heappop, heappush
from itertools import count

import trio

_PAUSE_S = 0.005
"""How often the watch looks: a deadline is noticed at most so much too late."""


class Alarm:
    """Calls back when a moment has come; all times are monotonic nanoseconds."""

    def __init__(self) -> None:
        self._heap: list[tuple[int, int, Callable[[], None]]] = []
        self._numbers = count()

    def set(self, at_ns: int, ring: Callable[[], None]) -> None:
        """Call `ring` once, at this moment or a little later."""
        heappush(self._heap, (at_ns, next(self._numbers), ring))

    async def run(self) -> None:
        """Watch, for ever."""
        while True:
            await trio.sleep(_PAUSE_S)
            now = time.monotonic_ns()
            while self._heap and self._heap[0][0] <= now:
                heappop(self._heap)[2]()
