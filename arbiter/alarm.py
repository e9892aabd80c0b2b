"""One watch over all deadlines: cheaper for a decision than a cancel scope of its own."""

import time
from collections.abc import Callable
from heapq import heappop, heappush
from itertools import count

import trio


class Alarm:
    """Calls back when a moment has come; all times are monotonic nanoseconds."""

    def __init__(self) -> None:
        self._heap: list[tuple[int, int, Callable[[], None]]] = []
        self._numbers = count()
        self._earlier = trio.Event()

    def set(self, at_ns: int, ring: Callable[[], None]) -> None:
        """Call `ring` once, at this moment or a little later, from the task that watches."""
        if not self._heap or at_ns < self._heap[0][0]:
            self._earlier.set()
        heappush(self._heap, (at_ns, next(self._numbers), ring))

    async def run(self) -> None:
        """Watch, for ever."""
        while True:
            self._earlier = trio.Event()
            pause_s = (self._heap[0][0] - time.monotonic_ns()) / 1e9 if self._heap else float("inf")
            with trio.move_on_after(max(0.0, pause_s)):
                await self._earlier.wait()
            now = time.monotonic_ns()
            while self._heap and self._heap[0][0] <= now:
                heappop(self._heap)[2]()
