"""``arbiter export``: what was played, in forms that other programs read."""

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from enum import StrEnum
from itertools import chain
from pathlib import Path
from typing import Annotated

import typer

from arbiter import archive, directory
from arbiter.console import DIRECTORY_HELP, CommandError, print_notes, writing
from arbiter.exports.matches import MatchRow, csv_lines, json_lines, match_rows
from arbiter.exports.pgn import pgn_lines
from arbiter.store import Store
from arbiter.whole_file import whole_file


class Format(StrEnum):
    """What can be written."""

    ARCHIVE = "archive"
    PGN = "pgn"
    CSV = "csv"
    JSONL = "jsonl"
    PARQUET = "parquet"


_LINES: dict[Format, Callable[[Iterable[MatchRow]], Iterator[str]]] = {
    Format.PGN: pgn_lines,
    Format.CSV: csv_lines,
    Format.JSONL: json_lines,
}


def add_to(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command(epilog="Example: arbiter export runs/tournament --format pgn --output tournament.pgn")(export)


def export(
    paths: Annotated[list[Path], typer.Argument(metavar="DIR", help=DIRECTORY_HELP)],
    output: Annotated[
        Path | None, typer.Option("--output", metavar="FILE", help="Write to a file, and only if it can be whole.")
    ] = None,
    form: Annotated[Format, typer.Option("--format", help="What to write.")] = Format.ARCHIVE,
) -> None:
    """Write what was played in a form that other programs read.

    archive: everything that others need to check one tournament (arbiter verify), as JSON Lines. The secret of the
    shuffles is in it when all matches are played, and not before.

    pgn: a game for each match, for rating programs.

    csv, jsonl: a row for each match.

    parquet: a row for each decision, for machine learning.

    In all but the archive there are only matches that count and were played.
    """
    if form is Format.ARCHIVE and len(paths) > 1:
        raise CommandError("an archive is of one tournament: name one directory, or choose another --format")
    if form is Format.PARQUET and output is None:
        raise CommandError("--format parquet writes a file, not text: name it with --output")
    with ExitStack() as stack:
        stores = _open(paths, stack)
        if form is Format.ARCHIVE:
            _write_archive(stores[0], output)
        elif form is Format.PARQUET:
            assert output is not None
            _note_if_none(_write_decisions(stores, output))
        else:
            rows = _Counted(chain.from_iterable(match_rows(store) for store in stores))
            _write_lines(_LINES[form](rows), output)
            _note_if_none(rows.count)


def _open(paths: Sequence[Path], stack: ExitStack) -> list[Store]:
    stores: list[Store] = []
    known: dict[str, Path] = {}
    for path in paths:
        store = stack.enter_context(directory.open_store(path))
        before = known.get(store.tournament.id)
        if before is not None:
            raise CommandError(f"{path}: holds the same tournament as {before}")
        known[store.tournament.id] = path
        stores.append(store)
    return stores


def _write_archive(store: Store, output: Path | None) -> None:
    if output is None:
        _write_lines(archive.export(store), None)
        return
    with _problems_with(output):
        archive.write(store, output)


def _write_lines(lines: Iterable[str], output: Path | None) -> None:
    if output is None:
        with writing():
            sys.stdout.writelines(lines)
        return
    with _problems_with(output), whole_file(output) as file:
        file.writelines(line.encode() for line in lines)


def _write_decisions(stores: Sequence[Store], output: Path) -> int:
    try:
        from arbiter.exports import decisions
    except ModuleNotFoundError as error:
        if error.name != "pyarrow":
            raise
        raise CommandError(
            "--format parquet needs pyarrow, which is not installed: pip install 'sixtysix-arbiter[data]'"
        ) from error
    with _problems_with(output), whole_file(output) as file:
        return decisions.write(stores, file)


@contextmanager
def _problems_with(output: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise CommandError(f"{output}: cannot be written: {error.strerror or error}") from error


def _note_if_none(count: int) -> None:
    if not count:
        print_notes(["nothing was exported: no match that counts has been played yet"])


class _Counted(Iterable[MatchRow]):
    """Counts what goes through."""

    def __init__(self, rows: Iterable[MatchRow]) -> None:
        self._rows = rows
        self.count = 0

    def __iter__(self) -> Iterator[MatchRow]:
        for row in self._rows:
            self.count += 1
            yield row
