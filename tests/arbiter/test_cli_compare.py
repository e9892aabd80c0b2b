"""Comparisons by the commands that people use, with real bots."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from arbiter.cli import main
from arbiter.comparison_run import FILE
from arbiter.console import DONE, INTERRUPTED, USER_ERROR
from arbiter.contenders import ContenderError, contenders
from arbiter.store import FILE_NAME, Store

RANDOM, GREEDY, COUNTING = (f"example_bots.{name}_bot" for name in ("random", "greedy", "counting"))
WINNER = """
from sixtysix import CLAIM, Bot, run

class MyBot(Bot):
    def choose(self, view):
        print("a bot may print")
        return CLAIM if view.can_claim else [action for action in view.legal_actions if action != CLAIM][0]

if __name__ == "__main__":
    run(MyBot())
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the author works."""
    (tmp_path / "my_bot.py").write_text(WINNER)
    monkeypatch.setenv("PYTHONPATH", os.getcwd())
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(capfd: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    capfd.readouterr()
    status = main(list(arguments))
    return status, *capfd.readouterr()


def figures(capfd: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    status, text, error = run(capfd, *arguments, "--json")
    assert status == DONE, error
    values: dict[str, Any] = json.loads(text, parse_constant=lambda name: pytest.fail(f"{name} is not JSON"))
    return values


def test_compare_plays_duplicates_and_keeps_them(capfd: pytest.CaptureFixture[str], folder: Path) -> None:
    values = figures(capfd, "compare", GREEDY, COUNTING, "--matches", "12", "--concurrency", "3")
    assert (values["new"], values["old"], values["rules"]) == (COUNTING, GREEDY, "schnapsen")
    assert (sum(values["pairs"]), values["left_out"], values["finished"]) == (6, 0, True)
    out = folder / "runs" / "counting_bot-against-greedy_bot"
    standings = json.loads(run(capfd, "standings", str(out), "--json")[1])
    assert standings["played"] == 12
    (pairs,) = standings["pairs"]
    assert pairs["bots"] == ["counting_bot", "greedy_bot"]
    assert list(pairs["counts"].values()) == values["pairs"]
    new = next(line for line in standings["standings"] if line["name"] == "counting_bot")
    assert values["deals"] == new["deals"]
    margin = new["game_points"] - new["game_points_against"]
    assert values["points_per_deal"] == pytest.approx(margin / new["deals"])
    assert values["score"] == pytest.approx((new["won"] + new["drawn"] / 2) / 12)


def test_sprt_stops_by_itself_and_says_the_same_again(capfd: pytest.CaptureFixture[str], folder: Path) -> None:
    arguments = ("sprt", RANDOM, GREEDY, "--elo1", "100", "--rules", '{"base": "schnapsen", "target": 3}')
    values = figures(capfd, *arguments)
    assert values["verdict"] == "elo1"
    assert values["llr_logistic"] >= values["upper"]
    assert values["rules"] == {"base": "schnapsen", "target": 3}
    with Store.open(folder / "runs" / "greedy_bot-against-random_bot" / FILE_NAME) as store:
        played = list(store.summaries())
    assert 2 * values["results"] <= len(played) < 2 * values["results"] + 60
    assert not any(match.void for match in played)
    assert figures(capfd, *arguments, "--resume") == values


def test_a_comparison_goes_on_only_as_it_was_begun(capfd: pytest.CaptureFixture[str], folder: Path) -> None:
    plan = ("compare", RANDOM, "my_bot:MyBot", "--matches", "2", "--out", "kept")
    status, text, error = run(capfd, *plan, "--quiet")
    assert (status, error) == (DONE, "")
    assert "my_bot.MyBot (new) against random_bot (old)" in text
    assert (
        run(capfd, *plan)[2]
        == "arbiter: kept: holds a tournament already; --resume goes on with it, --force replaces it\n"
    )
    assert run(capfd, *plan, "--resume", "--elo1", "20") == (
        USER_ERROR,
        "",
        "arbiter: kept: cannot be resumed, the comparison has changed:\narbiter: elo1 was 10.0 and is 20.0\n",
    )
    assert "time.decision was '1s' and is '3s'" in run(capfd, *plan, "--resume", "--decision", "3s")[2]
    (folder / "kept" / FILE).write_text("[]")
    assert run(capfd, *plan, "--resume")[2] == f"arbiter: kept/{FILE}: expected a JSON object\n"
    (folder / "kept" / FILE).unlink()
    assert "kept: holds no comparison that could go on" in run(capfd, *plan, "--resume")[2]
    assert run(capfd, *plan, "--force", "--quiet")[0] == DONE


@pytest.mark.parametrize("local", [False, True])
def test_ctrl_c_keeps_what_was_played(folder: Path, local: bool) -> None:
    plan = ["compare", GREEDY, COUNTING, "--matches", "4000", "--concurrency", "2", "--out", "out"]
    if local:
        plan = ["compare", GREEDY, COUNTING, "--matches", "100000", "--local"]
    command = [sys.executable, "-c", "import sys; from arbiter.cli import main; sys.exit(main())", *plan, "--json"]
    arbiter = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert arbiter.stderr is not None
    for line in arbiter.stderr:
        if "pairs, Elo" in line:
            break
    arbiter.send_signal(signal.SIGINT)
    text, rest = arbiter.communicate()
    assert arbiter.returncode == INTERRUPTED, rest
    first = json.loads(text)
    assert (first["finished"], first["results"] > 0) == (False, True)
    if local:
        assert rest.splitlines()[-1].startswith("arbiter: interrupted; the same cards again: --seed ")
        return
    assert rest.splitlines()[-1] == (
        "arbiter: interrupted; every match that had ended is kept: to go on, run the same command with --resume"
    )
    with Store.open(folder / "out" / FILE_NAME) as store:
        kept = {match.match_id for match in store.summaries() if not match.void}
    arbiter = subprocess.Popen(
        [*command, "--resume"], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert arbiter.stderr is not None
    for line in arbiter.stderr:
        if "pairs, Elo" in line:
            break
    arbiter.send_signal(signal.SIGINT)
    second = json.loads(arbiter.communicate()[0])
    assert second["results"] > first["results"]
    assert second["left_out"] <= 2
    with Store.open(folder / "out" / FILE_NAME) as store:
        now = [match.match_id for match in store.summaries() if not match.void]
    assert kept < set(now)
    assert len(now) == len(set(now))


def test_local_play_is_the_same_for_the_same_seed(capfd: pytest.CaptureFixture[str], folder: Path) -> None:
    arguments = ("compare", "--local", GREEDY, COUNTING, "--matches", "40", "--seed", "5")
    values = figures(capfd, *arguments)
    assert sum(values["pairs"]) == 20
    assert figures(capfd, *arguments) == values
    assert not (folder / "runs").exists()
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "sixtysix",
            "play",
            *["--pairs", "--json", "--seed", "5", "--matches", "40"],
            COUNTING,
            GREEDY,
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    by_the_sdk = json.loads(done.stdout)
    assert by_the_sdk["pairs"] == values["pairs"]
    assert by_the_sdk["per_deal"] == pytest.approx(values["points_per_deal"])
    low, high = by_the_sdk["interval"]
    assert (high - low) / 2 == pytest.approx(values["points_per_deal_margin"])


def test_a_local_test_stops_by_itself(capfd: pytest.CaptureFixture[str]) -> None:
    status, text, error = run(capfd, "sprt", "--local", RANDOM, "my_bot", "--elo1", "50", "--quiet")
    assert (status, error) == (DONE, "")
    assert "Elo 50 is accepted" in text or "Elo 0 is accepted" in text


def test_a_bot_that_does_not_start_is_an_error_and_no_result(capfd: pytest.CaptureFixture[str]) -> None:
    status, text, error = run(capfd, "compare", f"{sys.executable} -c pass", GREEDY, "--matches", "50", "--out", "o")
    assert (status, text) == (USER_ERROR, "")
    assert error.splitlines()[-1].startswith("arbiter: python")
    assert "was not ready for several matches, so there is nothing to compare: o/logs has what it said" in error


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ((RANDOM, "no_bot"), "no module named 'no_bot'"),
        ((RANDOM, "no_bot", "--local"), "no module named 'no_bot'"),
        ((RANDOM, "my_bot:Mybot"), "module 'my_bot' has no class 'Mybot', did you mean 'MyBot'? (bots in it: MyBot)"),
        ((RANDOM, "./missing --fast"), "'./missing --fast': there is no program './missing'"),
        ((RANDOM, " "), "' ': names no bot; expected module:Class, a Python file or a command"),
        ((RANDOM, "'"), '"\'": not a command: No closing quotation'),
        ((RANDOM, GREEDY, "--matches", "3"), "--matches: expected an even number, since matches are played in pairs"),
        ((RANDOM, GREEDY, "--seed", "1"), "--seed is for --local: the arbiter's cards are secret until they have been"),
        ((RANDOM, GREEDY, "--local", "--bank", "1s"),
         "--bank is not for --local, which has no server, no clocks and no directory"),
        ((RANDOM, "my_bot.py", "--local"),
         "--local plays bots in Python that are named as module:Class, not 'my_bot.py'"),
        ((RANDOM, GREEDY, "--force", "--resume"),
         "--force replaces a comparison and --resume goes on with it: choose one"),
        ((RANDOM, GREEDY, "--rules", "{"), "--rules: not JSON"),
        ((RANDOM, GREEDY, "--rules", "schnapps"), "--rules: "),
        ((RANDOM, GREEDY, "--decision", "soon"), "options: time.decision: "),
        ((RANDOM, GREEDY, "--elo0", "-1500"), "elo0: expected from -200 to 200, found -1500"),
        ((RANDOM, GREEDY, "--resume"), "runs/greedy_bot-against-random_bot: holds no comparison that could go on"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("command", ["compare", "sprt"])
def test_bad_input_is_one_clear_line(
    capfd: pytest.CaptureFixture[str], folder: Path, command: str, arguments: Sequence[str], problem: str
) -> None:
    status, text, error = run(capfd, command, *arguments)
    assert (status, text) == (USER_ERROR, "")
    assert error.startswith(f"arbiter: {problem}")
    assert error.count("\n") == 1
    assert not (folder / "runs").exists()


@pytest.mark.parametrize(
    ("old", "new", "names"),
    [
        ("a.b_bot", "my_bot:MyBot", ("b_bot", "my_bot.MyBot")),
        ("my_bot.py", "my_bot", ("my_bot-old", "my_bot-new")),
        ("sh -c true", "/bin/sh x", ("sh-old", "sh-new")),
        ("'{python}' -m my_bot", "sh", ("my_bot", "sh")),
    ],
)
def test_names_of_bots(old: str, new: str, names: tuple[str, str]) -> None:
    assert tuple(bot.name for bot in contenders(old, new)) == names


def test_commands_of_bots() -> None:
    file, program = contenders("my_bot.py", "sh -c 'exit 1'")
    assert file.command == ("{python}", "my_bot.py")
    assert program.command == ("sh", "-c", "exit 1")
    with pytest.raises(ContenderError, match=r"no program 'elsewhere\.py'"):
        contenders("elsewhere.py x", "sh")
