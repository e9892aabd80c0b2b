import asyncio
import time

import pytest
import trio

from arbiter import hosting


async def double(number: int) -> int:
    await asyncio.sleep(0)
    return 2 * number


async def fail() -> None:
    raise ValueError("no")


def test_trio_waits_for_what_asyncio_does() -> None:
    async def main(number: int) -> int:
        await trio.lowlevel.checkpoint()
        return await hosting.awaited(double(number))

    assert hosting.run(main, 21) == 42


def test_errors_go_through() -> None:
    async def main() -> None:
        await hosting.awaited(fail())

    with pytest.raises(ValueError, match="no"):
        hosting.run(main)


def test_what_is_not_waited_for_any_more_is_cancelled() -> None:
    ended = []

    async def wait() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.append(True)

    async def main() -> None:
        with trio.move_on_after(0.01) as scope:
            await hosting.awaited(wait())
        assert scope.cancelled_caught
        await hosting.awaited(asyncio.sleep(0))

    hosting.run(main)
    assert ended == [True]


def test_work_within_a_pass_does_not_move_its_moment() -> None:
    async def main() -> None:
        loop = hosting.running_loop()
        woke_ns = loop.woke_ns
        end = time.monotonic() + 0.002
        while time.monotonic() < end:
            pass
        assert loop.woke_ns == woke_ns
        await trio.sleep(0.001)
        assert loop.woke_ns > woke_ns

    hosting.run(main)


def test_other_loops_are_refused() -> None:
    async def main() -> None:
        hosting.running_loop()

    with pytest.raises(AssertionError, match="hosting"):
        asyncio.run(main())
