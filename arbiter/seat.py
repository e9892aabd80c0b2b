"""The seat: what the match runner talks to. Real bots and the fakes of the tests stand behind the same interface."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from arbiter.clock import Charge
from arbiter.policy import Fault
from sixtysix.rules import Action, Clock, Event, Outcome, RuleSet, View
from sixtysix.timecontrol import TimeControl


class SeatGoneError(Exception):
    """The bot of a seat is beyond reach; the match cannot go on with it.

    Attributes:
        fault: DISCONNECTED, LEFT, NOT_READY or PROTOCOL.
        detail: what happened, for people.
    """

    def __init__(self, fault: Fault, detail: str) -> None:
        super().__init__(detail)
        self.fault = fault
        self.detail = detail


@dataclass(frozen=True, slots=True)
class Offer:
    """A match as it is offered to one seat."""

    match_id: str
    rules: RuleSet
    seat: int
    opponent: str
    control: TimeControl
    deal_limit: int


@dataclass(frozen=True, slots=True)
class DealStart:
    """A deal that begins: its number from 1, the dealer's seat, the score by seat, the carry, the commitment."""

    number: int
    dealer: int
    score: tuple[int, int]
    carry: int
    commitment: bytes


class Question(NamedTuple):
    """One decision to be made.

    Attributes:
        decision_id: unique in the match; the ids of one seat say nothing about the other's.
        view: what the seat sees, with the legal actions.
        clock: what the bot is told of the time.
        limit_us: how long after it was sent an answer is in time, allowance included.
        previous: id and charge of the seat's decision before, if there was one.
    """

    decision_id: int
    view: View
    clock: Clock
    limit_us: int
    previous: tuple[int, Charge] | None


class Reply(NamedTuple):
    """What came back.

    Attributes:
        action: the answer, or None: nothing in time, or nothing that is an action.
        malformed: what is wrong with an answer that is no action; empty if nothing came.
        comment: the bot's own remark, for the record.
        elapsed_us: from sending to the arrival, or until the arbiter gave up.
        stall_us: of this, how long the arbiter itself stood still.
    """

    action: Action | None
    elapsed_us: int
    stall_us: int = 0
    malformed: str = ""
    comment: str = ""


@dataclass(frozen=True, slots=True)
class MatchEnd:
    """The end of a match: the winner's seat or None, reason and detail as in its result, score and time by seat."""

    winner: int | None
    reason: str
    detail: str
    score: tuple[int, int]
    time_us: tuple[int, int]


class Seat(Protocol):
    """One side of a match."""

    @property
    def name(self) -> str:
        """The bot's name in the tournament."""

    @property
    def ask_before_draw(self) -> bool:
        """Does the bot wish to be asked before drawing? Known once it is ready."""

    @property
    def gone(self) -> bool:
        """Is the bot beyond reach now?"""

    @property
    def round_trip_us(self) -> int | None:
        """Best recent round trip to the bot, None before the first."""

    async def get_ready(self, offer: Offer) -> None:
        """Offer the match and wait until the bot is ready; raises SeatGoneError."""

    def start_deal(self, start: DealStart) -> None:
        """Tell that a deal starts."""

    def see(self, events: Sequence[Event]) -> None:
        """Show what has happened in the deal since the last call, as this seat may see it."""

    def ask(self, question: Question, answer: "Callable[[Reply | SeatGoneError], None]") -> None:
        """Ask for a decision.

        `answer` is called once, at once or later: with the reply, at the end of the time at the latest, or with the
        reason why there will be none.
        """

    def refuse(self, decision_id: int, fault: Fault, message: str, consequence: str) -> None:
        """Tell what was wrong with an answer, or that none came in time, and what follows."""

    def end_deal(self, number: int, outcome: Outcome, score: tuple[int, int]) -> None:
        """Tell the outcome of a deal and the score after it."""

    def end_match(self, end: MatchEnd) -> None:
        """Tell the end of the match; the seat is not used any more."""
