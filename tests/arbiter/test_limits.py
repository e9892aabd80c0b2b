from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arbiter.connection import Connection, Stamp
from arbiter.limits import Bucket, message_cost
from sixtysix.v1 import bot_service_pb2 as pb

SECOND = 1_000_000_000


@pytest.mark.parametrize(
    ("taken", "expected"),
    [
        ([(0, 10), (0, 1)], [True, False]),
        ([(0, 11), (0, 10)], [False, True]),
        ([(0, 10), (SECOND, 5), (SECOND, 1)], [True, True, False]),
        ([(0, 10), (SECOND // 5, 1), (SECOND // 5, 1)], [True, True, False]),
        # What flows in while it is full is lost.
        ([(100 * SECOND, 10), (100 * SECOND, 1)], [True, False]),
    ],
)
def test_a_bucket_of_10_into_which_5_flow_each_second(taken: list[tuple[int, int]], expected: list[bool]) -> None:
    bucket = Bucket(5, 10, now_ns=0)
    assert [bucket.take(cost, now_ns) for now_ns, cost in taken] == expected


@given(st.lists(st.tuples(st.integers(0, SECOND), st.integers(1, 50)), max_size=50))
def test_never_more_is_taken_than_there_was_and_than_flowed_in(steps: Sequence[tuple[int, int]]) -> None:
    bucket, now_ns, taken = Bucket(20, 30, now_ns=0), 0, 0
    for pause_ns, cost in steps:
        now_ns += pause_ns
        taken += cost if bucket.take(cost, now_ns) else 0
        assert taken <= 30 + 20 * now_ns / SECOND + 1e-6


@pytest.mark.parametrize(("commands", "size", "cost"), [(0, 0, 1), (1, 100, 1), (64, 3_000, 66), (1, 262_144, 257)])
def test_what_a_message_costs(commands: int, size: int, cost: int) -> None:
    assert message_cost(commands, size) == cost


def connection(burst: int = 100) -> Connection:
    return Connection("ada", Bucket(1, burst, now_ns=0))


def test_answers_that_were_asked_for_cost_nothing() -> None:
    stream = connection(burst=100)
    for _ in range(1_000):
        for _ in range(50):
            stream.send(pb.Update(decision=pb.Decision(decision_id=1)), Stamp())
        assert stream.admit(50, 1_000, now_ns=0)
    assert not stream.admit(101, 0, now_ns=0)


def test_what_nobody_asked_for_comes_to_an_end() -> None:
    stream = connection(burst=100)
    for _ in range(50):
        stream.send(pb.Update(action_result=pb.ActionResult(decision_id=1)))
        assert stream.admit(2, 0, now_ns=0)
    assert not stream.admit(1, 0, now_ns=0)
