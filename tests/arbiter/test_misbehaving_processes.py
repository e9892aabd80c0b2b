"""Bots that misbehave as processes: what they hold, take, write and leave behind."""

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from arbiter.launcher import MOST_LOG_BYTES
from tests.arbiter.misbehaviour import HONEST, bad, check_records, faults, log_of, play, processes, summaries


@pytest.mark.parametrize("name", ["closes_stdin", "fills_stderr", "forks", "ignores_sigterm"])
def test_what_costs_nothing(tmp_path: Path, name: str) -> None:
    board, _ = play(tmp_path, {"bad": bad(name), "honest": HONEST})
    assert [standing.faults for standing in board.standings()] == [0, 0]
    assert [match.reason for match in summaries(tmp_path)] == ["target", "target"]
    check_records(tmp_path)
    if name == "fills_stderr":
        log = log_of(tmp_path, "bad")
        assert MOST_LOG_BYTES < len(log) < MOST_LOG_BYTES + 100_000
        assert "the log is full" in log
        assert "bytes are left out" in log
        assert log.endswith("the last line\n")


def test_a_bot_that_hangs_loses_and_is_ended(tmp_path: Path) -> None:
    sections: dict[str, Any] = {"time": {"decision": "200ms", "ready": "2s"}, "faults": {"reconnect": "1s"}}
    board, _ = play(tmp_path, {"bad": bad("hangs"), "honest": HONEST}, **sections)
    first, second = board.standings()
    assert (first.name, first.won, first.faults, second.lost) == ("honest", 2, 0, 2)
    found = faults(tmp_path, "bad")
    assert found[0][0] == "late"
    assert {kind for kind, _ in found} <= {"late", "not_ready", "disconnected"}


def test_a_bot_that_takes_too_much_memory_dies_alone(tmp_path: Path) -> None:
    limit = {name: {"memory": "400MB"} for name in ("bad", "honest")}
    board, _ = play(tmp_path, {"bad": bad("eats_memory"), "honest": HONEST}, limit)
    first, second = board.standings()
    assert (first.name, first.won, first.faults, second.lost) == ("honest", 2, 0, 2)
    found = faults(tmp_path, "bad")
    # The second match may not have begun when the process that was to play both has died.
    assert found[0][0] == "disconnected"
    assert {kind for kind, _ in found} <= {"disconnected", "not_ready"}
    assert all("the process of bad exited with status 1" in detail for _, detail in found)
    assert "MemoryError" in log_of(tmp_path, "bad")


def test_children_are_ended_with_their_bot_and_not_at_the_end_of_the_tournament_only(tmp_path: Path) -> None:
    commands = {"bad": bad("forks_and_exits"), "honest": HONEST}
    _, reporter = play(tmp_path, commands, tournament={"concurrency": 1, "matches_per_pair": 4})
    assert len(reporter.ended) == 4
    assert log_of(tmp_path, "bad").splitlines() == ["found 0"] * 4


FILE = """
[tournament]
matches_per_pair = 1000
concurrency = 4
out = "out"
[[bots]]
name = "ada"
command = ["{python}", "-m", "tests.misbehaving.forks"]
[[bots]]
name = "bob"
command = ["{python}", "-m", "tests.misbehaving.ignores_sigterm"]
"""


def test_no_bot_outlives_an_arbiter_that_is_killed(tmp_path: Path) -> None:
    (tmp_path / "club.toml").write_text(FILE)
    env = {**os.environ, "PYTHONPATH": os.getcwd(), "TMPDIR": str(tmp_path)}
    command = [sys.executable, "-c", "import sys; from arbiter.cli import main; sys.exit(main())", "run", "club.toml"]
    with subprocess.Popen(command, cwd=tmp_path, env=env, stderr=subprocess.PIPE, text=True) as arbiter:
        assert arbiter.stderr is not None
        told = ""
        for line in arbiter.stderr:
            told += line
            if "of 1000 matches" in line:
                break
        # The arbiter, two keepers, two bots, two sleepers, and the child of the stubborn one.
        assert len(processes(str(tmp_path))) == 8, told
        arbiter.kill()
    give_up = time.monotonic() + 10
    while processes(str(tmp_path)):
        assert time.monotonic() < give_up
        time.sleep(0.02)
