"""One thread for gRPC and trio: asyncio's loop, which `grpc.aio` needs, hosts the run of trio as its guest."""

import asyncio
import selectors
import time
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from typing import Any, TypeVar

import trio

T = TypeVar("T")


class _Selector(selectors.DefaultSelector):
    """Notes when the loop woke up, which is when whatever it handles next had arrived at the latest."""

    def __init__(self) -> None:
        super().__init__()
        self.woke_ns = time.monotonic_ns()

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        ready = super().select(timeout)
        self.woke_ns = time.monotonic_ns()
        return ready


class Loop(asyncio.SelectorEventLoop):
    """asyncio's loop that knows when its present pass has begun."""

    def __init__(self) -> None:
        self._noting = _Selector()
        super().__init__(self._noting)

    @property
    def woke_ns(self) -> int:
        """When the present pass began, in monotonic nanoseconds: work done in it is nobody's thinking time."""
        return self._noting.woke_ns


def run(
    function: Callable[..., Awaitable[T]],
    *args: Any,
    clock: trio.abc.Clock | None = None,
    instruments: Sequence[trio.abc.Instrument] = (),
) -> T:
    """Run as `trio.run` does; the same thread runs a `Loop` too, which is there for `awaited`.

    Args:
        function: asynchronous, for trio.
        *args: for it.
        clock: trio's clock.
        instruments: of trio.
    """
    loop = Loop()
    done: asyncio.Future[Any] = loop.create_future()
    try:
        asyncio.set_event_loop(loop)
        trio.lowlevel.start_guest_run(
            function,
            *args,
            clock=clock,
            instruments=instruments,
            run_sync_soon_threadsafe=loop.call_soon_threadsafe,
            run_sync_soon_not_threadsafe=loop.call_soon,
            done_callback=done.set_result,
        )
        result: T = loop.run_until_complete(done).unwrap()
        return result
    finally:
        loop.run_until_complete(loop.shutdown_default_executor())
        asyncio.set_event_loop(None)
        loop.close()


def running_loop() -> Loop:
    """The loop that hosts the present run of trio."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, Loop), "not started by arbiter.hosting.run"
    return loop


async def awaited(work: Coroutine[Any, Any, T]) -> T:
    """Let a coroutine of asyncio run to its end, and wait for it in a task of trio."""
    task = running_loop().create_task(work)
    ended = trio.Event()
    task.add_done_callback(lambda _: ended.set())
    try:
        await ended.wait()
    except trio.Cancelled:
        task.cancel()
        raise
    return task.result()
