"""Who is looking: bounded in number, each with a bounded queue. No I/O."""

from collections.abc import Iterator
from contextlib import contextmanager

import trio

QUEUE = 8
"""Events that may wait for a viewer. One that is further behind is dropped, and its browser begins anew."""


class Viewers:
    """The viewers of a page.

    Args:
        most: at once.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._present = 0
        self._queues: set[trio.MemorySendChannel[bytes]] = set()
        self._changed = trio.Event()
        self._closed = False

    def __len__(self) -> int:
        return len(self._queues)

    @contextmanager
    def enter(self, *first: bytes) -> Iterator[trio.MemoryReceiveChannel[bytes] | None]:
        """Look as long as the block runs: gives the events, or None if there are too many viewers.

        The channel ends when the viewer is dropped, and after the last event.

        Args:
            *first: the events that it begins with.
        """
        if self._closed or self._present >= self._most:
            yield None
            return
        queue, events = trio.open_memory_channel[bytes](QUEUE)
        for event in first:
            queue.send_nowait(event)
        self._queues.add(queue)
        self._change(+1)
        try:
            yield events
        finally:
            self._drop(queue)
            events.close()
            self._change(-1)

    def send(self, event: bytes) -> None:
        """Send an event to all, and drop those whose queues are full."""
        for queue in list(self._queues):
            try:
                queue.send_nowait(event)
            except trio.WouldBlock:
                self._drop(queue)

    async def wait_for_one(self) -> None:
        """Wait until somebody looks."""
        while not self._queues:
            await self._changed.wait()

    async def close(self) -> None:
        """Let nobody in any more, and wait until all have what was sent."""
        self._closed = True
        for queue in list(self._queues):
            self._drop(queue)
        while self._present:
            await self._changed.wait()

    def _drop(self, queue: trio.MemorySendChannel[bytes]) -> None:
        self._queues.discard(queue)
        queue.close()

    def _change(self, by: int) -> None:
        self._present += by
        self._changed.set()
        self._changed = trio.Event()
