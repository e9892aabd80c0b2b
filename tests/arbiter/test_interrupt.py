"""Ctrl-C in the middle of a real tournament, by the command that people use."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from arbiter.store import FILE_NAME, Store
from arbiter.verify import verify

BOT = "example_bots.random_bot"
FILE = f"""
[tournament]
matches_per_pair = 1000
concurrency = 4
out = "out"
[[bots]]
name = "ada"
command = ["{{python}}", "-m", "{BOT}"]
[[bots]]
name = "bob"
command = ["{{python}}", "-m", "tests.misbehaving.ignores_sigterm"]
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_keeps_what_was_played_and_leaves_no_process(tmp_path: Path, number: signal.Signals) -> None:
    (tmp_path / "club.toml").write_text(FILE)
    env = {**os.environ, "PYTHONPATH": os.getcwd()}
    command = [sys.executable, "-c", "import sys; from arbiter.cli import main; sys.exit(main())", "run", "club.toml"]
    arbiter = subprocess.Popen(
        command, cwd=tmp_path, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert arbiter.stderr is not None
    told = ""
    for line in arbiter.stderr:
        told += line
        if "of 1000 matches" in line:
            break
    arbiter.send_signal(number)
    rest = arbiter.communicate()[1]
    assert arbiter.returncode == 3, told + rest
    told = "arbiter: interrupted; every match that had ended is kept: arbiter standings out; "
    assert rest.splitlines()[-1].startswith(told)
    with Store.open(tmp_path / "out" / FILE_NAME) as store:
        ended = list(store.summaries())
        deals = list(store.deals())
    assert ended
    assert all(match.reason == "target" for match in ended)
    assert len(deals) == sum(match.deals for match in ended)
    log = [json.loads(line) for line in (tmp_path / "out" / "arbiter.log").read_text().splitlines()]
    started = [line["pid"] for line in log if line["event"] == "bot started"]
    assert len(started) == 2
    assert not [pid for pid in started if _has_processes(pid)]


def test_what_ctrl_c_has_interrupted_is_played_again(tmp_path: Path) -> None:
    (tmp_path / "club.toml").write_text(FILE.replace("1000", "60").replace("tests.misbehaving.ignores_sigterm", BOT))
    env = {**os.environ, "PYTHONPATH": os.getcwd()}
    command = [sys.executable, "-c", "import sys; from arbiter.cli import main; sys.exit(main())", "run", "club.toml"]
    with subprocess.Popen(command, cwd=tmp_path, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as arbiter:
        results = tmp_path / "out" / FILE_NAME
        while arbiter.poll() is None:
            if results.exists():
                with Store.open(results) as store:
                    states = list(store.states().values())
                if "fixed" in states and "issued" in states:
                    break
        arbiter.send_signal(signal.SIGINT)
        errors = arbiter.communicate()[1]
    assert arbiter.returncode == 3, errors
    with Store.open(results) as store:
        kept = list(store.attempts())
        interrupted = {match.match_id for match, _ in store.issued()}
    assert kept
    assert interrupted
    resumed = subprocess.run([*command, "--resume"], cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
    assert resumed.returncode == 0, resumed.stderr
    with Store.open(results) as store:
        attempts = list(store.attempts())
    assert [match for match in attempts if match in kept] == kept
    void = [match.result for match in attempts if match.result.void]
    assert {match.match_id for match in void} == interrupted
    assert {match.detail for match in void} == {"interrupted: the arbiter ended before the match did"}
    counted = [match for match in attempts if not match.result.void]
    assert sorted(match.result.match_id for match in counted) == [f"001-{number:02}" for number in range(1, 61)]
    # Fresh cards: those of the first attempt may have been seen.
    assert {match.result.match_id for match in counted if match.attempt == 2} == interrupted
    assert verify(results).error is None


def _has_processes(group: int) -> bool:
    """Is there a process left in this group, other than one that only waits to be buried by its parent?"""
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, of_group = path.read_text().rpartition(")")[2].split()[:3]
        except OSError:
            continue
        if int(of_group) == group and state not in "ZX":
            return True
    return False
