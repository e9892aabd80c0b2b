"""What the commands of the command line share: arguments, output, and how they fail."""

import json
import shutil
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.console import RenderableType

from arbiter import report

DONE, USER_ERROR, INTERRUPTED, OUR_FAULT = 0, 1, 3, 4
"""Exit statuses."""

DIRECTORY_HELP = "Directory of a tournament (`out` in its file), or its results.sqlite."
Directory = Annotated[Path, typer.Argument(metavar="DIR", help=DIRECTORY_HELP)]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


class CommandError(Exception):
    """A command cannot do what was asked: the user's mistake; the message says what and where."""


class CommandInterrupted(Exception):
    """The user stopped a command; the message says what is kept."""


@contextmanager
def writing() -> Iterator[None]:
    """Turn a failure to write the output into a CommandError; a BrokenPipeError (nobody reads on) stays one."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise CommandError(f"cannot write the output: {error.strerror}") from error


def print_parts(parts: Iterable[RenderableType]) -> None:
    """Print tables and lines: as wide as a terminal and in colours, elsewhere plain."""
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
    with writing():
        sys.stdout.write(report.render(parts, width=width))


def print_lines(lines: Iterable[str]) -> None:
    """Print lines as they come."""
    for line in lines:
        with writing():
            sys.stdout.write(f"{line}\n")


def print_json(value: object) -> None:
    """Print a value as JSON."""
    print_lines([json.dumps(value, indent=2)])


def print_notes(texts: Iterable[str]) -> None:
    """Print what people should know besides the output: lines of their own on standard error."""
    for text in texts:
        for line in text.splitlines():
            print(f"arbiter: {report.printable(line)}", file=sys.stderr)
