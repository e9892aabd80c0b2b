"""What a run tells the organiser while it lasts: a live view on a terminal, plain lines elsewhere."""

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from types import TracebackType
from typing import TYPE_CHECKING, Protocol, Self, TextIO

from rich.console import Console, Group
from rich.live import Live
from rich.progress import BarColumn, Progress, TaskID, TextColumn
from rich.table import Table

from arbiter.report import add_figures, add_texts, duration_text, new_table, printable, progress_text, rules_text
from arbiter.results import MatchSummary, Scoreboard
from sixtysix.rules import RuleSet

if TYPE_CHECKING:
    from arbiter.ratings.live import LiveRatings

_LINES_EVERY_S = 5.0
_LIVE_EVERY_S = 0.1
_RATED_EVERY_S = 2.0
_MOST_NAMES = 8
_MOST_ROWS = 10
_MOST_RATED = 32


class Reporter(Protocol):
    """What a tournament reports as it goes on."""

    def started(self, name: str, rules: RuleSet, scheduled: int, bots: Sequence[str], address: str) -> None:
        """The tournament begins: matches planned in all, and ``host:port`` that bots connect to."""

    def waiting(self, names: Sequence[str], address: str) -> None:
        """These remote bots have not connected yet; the tournament waits for them."""

    def bot_connected(self, name: str) -> None:
        """A bot has connected, for the first time or again."""

    def match_ended(self, summary: MatchSummary, board: Scoreboard) -> None:
        """A match has ended and is counted in the standings."""

    def note(self, text: str) -> None:
        """Something that the organiser should know has happened."""

    def finished(self, board: Scoreboard, seconds: float) -> None:
        """All matches are played."""


class QuietReporter:
    """Reports only what the organiser has to act on, or will want to look into.

    Args:
        stream: where to write.
        token_env: for each remote bot the name of the environment variable that holds its token.
    """

    def __init__(self, stream: TextIO, token_env: Mapping[str, str]) -> None:
        self._stream = stream
        self._token_env = token_env
        self._awaited: set[str] = set()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Leave the screen as it was found."""

    def started(self, name: str, rules: RuleSet, scheduled: int, bots: Sequence[str], address: str) -> None:
        """See `Reporter.started`."""

    def waiting(self, names: Sequence[str], address: str) -> None:
        """See `Reporter.waiting`."""
        self._awaited.update(names)
        self._write(f"waiting at {address} for:")
        for name in names:
            variable = self._token_env.get(name)
            where = "its token, of which only the hash is known" if variable is None else f"the token in ${variable}"
            self._write(f"  {name}, with {where}")

    def bot_connected(self, name: str) -> None:
        """See `Reporter.bot_connected`; told only of bots that were awaited."""
        if name in self._awaited:
            self._awaited.remove(name)
            still = f", waiting for {', '.join(sorted(self._awaited))}" if self._awaited else ""
            self._write(f"{name} has connected{still}")

    def match_ended(self, summary: MatchSummary, board: Scoreboard) -> None:
        """See `Reporter.match_ended`."""

    def note(self, text: str) -> None:
        """See `Reporter.note`."""
        self._write(f"note: {printable(text)}")

    def finished(self, board: Scoreboard, seconds: float) -> None:
        """See `Reporter.finished`."""

    def _write(self, line: str) -> None:
        # Whether it is read or not, and be the disk full to which it goes: the tournament goes on.
        with suppress(OSError):
            print(line, file=self._stream, flush=True)


class LineReporter(QuietReporter):
    """Reports in plain lines: one every few seconds at most, and a last one.

    Args:
        stream: where to write.
        token_env: for each remote bot the name of the environment variable that holds its token.
        now: a monotonic clock in seconds.
        every: least seconds between two reports of progress.
    """

    def __init__(
        self,
        stream: TextIO,
        token_env: Mapping[str, str],
        now: Callable[[], float] = time.monotonic,
        every: float = _LINES_EVERY_S,
    ) -> None:
        super().__init__(stream, token_env)
        self._now = now
        self._every = every
        self._scheduled = 0
        self._begun = self._reported = now()

    def started(self, name: str, rules: RuleSet, scheduled: int, bots: Sequence[str], address: str) -> None:
        """See `Reporter.started`."""
        self._scheduled = scheduled
        self._begun = self._reported = self._now()
        some = ", ".join(bots[:_MOST_NAMES]) + (", …" if len(bots) > _MOST_NAMES else "")
        self._write(f"{name}: {rules_text(rules.spec())}, {len(bots)} bots ({some}), {scheduled} matches, at {address}")

    def bot_connected(self, name: str) -> None:
        """See `Reporter.bot_connected`."""
        if name in self._awaited:
            # Waiting for people is not playing time.
            self._begun = self._now()
        super().bot_connected(name)

    def match_ended(self, summary: MatchSummary, board: Scoreboard) -> None:
        """See `Reporter.match_ended`."""
        now = self._now()
        if now - self._reported >= self._every:
            self._reported = now
            self._show(board, now - self._begun)

    def finished(self, board: Scoreboard, seconds: float) -> None:
        """See `Reporter.finished`."""
        self.close()
        rate = f", {board.played / seconds:.1f} a second" if seconds > 0 else ""
        self._write(f"{progress_text(self._scheduled, board)} in {duration_text(seconds)}{rate}")

    def _show(self, board: Scoreboard, seconds: float) -> None:
        self._write(f"{progress_text(self._scheduled, board)}, {self._pace(board, seconds)}")

    def _pace(self, board: Scoreboard, seconds: float) -> str:
        """Return rate, time left and leader."""
        facts = []
        if board.played and seconds > 0:
            rate = board.played / seconds
            left = duration_text((self._scheduled - board.played) / rate)
            facts += [f"{rate:.1f} a second", f"{left} left"]
        leader = board.standings()[0]
        facts.append(f"leader {leader.name} {leader.won}-{leader.lost}-{leader.drawn}")
        return ", ".join(facts)


class LiveReporter(LineReporter):
    """Reports in a view that stays at the bottom of the terminal, below everything else: standings, ratings and a bar.

    With more than a few dozen bots it shows no ratings: to make them would take time from the matches.
    """

    def __init__(
        self,
        stream: TextIO,
        token_env: Mapping[str, str],
        now: Callable[[], float] = time.monotonic,
        every: float = _LIVE_EVERY_S,
        width: int | None = None,
    ) -> None:
        super().__init__(stream, token_env, now, every)
        # Takes half a second, which is better spent before the first match than during one.
        from arbiter.ratings.live import live_ratings

        self._rate = live_ratings
        self._ratings: LiveRatings | None = None
        self._rated = now() - _RATED_EVERY_S
        console = Console(file=stream, force_terminal=True, width=width, highlight=False, markup=False, emoji=False)
        self._bar = Progress(
            BarColumn(bar_width=20),
            TextColumn("{task.completed:.0f}/{task.total:.0f} {task.description}", markup=False),
            console=console,
        )
        # Redrawn when a match has ended: no thread that could write in between.
        self._live = Live(self._bar, console=console, auto_refresh=False, transient=True)
        self._task: TaskID | None = None

    def close(self) -> None:
        """See `QuietReporter.close`."""
        self._live.stop()

    def started(self, name: str, rules: RuleSet, scheduled: int, bots: Sequence[str], address: str) -> None:
        """See `Reporter.started`."""
        super().started(name, rules, scheduled, bots, address)
        self._task = self._bar.add_task("matches", total=scheduled)
        self._live.start(refresh=True)

    def _show(self, board: Scoreboard, seconds: float) -> None:
        assert self._task is not None, "a tournament starts before its matches end"
        if len(board.names) <= _MOST_RATED and self._now() - self._rated >= _RATED_EVERY_S:
            self._ratings, self._rated = self._rate(board), self._now()
        void = f"{board.void} void, " if board.void else ""
        self._bar.update(self._task, completed=board.played, description=f"{void}{self._pace(board, seconds)}")
        self._live.update(Group(live_table(board, self._ratings), self._bar), refresh=True)

    def _write(self, line: str) -> None:
        self._live.console.print(line, soft_wrap=True)


def live_table(board: Scoreboard, ratings: "LiveRatings | None") -> Table:
    """Return the first of the standings with their ratings, as far as there are any yet."""
    table = new_table()
    add_figures(table, "#")
    add_texts(table, "bot")
    add_figures(table, "won-lost-drawn")
    found = {} if ratings is None else {line.name: line for line in ratings.lines}
    if ratings is not None:
        add_figures(table, "Elo", "±")
        add_texts(table, "really the best")
    for line in board.standings()[:_MOST_ROWS]:
        cells = [str(line.rank), line.name, f"{line.won}-{line.lost}-{line.drawn}"]
        if ratings is not None:
            rating = found[line.name]
            cells += [f"{rating.elo:+.0f}", f"{rating.error:.0f}"]
            if rating is ratings.lines[0] and ratings.leader_is_best is not None:
                cells.append(f"with {ratings.leader_is_best:.0f} %")
        table.add_row(*cells)
    if len(board.names) > _MOST_ROWS:
        table.caption = f"and {len(board.names) - _MOST_ROWS} more"
    return table


def reporter_for(stream: TextIO, token_env: Mapping[str, str], *, quiet: bool) -> QuietReporter:
    """Return the reporter that suits a stream: live on a terminal, otherwise plain lines, or hardly anything."""
    if quiet:
        return QuietReporter(stream, token_env)
    if stream.isatty() and not Console(file=stream).is_dumb_terminal:
        return LiveReporter(stream, token_env)
    return LineReporter(stream, token_env)
