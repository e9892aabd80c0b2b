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


async def answers_many_at_once(stream: Connection) -> None:
    decide(stream, 8)
    assert written(stream) == 8
    assert stream.admit(8, 160, now_ns=0)
    decide(stream, 8)
    assert written(stream) == 8
    decide(stream, 20)
    assert written(stream) == 0
    assert stream.admit(8, 160, now_ns=0)
    assert written(stream) == 20


async def more_than_a_message_holds(stream: Connection) -> None:
    stream.max_decisions = 2
    decide(stream, 5)
    assert [written(stream) for _ in range(4)] == [2, 2, 1, 0]


@pytest.mark.parametrize(
    "steps",
    [one_match, many_matches, a_slow_bot, more_than_is_open, answers_many_at_once, more_than_a_message_holds],
)
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


class Now:
    """The time of day, as the test has it."""

    ns = 1_000_000_000

    def monotonic_ns(self) -> int:
        return self.ns


@pytest.mark.parametrize(("took_ns", "charged_from"), [(4_000_000, "written"), (6_000_000, "asked")])
def test_who_does_not_read_is_charged_from_the_asking(
    monkeypatch: pytest.MonkeyPatch, took_ns: int, charged_from: str
) -> None:
    async def run() -> None:
        stream, now, stamp = connection(), Now(), Stamp()
        monkeypatch.setattr("arbiter.connection.time", now)
        decide(stream)
        stream.next_message()
        now.ns += 1_000_000
        asked_ns = now.ns
        stream.send(pb.Update(decision=pb.Decision(decision_id=2)), stamp)
        stream.wake.clear()
        now.ns += took_ns
        stream.written()
        blocked = charged_from == "asked"
        assert stream.wake.is_set() is blocked
        now.ns += 1_000_000
        stream.next_message()
        assert stamp.written_ns == (asked_ns if blocked else now.ns)
        stream.end()

    asyncio.run(run())
