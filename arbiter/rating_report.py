"""Rating lists for people and for programs. No I/O."""

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import asdict, fields
from typing import Any

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from arbiter.ratings.table import Rating, RatingList
from arbiter.report import add_figures, add_texts, new_table, printable

_DECIMALS = 4


def ratings_parts(listed: RatingList) -> list[RenderableType]:
    """Return the list, what its figures refer to, and the warnings."""
    parts: list[RenderableType] = []
    if listed.ratings:
        parts += [ratings_table(listed), Text("")]
    parts += [Text(line) for line in _remarks(listed)]
    parts += [Text(f"note: {printable(warning)}") for warning in listed.warnings]
    return parts


def ratings_table(listed: RatingList) -> Table:
    """Return the list, best first."""
    table = new_table()
    points = any(line.deals for line in listed.ratings)
    add_figures(table, "#")
    add_texts(table, "bot")
    # In two lines, to fit a terminal of 80 columns.
    add_figures(table, "Elo", "±", "LOS\n%", "won", "drawn", "lost")
    if points:
        add_figures(table, "points\nper deal", "±")
    add_figures(table, "average\nopponent")
    for line in listed.ratings:
        mark = " *" if line.by_prior else ""
        of_deals = [_figure(line.points_per_deal, "+.3f"), _figure(line.points_per_deal_error, ".3f")]
        table.add_row(
            str(line.rank),
            printable(line.name) + mark,
            _figure(line.elo, elo_format(listed)),
            _figure(line.error, ".1f"),
            likelihood_text(line.los_next),
            str(line.won),
            str(line.drawn),
            str(line.lost),
            *(of_deals if points else []),
            _figure(line.opponents, elo_format(listed)),
        )
    return table


def elo_format(listed: RatingList) -> str:
    """Return how ratings are written: with their sign if they are differences to the average."""
    return "+.1f" if listed.anchor is None else ".1f"


def likelihood_text(percent: float | None) -> str:
    """Return a likelihood with one decimal; what is not certain does not look so."""
    if percent is None:
        return ""
    if 99.95 <= percent < 100:
        return ">99.9"
    return f"{percent:.1f}"


def ratings_json(listed: RatingList) -> dict[str, Any]:
    """Return the list as values that can be written as JSON; ratings and errors with four decimals."""
    values = _rounded(asdict(listed))
    assert isinstance(values, dict)
    return values


def ratings_csv(listed: RatingList) -> Iterator[str]:
    """Yield a line that names the columns and one for each player; unknown figures are empty."""
    names = [field.name for field in fields(Rating)]
    yield _csv_line(names)
    for line in ratings_json(listed)["ratings"]:
        yield _csv_line([line[name] for name in names])


def _remarks(listed: RatingList) -> Iterator[str]:
    void = f", {listed.void} void left out" if listed.void else ""
    how = "Fisher information"
    if listed.method == "bootstrap":
        how = f"bootstrap, {listed.replications} replications"
    to = "the average of the pool, which is 0"
    if listed.anchor is not None:
        to = f"{printable(listed.anchor.name)}, which is {listed.anchor.elo:g}"
    yield f"{listed.matches} matches{void}. ±: 95 % ({how}), Elo relative to {to}."
    if any(line.los_next is not None for line in listed.ratings):
        yield "LOS: likelihood of being stronger than the next in the list."
    if listed.leader_is_best is not None:
        leader = printable(listed.ratings[0].name)
        yield f"Likelihood that {leader} is the strongest of all: {likelihood_text(listed.leader_is_best)} %."
    if listed.seat_advantage is not None:
        advantage = listed.seat_advantage
        yield f"Advantage of dealing first: {advantage.elo:+.1f} ± {advantage.error:.1f} Elo."
    if any(line.by_prior for line in listed.ratings):
        yield "*: how far from the others rests on a prior, see the notes."


def _figure(value: float | None, form: str) -> str:
    return "" if value is None else format(_without_sign_of_zero(round(value, _DECIMALS)), form)


def _rounded(value: object) -> object:
    if isinstance(value, float):
        return _without_sign_of_zero(round(value, _DECIMALS))
    if isinstance(value, dict):
        return {key: _rounded(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_rounded(item) for item in value]
    return value


def _without_sign_of_zero(value: float) -> float:
    return value + 0.0


def _csv_line(cells: Sequence[object]) -> str:
    output = io.StringIO()
    csv.writer(output, lineterminator="").writerow("" if cell is None else cell for cell in cells)
    return output.getvalue()
