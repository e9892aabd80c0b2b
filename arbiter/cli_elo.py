"""``arbiter elo``: the figures of results in hand."""

from typing import Annotated

import typer

from arbiter import elo_report
from arbiter.console import AsJson, CommandError, print_json, print_lines
from arbiter.pairs import CLASSES
from arbiter.ratings.elo import MATCHES, PAIRS
from arbiter.ratings.sprt import Sprt, SprtError

MOST_RESULTS = 10**12

Elo0 = Annotated[float, typer.Option("--elo0", metavar="ELO", help="Difference of the null hypothesis.")]
Elo1 = Annotated[float, typer.Option("--elo1", metavar="ELO", help="Difference of the alternative, a larger one.")]
Alpha = Annotated[float, typer.Option("--alpha", metavar="RATE", help="Chance that elo1 is accepted if elo0 holds.")]
Beta = Annotated[float, typer.Option("--beta", metavar="RATE", help="Chance that elo0 is accepted if elo1 holds.")]
Normalized = Annotated[bool, typer.Option("--normalized", help="elo0 and elo1 are normalised Elo.")]


def add_to(app: typer.Typer) -> None:
    """Register the command."""
    app.command(epilog="Example: arbiter elo --pairs 100,0,270,0,130")(elo)


def elo(
    wdl: Annotated[str | None, typer.Option("--wdl", metavar="W,D,L", help="Matches won, drawn and lost.")] = None,
    pairs: Annotated[
        str | None,
        typer.Option("--pairs", metavar=",".join(CLASSES), help="Pairs of duplicate matches, by their two results."),
    ] = None,
    elo0: Elo0 = 0.0,
    elo1: Elo1 = 10.0,
    alpha: Alpha = 0.05,
    beta: Beta = 0.05,
    normalized: Normalized = False,
    as_json: AsJson = False,
) -> None:
    """Say what results mean: Elo with its error, likelihood of superiority, and a sequential test."""
    if (wdl is None) == (pairs is None):
        raise CommandError("expected --wdl or --pairs, and only one of them")
    sprt = sprt_of(elo0, elo1, alpha, beta, normalized)
    counts = _counts("--wdl", wdl, MATCHES)[::-1] if wdl is not None else _counts("--pairs", pairs or "", PAIRS)
    if as_json:
        print_json({**elo_report.estimate_json(counts), **elo_report.sprt_json(counts, sprt)})
    else:
        print_lines([*elo_report.estimate_lines(counts), *elo_report.sprt_lines(counts, sprt)])


def sprt_of(elo0: float, elo1: float, alpha: float, beta: float, normalized: bool) -> Sprt:
    """Return the test that was asked for; raises CommandError if there is none such."""
    try:
        return Sprt(elo0, elo1, alpha, beta, normalized)
    except SprtError as error:
        raise CommandError(str(error)) from None


def _counts(option: str, text: str, classes: int) -> list[int]:
    parts = [part.strip() for part in text.split(",")]
    if len(parts) != classes:
        raise CommandError(f"{option}: expected {classes} numbers with commas between them, found {text!r}")
    counts = []
    for part in parts:
        # Long texts of digits are refused before they are read: int() has a limit of its own.
        if not (part.isascii() and part.isdecimal() and len(part.lstrip("0")) <= len(str(MOST_RESULTS))):
            raise CommandError(f"{option}: expected whole numbers from 0 to {MOST_RESULTS}, found {part!r}")
        counts.append(int(part.lstrip("0") or "0"))
    if max(counts) > MOST_RESULTS:
        raise CommandError(f"{option}: expected whole numbers from 0 to {MOST_RESULTS}, found {max(counts)}")
    if not any(counts):
        raise CommandError(f"{option}: there are no results")
    return counts
