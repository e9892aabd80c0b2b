"""What ``python -m sixtysix new`` does: write a project for a new bot."""

import keyword
import re
import shutil
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

from sixtysix.commands import DONE, CommandError

_FOLDER = Path(__file__).resolve().parent
_TEMPLATES = _FOLDER / "templates"
_PACKED = _FOLDER / "sources"
_CHECKOUT = _FOLDER.parents[2]
_PLACEHOLDER = "my_bot"
_TOURNAMENT = "tournament.toml"
_PROGRAM = "my_program"
_NAME = re.compile(r"[a-z][a-z0-9_]*", re.ASCII)


@dataclass(frozen=True, slots=True)
class Language:
    """How a project in one language is made.

    Attributes:
        name: of the language, as in the option.
        next: the commands to type next, in the project's folder.
        program: the command that starts the bot there, as in a tournament file.
        reserved: names that mean something else to the language or its tools.
        replaced: texts in copied files, and what stands for them in the project.
        copied: files and folders of the repository, and where they go in the project.
    """

    name: str
    next: tuple[str, ...]
    program: tuple[str, ...]
    reserved: frozenset[str]
    replaced: dict[str, str]
    copied: dict[str, str]

    def files(self) -> Iterator[tuple[str, str]]:
        """Path and text of each file of the project, with the placeholder for its name."""
        template = _TEMPLATES / self.name
        for path in _all_files(template):
            yield path.relative_to(template).as_posix(), path.read_text(encoding="utf-8")
        tournament = (_TEMPLATES / _TOURNAMENT).read_text(encoding="utf-8")
        yield _TOURNAMENT, tournament.replace(_PROGRAM, ", ".join(f'"{part}"' for part in self.program))
        sources = _PACKED if _PACKED.is_dir() else _CHECKOUT
        for source, place in self.copied.items():
            for path in _all_files(sources / source):
                text = path.read_text(encoding="utf-8")
                for old, new in self.replaced.items():
                    text = text.replace(old, new)
                yield (Path(place) / path.relative_to(sources / source)).as_posix(), text


def languages() -> dict[str, Language]:
    """The languages for which there is a template, by name."""
    table = tomllib.loads((_FOLDER / "languages.toml").read_text(encoding="utf-8"))
    return {
        name: Language(
            name=name,
            next=tuple(entry["next"]),
            program=tuple(entry["program"]),
            reserved=frozenset(entry["reserved"]),
            replaced=entry["replaced"],
            copied=entry["copied"],
        )
        for name, entry in table.items()
    }


def new(name: str, language: str) -> int:
    """Write a project into a new folder `name` and print what to do next; returns the exit status.

    Raises CommandError for a name that cannot be used, a folder that exists, and a language without a template.
    """
    known = languages()
    if language not in known:
        close = get_close_matches(language, known, n=1)
        hint = f", did you mean {close[0]!r}?" if close else ""
        raise CommandError(f"--language: no template for {language!r}{hint} (there are {', '.join(known)})")
    _check_name(name, known[language])
    folder = Path(name)
    if folder.exists() or folder.is_symlink():
        raise CommandError(f"{name} exists already; choose another name, or remove it")
    files = {path: text.replace(_PLACEHOLDER, name) for path, text in known[language].files()}
    try:
        for path, text in files.items():
            target = folder / path.replace(_PLACEHOLDER, name)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    print(f"{name}: a bot in {language}, {len(files)} files; its README.md says what is where. Next:\n")
    print(f"    cd {name}")
    for command in known[language].next:
        print(f"    {command.replace(_PLACEHOLDER, name)}")
    return DONE


def _check_name(name: str, language: Language) -> None:
    if not _NAME.fullmatch(name):
        raise CommandError(f"not a name for a bot: {name!r} (write lower-case letters, digits and _, a letter first)")
    # A module of this name would hide another one, and the bot would not start.
    taken = keyword.iskeyword(name) or name in sys.stdlib_module_names or name in ("example_bots", "sixtysix", "test")
    if taken or name in language.reserved:
        raise CommandError(f"not a name for a bot: {name!r} means something else already")


def _all_files(path: Path) -> list[Path]:
    """The file, or all files below the folder, without what Python leaves behind."""
    if path.is_file():
        return [path]
    return sorted(file for file in path.rglob("*") if file.is_file() and "__pycache__" not in file.parts)
