"""Finding a bot by name, as the command line does: ``module:Class``, or ``module`` alone."""

import traceback
from difflib import get_close_matches
from importlib import import_module
from pathlib import Path
from types import ModuleType

from sixtysix.bot import Bot

_OWN_FOLDER = str(Path(__file__).resolve().parent)
_IMPORT_MACHINERY = "<frozen importlib"


class BotError(Exception):
    """A bot that cannot be loaded or that failed; the message is meant for its author."""


def load_bot(name: str) -> Bot:
    """Make the bot of this name; raises BotError that says what is missing and what there is."""
    module_name, colon, class_name = name.partition(":")
    if not all(part.isidentifier() for part in module_name.split(".")) or (colon and not class_name):
        raise BotError(f"not the name of a bot: {name!r} (write module:Class, or module alone)")
    module = _import(module_name)
    kind = _named(module, class_name) if class_name else _only_bot(module)
    if kind.choose is Bot.choose:
        raise BotError(f"{kind.__name__} in {module_name!r} has no method choose(self, view)")
    try:
        return kind()
    except Exception as error:
        raise BotError(describe(f"{name}: {kind.__name__}() failed", error)) from error


def describe(headline: str, error: BaseException) -> str:
    """One line that says what an author's code raised, its notes, then the traceback in his own files."""
    lines = [f"{headline}: {type(error).__name__}: {error}".rstrip(": ")]
    lines += [f"  {note}" for note in getattr(error, "__notes__", [])]
    lines += [line.rstrip("\n") for line in traceback.format_list(author_frames(error))]
    return "\n".join(lines)


def author_frames(error: BaseException) -> list[traceback.FrameSummary]:
    """The part of a traceback that lies outside this package; empty if its own code failed."""
    return [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if not frame.filename.startswith((_OWN_FOLDER, _IMPORT_MACHINERY))
        and frame.filename != import_module.__code__.co_filename
    ]


def _import(name: str) -> ModuleType:
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        if error.name is not None and f"{name}.".startswith(f"{error.name}."):
            raise BotError(f"no module named {error.name!r}") from None
        raise BotError(describe(f"importing {name!r} failed", error)) from error
    except Exception as error:
        raise BotError(describe(f"importing {name!r} failed", error)) from error


def _bots_in(module: ModuleType) -> dict[str, type[Bot]]:
    return {
        name: value
        for name, value in vars(module).items()
        if isinstance(value, type) and issubclass(value, Bot) and value.__module__ == module.__name__
    }


def _only_bot(module: ModuleType) -> type[Bot]:
    bots = _bots_in(module)
    if not bots:
        raise BotError(f"module {module.__name__!r} defines no subclass of sixtysix.Bot")
    if len(bots) > 1:
        choices = ", ".join(f"{module.__name__}:{name}" for name in bots)
        raise BotError(f"module {module.__name__!r} defines several bots, choose one: {choices}")
    return next(iter(bots.values()))


def _named(module: ModuleType, name: str) -> type[Bot]:
    value = getattr(module, name, None)
    if value is None:
        bots = _bots_in(module)
        close = get_close_matches(name, bots, n=1, cutoff=0.5)
        hint = f", did you mean {close[0]!r}?" if close else ""
        there = f" (bots in it: {', '.join(bots)})" if bots else ""
        raise BotError(f"module {module.__name__!r} has no class {name!r}{hint}{there}")
    if not isinstance(value, type) or not issubclass(value, Bot):
        raise BotError(f"{name!r} in module {module.__name__!r} is not a subclass of sixtysix.Bot")
    return value
