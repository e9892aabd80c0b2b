"""Write a tournament file for the bots in all languages: ``python -m example_bots.tournament FILE``."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from example_bots.languages import languages

PYTHON_BOTS = ("greedy", "rollout")
"""The bots in Python that the others meet."""

DONE, USER_ERROR = 0, 1
"""Exit statuses."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the file, with each bot that is built; returns the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m example_bots.tournament",
        description="Write a tournament file in which the example bots of all languages meet that are built.",
        epilog="example: python -m example_bots.tournament runs/languages.toml --rules sixty-six --matches 10",
    )
    parser.add_argument("file", type=Path, metavar="FILE", help="where to write it; replaced if it exists")
    parser.add_argument("--rules", default="schnapsen", help="the rule set; by default schnapsen")
    parser.add_argument("--matches", type=int, default=4, metavar="N", help="matches of each pair, even; by default 4")
    options = parser.parse_args(arguments)
    try:
        options.file.parent.mkdir(parents=True, exist_ok=True)
        options.file.write_text(tournament(options.file.stem, options.rules, options.matches), encoding="utf-8")
    except OSError as error:
        print(f"error: cannot write {options.file}: {error.strerror}", file=sys.stderr)
        return USER_ERROR
    missing = [language.title for language in languages().values() if not language.built]
    if missing:
        print(f"not built, so they do not take part: {', '.join(missing)} (see `make bots`)")
    return DONE


def tournament(name: str, rules: str, matches: int) -> str:
    """The text of the file; its bots are started from the folder above `example_bots`."""
    bots = {bot: ["{python}", "-m", f"example_bots.{bot}_bot"] for bot in PYTHON_BOTS}
    bots |= {language.name: language.command for language in languages().values() if language.built}
    lines = [
        "# The example bots of all languages that are built. Start it from the folder that holds example_bots.",
        "",
        "[tournament]",
        f'name = "{name}"',
        f'rules = "{rules}"',
        f"matches_per_pair = {matches}",
        "concurrency = 2",
        f'out = "runs/{name}"',
    ]
    for bot, command in bots.items():
        shown = ", ".join(f'"{part}"' for part in command)
        lines += ["", "[[bots]]", f'name = "{bot}"', f"command = [{shown}]"]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main())
