"""A seat whose bot is at the other end of a stream."""

import time
from collections.abc import Callable, Sequence
from typing import Protocol

import trio

from arbiter.alarm import Alarm
from arbiter.connection import Stamp
from arbiter.policy import Fault
from arbiter.seat import DealStart, MatchEnd, Offer, Question, Reply, SeatGoneError
from arbiter.stalls import StallMeter
from sixtysix import wire
from sixtysix.rules import Action, Event, Outcome
from sixtysix.session import Answer
from sixtysix.v1 import bot_service_pb2 as pb

_STATUS_OF_FAULT = {
    Fault.ILLEGAL: pb.ACTION_STATUS_ILLEGAL,
    Fault.MALFORMED: pb.ACTION_STATUS_MALFORMED,
    Fault.LATE: pb.ACTION_STATUS_TOO_LATE,
}
_END_REASONS = {
    "target": pb.MATCH_END_REASON_TARGET,
    "deal_limit": pb.MATCH_END_REASON_DEAL_LIMIT,
    "forfeit": pb.MATCH_END_REASON_FORFEIT,
    "void": pb.MATCH_END_REASON_VOID,
}
_ON_ITS_WAY_NS = 5_000_000
"""How long after the end of a decision's time an answer that has arrived before it is waited for."""


class Link(Protocol):
    """The way to one bot, whatever connection it has at the moment."""

    name: str
    ask_before_draw: bool
    wants_events: bool

    @property
    def connected(self) -> bool:
        """Is there a connection that said hello?"""

    @property
    def round_trip_us(self) -> int | None:
        """Best recent round trip."""

    @property
    def stalls(self) -> StallMeter:
        """The arbiter's own stalls."""

    @property
    def alarm(self) -> Alarm:
        """The watch over the deadlines."""

    def send(self, update: pb.Update, stamp: Stamp | None = None) -> None:
        """Send if there is a connection."""

    def join(self, seat: "RemoteSeat") -> None:
        """Route what the bot says about the seat's match to it."""

    def part(self, seat: "RemoteSeat", end: pb.Update) -> None:
        """The seat's match has ended; tell the bot, later if it is not connected now."""


class _Open:
    """A decision that waits for its answer."""

    __slots__ = ("answer", "asked_ns", "question", "stamp", "update")

    def __init__(self, question: Question, update: pb.Update, answer: Callable[[Reply | SeatGoneError], None]) -> None:
        self.question = question
        self.update = update
        self.answer = answer
        self.stamp = Stamp()
        self.asked_ns = time.monotonic_ns()

    @property
    def started_ns(self) -> int:
        # An update that was never written is the fault of a bot that does not read, or of one that is away.
        return self.stamp.written_ns or self.asked_ns


class RemoteSeat:
    """Implements `arbiter.seat.Seat` for a bot that is connected by a stream, or will be again."""

    def __init__(self, link: Link) -> None:
        self._link = link
        self._offer: Offer | None = None
        self._deal: DealStart | None = None
        self._events: list[Event] = []
        self._history = b""
        self._open: _Open | None = None
        self._ready = trio.Event()
        self._was_ready = False
        self._lost: SeatGoneError | None = None
        self._alarm_ns = 0

    @property
    def name(self) -> str:
        return self._link.name

    @property
    def ask_before_draw(self) -> bool:
        return self._link.ask_before_draw

    @property
    def round_trip_us(self) -> int | None:
        return self._link.round_trip_us

    @property
    def gone(self) -> bool:
        return self._lost is not None or not self._link.connected

    @property
    def match_id(self) -> str:
        """The match that was offered."""
        assert self._offer is not None
        return self._offer.match_id

    @property
    def is_ready(self) -> bool:
        """Has the bot said that it is ready?"""
        return self._was_ready

    async def get_ready(self, offer: Offer) -> None:
        self._offer = offer
        self._link.join(self)
        if self._link.connected:
            self._link.send(self._offer_update(resumed=False))
        with trio.move_on_after(offer.control.ready_us / 1e6):
            await self._ready.wait()
        self._check_lost()
        if not self._was_ready:
            what = "did not get ready" if self._link.connected else "did not connect"
            self.lose(Fault.NOT_READY, f"{self.name} {what} within {offer.control.ready_us / 1e6:g} s")
            self._check_lost()

    def start_deal(self, start: DealStart) -> None:
        self._deal = start
        self._events, self._history = [], b""
        self._tell(self._deal_update(start))

    def see(self, events: Sequence[Event]) -> None:
        self._events += events
        self._history += wire.history_bytes(events)
        if self._link.wants_events:
            for event in events:
                self._tell(self._event_update(event))

    def ask(self, question: Question, answer: Callable[[Reply | SeatGoneError], None]) -> None:
        if self._lost is not None:
            answer(self._lost)
            return
        opened = self._open = _Open(question, self._decision_update(question), answer)
        self._tell(opened.update, opened.stamp)
        if self._open is opened:
            self._set_alarm(opened.asked_ns + question.limit_us * 1000 + _ON_ITS_WAY_NS)

    def _set_alarm(self, at_ns: int) -> None:
        # One alarm for a seat is enough: when it rings too early, the seat sets it anew.
        if not self._alarm_ns or at_ns < self._alarm_ns:
            self._alarm_ns = at_ns
            self._link.alarm.set(at_ns, self._ring)

    def _ring(self) -> None:
        self._alarm_ns = 0
        opened = self._open
        if opened is None:
            return
        if self._lost is not None:
            self._settle(opened, self._lost)
            return
        now = time.monotonic_ns()
        # The judgement rests on what is recorded: a stall that ends here must be in it.
        self._link.stalls.ran(now)
        left_ns = self._left_ns(opened, now) + _ON_ITS_WAY_NS
        if left_ns > 0:
            self._set_alarm(now + left_ns)
        else:
            self._settle(opened, self._reply(opened, now))

    def _settle(self, opened: _Open, reply: Reply | SeatGoneError) -> None:
        self._open = None
        opened.answer(reply)

    def _check_lost(self) -> None:
        if self._lost is not None:
            raise self._lost

    def _left_ns(self, opened: _Open, now_ns: int) -> int:
        stalled_us = self._link.stalls.overlap_us(opened.started_ns, now_ns)
        return opened.started_ns + (opened.question.limit_us + stalled_us) * 1000 - now_ns

    def _reply(
        self, opened: _Open, arrived_ns: int, action: Action | None = None, malformed: str = "", comment: str = ""
    ) -> Reply:
        started_ns = opened.started_ns
        elapsed_us = max(0, arrived_ns - started_ns) // 1000
        stall_us = self._link.stalls.overlap_us(started_ns, arrived_ns)
        return Reply(action, elapsed_us, stall_us, malformed, comment)

    def refuse(self, decision_id: int, fault: Fault, message: str, consequence: str) -> None:
        result = pb.ActionResult(
            match_id=self.match_id,
            decision_id=decision_id,
            status=_STATUS_OF_FAULT[fault],
            message=message,
            consequence=consequence,
        )
        self._tell(pb.Update(action_result=result))

    def end_deal(self, number: int, outcome: Outcome, score: tuple[int, int]) -> None:
        seat = self._seat
        ended = pb.DealEnded(
            match_id=self.match_id,
            deal_number=number,
            outcome=wire.outcome_message(outcome, seat),
            own_score=score[seat],
            opponent_score=score[1 - seat],
        )
        self._deal = None
        self._tell(pb.Update(deal_ended=ended))

    def end_match(self, end: MatchEnd) -> None:
        seat = self._seat
        if end.reason == "void":
            result = pb.MATCH_RESULT_VOID
        elif end.winner is None:
            result = pb.MATCH_RESULT_DRAWN
        else:
            result = pb.MATCH_RESULT_WON if end.winner == seat else pb.MATCH_RESULT_LOST
        ended = pb.MatchEnded(
            match_id=self.match_id,
            result=result,
            reason=_END_REASONS[end.reason],
            detail=end.detail,
            own_score=end.score[seat],
            opponent_score=end.score[1 - seat],
            own_time_us=end.time_us[seat],
        )
        self._link.part(self, pb.Update(match_ended=ended))

    def is_unwritten(self, decision_id: int) -> bool:
        """Is this the open decision, and has it not been sent yet?"""
        opened = self._open
        return opened is not None and not opened.stamp.sent and opened.question.decision_id == decision_id

    def on_ready(self) -> None:
        """The bot says that it is ready."""
        self._was_ready = True
        self._ready.set()

    def on_action(self, command: pb.ActionCommand, answer: Answer, arrived_ns: int) -> None:
        """The bot answers; `answer` says to what."""
        opened = self._open
        if answer is not Answer.CURRENT or opened is None or opened.question.decision_id != command.decision_id:
            status = answer.value if answer is not Answer.CURRENT else pb.ACTION_STATUS_STALE
            result = pb.ActionResult(match_id=command.match_id, decision_id=command.decision_id, status=status)
            self._link.send(pb.Update(action_result=result))
            return
        comment = command.comment[: wire.MAX_COMMENT]
        try:
            reply = self._reply(opened, arrived_ns, wire.read_action(command.action), comment=comment)
        except wire.WireError as error:
            reply = self._reply(opened, arrived_ns, malformed=str(error), comment=comment)
        self._settle(opened, reply)

    def lose(self, fault: Fault, detail: str) -> None:
        """The bot is gone for good, as far as this match is concerned."""
        if self._lost is None:
            self._lost = SeatGoneError(fault, detail)
        self._ready.set()
        if self._open is not None:
            # Not at once: whoever calls this is not done with the bot yet.
            self._link.alarm.set(0, self._ring)

    def resend(self) -> None:
        """Tell a new connection of the bot where the match stands."""
        resumed = self.is_ready
        self._link.send(self._offer_update(resumed=resumed))
        if self._deal is None:
            return
        self._link.send(self._deal_update(self._deal))
        if self._link.wants_events:
            for event in self._events:
                self._link.send(self._event_update(event))
        if self._open is not None:
            # The clock ran on while the bot was away, also for a decision that was never written.
            self._open.stamp.written_ns = self._open.started_ns
            update = pb.Update()
            update.CopyFrom(self._open.update)
            update.decision.clock.cap_us = max(0, self._left_ns(self._open, time.monotonic_ns())) // 1000
            self._link.send(update, self._open.stamp)

    def _tell(self, update: pb.Update, stamp: Stamp | None = None) -> None:
        # A bot that was lost may be back with a new session, which knows nothing of this match.
        if self._lost is None:
            self._link.send(update, stamp)

    @property
    def _seat(self) -> int:
        assert self._offer is not None
        return self._offer.seat

    def _offer_update(self, resumed: bool) -> pb.Update:
        offer = self._offer
        assert offer is not None
        message = pb.MatchOffered(
            match_id=offer.match_id,
            rules=wire.rule_set_message(offer.rules),
            seat=wire.seat_number(offer.seat),
            opponent_name=offer.opponent,
            time_control=wire.time_control_message(offer.control),
            deal_limit=offer.deal_limit,
            resumed=resumed,
        )
        return pb.Update(match_offered=message)

    def _deal_update(self, start: DealStart) -> pb.Update:
        seat = self._seat
        message = pb.DealStarted(
            match_id=self.match_id,
            deal_number=start.number,
            dealer=wire.seat_number(start.dealer),
            own_score=start.score[seat],
            opponent_score=start.score[1 - seat],
            carry=start.carry,
            commitment=start.commitment,
        )
        return pb.Update(deal_started=message)

    def _event_update(self, event: Event) -> pb.Update:
        return pb.Update(event=pb.MatchEvent(match_id=self.match_id, event=wire.event_message(event)))

    def _decision_update(self, question: Question) -> pb.Update:
        update = pb.Update()
        decision = update.decision
        decision.match_id = self.match_id
        decision.decision_id = question.decision_id
        wire.fill_decision(decision, question.view, self._history)
        clock = decision.clock
        clock.cap_us, clock.bank_us, clock.opponent_bank_us = question.clock
        if question.previous is not None:
            decision_id, charge = question.previous
            previous = decision.previous_charge
            previous.decision_id = decision_id
            previous.elapsed_us, previous.allowance_us = charge.elapsed_us, charge.allowance_us
            previous.stall_us, previous.charged_us = charge.stall_us, charge.charged_us
        return update
