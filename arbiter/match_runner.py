"""One match: ask a seat, check the clock, check legality, apply, publish.

Nothing is ever played in a bot's place. What follows from a fault comes from the policy alone.
"""

import time
from collections import deque
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Protocol

import structlog
import trio

from arbiter.clock import Charge, SeatClock, is_free
from arbiter.policy import Consequence, Fault, FaultPolicy
from arbiter.results import DealResult, Forfeit, MatchResult, Reason, SeatStats
from arbiter.schedule import ScheduledMatch
from arbiter.seat import DealStart, MatchEnd, Offer, Question, Reply, Seat, SeatGoneError
from sixtysix.rules import DRAW, Action, Clock, Deal, IllegalActionError, Match, RuleSet, Stage, View
from sixtysix.rules.record import DealRecord, outcome_json
from sixtysix.timecontrol import TimeControl

_log = structlog.get_logger()
_NO_TIME = (0, 0, 0, 0)


class Shoe(Protocol):
    """Where the decks of a match come from."""

    def deal(self, number: int, dealer: int, carry: int) -> tuple[Deal, bytes, bytes]:
        """The deal of this number, the salt and the commitment of its deck."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What all matches of a tournament have in common."""

    rules: RuleSet
    control: TimeControl
    policy: FaultPolicy
    deal_limit: int


class _MatchOver(Exception):
    """Leaves the loop when a fault has ended the match."""

    def __init__(self, winner: int | None, reason: Reason, detail: str) -> None:
        super().__init__(detail)
        self.winner, self.reason, self.detail = winner, reason, detail


@dataclass(slots=True)
class _Player:
    """One side of the match: its seat at the table, its clock, and its account."""

    index: int
    seat: Seat
    clock: SeatClock
    decisions: int = 0
    charged_us: int = 0
    worst_us: int = 0
    faults: int = 0
    last_id: int = 0
    previous: tuple[int, Charge] | None = None
    seen: int = 0
    bank_at_start: int = 0

    def next_id(self) -> int:
        # Each seat counts for itself: a common count would tell how often the other was asked.
        self.last_id += 2
        return self.last_id + self.index - 1

    def settle(self, decision_id: int, charge: Charge, free: bool) -> None:
        self.previous = (decision_id, charge)
        if not free:
            used_us = max(0, charge.elapsed_us - charge.allowance_us - charge.stall_us)
            self.decisions += 1
            self.charged_us += used_us
            self.worst_us = max(self.worst_us, used_us)

    def stats(self) -> SeatStats:
        return SeatStats(self.decisions, self.charged_us, self.worst_us, self.faults)


@dataclass(slots=True)
class _Table:
    """The deal in play and what is written down of it."""

    number: int
    deal: Deal
    start: DealRecord
    salt: bytes
    commitment: bytes
    actions: list[Action] = field(default_factory=list)
    times: list[tuple[int, int, int, int]] = field(default_factory=list)
    comments: dict[str, str] = field(default_factory=dict)
    forfeit: Forfeit | None = None

    def apply(self, action: Action, time_us: tuple[int, int, int, int], comment: str = "") -> None:
        self.deal.apply(action)
        if comment:
            self.comments[str(len(self.actions))] = comment
        self.actions.append(action)
        self.times.append(time_us)

    def result(self) -> DealResult:
        record = self.start.to_json()
        record["actions"] = [action.text for action in self.actions]
        if self.comments:
            record["comments"] = self.comments
        outcome = outcome_json(self.deal)
        return DealResult(
            self.number,
            record,
            outcome,
            tuple(self.times),
            self.salt.hex(),
            self.commitment.hex(),
            self.forfeit,
        )


_Game = Generator[tuple[Seat, Question], Any, None]
"""A game that asks seats, and is sent each answer: a Reply or SeatGoneError."""


class _Conductor:
    """Takes a game from answer to answer, in whichever task brings them: a decision costs no switch of tasks."""

    def __init__(self, game: _Game) -> None:
        self._game = game
        # What is sent first, by the rules of generators.
        self._answers: deque[Reply | SeatGoneError | None] = deque([None])
        self._busy = False
        self._over = trio.Event()
        self._problem: Exception | None = None

    async def finish(self) -> None:
        """Play to the end; raises what the game raises."""
        try:
            self._go_on()
            await self._over.wait()
        finally:
            # An answer that comes now has no game any more.
            self._busy = True
            self._game.close()
        if self._problem is not None:
            raise self._problem

    def _answered(self, answer: Reply | SeatGoneError) -> None:
        self._answers.append(answer)
        # A seat that answers while it is asked must not lead deeper and deeper.
        if not self._busy:
            self._go_on()

    def _go_on(self) -> None:
        self._busy = True
        try:
            while self._answers:
                seat, question = self._game.send(self._answers.popleft())
                seat.ask(question, self._answered)
        except StopIteration:
            self._over.set()
        except Exception as error:
            self._problem = error
            self._over.set()
        self._busy = False


class MatchRunner:
    """Plays one match between two seats.

    Args:
        scheduled: which match it is.
        seats: who plays, seat 0 first.
        terms: rules, clocks and policy.
        shoe: the decks.
        now: the time of day, for the record.
    """

    def __init__(
        self,
        scheduled: ScheduledMatch,
        seats: tuple[Seat, Seat],
        terms: Terms,
        shoe: Shoe,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._scheduled = scheduled
        self._terms = terms
        self._shoe = shoe
        self._now = now
        self._players = tuple(_Player(index, seat, SeatClock(terms.control)) for index, seat in enumerate(seats))
        self._match = Match(terms.rules, scheduled.first_dealer, terms.deal_limit)
        self._deals: list[DealResult] = []
        self._log = _log.bind(match_id=scheduled.match_id)

    async def play(self) -> MatchResult:
        """Play to the end and return the result; both bots have been told it."""
        started, clock = self._now(), time.monotonic()
        winner: int | None
        reason: Reason
        try:
            await self._get_ready()
            await _Conductor(self._play_deals()).finish()
            winner = self._match.winner
            reason, detail = ("deal_limit", "") if winner is None else ("target", "")
        except _MatchOver as over:
            winner, reason, detail = over.winner, over.reason, over.detail
        except Exception as error:
            # Our own failure must cost no bot anything, and no other match.
            self._log.exception("the arbiter failed in a match")
            winner, reason, detail = None, "void", f"the arbiter failed: {error!r}"
        score = self._score()
        first, second = self._players
        end = MatchEnd(winner, reason, detail, score, (first.charged_us, second.charged_us))
        for player in self._players:
            player.seat.end_match(end)
        return MatchResult(
            match_id=self._scheduled.match_id,
            pairing=self._scheduled.pairing,
            number=self._scheduled.number,
            bots=self._scheduled.bots,
            first_dealer=self._scheduled.first_dealer,
            winner=winner,
            reason=reason,
            detail=detail,
            score=score,
            deals=tuple(self._deals),
            seats=(first.stats(), second.stats()),
            started=started.isoformat(timespec="milliseconds"),
            seconds=time.monotonic() - clock,
        )

    @property
    def so_far(self) -> tuple[int, tuple[int, int]]:
        """The number of the deal in play, or of the last one, and the game points of both seats so far."""
        return self._match.deals + (not self._match.over), self._score()

    def _score(self) -> tuple[int, int]:
        return self._match.score[0], self._match.score[1]

    async def _get_ready(self) -> None:
        """Offer the match to both seats at once; the first to be gone does not keep the other waiting."""
        gone: dict[int, SeatGoneError] = {}
        terms, bots = self._terms, self._scheduled.bots

        async def get_ready(player: _Player) -> None:
            index = player.index
            offer = Offer(
                self._scheduled.match_id, terms.rules, index, bots[1 - index], terms.control, terms.deal_limit
            )
            try:
                await player.seat.get_ready(offer)
            except SeatGoneError as error:
                gone[index] = error

        async with trio.open_nursery() as nursery:
            for player in self._players:
                nursery.start_soon(get_ready, player)
        for index, error in gone.items():
            self._count(self._players[index], error.fault, error.detail)
        if len(gone) == 2:
            raise _MatchOver(None, "void", "; ".join(error.detail for error in gone.values()))
        for index, error in gone.items():
            self._end_by_fault(self._players[index], error.fault, error.detail, None)

    def _play_deals(self) -> "_Game":
        while not self._match.over:
            yield from self._play_deal()

    def _play_deal(self) -> "_Game":
        table = self._open_deal()
        deal = table.deal
        try:
            while deal.outcome is None:
                self._publish(deal)
                player = self._players[deal.turn]
                if deal.stage is Stage.BEFORE_DRAW and not player.seat.ask_before_draw:
                    table.apply(DRAW, _NO_TIME)
                    continue
                yield from self._one_decision(table, player)
        finally:
            if deal.outcome is not None:
                self._match.add(deal.outcome)
            self._deals.append(table.result())
        self._publish(deal)
        for player in self._players:
            player.seat.end_deal(table.number, deal.outcome, self._score())

    def _open_deal(self) -> _Table:
        match = self._match
        number = match.deals + 1
        deal, salt, commitment = self._shoe.deal(number, match.dealer, match.carry)
        start = DealStart(number, match.dealer, self._score(), match.carry, commitment)
        for player in self._players:
            player.seen = 0
            player.bank_at_start = player.clock.bank_us
            player.seat.start_deal(start)
        return _Table(number, deal, DealRecord.of(deal), salt, commitment)

    def _publish(self, deal: Deal) -> None:
        assert deal.log is not None
        for player in self._players:
            log = deal.log[player.index]
            if len(log) > player.seen:
                player.seat.see(log[player.seen :])
                player.seen = len(log)

    def _one_decision(self, table: _Table, player: _Player) -> "_Game":
        deal, clock, seat = table.deal, player.clock, player.seat
        free = is_free(deal)
        allowance_us = clock.allowance_us(seat.round_trip_us)
        question = self._question(table, player, clock.limit_us(allowance_us, free), allowance_us)
        reply: Reply | SeatGoneError = yield seat, question
        if isinstance(reply, SeatGoneError):
            self._count(player, reply.fault, reply.detail)
            self._end_by_fault(player, reply.fault, reply.detail, table)
            return
        charge = clock.charge(reply.elapsed_us, allowance_us, reply.stall_us, free)
        player.settle(question.decision_id, charge, free)
        fault, message = self._judge(deal, reply, charge, question.clock.cap_us)
        times = (charge.elapsed_us, charge.allowance_us, charge.stall_us, charge.charged_us)
        if fault is None:
            assert reply.action is not None
            table.apply(reply.action, times, reply.comment)
            return
        # The time of a decision that has no action: the evidence for what follows.
        table.times.append(times)
        self._count(player, fault, message)
        consequence = self._consequence(player, fault)
        what = "match forfeited" if consequence is Consequence.FORFEIT_MATCH else "deal forfeited"
        seat.refuse(question.decision_id, fault, message, what)
        if consequence is Consequence.FORFEIT_MATCH:
            self._end_by_fault(player, fault, message, table)
            return
        self._forfeit_deal(table, player, fault, message)

    def _question(self, table: _Table, player: _Player, limit_us: int, allowance_us: int) -> Question:
        other = self._players[1 - player.index]
        view = View.of(table.deal, player.index, self._score(), table.number)
        # The other bank as of the start of the deal: its present value would tell which decisions were forced.
        view.clock = Clock(limit_us - allowance_us, player.clock.bank_us, other.bank_at_start)
        return Question(player.next_id(), view, view.clock, limit_us, player.previous)

    def _judge(self, deal: Deal, reply: Reply, charge: Charge, cap_us: int) -> tuple[Fault | None, str]:
        if charge.late or (reply.action is None and not reply.malformed):
            took_us = charge.elapsed_us - charge.allowance_us - charge.stall_us
            return Fault.LATE, f"no answer within {cap_us / 1e6:.3f} s (waited {took_us / 1e6:.3f} s)"
        if reply.action is None:
            return Fault.MALFORMED, reply.malformed
        try:
            deal.check(reply.action)
        except IllegalActionError as error:
            return Fault.ILLEGAL, f"{reply.action.text}: {error}"
        return None, ""

    def _count(self, player: _Player, fault: Fault, message: str) -> None:
        player.faults += 1
        # Without the details, which may name a card: the log is not a place to look into hands.
        self._log.warning("fault", seat=player.index, bot=player.seat.name, fault=fault.value)

    def _consequence(self, player: _Player, fault: Fault) -> Consequence:
        other = self._players[1 - player.index]
        # The fault itself is counted already.
        return self._terms.policy.consequence(fault, player.faults - 1, other.seat.gone)

    def _forfeit_deal(self, table: _Table, player: _Player, fault: Fault, message: str) -> None:
        table.deal.forfeit(player.index)
        table.forfeit = Forfeit(player.index, fault.value, message)

    def _end_by_fault(self, player: _Player, fault: Fault, message: str, table: _Table | None) -> None:
        void = self._consequence(player, fault) is Consequence.VOID
        if table is not None and not void:
            self._forfeit_deal(table, player, fault, message)
        detail = f"{player.seat.name}: {fault.value}: {message}"
        if void:
            raise _MatchOver(None, "void", f"both bots are gone; {detail}")
        raise _MatchOver(1 - player.index, "forfeit", detail)
