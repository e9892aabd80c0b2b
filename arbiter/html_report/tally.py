"""What is counted of the matches of a tournament, for each bot and each two of them. No I/O."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from arbiter.html_report.endings import Endings
from arbiter.html_report.replay import PlayedDeal
from arbiter.html_report.times import Times
from arbiter.results import MatchResult
from arbiter.results import Tally as Counts
from arbiter.times_report import TimedDecision
from arbiter.views import Json

_SHARES = (0.5, 0.95, 0.99)


@dataclass(slots=True)
class Meeting:
    """The matches of one bot against another, as the first of them sees it.

    Attributes:
        won: matches.
        drawn: matches.
        lost: matches.
        deals: in all of them.
        points: game points of the bot.
        against: game points of the other.
    """

    won: int = 0
    drawn: int = 0
    lost: int = 0
    deals: int = 0
    points: int = 0
    against: int = 0


class Meetings:
    """The meetings of all bots.

    Args:
        names: all bots of the tournament.
    """

    def __init__(self, names: Sequence[str]) -> None:
        self._meetings = {name: {other: Meeting() for other in names if other != name} for name in names}

    def add(self, counts: Counts) -> None:
        """Count matches that were added up; void ones are left out."""
        if counts.void:
            return
        for seat, name in enumerate(counts.bots):
            meeting = self._meetings[name][counts.bots[1 - seat]]
            meeting.won += counts.matches * (counts.winner == seat)
            meeting.drawn += counts.matches * (counts.winner is None)
            meeting.lost += counts.matches * (counts.winner == 1 - seat)
            meeting.deals += counts.deals
            meeting.points += counts.score[seat]
            meeting.against += counts.score[1 - seat]

    def cross_json(self, order: Sequence[str]) -> list[list[Json | None]]:
        """Return a row for each bot: its meetings with the bot of each column, None with itself."""
        return [[None if row == column else asdict(self._meetings[row][column]) for column in order] for row in order]


class Tally:
    """How deals ended and how long decisions took: counts that grow match by match, in memory that does not.

    Args:
        names: all bots of the tournament.
    """

    def __init__(self, names: Sequence[str]) -> None:
        self._endings = {name: Endings() for name in names}
        self._times = {name: Times() for name in names}

    def add(self, match: MatchResult, deals: Sequence[PlayedDeal], decisions: Sequence[TimedDecision]) -> None:
        """Count a match, with the replay of its deals and the clocks of its decisions."""
        for seat, name in enumerate(match.bots):
            for deal in deals:
                self._endings[name].add(deal, seat)
        for decision in decisions:
            # What is forced takes no thinking, and is not in the standings either.
            if not decision.forced:
                self._times[match.bots[decision.seat]].add(decision.net_us)

    @property
    def decisions(self) -> int:
        """Decisions whose times were counted."""
        return sum(times.total for times in self._times.values())

    def endings_json(self, order: Sequence[str]) -> list[Json]:
        """Return the members of `Endings` for each bot."""
        return [asdict(self._endings[name]) for name in order]

    def times_json(self, order: Sequence[str]) -> list[Json]:
        """Return ``{decisions, median_us, p95_us, p99_us, bins}`` for each bot; times are null without decisions."""
        lines = []
        for name in order:
            times = self._times[name]
            median, p95, p99 = times.quantiles_us(_SHARES) or (None, None, None)
            bins = {str(number): count for number, count in times.bins().items()}
            lines.append({"decisions": times.total, "median_us": median, "p95_us": p95, "p99_us": p99, "bins": bins})
        return lines
