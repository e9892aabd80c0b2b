"""A person in a tournament: the real arbiter, and the real program with typed lines."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from arbiter.store import FILE_NAME, Store

FILE = """
[tournament]
rules = "schnapsen-short"
matches_per_pair = 2
out = "out"
[time]
decision = "{decision}"
bank = "120s"
[[bots]]
name = "ada"
token_env = "PERSON_TOKEN"
[[bots]]
name = "bob"
command = ["{{python}}", "-m", "example_bots.greedy_bot"]
"""
ARBITER = [sys.executable, "-c", "import sys; from arbiter.cli import main; sys.exit(main())", "run", "club.toml"]
TOKEN = "ada's token"
WAIT_S = 60


@contextmanager
def arbiter(folder: Path, decision: str = "20s") -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A tournament that waits for ada; gives its process and address."""
    (folder / "club.toml").write_text(FILE.format(decision=decision))
    env = {**os.environ, "PYTHONPATH": os.getcwd(), "PERSON_TOKEN": TOKEN}
    process = subprocess.Popen(
        ARBITER, cwd=folder, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )
    try:
        assert process.stderr is not None
        for line in process.stderr:
            if line.startswith("waiting at "):
                yield process, line.split()[2]
                return
        raise AssertionError("the arbiter did not start")
    finally:
        process.terminate()
        process.communicate()


def person(address: str, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "sixtysix", "human", "--address", address, *arguments],
        env={**os.environ, "SIXTYSIX_TOKEN": TOKEN, "PYTHONUTF8": "1"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )


def test_a_person_plays_a_tournament(tmp_path: Path) -> None:
    with arbiter(tmp_path) as (process, address):
        out, error = person(address).communicate("1\n" * 2000, WAIT_S)
        assert process.wait(WAIT_S) == 0
    with Store.open(tmp_path / "out" / FILE_NAME) as store:
        matches, deals = list(store.summaries()), list(store.deals())
    assert [match.reason for match in matches] == ["target", "target"]
    assert [seat.faults for match in matches for seat in match.seats] == [0] * 4
    lines = out.splitlines()
    assert lines[0] == f"Waiting for the arbiter at {address}; Ctrl-C leaves."
    assert "Schnapsen to 5: you against bob, first to 5 game points." in lines
    assert "You have 20 s for a decision and 120 s for all of the match, and 0.1 s more after each." in lines
    assert any("your move (20 s, 1" in line for line in lines)
    ends = [line for line in lines if "win the match" in line or "wins the match" in line]
    assert ["You win" in line for line in ends] == [match.bots[match.winner or 0] == "ada" for match in matches]
    assert sum(line.startswith("Card points: ") for line in lines) == len(deals)
    assert lines[-1] == "The tournament is over."
    assert error == ""


def test_a_person_who_leaves_ends_with_the_status_of_an_interrupt(tmp_path: Path) -> None:
    with arbiter(tmp_path) as (_, address):
        played = person(address)
        out, error = played.communicate("q\ny\n", WAIT_S)
    assert (played.returncode, error) == (3, "")
    assert out.splitlines()[-1] == "Leave? What is not finished is lost. (y/n) y"


def test_a_person_who_thinks_too_long_is_told(tmp_path: Path) -> None:
    with arbiter(tmp_path, decision="300ms") as (_, address):
        played = person(address)
        assert played.stdin is not None
        assert played.stdout is not None
        warnings, forfeit = 0, ""
        while "forfeited it." not in forfeit:
            forfeit = played.stdout.readline()
            assert forfeit, "the program has ended"
            if "Your time is up" in forfeit:
                warnings += 1
                played.stdin.write("1\n")
                played.stdin.flush()
        assert warnings
        assert forfeit == "bob wins the deal: you forfeited it.\n"
        played.communicate("", WAIT_S)
    assert played.returncode == 3


def test_ctrl_c_leaves_in_good_order(tmp_path: Path) -> None:
    with arbiter(tmp_path) as (_, address):
        played = person(address)
        assert played.stdout is not None
        while "  hand  " not in played.stdout.readline():
            assert played.poll() is None
        played.send_signal(signal.SIGINT)
        _, error = played.communicate(timeout=WAIT_S)
    assert (played.returncode, error) == (3, "interrupted\n")


def test_another_rule_set_is_refused(tmp_path: Path) -> None:
    with arbiter(tmp_path) as (_, address):
        played = person(address, "--rules", "sixty-six")
        _, error = played.communicate("", WAIT_S)
    assert played.returncode == 1
    (line,) = error.splitlines()
    assert line.startswith(f"error: the arbiter at {address} ended the connection: RULE_SET")
