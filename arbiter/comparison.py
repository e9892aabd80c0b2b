"""Two bots compared by pairs of duplicate matches: which pairs count, and when the test has decided. Pure.

A sequential test reads pairs in the order in which they were planned, not in that in which they ended: a pair counts
when all before it have been settled. So its decision depends on the results alone, not on which matches are quick, and
it is the same when they are read again.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

from arbiter.ratings.elo import PAIRS, Z
from arbiter.ratings.sprt import Sprt, Verdict
from arbiter.results import MatchSummary
from arbiter.schedule import ScheduledMatch


@dataclass(frozen=True, slots=True)
class Half:
    """One match of a pair, as the first bot sees it.

    Attributes:
        half_points: 0 for a loss, 1 for a draw, 2 for a win.
        margin: game points, own minus the opponent's.
        deals: played.
    """

    half_points: int
    margin: int
    deals: int


class Comparison:
    """The pairs of two bots, as the first of them sees them.

    Args:
        sprt: the test that results are put to.
        stops: the test ends the comparison, and pairs after its decision do not count.

    Attributes:
        counts: pairs that count, by class, LL to WW.
        left_out: pairs that were settled without counting: a match of theirs was not played, or with other cards.
        verdict: what the test has accepted, if it has decided and `stops`.
        deals: played in the pairs that count.
    """

    def __init__(self, sprt: Sprt, *, stops: bool) -> None:
        self.sprt = sprt
        self.stops = stops
        self.counts = [0] * PAIRS
        self.left_out = 0
        self.verdict: Verdict | None = None
        self.deals = 0
        self._margin = 0
        self._squares = [0, 0, 0]
        self._next = 0
        self._waiting: dict[int, list[Half] | None] = {}

    @property
    def pairs(self) -> int:
        """Pairs that count."""
        return sum(self.counts)

    @property
    def per_deal(self) -> float | None:
        """Game points per deal, own minus the opponent's; None before the first pair."""
        return self._margin / self.deals if self.deals else None

    @property
    def per_deal_margin(self) -> float | None:
        """Half the width of the 95 % interval of `per_deal`, with pairs as the sample; None with fewer than two."""
        n = self.pairs
        if n < 2 or not self.deals:
            return None
        margins, products, deals = self._squares
        total = self._margin
        # The sum of (margin - ratio * deals)^2, times deals^2: whole numbers, so nothing cancels.
        spread = self.deals**2 * margins - 2 * total * self.deals * products + total**2 * deals
        return Z * sqrt(n / (n - 1) * spread) / self.deals**2

    def add(self, pair: int, half: Half) -> None:
        """Count a match of a pair (from 0 in the order planned), unless the pair has been left out."""
        if pair < self._next:
            return
        halves = self._waiting.setdefault(pair, [])
        if halves is not None:
            halves.append(half)
        self._read_on()

    def leave_out(self, pair: int) -> None:
        """A pair will never count."""
        if pair >= self._next:
            self._waiting[pair] = None
            self._read_on()

    def finish(self) -> None:
        """No more matches will be played: what is still not settled does not hold up the others."""
        for pair in sorted(self._waiting):
            halves = self._waiting[pair]
            if halves is not None and len(halves) < 2:
                self._waiting[pair] = None
        while self._waiting:
            self._next = min(self._waiting)
            self._read_on()

    def _read_on(self) -> None:
        while self._next in self._waiting:
            halves = self._waiting[self._next]
            if halves is not None and len(halves) < 2:
                return
            del self._waiting[self._next]
            self._next += 1
            if halves is None:
                self.left_out += 1
            elif self.verdict is None:
                self._count(halves)

    def _count(self, halves: Sequence[Half]) -> None:
        self.counts[sum(half.half_points for half in halves)] += 1
        margin, deals = sum(half.margin for half in halves), sum(half.deals for half in halves)
        self._margin += margin
        self.deals += deals
        for place, product in enumerate((margin * margin, margin * deals, deals * deals)):
            self._squares[place] += product
        if self.stops:
            self.verdict = self.sprt.verdict(self.sprt.llr(self.counts))


class MatchReader:
    """Reads the matches of a tournament of two bots into a comparison.

    Args:
        comparison: what they are read into.
        schedule: all matches, with duplicates.
        most_attempts: a match that was void so often in one run is given up.

    Attributes:
        absent: for each bot, matches in this run that were not played because it did not get ready.
    """

    def __init__(self, comparison: Comparison, schedule: Iterable[ScheduledMatch], most_attempts: int) -> None:
        self.comparison = comparison
        self.absent: Counter[str] = Counter()
        self._most_attempts = most_attempts
        self._pairs: dict[str, int] = {}
        self._partners: dict[str, str] = {}
        for match in schedule:
            if match.number == 1:
                self._first = match.bots[0]
            self._pairs[match.match_id] = (match.number - 1) // 2
            if match.second_half:
                self._partners[match.match_id] = match.cards
                self._partners[match.cards] = match.match_id
        self._voids: Counter[str] = Counter()
        self._voids_now: Counter[str] = Counter()
        self._counted: set[str] = set()

    def resume(self, ended: Iterable[MatchSummary], states: Mapping[str, str]) -> None:
        """Read what was played before: all attempts that ended, and the state of each match that was begun."""
        for match in ended:
            self.add(match)
        # An attempt that was interrupted will be void.
        self._voids.update(match_id for match_id, state in states.items() if state == "issued")
        self._voids_now.clear()
        self.absent.clear()

    def add(self, match: MatchSummary) -> None:
        """Read an attempt that has ended."""
        pair = self._pairs[match.match_id]
        if match.void:
            self._voids[match.match_id] += 1
            self._voids_now[match.match_id] += 1
            if self._voids_now[match.match_id] == self._most_attempts:
                self.comparison.leave_out(pair)
            return
        if match.reason == "forfeit" and not match.deals and match.winner is not None:
            self.absent[match.bots[1 - match.winner]] += 1
            self.comparison.leave_out(pair)
            return
        self._counted.add(match.match_id)
        partner = self._partners[match.match_id]
        if partner in self._counted and self._voids[partner] != self._voids[match.match_id]:
            # Played again with fresh cards: two single matches.
            self.comparison.leave_out(pair)
            return
        seat = match.bots.index(self._first)
        half_points = 1 if match.winner is None else 2 * int(match.winner == seat)
        self.comparison.add(pair, Half(half_points, match.score[seat] - match.score[1 - seat], match.deals))
