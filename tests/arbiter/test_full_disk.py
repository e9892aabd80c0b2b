"""A disk that is really full: a small file system of its own."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from arbiter import directory
from arbiter.schedule import round_robin
from arbiter.stored import StoredMatch
from arbiter.verify import verify

MATCHES = 200
FREE_BYTES = 800_000
"""Enough for some of the matches, and not for all."""
ARBITER = "import sys; from arbiter import cli, tournament; tournament._STORE_PATIENCE_S = 2.0; sys.exit(cli.main())"
BOT = 'command = ["{python}", "-m", "example_bots.random_bot"]'
FILE = f"""
[tournament]
matches_per_pair = {MATCHES}
concurrency = 4
out = "disk/out"
[[bots]]
name = "ada"
{BOT}
[[bots]]
name = "bob"
{BOT}
"""


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    path = tmp_path / "disk"
    path.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=16m", "tmpfs", str(path)], check=False, capture_output=True, text=True
    )
    if mounted.returncode != 0:
        pytest.skip(f"no file system can be mounted here: {mounted.stderr.strip()}")
    yield path
    subprocess.run(["umount", str(path)], check=True)


def fill(disk: Path, free: int) -> Path:
    """Leave only so many bytes free; returns the file that takes the others."""
    ballast = disk / "ballast"
    status = os.statvfs(disk)
    with ballast.open("wb") as file:
        os.posix_fallocate(file.fileno(), 0, status.f_bavail * status.f_frsize - free)
    return ballast


def run(home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", ARBITER, *arguments],
        cwd=home,
        env={**os.environ, "PYTHONPATH": os.getcwd()},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def results(out: Path) -> dict[str, StoredMatch]:
    with directory.open_store(out) as store:
        fixed = [match for match in store.attempts() if not match.result.void]
    return {match.result.match_id: match for match in fixed}


def test_a_full_disk_ends_the_tournament_and_room_lets_it_go_on(disk: Path, tmp_path: Path) -> None:
    (tmp_path / "club.toml").write_text(FILE)
    out = disk / "out"
    ballast = fill(disk, FREE_BYTES)
    first = run(tmp_path, "run", "club.toml")
    assert first.returncode == 1, first.stderr
    full = "disk/out/results.sqlite: the disk is full"
    assert first.stderr.splitlines()[-1] == f"arbiter: {full}"
    assert f"note: the store is away, trying again for 2 s: {full}\n" in first.stderr
    assert not list(out.glob("crash-*"))
    kept = results(out)
    assert 0 < len(kept) < MATCHES
    assert verify(out).error is None

    still = run(tmp_path, "run", "--resume", "club.toml")
    assert (still.returncode, still.stdout) == (1, "")
    assert re.search("No space left on device$|the disk is full$", still.stderr)
    assert results(out) == kept

    ballast.unlink()
    resumed = run(tmp_path, "run", "--resume", "--json", "club.toml")
    assert resumed.returncode == 0, resumed.stderr
    assert json.loads(resumed.stdout)["played"] == MATCHES
    now = results(out)
    assert now.keys() == {match.match_id for match in round_robin(["ada", "bob"], MATCHES)}
    assert {match_id: now[match_id] for match_id in kept} == kept
    assert verify(out).error is None
