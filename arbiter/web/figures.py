"""What the live page shows of matches that have ended, kept up to date from the store. Blocking."""

import json
import time
from bisect import insort
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from arbiter import directory, views
from arbiter.config import parse
from arbiter.html_report.data import figures
from arbiter.html_report.replay import match_json, replay
from arbiter.html_report.tally import Meetings, Tally
from arbiter.results import MatchResult, Scoreboard, is_walkover
from arbiter.reveal import Reveal
from arbiter.store import Store, StoreError
from arbiter.times_report import timed_decisions
from arbiter.views import Json

MOST_MATCHES = 500
"""The latest matches, which can be replayed."""
MOST_FAULTS = 20
"""The latest faults, which are listed."""

Attempt = tuple[str, int]
"""A match and how often it had been issued."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The figures of one moment, as JSON.

    Attributes:
        whole: everything.
        change: the same, but of the matches only those that the snapshot before did not have.
        played: matches that count.
        scheduled: matches in all.
        behind: matches whose deals have not been counted yet.
    """

    whole: str
    change: str
    played: int
    scheduled: int
    behind: int


class Figures:
    """The figures of a tournament that is being played.

    Standings, ratings and the cross-table are those of the moment. What needs the deals is counted match by match, the
    latest first, so it may be behind. The members of a snapshot are those of `arbiter.html_report.data`, and

    `matches`
        the latest that may be replayed, without `deals` but with their number, `played`.
    `faults`
        the latest, as {match, deal, bot, fault}: kinds, since what was said of them may name a card; a match that was
        lost before a deal has null for `deal` and `fault`.
    `behind`
        matches whose deals have not been counted yet.

    Args:
        path: directory of the tournament.

    Attributes:
        name: of the tournament.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        with directory.open_store(path) as store:
            tournament = store.tournament
            progress = store.progress()
        self.name = tournament.name
        self._names = views.bot_names(tournament)
        self._control = parse(tournament.config, "the configuration in the store").time_control()
        self._tally = Tally(self._names)
        self._pending: deque[Attempt] = deque(
            (match_id, number)
            for match_id, (state, issued) in progress.items()
            for number in range(1, issued + (state != "issued"))
        )
        self._hidden: set[Attempt] = set()
        self._counted = self._shown = 0
        # By when they began.
        self._rows: list[tuple[str, str, Json]] = []
        self._faults: list[tuple[str, str, int, Json]] = []
        self._deals: dict[str, bytes] = {}

    def ended(self, attempts: Iterable[Attempt]) -> None:
        """Take note of matches that have ended; may be called while another thread takes a snapshot."""
        self._pending.extend(attempts)

    def deals(self, match_id: str) -> bytes | None:
        """Return the deals of one of the latest matches as JSON, if they may be seen; from any thread."""
        return self._deals.get(match_id)

    def snapshot(self, seconds: float) -> Snapshot:
        """Return the figures of now, after having looked at deals for so long at most.

        Raises:
            StoreError: the store cannot be read.
        """
        until = time.monotonic() + seconds
        new: set[str] = set()
        with directory.open_store(self._path) as store:
            reveal = Reveal(store)
            for match_id, number in [attempt for attempt in self._hidden if reveal.shows_attempt(*attempt)]:
                self._show(_attempt(store, match_id, number))
                self._hidden.remove((match_id, number))
                new.add(match_id)
            while self._pending and time.monotonic() < until:
                match_id, number = self._pending.pop()
                try:
                    match = _attempt(store, match_id, number)
                except StoreError:
                    self._pending.append((match_id, number))
                    raise
                if match.void:
                    continue
                self._count(match)
                if reveal.shows_attempt(match_id, number):
                    self._show(match)
                    new.add(match_id)
                else:
                    self._hidden.add((match_id, number))
            data = self._data(store)
        rows = [row for *_, row in self._rows]
        return Snapshot(
            whole=_text({**data, "matches": rows}),
            change=_text({**data, "matches": [row for row in rows if row["id"] in new]}),
            played=data["tournament"]["played"],
            scheduled=data["tournament"]["scheduled"],
            behind=data["behind"],
        )

    def _data(self, store: Store) -> Json:
        board, meetings = Scoreboard(self._names), Meetings(self._names)
        for counts in store.tallies():
            board.add_tally(counts)
            meetings.add(counts)
        return {
            **figures(store, board, meetings, self._tally, list(store.summaries())),
            "left_out": {"hidden": len(self._hidden), "limit": self._shown - len(self._rows)},
            "most_matches": MOST_MATCHES,
            "faults": [row for *_, row in reversed(self._faults)],
            "behind": board.played - self._counted,
        }

    def _count(self, match: MatchResult) -> None:
        self._counted += 1
        deals = [replay(deal) for deal in match.deals]
        self._tally.add(match, deals, list(timed_decisions(match, self._control)))
        for deal in match.deals:
            if deal.forfeit is not None:
                self._note_fault(match, deal.forfeit.seat, deal.number, deal.forfeit.fault)
        walkover = is_walkover(match.reason, len(match.deals), sum(stats.faults for stats in match.seats))
        if match.reason == "forfeit" and match.winner is not None and not match.deals and not walkover:
            self._note_fault(match, 1 - match.winner, None, None)

    def _note_fault(self, match: MatchResult, seat: int, deal: int | None, fault: str | None) -> None:
        row = {"match": match.match_id, "deal": deal, "bot": match.bots[seat], "fault": fault}
        insort(self._faults, (match.started, match.match_id, deal or 0, row), key=lambda one: one[:3])
        del self._faults[:-MOST_FAULTS]

    def _show(self, match: MatchResult) -> None:
        self._shown += 1
        times = {(each.deal, each.index): each for each in timed_decisions(match, self._control)}
        row = match_json(match, [replay(deal) for deal in match.deals], times)
        deals = row.pop("deals")
        insort(self._rows, (match.started, match.match_id, {**row, "played": len(deals)}), key=lambda one: one[:2])
        self._deals[match.match_id] = _text(deals).encode()
        if len(self._rows) > MOST_MATCHES:
            _, dropped, _ = self._rows.pop(0)
            del self._deals[dropped]


def _attempt(store: Store, match_id: str, number: int) -> MatchResult:
    return next(stored.result for stored in store.attempts(match_id) if stored.attempt == number)


def _text(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))
