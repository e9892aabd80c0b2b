"""Every command of docs/other-languages.md, from nothing to a bot in the standings."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from example_bots.languages import Language, languages

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "other-languages.md").read_text(encoding="utf-8")
SECTIONS = {part.partition("\n")[0]: part for part in PAGE.split("\n## ")[1:]}
EVERY = pytest.mark.parametrize("language", languages().values(), ids=lambda language: language.name)


def commands(section: str) -> str:
    """The commands of a section, which has one block of them."""
    (found,) = re.findall(r"^```sh\n(.*?)^```$", SECTIONS[section], re.MULTILINE | re.DOTALL)
    return str(found)


def shell(script: str, folder: Path) -> str:
    """Run commands as a person types them, in a shell in which the environment is active; stops at a failure."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script],
        cwd=folder,
        env={**os.environ, "PATH": path},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


def test_the_arbiter_is_set_up_as_it_says() -> None:
    found = shell(commands("Before you start") + "command -v arbiter python\n", ROOT)
    assert found.splitlines()[-2:] == [str(ROOT / ".venv" / "bin" / name) for name in ("arbiter", "python")]


@EVERY
def test_what_a_language_needs_is_that_of_its_build(language: Language) -> None:
    (row,) = re.findall(rf"^\| {re.escape(language.title)} \| .*$", PAGE, re.MULTILINE)
    _, at_least, packages, bot = (cell.strip() for cell in row.strip("|").split("|"))
    assert packages == " ".join(f"`{package}`" for package in language.packages)
    assert bot == f"[{language.name}](../example_bots/{language.name}/README.md)"
    assert ".".join(map(str, language.version)) in at_least


@EVERY
def test_from_nothing_to_the_standings(language: Language, tmp_path: Path) -> None:
    missing = list(language.missing())
    if missing and not os.environ.get("CI"):
        pytest.skip(f"not installed: {', '.join(missing)}")
    assert not missing
    script = commands(language.title)
    assert script.splitlines()[1] == "cd my_bot"
    if language.name == "rust":
        # What both use is not compiled twice.
        built = ROOT / "example_bots" / "rust" / "target"
        script = script.replace("cd my_bot\n", f"cd my_bot\nln -s {built} target\n")
    shell(script, tmp_path)
    standings = json.loads(shell("arbiter standings my_bot/runs/my_bot --json", tmp_path))
    assert standings["played"] == 60
    (mine,) = (row for row in standings["standings"] if row["name"] == "my_bot")
    assert mine["faults"] == 0
    assert mine["matches"] == 40
