"""Results of deals and matches, and the standings that follow from them. No I/O."""

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Literal

from sixtysix.rules import DRAW

_NOT_ASKED = (0, 0, 0, 0)

Reason = Literal["target", "deal_limit", "forfeit", "void"]
"""Why a match ended: a bot reached the target, the deal limit (a draw), a forfeit of the match, or void."""


def is_walkover(reason: Reason, deals: int, faults: int) -> bool:
    """Was a match forfeited without being tried, because a bot was withdrawn?

    Args:
        reason: why it ended.
        deals: played.
        faults: of both seats; not to be ready is one.
    """
    return reason == "forfeit" and not deals and not faults


@dataclass(frozen=True, slots=True)
class Forfeit:
    """A deal lost by a fault.

    Attributes:
        seat: the offender.
        fault: name of the fault, as in `arbiter.policy.Fault`.
        detail: what happened, for people.
    """

    seat: int
    fault: str
    detail: str


@dataclass(frozen=True, slots=True)
class DealResult:
    """One deal that was played, wholly or up to a forfeit.

    Attributes:
        number: from 1 within the match.
        record: the deal record, JSON values only.
        result: the replay output of the record without its id, JSON values only.
        clock: for each action of the record (elapsed, allowance, stall, charged) in microseconds; one more if the deal
            ended with an answer that was late or wrong.
        salt: 16 bytes in hexadecimal.
        commitment: 32 bytes in hexadecimal.
        forfeit: the fault that ended the deal, if one did.
    """

    number: int
    record: dict[str, object]
    result: dict[str, object]
    clock: tuple[tuple[int, int, int, int], ...]
    salt: str
    commitment: str
    forfeit: Forfeit | None = None


def was_asked(action: str | None, times: tuple[int, int, int, int]) -> bool:
    """Was a bot asked for what it did? The arbiter draws for those that do not want to be asked before drawing.

    Args:
        action: as in the record; None for an answer that was late or wrong.
        times: of the action, as in `DealResult.clock`.
    """
    return action != DRAW.text or times != _NOT_ASKED


@dataclass(frozen=True, slots=True)
class SeatStats:
    """How one seat spent its time in a match.

    Attributes:
        decisions: decisions that counted for the times below.
        total_us: their sum in microseconds.
        worst_us: the longest of them in microseconds.
        faults: faults of any kind.
    """

    decisions: int
    total_us: int
    worst_us: int
    faults: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _EndedMatch:
    """What a summary and a full result have in common.

    Attributes:
        match_id: as scheduled.
        pairing: as scheduled.
        number: of the match within its pair, from 1.
        bots: the names in seat 0 and seat 1.
        first_dealer: the seat that dealt first.
        winner: a seat, or None for a draw or a void match.
        reason: why it ended.
        detail: what happened, for people; may be empty.
        score: game points of seat 0 and seat 1.
        seats: times and faults of seat 0 and seat 1.
        started: UTC, ISO 8601.
        seconds: how long it took.
    """

    match_id: str
    pairing: str
    number: int
    bots: tuple[str, str]
    first_dealer: int
    winner: int | None
    reason: Reason
    detail: str
    score: tuple[int, int]
    seats: tuple[SeatStats, SeatStats]
    started: str
    seconds: float

    @property
    def void(self) -> bool:
        """True if the match does not count."""
        return self.reason == "void"


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchSummary(_EndedMatch):
    """What standings need of a match that ended; `deals` is their number."""

    deals: int

    def result(self, deals: tuple[DealResult, ...]) -> "MatchResult":
        """Return the match with its deals."""
        return MatchResult(**_shared(self), deals=deals)


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchResult(_EndedMatch):
    """A match that ended, with its deals in order of play."""

    deals: tuple[DealResult, ...]

    def digest(self, attempt: int) -> str:
        """Return the SHA-256, in hexadecimal, of everything that is kept of this attempt, as canonical JSON."""
        kept = {
            **_shared(self),
            "seats": [asdict(stats) for stats in self.seats],
            "deals": [_kept(deal) for deal in self.deals],
            "attempt": attempt,
        }
        text = json.dumps(kept, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
        return hashlib.sha256(text.encode()).hexdigest()

    def summary(self) -> MatchSummary:
        """Return the match without its deals."""
        return MatchSummary(**_shared(self), deals=len(self.deals))


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """Matches with the same bots in the same seats and the same end, added up.

    Attributes:
        bots: the names in seat 0 and seat 1.
        winner: a seat, or None for drawn or void matches.
        void: they do not count.
        walkover: they were forfeited without being tried.
        matches: how many.
        score: game points of seat 0 and seat 1.
        deals: played.
        seats: times and faults of seat 0 and seat 1.
    """

    bots: tuple[str, str]
    winner: int | None
    void: bool
    walkover: bool
    matches: int
    score: tuple[int, int]
    deals: int
    seats: tuple[SeatStats, SeatStats]

    @classmethod
    def of(cls, match: MatchSummary) -> "Tally":
        """Return the tally of one match."""
        return cls(
            bots=match.bots,
            winner=match.winner,
            void=match.void,
            walkover=is_walkover(match.reason, match.deals, sum(stats.faults for stats in match.seats)),
            matches=1,
            score=match.score,
            deals=match.deals,
            seats=match.seats,
        )


def _kept(deal: DealResult) -> dict[str, Any]:
    # Not as `asdict`, which copies every number of the record one by one.
    values = {one.name: getattr(deal, one.name) for one in fields(DealResult)}
    return {**values, "forfeit": None if deal.forfeit is None else asdict(deal.forfeit)}


def _shared(match: _EndedMatch) -> dict[str, Any]:
    return {one.name: getattr(match, one.name) for one in fields(_EndedMatch)}


@dataclass(frozen=True, slots=True)
class Standing:
    """One line of the standings; void matches are in none of its figures.

    Attributes:
        rank: from 1; shared by bots that are equal in wins (a draw is half a win) and game-point difference.
        name: of the bot.
        matches: matches that counted.
        won: of these.
        lost: of these.
        drawn: of these.
        game_points: scored in all matches.
        game_points_against: scored by the opponents.
        deals: played in all matches.
        faults: in all matches.
        mean_ms: mean time per decision in milliseconds; 0 before the first decision.
        worst_ms: longest decision in milliseconds.
    """

    rank: int
    name: str
    matches: int
    won: int
    lost: int
    drawn: int
    game_points: int
    game_points_against: int
    deals: int
    faults: int
    mean_ms: float
    worst_ms: float


@dataclass(frozen=True, slots=True)
class WinDrawLoss:
    """Matches of one bot against another, as the first of them sees it."""

    won: int = 0
    drawn: int = 0
    lost: int = 0


@dataclass(slots=True)
class _Totals:
    won: int = 0
    lost: int = 0
    drawn: int = 0
    game_points: int = 0
    game_points_against: int = 0
    deals: int = 0
    faults: int = 0
    decisions: int = 0
    total_us: int = 0
    worst_us: int = 0
    against: dict[str, WinDrawLoss] = field(default_factory=dict)

    def ranking(self) -> tuple[int, int]:
        return 2 * self.won + self.drawn, self.game_points - self.game_points_against


class Scoreboard:
    """Standings kept up to date match by match, in memory that does not grow with the number of matches.

    Args:
        names: all bots of the tournament.

    Attributes:
        names: of all bots.
        played: matches that counted.
        void: matches that did not.
        walkovers: of those that counted, the ones not played because a bot was withdrawn, by winner and loser.
    """

    def __init__(self, names: Sequence[str]) -> None:
        self.names = tuple(names)
        self.played = 0
        self.void = 0
        self.walkovers: Counter[tuple[str, str]] = Counter()
        self._totals = {name: _Totals(against={o: WinDrawLoss() for o in names if o != name}) for name in names}

    def add(self, match: MatchSummary | MatchResult) -> None:
        """Count a match.

        Raises:
            ValueError: the match names a bot that is not in the tournament.
        """
        summary = match.summary() if isinstance(match, MatchResult) else match
        for name in summary.bots:
            if name not in self._totals:
                raise ValueError(f"match {summary.match_id}: no bot is named {name!r}")
        self.add_tally(Tally.of(summary))

    def add_tally(self, tally: Tally) -> None:
        """Count matches that were added up; their bots have to be of the tournament."""
        if tally.void:
            self.void += tally.matches
            return
        self.played += tally.matches
        winner = tally.winner
        if winner is not None and tally.walkover:
            self.walkovers[tally.bots[winner], tally.bots[1 - winner]] += tally.matches
        for seat, name in enumerate(tally.bots):
            won = tally.matches if winner == seat else 0
            drawn = tally.matches if winner is None else 0
            lost = tally.matches - won - drawn
            stats = tally.seats[seat]
            totals = self._totals[name]
            totals.won += won
            totals.drawn += drawn
            totals.lost += lost
            totals.game_points += tally.score[seat]
            totals.game_points_against += tally.score[1 - seat]
            totals.deals += tally.deals
            totals.faults += stats.faults
            totals.decisions += stats.decisions
            totals.total_us += stats.total_us
            totals.worst_us = max(totals.worst_us, stats.worst_us)
            opponent = tally.bots[1 - seat]
            so_far = totals.against[opponent]
            totals.against[opponent] = WinDrawLoss(so_far.won + won, so_far.drawn + drawn, so_far.lost + lost)

    def standings(self) -> list[Standing]:
        """Return the table, best first: by wins plus half the draws, game-point difference, then name."""
        order = sorted(self._totals, key=lambda name: (*(-value for value in self._totals[name].ranking()), name))
        table: list[Standing] = []
        for place, name in enumerate(order, start=1):
            totals = self._totals[name]
            tied = table and self._totals[table[-1].name].ranking() == totals.ranking()
            table.append(
                Standing(
                    rank=table[-1].rank if tied else place,
                    name=name,
                    matches=totals.won + totals.drawn + totals.lost,
                    won=totals.won,
                    lost=totals.lost,
                    drawn=totals.drawn,
                    game_points=totals.game_points,
                    game_points_against=totals.game_points_against,
                    deals=totals.deals,
                    faults=totals.faults,
                    mean_ms=totals.total_us / totals.decisions / 1000 if totals.decisions else 0.0,
                    worst_ms=totals.worst_us / 1000,
                )
            )
        return table

    def cross_table(self) -> dict[str, dict[str, WinDrawLoss]]:
        """Return, for each bot, its results against each other bot."""
        return {name: dict(totals.against) for name, totals in self._totals.items()}


def standings(names: Sequence[str], matches: Iterable[MatchSummary | MatchResult]) -> list[Standing]:
    """Return the standings of the given matches; see `Scoreboard`."""
    return _scoreboard(names, matches).standings()


def cross_table(
    names: Sequence[str], matches: Iterable[MatchSummary | MatchResult]
) -> dict[str, dict[str, WinDrawLoss]]:
    """Return `table[bot][opponent]` for the given matches, as the first bot sees it; see `Scoreboard`."""
    return _scoreboard(names, matches).cross_table()


def _scoreboard(names: Sequence[str], matches: Iterable[MatchSummary | MatchResult]) -> Scoreboard:
    board = Scoreboard(names)
    for match in matches:
        board.add(match)
    return board
