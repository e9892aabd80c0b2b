"""The two bots of a comparison, as their author names them, and how each is started."""

import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from arbiter.config_values import NAME

_MODULE = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*(:[A-Za-z_]\w*)?", re.ASCII)
_LONGEST_NAME = 25
_PATIENCE_S = 60.0

# Standard output is the arbiter's; the bot is found by the SDK, in a process of its own.
_SERVE = "import sys; from sixtysix import run; from sixtysix.loading import load_bot; run(load_bot(sys.argv[1]))"
_LOAD = """\
import sys
from sixtysix.loading import BotError, load_bot
try:
    load_bot(sys.argv[1])
except BotError as error:
    sys.exit(str(error))
"""


class ContenderError(Exception):
    """A bot cannot be found or loaded; the message is meant for its author."""


@dataclass(frozen=True, slots=True)
class Contender:
    """One of the two bots.

    Attributes:
        text: what the user wrote.
        name: in the tournament and in reports.
        command: how it is started, as in a tournament file.
        module: the bot as the SDK names it, or None for a program.
    """

    text: str
    name: str
    command: tuple[str, ...]
    module: str | None


def contenders(old: str, new: str) -> tuple[Contender, Contender]:
    """Return the old and the new bot, with different names.

    Each is ``module:Class`` or ``module`` as for ``python -m sixtysix play``, a Python file, or a command with its
    arguments.

    Raises:
        ContenderError: a command is empty, or there is no such program.
    """
    first, second = _contender(old), _contender(new)
    names = [contender.name or word for contender, word in ((first, "old"), (second, "new"))]
    if names[0] == names[1]:
        names = [f"{names[0]}-old", f"{names[1]}-new"]
    return (
        Contender(first.text, names[0], first.command, first.module),
        Contender(second.text, names[1], second.command, second.module),
    )


def check_loads(contender: Contender) -> None:
    """Load a bot in Python once, so that a mistake in it is told before anything is played; raises ContenderError."""
    if contender.module is None:
        return
    command = [sys.executable, "-c", _LOAD, contender.module]
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=_PATIENCE_S)
    except subprocess.TimeoutExpired:
        raise ContenderError(f"{contender.text}: is not loaded after {_PATIENCE_S:.0f} s") from None
    if done.returncode:
        raise ContenderError(done.stderr.strip() or f"{contender.text}: ends while it is loaded")


def _contender(text: str) -> Contender:
    if text.endswith(".py") and Path(text).is_file():
        return Contender(text, _name(Path(text).stem), ("{python}", text), None)
    if _MODULE.fullmatch(text):
        return Contender(text, _name(_last_words(text)), ("{python}", "-c", _SERVE, text), text)
    try:
        command = shlex.split(text)
    except ValueError as error:
        raise ContenderError(f"{text!r}: not a command: {error}") from None
    if not command:
        raise ContenderError(f"{text!r}: names no bot; expected module:Class, a Python file or a command")
    if command[0] != "{python}" and shutil.which(command[0]) is None:
        raise ContenderError(f"{text!r}: there is no program {command[0]!r}")
    program = command[0] if command[0] != "{python}" else command[-1]
    return Contender(text, _name(Path(program).stem), tuple(command), None)


def _last_words(module: str) -> str:
    path, colon, kind = module.partition(":")
    last = path.rpartition(".")[2]
    return f"{last}.{kind}" if colon else last


def _name(text: str) -> str:
    """The text as a name of a bot, or nothing."""
    name = re.sub(r"[^A-Za-z0-9._-]+", "-", text).strip("-")[:_LONGEST_NAME]
    return name if NAME.fullmatch(name) else ""
