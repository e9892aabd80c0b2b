"""The command ``arbiter ratings``."""

from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arbiter.console import DIRECTORY_HELP, AsJson, CommandError, print_json, print_lines, print_notes, print_parts

if TYPE_CHECKING:
    from arbiter.ratings.table import Anchor

_LEAST_REPLICATIONS = 10


def add_to(app: typer.Typer) -> None:
    """Register the command."""
    app.command(epilog="Example: arbiter ratings runs/schnapsen --bootstrap 1000")(ratings)


def ratings(
    directories: Annotated[
        list[Path] | None, typer.Argument(metavar="DIR", help=DIRECTORY_HELP, show_default=False)
    ] = None,
    matches: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="Rate the results of a CSV file too: first,second,score (1, 0.5 or 0)."),
    ] = None,
    anchor: Annotated[
        str | None, typer.Option(metavar="NAME=ELO", help="Give a bot this rating; otherwise the average is 0.")
    ] = None,
    bootstrap: Annotated[
        int, typer.Option(metavar="N", min=0, help="Take errors from N resamplings of the matches or pairs.")
    ] = 0,
    seed: Annotated[int, typer.Option(metavar="S", min=0, help="Of the resampling.")] = 0,
    seat_advantage: Annotated[
        bool, typer.Option("--seat-advantage", help="Estimate what dealing first is worth, and rate without it.")
    ] = False,
    mixed_rules: Annotated[
        bool, typer.Option("--mixed-rules", help="Rate tournaments with different rules together.")
    ] = False,
    as_json: AsJson = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print CSV.")] = False,
) -> None:
    """Rate the bots of one tournament or several, by all results together."""
    # numpy and scipy take half a second to load, which other commands need not wait for.
    from arbiter import rating_report, rating_sources
    from arbiter.ratings.table import RatingError, rate

    if as_json and as_csv:
        raise CommandError("--json or --csv: choose one")
    if not directories and not matches:
        raise CommandError("nothing to rate: name the directory of a tournament, or --matches FILE")
    if 0 < bootstrap < _LEAST_REPLICATIONS:
        raise CommandError(f"--bootstrap: at least {_LEAST_REPLICATIONS}, not {bootstrap}")
    given = None if anchor is None else _anchor(anchor)
    try:
        collected = rating_sources.collect(directories or [], matches or [], mixed_rules=mixed_rules)
        listed = rate(collected, anchor=given, replications=bootstrap, seed=seed, seat_advantage=seat_advantage)
    except (rating_sources.SourceError, RatingError) as error:
        raise CommandError(str(error)) from error
    if as_json:
        print_json(rating_report.ratings_json(listed))
    elif as_csv:
        print_lines(rating_report.ratings_csv(listed))
        print_notes(f"note: {warning}" for warning in listed.warnings)
    else:
        print_parts(rating_report.ratings_parts(listed))


def print_ratings(path: Path) -> None:
    """Print what ``arbiter ratings`` prints of a tournament."""
    from arbiter import rating_report, rating_sources
    from arbiter.ratings.table import rate

    print_parts(rating_report.ratings_parts(rate(rating_sources.collect([path], []))))


def _anchor(text: str) -> "Anchor":
    from arbiter.ratings.table import Anchor

    name, separator, elo = text.rpartition("=")
    try:
        value = float(elo)
    except ValueError:
        value = float("nan")
    if not separator or not name or not isfinite(value):
        raise CommandError(f"--anchor {text}: not of the form NAME=ELO, such as greedy=1500")
    return Anchor(name, value)
