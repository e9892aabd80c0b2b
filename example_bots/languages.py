"""The example bots in other languages: what each needs, and what of it is missing here. Nothing is built by it.

They are described in `languages.toml`. Standard library only, since it runs before anything is installed.
"""

import re
import shutil
import subprocess
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parent

_VERSION = re.compile(r"\d+(?:\.\d+)*")
_SECONDS_FOR_A_VERSION = 60

Command = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Language:
    """One language and the project of its example bot.

    Attributes:
        name: of the folder below `example_bots`.
        title: the name for people.
        packages: Debian packages with what is needed.
        tools: programs that have to be on the path.
        version: the least version, numbers from the major one on; empty if any will do.
        version_of: the command that prints it.
        compiler: the program that has to find `headers`.
        headers: as in an ``#include``.
        build: the commands that build it, in its folder.
        test: the commands that run its own tests.
        program: the command that starts the built bot there, the first part being a path in the folder or a tool.
    """

    name: str
    title: str
    packages: tuple[str, ...]
    tools: tuple[str, ...]
    version: tuple[int, ...]
    version_of: Command
    compiler: str
    headers: tuple[str, ...]
    build: tuple[Command, ...]
    test: tuple[Command, ...]
    program: Command

    @property
    def folder(self) -> Path:
        """Where the project is."""
        return FOLDER / self.name

    @property
    def command(self) -> list[str]:
        """The command that starts the built bot from the folder above `example_bots`."""
        return [self._placed(part) for part in self.program]

    @property
    def built(self) -> bool:
        """Is the bot there to be started?"""
        return all((self.folder / part).is_file() for part in self.program if "/" in part)

    def missing(self) -> Iterator[str]:
        """What is not installed here, each as a phrase for people."""
        absent = [tool for tool in self.tools if shutil.which(tool) is None]
        yield from absent
        if absent:
            return
        if self.version:
            found = _version(self.version_of)
            if found is None or found < self.version:
                shown = "no version of it" if found is None else f"only {_dotted(found)}"
                yield f"{self.version_of[0]} {_dotted(self.version)} ({shown} is here)"
        yield from (f"<{name}>" for name in self.headers if not _finds(self.compiler, name))

    def _placed(self, part: str) -> str:
        return f"{FOLDER.name}/{self.name}/{part}" if "/" in part else part


def languages() -> dict[str, Language]:
    """All of them, by name, in the order of the file."""
    table = tomllib.loads((FOLDER / "languages.toml").read_text(encoding="utf-8"))
    return {name: _language(name, entry) for name, entry in table.items()}


def _language(name: str, entry: Mapping[str, Any]) -> Language:
    headers = entry.get("headers", {"compiler": "", "names": []})
    return Language(
        name=name,
        title=entry["title"],
        packages=tuple(entry["packages"]),
        tools=tuple(entry["tools"]),
        version=_numbers(entry.get("version", "")),
        version_of=tuple(entry.get("version_of", ())),
        compiler=headers["compiler"],
        headers=tuple(headers["names"]),
        build=tuple(tuple(command) for command in entry["build"]),
        test=tuple(tuple(command) for command in entry["test"]),
        program=tuple(entry["program"]),
    )


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split(".") if part)


def _dotted(version: tuple[int, ...]) -> str:
    return ".".join(map(str, version))


def _version(command: Command) -> tuple[int, ...] | None:
    """The first version that a command prints, on whichever stream."""
    try:
        done = subprocess.run(
            command,
            capture_output=True,
            text=True,
            check=False,
            timeout=_SECONDS_FOR_A_VERSION,
            stdin=subprocess.DEVNULL,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    found = _VERSION.search(done.stdout + done.stderr) if done.returncode == 0 else None
    return None if found is None else _numbers(found[0])


def _finds(compiler: str, header: str) -> bool:
    source = f"#if !__has_include(<{header}>)\n#error missing\n#endif\n"
    arguments = [compiler, "-E", "-x", "c++", "-"]
    return subprocess.run(arguments, input=source, capture_output=True, text=True, check=False).returncode == 0
