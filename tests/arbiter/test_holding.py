"""One arbiter at a time plays a tournament; the others are told who it is."""

import fcntl
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from arbiter import directory, holding
from arbiter.cli import main
from arbiter.store import HeldError, MatchStateError, Store, StoreAwayError, StoreError
from tests.arbiter.postgres import Server
from tests.arbiter.stored import SCHEDULE, TOURNAMENT, result_of

ARBITER = [sys.executable, "-c", "import sys; from arbiter.cli import main; sys.exit(main())"]
ENV = {**os.environ, "PYTHONPATH": os.getcwd(), "ADA_TOKEN": "the token of ada", "BOB_TOKEN": "the token of bob"}
READING = ("standings", "show", "records", "export", "verify")


class Arbiters:
    """Real processes; those that play wait for bots that never come."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.running: list[subprocess.Popen[str]] = []

    def file(self, name: str, store: str | None = None, bots: str | None = None) -> str:
        """Write a tournament file, whose directory `out` has the same name."""
        section = "" if store is None else f"[store]\nurl = {json.dumps(store)}\n"
        remote = "".join(f'[[bots]]\nname = "{bot}"\ntoken_env = "{bot.upper()}_TOKEN"\n' for bot in ("ada", "bob"))
        text = f'[tournament]\nname = "club"\nmatches_per_pair = 20\nout = "{name}"\n{section}{bots or remote}'
        (self.home / f"{name}.toml").write_text(text)
        return f"{name}.toml"

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run one to its end."""
        return subprocess.run(
            [*ARBITER, *arguments], cwd=self.home, env=ENV, capture_output=True, text=True, check=False, timeout=60
        )

    def start(self, *arguments: str, until: str = "waiting") -> subprocess.Popen[str]:
        """Start one that plays, and wait for a line on its standard error."""
        arbiter = subprocess.Popen(
            [*ARBITER, *arguments], cwd=self.home, env=ENV, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
        )
        self.running.append(arbiter)
        assert arbiter.stderr is not None
        told = ""
        for line in arbiter.stderr:
            told += line
            if until in line:
                return arbiter
        raise AssertionError(told)

    def kill(self, arbiter: subprocess.Popen[str]) -> None:
        self.running.remove(arbiter)
        arbiter.kill()
        arbiter.communicate()
        assert arbiter.returncode == -signal.SIGKILL

    def content(self, name: str) -> dict[str, bytes]:
        return {
            str(path.relative_to(self.home)): path.read_bytes()
            for path in (self.home / name).rglob("*")
            if path.is_file()
        }


@pytest.fixture
def arbiters(tmp_path: Path) -> Iterator[Arbiters]:
    arbiters = Arbiters(tmp_path)
    yield arbiters
    for arbiter in arbiters.running:
        arbiter.kill()
        arbiter.communicate()


def held_by(arbiter: subprocess.Popen[str]) -> str:
    return f"held by another arbiter, process {arbiter.pid} on {socket.gethostname()}\n"


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_a_second_arbiter_is_refused_and_changes_nothing(
    arbiters: Arbiters,
    kind: str,
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    store = None if kind == "sqlite" else request.getfixturevalue("postgres").new_database()
    file = arbiters.file("club", store)
    first = arbiters.start("run", file)
    # Another process than that which plays; to start one more for each command would take long.
    monkeypatch.chdir(arbiters.home)
    for name, token in ENV.items():
        monkeypatch.setenv(name, token)
    for how in ([], ["--force"], ["--resume"]):
        before = arbiters.content("club")
        assert main(["run", *how, file]) == 1
        assert capsys.readouterr() == ("", f"arbiter: club: {held_by(first)}")
        assert arbiters.content("club") == before
    for command in READING:
        assert (main([command, "club"]), capsys.readouterr().err) == (0, ""), command
    arbiters.kill(first)
    # Nothing has to be cleared away, and it is the same among those that resume.
    third = arbiters.start("run", "--resume", file)
    fourth = arbiters.run("run", "--resume", file)
    assert (fourth.returncode, fourth.stdout, fourth.stderr) == (1, "", f"arbiter: club: {held_by(third)}")
    third.send_signal(signal.SIGINT)
    assert third.wait() == 3
    assert not (arbiters.home / "club" / directory.LOCK_FILE).exists()


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_a_tournament_that_is_named_by_two_directories(
    arbiters: Arbiters, kind: str, request: pytest.FixtureRequest
) -> None:
    """As from two machines, which share the database alone."""
    sqlite = f"sqlite:///{arbiters.home / 'club.sqlite'}"
    store = sqlite if kind == "sqlite" else request.getfixturevalue("postgres").new_database()
    first = arbiters.start("run", arbiters.file("here", store))
    file = arbiters.file("there", store)
    (arbiters.home / "there").mkdir()
    shutil.copy(arbiters.home / "here" / directory.STORE_FILE, arbiters.home / "there")
    refused = arbiters.run("run", "--resume", file)
    assert (refused.returncode, refused.stdout) == (1, "")
    assert refused.stderr.startswith("arbiter: ")
    assert refused.stderr.endswith(f": {held_by(first)}")
    assert refused.stderr.count("\n") == 1
    assert arbiters.run("standings", "there").returncode == 0
    arbiters.kill(first)
    arbiters.start("run", "--resume", file)


def test_the_bots_of_a_killed_arbiter_do_not_hold_its_tournament(arbiters: Arbiters) -> None:
    bots = "".join(
        f'[[bots]]\nname = "{name}"\ncommand = ["{{python}}", "-m", "{module}"]\n'
        for name, module in (("ada", "example_bots.random_bot"), ("bob", "tests.misbehaving.ignores_sigterm"))
    )
    file = arbiters.file("club", bots=bots)
    first = arbiters.start("run", file, until="bots")
    log = arbiters.home / "club" / directory.LOG_FILE
    while log.read_text().count('"bot started"') < 2:
        time.sleep(0.02)
    arbiters.kill(first)
    resumed = arbiters.run("run", "--resume", "--json", file)
    assert resumed.returncode == 0, resumed.stderr
    assert json.loads(resumed.stdout)["played"] == 20


def test_the_directory_is_left_as_it_was(tmp_path: Path) -> None:
    out = tmp_path / "new" / "out"
    with directory.held(out):
        (name,) = [path.name for path in out.iterdir()]
        assert (out / name).read_text() == f"process {os.getpid()} on {socket.gethostname()}\n"
        with (
            pytest.raises(HeldError, match=f"^{out}: held by another arbiter, process {os.getpid()} on "),
            directory.held(out),
        ):
            pass
    assert list(out.iterdir()) == []


def test_a_lock_of_a_process_that_is_gone_is_none(tmp_path: Path) -> None:
    lock = tmp_path / directory.LOCK_FILE
    lock.write_text("process 1 on elsewhere\n, of a longer name")
    with directory.held(tmp_path):
        assert lock.read_text() == f"process {os.getpid()} on {socket.gethostname()}\n"


def test_a_lock_that_is_removed_while_it_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its holder removes the file between our opening and our locking it: ours would exclude nobody."""
    path = tmp_path / "lock"
    lock = fcntl.flock
    seen: list[int] = []

    def late(file: int, operation: int) -> None:
        seen.append(file)
        if len(seen) == 1:
            path.unlink()
        lock(file, operation)

    monkeypatch.setattr(fcntl, "flock", late)
    with holding.hold_file(path, "it"):
        assert len(seen) == 2
        with pytest.raises(HeldError), holding.hold_file(path, "it"):
            pass


@pytest.mark.parametrize("path", ["missing/lock", "."])
def test_a_lock_that_cannot_be_made(tmp_path: Path, path: str) -> None:
    with pytest.raises(StoreError, match="cannot be locked: "), holding.hold_file(tmp_path / path, "it"):
        pass


def test_a_store_is_taken_once(place: str) -> None:
    Store.create(place, TOURNAMENT).close()
    with Store.take(place, TOURNAMENT.id) as store:
        store.issue(SCHEDULE)
        with pytest.raises((HeldError, StoreAwayError)):
            Store.take(place, TOURNAMENT.id)
        store.fix(result_of(SCHEDULE[0]))
        with Store.open(place) as reader:
            assert reader.states()[SCHEDULE[0].match_id] == "fixed"
    Store.take(place, TOURNAMENT.id).close()


def test_a_lost_connection_costs_the_hold_only_if_another_takes_it(
    postgres: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = postgres.new_database()
    Store.create(url, TOURNAMENT).close()
    with Store.take(url, TOURNAMENT.id) as store:
        store.issue(SCHEDULE)
        postgres.kill()
        with pytest.raises(StoreAwayError):
            store.fix(result_of(SCHEDULE[0]))
        postgres.start()
        store.fix(result_of(SCHEDULE[0]))
        postgres.kill()
        postgres.start()
        monkeypatch.setattr(holding, "_me", lambda: "process 66 on elsewhere")
        with Store.take(url, TOURNAMENT.id) as other:
            monkeypatch.undo()
            with pytest.raises(HeldError, match="held by another arbiter, process 66 on elsewhere"):
                store.fix(result_of(SCHEDULE[1]))
            with pytest.raises(HeldError):
                store.issue(SCHEDULE[1])
            (attempt,) = other.issue(SCHEDULE[1]).values()
            assert attempt == 2
        # Its cards are others than those that were played here.
        with pytest.raises(MatchStateError, match="has been issued again elsewhere"):
            store.fix(result_of(SCHEDULE[1]))
        store.fix(result_of(SCHEDULE[2]))
        assert store.states()[SCHEDULE[1].match_id] == "issued"
