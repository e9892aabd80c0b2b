"""``arbiter report``: a tournament as one HTML page."""

import webbrowser
from pathlib import Path
from typing import Annotated

import typer

from arbiter import directory
from arbiter.console import CommandError, Directory, print_lines
from arbiter.whole_file import whole_file

_ALL = "all"


def add_to(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command(epilog="Example: arbiter report runs/tournament --open")(report)


def report(
    path: Directory,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", metavar="FILE", help=f"The page; by default {directory.REPORT_FILE} beside the results."
        ),
    ] = None,
    matches: Annotated[
        str | None,
        typer.Option("--matches", metavar="N|all", help="Matches that can be replayed, spread over the tournament."),
    ] = None,
    show: Annotated[bool, typer.Option("--open", help="Show the page in the browser.")] = False,
) -> None:
    """Write a page with standings, ratings, plots, and every match card by card.

    It is one file that needs no network. While matches are played it shows those that have ended.
    """
    # numpy and scipy take half a second to load, which other commands need not wait for.
    from arbiter.html_report import MOST_MATCHES, html_page, report_data

    most = MOST_MATCHES if matches is None else _most(matches)
    file = output or (path if path.is_dir() else path.parent) / directory.REPORT_FILE
    with directory.open_store(path) as store:
        page = html_page(report_data(store, most)).encode()
    try:
        with whole_file(file) as target:
            target.write(page)
    except OSError as error:
        raise CommandError(f"{file}: cannot be written: {error.strerror}") from error
    print_lines([f"{file} is written ({len(page) / 1e6:.1f} MB)"])
    if show and not webbrowser.open(file.absolute().as_uri()):
        raise CommandError(f"there is no browser to show {file}")


def _most(text: str) -> int | None:
    if text == _ALL:
        return None
    if not text.isascii() or not text.isdigit():
        raise CommandError(f"--matches {text}: must be a whole number or {_ALL}")
    return int(text)
