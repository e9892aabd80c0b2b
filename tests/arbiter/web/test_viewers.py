import pytest
import trio
import trio.testing

from arbiter.web.viewers import QUEUE, Viewers


async def test_a_viewer_gets_what_comes(autojump_clock: trio.testing.MockClock) -> None:
    viewers = Viewers(2)
    with viewers.enter(b"first", b"second") as events:
        assert events is not None
        viewers.send(b"third")
        assert [await events.receive() for _ in range(3)] == [b"first", b"second", b"third"]


async def test_there_is_room_for_so_many() -> None:
    viewers = Viewers(2)
    with viewers.enter() as one, viewers.enter() as two, viewers.enter() as three:
        assert None not in (one, two)
        assert three is None
        assert len(viewers) == 2
    with viewers.enter() as again:
        assert again is not None
    assert len(viewers) == 0


async def test_who_falls_behind_is_dropped_and_nobody_else() -> None:
    viewers = Viewers(2)
    with viewers.enter() as slow, viewers.enter() as quick:
        assert slow is not None
        assert quick is not None
        for number in range(QUEUE + 1):
            viewers.send(str(number).encode())
            assert await quick.receive() == str(number).encode()
        assert len(viewers) == 1
        assert [event async for event in slow] == [str(number).encode() for number in range(QUEUE)]
        viewers.send(b"more")
        assert await quick.receive() == b"more"


async def test_a_viewer_that_was_dropped_still_takes_its_place() -> None:
    # Its connection may be stuck, and connections are what is bounded.
    viewers = Viewers(1)
    with viewers.enter():
        for _ in range(QUEUE + 1):
            viewers.send(b"event")
        with viewers.enter() as other:
            assert other is None


async def test_waiting_for_the_first(autojump_clock: trio.testing.MockClock) -> None:
    viewers = Viewers(2)
    seen: list[float] = []

    async def wait() -> None:
        await viewers.wait_for_one()
        seen.append(trio.current_time())

    async with trio.open_nursery() as nursery:
        began = trio.current_time()
        nursery.start_soon(wait)
        await trio.sleep(3)
        assert seen == []
        with viewers.enter():
            await trio.sleep(1)
    assert seen == [pytest.approx(began + 3)]


async def test_the_end_waits_for_those_that_are_there(autojump_clock: trio.testing.MockClock) -> None:
    viewers = Viewers(2)
    got: list[bytes] = []

    async def look() -> None:
        with viewers.enter() as events:
            assert events is not None
            async for event in events:
                await trio.sleep(1)
                got.append(event)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(look)
        await trio.testing.wait_all_tasks_blocked()
        viewers.send(b"one")
        viewers.send(b"last")
        began = trio.current_time()
        await viewers.close()
        assert trio.current_time() == pytest.approx(began + 2)
    assert got == [b"one", b"last"]
    with viewers.enter() as late:
        assert late is None
