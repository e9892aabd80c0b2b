import asyncio
from collections.abc import Awaitable, Callable

import pytest

from arbiter.connection import Connection, Stamp
from arbiter.limits import Bucket
from sixtysix.v1 import bot_service_pb2 as pb


def connection() -> Connection:
    return Connection("ada", Bucket(1_000, 1_000, now_ns=0))


def decide(stream: Connection, count: int = 1) -> None:
    for number in range(1, count + 1):
        stream.send(pb.Update(decision=pb.Decision(decision_id=number)), Stamp())


def written(stream: Connection) -> int:
    """Decisions that go out now, or 0 if they wait."""
    if not stream.wake.is_set():
        return 0
    stream.wake.clear()
    return len(pb.PlayResponse.FromString(stream.next_message()).updates)


Steps = Callable[[Connection], Awaitable[None]]


async def one_match(stream: Connection) -> None:
    for _ in range(3):
        decide(stream)
        assert written(stream) == 1
        assert stream.admit(1, 20, now_ns=0)


async def many_matches(stream: Connection) -> None:
    decide(stream, 4)
    assert written(stream) == 4
    decide(stream, 2)
    assert written(stream) == 0
    assert stream.admit(2, 40, now_ns=0)
    assert written(stream) == 0
    assert stream.admit(1, 20, now_ns=0)
    assert written(stream) == 2


async def a_slow_bot(stream: Connection) -> None:
    decide(stream)
    assert written(stream) == 1
    decide(stream)
    assert written(stream) == 0
    await asyncio.wait_for(stream.wake.wait(), 5)
    assert written(stream) == 1


async def more_than_is_open(stream: Connection) -> None:
    decide(stream, 2)
    assert written(stream) == 2
    decide(stream, 3)
    assert written(stream) == 3


@pytest.mark.parametrize("steps", [one_match, many_matches, a_slow_bot, more_than_is_open])
def test_what_is_for_a_bot_that_has_to_answer_is_gathered(steps: Steps) -> None:
    async def run() -> None:
        stream = connection()
        await steps(stream)
        stream.end()

    asyncio.run(run())


def test_the_clock_of_a_decision_that_is_gathered_does_not_run() -> None:
    async def run() -> None:
        stream, stamps = connection(), [Stamp(), Stamp()]
        stream.send(pb.Update(decision=pb.Decision(decision_id=1)), stamps[0])
        stream.next_message()
        stream.send(pb.Update(decision=pb.Decision(decision_id=2)), stamps[1])
        assert [stamp.written_ns is None for stamp in stamps] == [False, True]
        await asyncio.wait_for(stream.wake.wait(), 5)
        stream.next_message()
        first, second = (stamp.written_ns for stamp in stamps)
        assert first is not None
        assert second is not None
        assert second > first
        stream.end()

    asyncio.run(run())
