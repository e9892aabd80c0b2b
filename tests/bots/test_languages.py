"""The example bots in other languages, built by `make bots`: their own tests, the protocol, and matches."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from example_bots import tournament
from example_bots.languages import FOLDER, Language, languages

ROOT = FOLDER.parent
EVERY = pytest.mark.parametrize("language", languages().values(), ids=lambda language: language.name)


def need(language: Language) -> None:
    """Skip the test if the bot is not built; where everything has to be there, fail."""
    if language.built:
        return
    if os.environ.get("CI"):
        pytest.fail(f"the bot in {language.title} is not built; run `make bots`")
    pytest.skip(f"the bot in {language.title} is not built; `make bots` says why")


def run(*command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@EVERY
def test_its_own_tests_pass(language: Language) -> None:
    need(language)
    for command in language.test:
        done = run(*command, folder=language.folder)
        assert done.returncode == 0, done.stdout + done.stderr


@EVERY
def test_it_keeps_to_the_protocol(language: Language) -> None:
    need(language)
    done = run(sys.executable, "-m", "sixtysix", "check", "--json", "--", *language.command, folder=ROOT)
    scenarios = json.loads(done.stdout)["scenarios"]
    verdicts = {scenario["name"]: scenario["verdict"] for scenario in scenarios}
    assert done.returncode == 0, [scenario["problem"] for scenario in scenarios]
    assert len(verdicts) == 22
    assert set(verdicts.values()) == {"passed"}


@pytest.mark.parametrize("rules", ["schnapsen", "sixty-six"])
def test_all_languages_play_each_other(rules: str, tmp_path: Path) -> None:
    for language in languages().values():
        need(language)
    file = tmp_path / "languages.toml"
    # The thinking time follows the clock: short, and still twenty times what a greedy bot needs.
    text = tournament.tournament("languages", rules, 2) + '\n[time]\ndecision = "1s"\nbank = "3s"\n'
    file.write_text(text.replace('"runs/languages"', json.dumps(str(tmp_path / "run"))), encoding="utf-8")
    arbiter = (sys.executable, "-m", "arbiter.cli")
    played = run(*arbiter, "run", str(file), folder=ROOT)
    assert played.returncode == 0, played.stdout + played.stderr
    standings = json.loads(run(*arbiter, "standings", str(tmp_path / "run"), "--json", folder=ROOT).stdout)
    bots = len(languages()) + len(tournament.PYTHON_BOTS)
    assert (standings["played"], standings["void"]) == (bots * (bots - 1), 0)
    assert [row["faults"] for row in standings["standings"]] == [0] * bots
    verified = run(*arbiter, "verify", str(tmp_path / "run"), folder=ROOT)
    assert verified.returncode == 0, verified.stdout + verified.stderr
