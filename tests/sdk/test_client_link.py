from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random

import pytest

from sixtysix.link import FIRST_DELAY_US, GIVE_UP_US, LONGEST_DELAY_US, Link, LinkError, StreamEnd
from sixtysix.session import UpdateError
from sixtysix.v1 import bot_service_pb2 as pb
from tests.sdk.client_messages import (
    action_result,
    deal_ended,
    deal_started,
    decision,
    finished,
    kinds,
    match_ended,
    new_deal,
    offered,
    ping,
    welcome,
)
from tests.sdk.fake_stream import FakeArbiter, FakeStream

LOST = StreamEnd("UNAVAILABLE", "", "Socket closed")


class FakeClock:
    """A clock that only sleeping advances."""

    def __init__(self) -> None:
        self.now_us = 0
        self.slept_us: list[int] = []

    def read_us(self) -> int:
        return self.now_us

    def sleep_us(self, us: int) -> None:
        self.slept_us.append(us)
        self.now_us += us


@contextmanager
def linked(
    open_stream: Callable[[], FakeStream], clock: FakeClock | None = None, jitter: Random | None = None
) -> Iterator[Link]:
    clock = clock or FakeClock()
    hello = pb.Hello(bot_name="test")
    link = Link("arbiter:1", open_stream, hello, clock_us=clock.read_us, sleep_us=clock.sleep_us, jitter=jitter)
    link.start()
    try:
        yield link
    finally:
        link.close("the test ends")


def received(link: Link) -> list[str | None]:
    return [update.WhichOneof("update") for arrival in link.receive() for update in arrival.updates]


def ready(match_id: str) -> pb.Command:
    return pb.Command(ready=pb.Ready(match_id=match_id))


def answer(match_id: str, decision_id: int) -> pb.Command:
    action = decision(match_id, decision_id, new_deal()).decision.legal_actions[0]
    return pb.Command(action=pb.ActionCommand(match_id=match_id, decision_id=decision_id, action=action))


def welcomed(arbiter: FakeArbiter, link: Link, resumed: bool = False) -> FakeStream:
    stream = arbiter.accept()
    assert kinds(stream.sent()) == ["hello"]
    stream.say(welcome(resumed=resumed))
    assert received(link) == ["welcome"]
    return stream


def test_pings_are_answered_while_nobody_receives() -> None:
    arbiter = FakeArbiter()
    with linked(arbiter.open_stream) as link:
        stream = welcomed(arbiter, link)
        stream.say(offered("m"), ping(5))
        assert stream.sent() == [pb.Command(pong=pb.Pong(nonce=5))]
        assert received(link) == ["match_offered"]


def test_everything_that_is_ready_is_received_together_with_its_time_of_arrival() -> None:
    stream, clock = FakeStream(), FakeClock()
    clock.now_us = 77
    stream.say(welcome())
    stream.say(offered("a"), offered("b"))
    stream.say(ping(1))
    stream.end(StreamEnd("OK"))
    with linked(FakeArbiter(stream).open_stream, clock) as link:
        assert kinds(stream.sent()) == ["hello"]
        assert kinds(stream.sent()) == ["pong"]
        arrivals = link.receive()
        while sum(len(arrival.updates) for arrival in arrivals) < 3:
            arrivals += link.receive()
        assert [arrival.arrived_us for arrival in arrivals] == [77, 77]
        assert link.receive() == []
        assert link.receive() == []


def test_commands_of_one_call_go_out_in_one_message() -> None:
    arbiter = FakeArbiter()
    with linked(arbiter.open_stream) as link:
        stream = welcomed(arbiter, link)
        stream.say(offered("a"), offered("b"))
        link.receive()
        link.send([])
        link.send([ready("a"), ready("b")])
        assert stream.sent() == [ready("a"), ready("b")]


CLOSING = {
    "deal ended": [deal_ended("m", finished(new_deal()))],
    "match ended": [match_ended("m")],
    "newer decision": [decision("m", 2, new_deal())],
    "too late": [action_result("m", 1, pb.ACTION_STATUS_TOO_LATE), match_ended("m")],
}


@pytest.mark.parametrize("updates", CLOSING.values(), ids=CLOSING.keys())
def test_an_answer_to_a_closed_decision_is_not_sent(updates: list[pb.Update]) -> None:
    arbiter = FakeArbiter()
    with linked(arbiter.open_stream) as link:
        stream = welcomed(arbiter, link)
        stream.say(offered("m"))
        link.receive()
        link.send([ready("m")])
        assert stream.sent() == [ready("m")]
        stream.say(deal_started("m"), decision("m", 1, new_deal()))
        link.receive()
        stream.say(*updates)
        link.receive()
        link.send([answer("m", 1)])
        stream.say(ping(1))
        assert kinds(stream.sent()) == ["pong"]


def test_an_answer_is_sent_once() -> None:
    arbiter = FakeArbiter()
    with linked(arbiter.open_stream) as link:
        stream = welcomed(arbiter, link)
        stream.say(offered("m", resumed=True), deal_started("m"), decision("m", 1, new_deal()))
        link.receive()
        link.send([answer("m", 1), answer("m", 1)])
        link.send([answer("m", 1)])
        assert stream.sent() == [answer("m", 1)]
        stream.say(ping(1))
        assert kinds(stream.sent()) == ["pong"]


def test_ready_is_not_said_for_a_match_that_has_ended_or_is_not_known() -> None:
    arbiter = FakeArbiter()
    with linked(arbiter.open_stream) as link:
        stream = welcomed(arbiter, link)
        stream.say(offered("m"), match_ended("m"))
        link.receive()
        link.send([ready("m"), ready("unknown")])
        stream.say(ping(1))
        assert kinds(stream.sent()) == ["pong"]


def test_nothing_is_sent_before_the_welcome() -> None:
    arbiter = FakeArbiter()
    with linked(arbiter.open_stream) as link:
        stream = arbiter.accept()
        assert kinds(stream.sent()) == ["hello"]
        link.send([ready("m"), answer("m", 1)])
        stream.say(welcome(), ping(1))
        assert kinds(stream.sent()) == ["pong"]


@pytest.mark.parametrize(
    "end",
    [
        LOST,
        StreamEnd("CANCELLED", "", "the server was stopped"),
        StreamEnd("UNAVAILABLE", "HEARTBEAT_MISSED"),
        StreamEnd("RESOURCE_EXHAUSTED", "OUTBOUND_QUEUE_FULL"),
    ],
    ids=str,
)
def test_a_lost_connection_is_resumed(end: StreamEnd) -> None:
    arbiter = FakeArbiter()
    with linked(arbiter.open_stream) as link:
        stream = arbiter.accept()
        assert [command.hello.resume_session_id for command in stream.sent()] == [""]
        stream.say(welcome("abc"))
        assert received(link) == ["welcome"]
        stream.end(end)
        stream = arbiter.accept()
        assert [command.hello.resume_session_id for command in stream.sent()] == ["abc"]
        # The end of a match that this stream has not offered is no mistake after a resume.
        stream.say(welcome("abc", resumed=True), match_ended("gone"), offered("m", resumed=True))
        assert received(link) == ["welcome", "match_ended", "match_offered"]


def test_an_answer_that_was_computed_during_the_loss_goes_out_on_the_next_stream() -> None:
    arbiter = FakeArbiter()
    with linked(arbiter.open_stream) as link:
        stream = welcomed(arbiter, link)
        stream.say(offered("m", resumed=True), deal_started("m"), decision("m", 1, new_deal()))
        link.receive()
        stream.end(LOST)
        stream = welcomed(arbiter, link, resumed=True)
        link.send([answer("m", 1)])
        stream.say(offered("m", resumed=True), deal_started("m"), decision("m", 1, new_deal()))
        assert received(link) == ["match_offered", "deal_started", "decision"]
        link.send([answer("m", 1)])
        assert stream.sent() == [answer("m", 1)]


@pytest.mark.parametrize("reason", ["", "TOURNAMENT_OVER"])
def test_the_end_of_the_tournament_is_no_error(reason: str) -> None:
    stream = FakeStream()
    stream.say(welcome())
    stream.end(StreamEnd("UNAVAILABLE" if reason else "OK", reason))
    with linked(FakeArbiter(stream).open_stream) as link:
        assert received(link) == ["welcome"]
        assert link.receive() == []


@pytest.mark.parametrize(
    "end",
    [
        StreamEnd("UNAUTHENTICATED", "TOKEN_UNKNOWN", "no such bot"),
        StreamEnd("PERMISSION_DENIED", "BOT_NOT_IN_TOURNAMENT", "not invited"),
        StreamEnd("FAILED_PRECONDITION", "RULE_SET_UNSUPPORTED", "it is gaigel"),
        StreamEnd("ABORTED", "REPLACED_BY_NEWER_CONNECTION", "newest wins"),
        StreamEnd("UNAVAILABLE", "DRAINING", "shutting down"),
        StreamEnd("RESOURCE_EXHAUSTED", "", "message too large"),
        StreamEnd("UNIMPLEMENTED", "", "no such service"),
    ],
    ids=str,
)
def test_a_refusal_is_told_and_not_retried(end: StreamEnd) -> None:
    stream, clock = FakeStream(), FakeClock()
    stream.end(end)
    with linked(FakeArbiter(stream).open_stream, clock) as link:
        with pytest.raises(LinkError) as caught:
            link.receive()
        assert str(caught.value) == (
            f"the arbiter at arbiter:1 ended the connection: {end.reason or end.code}: {end.text}"
        )
    assert clock.slept_us == []


def failing_streams() -> Iterator[FakeStream]:
    while True:
        stream = FakeStream()
        stream.end(LOST)
        yield stream


class Earliest(Random):
    """Jitter that always takes the shortest delay."""

    def uniform(self, a: float, b: float) -> float:
        return a


class Latest(Random):
    """Jitter that always takes the longest delay."""

    def uniform(self, a: float, b: float) -> float:
        return b


def test_attempts_are_made_ever_more_rarely_for_a_minute() -> None:
    clock, streams = FakeClock(), failing_streams()
    with (
        linked(lambda: next(streams), clock, Latest()) as link,
        pytest.raises(LinkError, match=r"^no connection to the arbiter at arbiter:1 for 60 s: UNAVAILABLE: Soc"),
    ):
        link.receive()
    assert clock.slept_us[:7] == [FIRST_DELAY_US * factor for factor in (1, 2, 4, 8, 16, 32, 50)]
    assert set(clock.slept_us[7:]) == {LONGEST_DELAY_US}
    assert GIVE_UP_US <= clock.now_us < GIVE_UP_US + LONGEST_DELAY_US


def test_jitter_shortens_a_delay_to_its_half_at_most() -> None:
    clock, streams = FakeClock(), failing_streams()
    with linked(lambda: next(streams), clock, Earliest()) as link, pytest.raises(LinkError):
        link.receive()
    assert clock.slept_us[:3] == [FIRST_DELAY_US // 2, FIRST_DELAY_US, FIRST_DELAY_US * 2]


def test_a_welcome_starts_the_minute_and_the_delays_again() -> None:
    clock = FakeClock()
    failures = failing_streams()
    good = FakeStream()
    good.say(welcome())
    good.end(LOST)
    streams = iter([*(next(failures) for _ in range(9)), good])
    with linked(lambda: next(streams, None) or next(failures), clock, Latest()) as link:
        assert received(link) == ["welcome"]
        with pytest.raises(LinkError):
            link.receive()
    before, after = clock.slept_us[:9], clock.slept_us[9:]
    assert before[-1] == LONGEST_DELAY_US
    assert after[:2] == [FIRST_DELAY_US, 2 * FIRST_DELAY_US]
    assert sum(after) >= GIVE_UP_US


def test_an_arbiter_that_breaks_the_protocol_is_left() -> None:
    stream = FakeStream()
    stream.say(welcome())
    stream.say(decision("m", 1, new_deal()))
    with linked(FakeArbiter(stream).open_stream) as link:
        assert received(link) == ["welcome"]
        with pytest.raises(UpdateError, match="match m is unknown"):
            link.receive()
        assert kinds(stream.sent()) == ["hello"]
        (leave,) = stream.sent()
        assert leave.leave.reason.startswith("the arbiter broke the protocol: decision is not allowed")


def test_the_first_update_must_be_the_welcome() -> None:
    stream = FakeStream()
    stream.say(ping(1))
    with (
        linked(FakeArbiter(stream).open_stream) as link,
        pytest.raises(UpdateError, match="ping is not allowed in state WELCOME_EXPECTED"),
    ):
        link.receive()


def test_closing_says_why_and_ignores_what_still_comes() -> None:
    arbiter = FakeArbiter()
    with linked(arbiter.open_stream) as link:
        stream = welcomed(arbiter, link)
        stream.underway = [offered("m"), ping(1)]
        link.close("had enough")
        assert link.receive() == []
        assert stream.sent() == [pb.Command(leave=pb.Leave(reason="had enough"))]
        link.send([ready("m")])
        link.close("again")
        assert stream.all_was_seen


def test_closing_before_the_welcome_breaks_the_stream_off() -> None:
    arbiter = FakeArbiter()
    with linked(arbiter.open_stream) as link:
        stream = arbiter.accept()
        assert kinds(stream.sent()) == ["hello"]
        link.close("had enough")
        assert link.receive() == []
        assert stream.all_was_seen


def test_with_many_matches_all_that_has_come_is_received_at_once() -> None:
    arbiter = FakeArbiter()
    with linked(arbiter.open_stream) as link:
        stream = welcomed(arbiter, link)
        stream.say(*(offered(str(number)) for number in range(8)))
        assert received(link) == ["match_offered"] * 8
        for number in range(8):
            stream.say(match_ended(str(number)))
        stream.say(ping(1))
        # The keeper has read it all when it has answered.
        seen = received(link)
        assert kinds(stream.sent()) == ["pong"]
        while len(seen) < 8:
            seen += received(link)
        assert seen == ["match_ended"] * 8


def test_a_bot_that_does_not_read_cannot_be_interrupted_there() -> None:
    arbiter = FakeArbiter()
    with linked(arbiter.open_stream) as link:
        welcomed(arbiter, link)
        assert not link.interrupt()
