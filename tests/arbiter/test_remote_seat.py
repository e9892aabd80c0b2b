import time
from collections.abc import Callable

import pytest
import trio

from arbiter.connection import Stamp
from arbiter.policy import Fault
from arbiter.remote_seat import RemoteSeat
from arbiter.seat import DealStart, Offer, Question, Reply, SeatGoneError
from sixtysix.rules import CLAIM, RULE_SETS, Clock, Deal, View
from sixtysix.session import Answer
from sixtysix.timecontrol import TimeControl
from sixtysix.v1 import bot_service_pb2 as pb
from sixtysix.v1 import deal_pb2
from tests.arbiter.fake_link import FakeLink

RULES = RULE_SETS["schnapsen"]
CONTROL = TimeControl(1_000_000, 1_000_000, 30_000_000)
OFFER = Offer("m", RULES, 0, "bob", CONTROL, 100)
START = DealStart(1, 1, (0, 0), 0, bytes(32))
CLAIM_MESSAGE = deal_pb2.Action(kind=deal_pb2.ACTION_KIND_CLAIM)


def question(limit_us: int = 50_000, decision_id: int = 1) -> Question:
    deal = Deal.from_deck(RULES, RULES.deck, dealer=1)
    return Question(decision_id, View.of(deal, 0), Clock(limit_us, 30_000_000, 30_000_000), limit_us, None)


def action(decision_id: int = 1) -> pb.ActionCommand:
    return pb.ActionCommand(match_id="m", decision_id=decision_id, action=CLAIM_MESSAGE)


class SlowLink(FakeLink):
    """Does not answer by itself; `on_decision` is called when a decision is sent."""

    def __init__(self, on_decision: Callable[[Stamp], None] = lambda stamp: None) -> None:
        super().__init__("ada", lambda decision: CLAIM_MESSAGE)
        self.on_decision = on_decision

    def send(self, update: pb.Update, stamp: Stamp | None = None) -> None:
        if update.WhichOneof("update") == "decision":
            self.sent.append(update)
            assert stamp is not None
            stamp.send(time.monotonic_ns())
            self.on_decision(stamp)
        else:
            super().send(update, stamp)


async def started(link: FakeLink) -> RemoteSeat:
    seat = RemoteSeat(link)
    await seat.get_ready(OFFER)
    seat.start_deal(START)
    return seat


async def ask(seat: RemoteSeat, link: FakeLink, asked: Question) -> Reply:
    """Ask while somebody watches the time."""
    send, receive = trio.open_memory_channel[Reply | SeatGoneError](1)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(link.alarm.run)
        seat.ask(asked, send.send_nowait)
        reply = await receive.receive()
        nursery.cancel_scope.cancel()
    if isinstance(reply, SeatGoneError):
        raise reply
    return reply


def kinds(link: FakeLink) -> list[str | None]:
    return [update.WhichOneof("update") for update in link.sent]


async def test_an_answer_is_timed_from_the_writing_to_the_arrival() -> None:
    link = SlowLink()
    seat = await started(link)
    link.on_decision = lambda stamp: seat.on_action(action(), Answer.CURRENT, (stamp.written_ns or 0) + 1_234_000)
    reply = await ask(seat, link, question())
    assert (reply.action, reply.elapsed_us) == (CLAIM, 1_234)


async def test_an_answer_that_has_arrived_in_time_and_is_handled_after_it_is_not_late() -> None:
    link = SlowLink()
    seat = await started(link)

    def overslept(stamp: Stamp) -> None:
        written_ns = stamp.written_ns or 0
        at_ns = written_ns + 6_000_000
        link.alarm.set(at_ns, lambda: seat.on_action(action(), Answer.CURRENT, written_ns + 2_000_000))

    link.on_decision = overslept
    reply = await ask(seat, link, question(limit_us=5_000))
    assert (reply.action, reply.elapsed_us) == (CLAIM, 2_000)


async def test_silence_ends_with_the_limit() -> None:
    link = SlowLink()
    seat = await started(link)
    reply = await ask(seat, link, question(limit_us=5_000))
    assert reply.action is None
    assert reply.elapsed_us >= 5_000
    assert not reply.malformed


async def test_a_stall_of_the_arbiter_extends_the_limit() -> None:
    link = SlowLink()
    seat = await started(link)

    def stall(stamp: Stamp) -> None:
        begin = stamp.written_ns or 0
        link.stalls.ticked(begin)
        link.stalls.ran(begin + 60_000_000)

    link.on_decision = stall
    reply = await ask(seat, link, question(limit_us=30_000))
    assert reply.elapsed_us >= 30_000 + reply.stall_us
    assert reply.stall_us >= 40_000


async def test_a_lost_bot_is_told_nothing_more() -> None:
    link = SlowLink()
    seat = await started(link)
    link.on_decision = lambda stamp: seat.lose(Fault.DISCONNECTED, "the process exited with status 1")
    with pytest.raises(SeatGoneError, match="exited with status 1"):
        await ask(seat, link, question())
    before = len(link.sent)
    seat.start_deal(START)
    seat.see(Deal.from_deck(RULES, RULES.deck, 1).log[0])  # type: ignore[index]  # it has a log
    seat.refuse(1, Fault.LATE, "", "")
    with pytest.raises(SeatGoneError):
        await ask(seat, link, question())
    assert len(link.sent) == before
    assert seat.gone


async def test_a_new_connection_gets_the_same_decision_with_the_time_that_is_left() -> None:
    link = SlowLink()
    seat = await started(link)
    seat.see(Deal.from_deck(RULES, RULES.deck, 1).log[0])  # type: ignore[index]  # it has a log
    replies: list[Reply | SeatGoneError] = []
    seat.ask(question(limit_us=10_000_000), replies.append)
    before = len(link.sent)
    seat.resend()
    seat.on_action(action(), Answer.CURRENT, time.monotonic_ns())
    assert len(replies) == 1
    assert kinds(link)[before:] == ["match_offered", "deal_started", "event", "event", "decision"]
    first, again = (update.decision for update in link.sent if update.WhichOneof("update") == "decision")
    assert link.sent[before].match_offered.resumed
    assert again.decision_id == first.decision_id
    assert again.observation == first.observation
    assert again.clock.cap_us < first.clock.cap_us


class AwayLink(SlowLink):
    """Of a bot that is away when it is asked, and comes back."""

    def send(self, update: pb.Update, stamp: Stamp | None = None) -> None:
        self.sent.append(update)
        if stamp is not None and self.connected:
            stamp.send(time.monotonic_ns())


async def test_the_clock_of_a_bot_runs_while_it_is_away() -> None:
    link = AwayLink()
    seat = RemoteSeat(link)
    seat.on_ready()
    await seat.get_ready(OFFER)
    seat.start_deal(START)
    link.connected = False
    replies: list[Reply | SeatGoneError] = []
    asked_ns = time.monotonic_ns()
    seat.ask(question(limit_us=10_000_000), replies.append)
    while time.monotonic_ns() < asked_ns + 2_000_000:
        await trio.lowlevel.checkpoint()
    link.connected = True
    seat.resend()
    answered_ns = time.monotonic_ns() + 1_000_000
    seat.on_action(action(), Answer.CURRENT, answered_ns)
    (reply,) = replies
    assert isinstance(reply, Reply)
    assert reply.elapsed_us > 2_000


@pytest.mark.parametrize("answer", [Answer.DUPLICATE, Answer.STALE, Answer.TOO_LATE])
async def test_other_answers_are_told_what_they_are(answer: Answer) -> None:
    link = SlowLink()
    seat = await started(link)
    seat.on_action(action(7), answer, 0)
    assert link.sent[-1].action_result == pb.ActionResult(match_id="m", decision_id=7, status=answer.value)


async def test_a_bot_has_its_time_to_get_ready_and_no_more(autojump_clock: trio.testing.MockClock) -> None:
    link = SlowLink()
    link.connected = False
    seat = RemoteSeat(link)
    with pytest.raises(SeatGoneError, match="ada did not connect within 1 s") as caught:
        await seat.get_ready(OFFER)
    assert caught.value.fault is Fault.NOT_READY
    assert trio.current_time() == pytest.approx(1, abs=0.01)
