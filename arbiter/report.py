"""Standings and lists of matches for people. No I/O: `render` gives the text."""

import io
from collections.abc import Iterable, Iterator, Sequence

from rich import box
from rich.console import Console, RenderableType
from rich.table import Table

from arbiter.pairs import CLASSES, PairCount
from arbiter.results import MatchSummary, Scoreboard, WinDrawLoss
from arbiter.views import RulesSpec

_UNLIMITED = 10_000
REASONS = {
    "target": "target reached",
    "deal_limit": "deal limit reached",
    "forfeit": "forfeited",
    "void": "void, does not count",
}
"""Why a match ended."""


def render(parts: Iterable[RenderableType], *, width: int | None = None) -> str:
    """Return tables and lines as text.

    Args:
        parts: in their order.
        width: columns of the terminal, which then also gets colours; None for text that nothing may fold or colour.
    """
    shown = list(parts)
    output = io.StringIO()
    if width is not None:
        # A table that has no room would lose its figures.
        wide = _console(output, _UNLIMITED, terminal=False)
        width = max([width, *(wide.measure(part).minimum for part in shown)])
    console = _console(output, width or _UNLIMITED, terminal=width is not None)
    for part in shown:
        console.print(part)
    return "\n".join(line.rstrip() for line in output.getvalue().split("\n"))


def _console(file: io.StringIO, width: int, *, terminal: bool) -> Console:
    # With a height given too, the width holds for terminals of every kind.
    return Console(
        file=file,
        width=width,
        height=_UNLIMITED,
        force_terminal=terminal,
        highlight=False,
        markup=False,
        emoji=False,
    )


def new_table() -> Table:
    """Return a table without frames."""
    return Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False, show_edge=False)


def add_texts(table: Table, *headers: str) -> None:
    """Add columns that are set left and may be folded."""
    for header in headers:
        table.add_column(header, overflow="fold")


def add_figures(table: Table, *headers: str) -> None:
    """Add columns that are set right and stay in one line."""
    for header in headers:
        table.add_column(header, justify="right", no_wrap=True)


def printable(text: str) -> str:
    """Return a text that may come from a bot, without what could move the cursor or colour the screen."""
    return "".join(character if character.isprintable() else " " for character in text)


def rules_text(spec: RulesSpec) -> str:
    """Return the rules in one line, such as ``schnapsen, target 5``."""
    if isinstance(spec, str):
        return spec
    changes = [f"{name} {value_text(value)}" for name, value in spec.items() if name != "base"]
    return ", ".join([spec["base"], *changes])


def value_text(value: object) -> str:
    """Return the value of a field of a rule set as people write it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return " ".join(str(item) for item in value)
    return str(value)


def duration_text(seconds: float) -> str:
    """Return a duration, such as ``4.2 s``, ``3:05`` (minutes) or ``1:03:05``."""
    whole = round(seconds)
    if whole < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(whole, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def standings_table(board: Scoreboard) -> Table:
    """Return the standings, best first."""
    table = new_table()
    add_figures(table, "#")
    add_texts(table, "bot")
    # In two lines, to fit a terminal of 80 columns.
    add_figures(table, "won-lost\n-drawn", "game\npoints", "deals", "per\ndeal", "faults", "mean\nms", "worst\nms")
    for line in board.standings():
        difference = line.game_points - line.game_points_against
        table.add_row(
            str(line.rank),
            line.name,
            f"{line.won}-{line.lost}-{line.drawn}",
            f"{line.game_points}:{line.game_points_against}",
            str(line.deals),
            f"{difference / line.deals:+.3f}" if line.deals else "",
            str(line.faults),
            f"{line.mean_ms:.2f}",
            f"{line.worst_ms:.1f}",
        )
    return table


def cross_table(board: Scoreboard) -> Table:
    """Return the results of each bot (row) against each other, in the order of the standings."""
    order = [line.name for line in board.standings()]
    results = board.cross_table()
    # Numbers head the columns: names would make the table too wide.
    table = new_table()
    add_figures(table, "#")
    add_texts(table, "bot")
    add_figures(table, *(str(place) for place in range(1, len(order) + 1)))
    for place, name in enumerate(order, start=1):
        row = ["–" if other == name else _result_text(results[name][other]) for other in order]
        table.add_row(str(place), name, *row)
    return table


def pairs_table(pairs: Iterable[PairCount]) -> Table:
    """Return the pairs of every two bots, as the bot that is named first sees them."""
    table = new_table()
    add_texts(table, "pairs of")
    add_figures(table, *CLASSES, "single")
    for pair in pairs:
        table.add_row(" – ".join(pair.bots), *map(str, pair.counts), str(pair.single))
    return table


def _result_text(result: WinDrawLoss) -> str:
    return f"{result.won}-{result.lost}-{result.drawn}"


def progress_text(scheduled: int, board: Scoreboard) -> str:
    """Return how far a tournament is, such as ``120 of 200 matches played, 1 void``."""
    void = f", {board.void} void" if board.void else ""
    return f"{board.played} of {scheduled} matches played{void}"


def match_lines(matches: Iterable[MatchSummary], bots: Sequence[str]) -> Iterator[str]:
    """Yield a heading and a line for each match.

    Args:
        matches: in the order in which they are listed.
        bots: all bots of the tournament, for the width of the columns.
    """
    wide = max(len("winner"), *(len(name) for name in bots))
    yield f"{'match':<10}  {'seat 0':<{wide}}  {'seat 1':<{wide}}  score  {'winner':<{wide}}  deals  faults  end"
    for match in matches:
        winner = "–" if match.winner is None else match.bots[match.winner]
        score = f"{match.score[0]}:{match.score[1]}"
        faults = f"{match.seats[0].faults}:{match.seats[1].faults}"
        end = REASONS[match.reason] + (f" ({printable(match.detail)})" if match.detail else "")
        yield (
            f"{match.match_id:<10}  {match.bots[0]:<{wide}}  {match.bots[1]:<{wide}}  {score:>5}  "
            f"{winner:<{wide}}  {match.deals:>5}  {faults:>6}  {end}"
        )
