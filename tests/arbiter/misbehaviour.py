"""Whole tournaments with bots of `tests.misbehaving`, and what they leave behind."""

import gc
import os
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from arbiter import hosting
from arbiter.config import parse
from arbiter.results import MatchSummary, Scoreboard
from arbiter.store import FILE_NAME, Store
from arbiter.tournament import run_tournament
from sixtysix.rules import parse_record
from sixtysix.rules.record import replay
from tests.arbiter.reporting import KeepingReporter

HONEST = ["{python}", "-m", "example_bots.random_bot"]
_PATIENCE_S = 10.0


def bad(name: str) -> list[str]:
    return ["{python}", "-m", f"tests.misbehaving.{name}"]


def play(
    out: Path,
    commands: dict[str, list[str]],
    settings: dict[str, dict[str, Any]] | None = None,
    remote: tuple[dict[str, Any], ...] = (),
    **sections: Any,
) -> tuple[Scoreboard, KeepingReporter]:
    """Play a round-robin, and see to it that nothing of it is left.

    Args:
        out: directory of the results.
        commands: of the local bots.
        settings: more for the tables of single bots.
        remote: tables of bots that are awaited.
        sections: of the tournament file, in place of those here.
    """
    tables: list[dict[str, Any]] = [{"name": name, "command": command} for name, command in commands.items()]
    data = {
        "tournament": {"name": "test", "matches_per_pair": 2, "concurrency": 4, "out": str(out)},
        "time": {"ready": "20s", "decision": "5s", "bank": "60s"},
        "bots": [*({**table, **(settings or {}).get(table["name"], {})} for table in tables), *remote],
    }
    for section, values in sections.items():
        data[section] = {**data.get(section, {}), **values}  # type: ignore[dict-item]
    reporter = KeepingReporter()
    with _private_temporary_directory() as temporary:
        before = Footprint(temporary)
        board = hosting.run(run_tournament, parse(data, "test"), out, reporter)
        before.check()
        assert os.listdir(temporary) == []
    return board, reporter


@contextmanager
def _private_temporary_directory() -> Iterator[str]:
    """For this process and all that it starts; the usual one belongs to everybody."""
    with tempfile.TemporaryDirectory() as name, pytest.MonkeyPatch.context() as patch:
        patch.setenv("TMPDIR", name)
        patch.setattr(tempfile, "tempdir", name)
        yield name


class Footprint:
    """What this process has open and running at a moment; `mark` is in the environment of what it has started."""

    def __init__(self, mark: str) -> None:
        self.mark = mark
        self.descriptors = _descriptors()
        self.threads = _threads()
        self.processes = processes(mark)

    def check(self) -> None:
        """Nothing may have been added; what ends beside the tournament (threads of gRPC) gets time to do so."""
        give_up = time.monotonic() + _PATIENCE_S
        while True:
            # The poller of gRPC lives as long as any object of a server does.
            gc.collect()
            now = Footprint(self.mark)
            more = {
                "descriptors": now.descriptors - self.descriptors,
                "threads": now.threads - self.threads,
                "processes": now.processes - self.processes,
            }
            if not any(more.values()):
                return
            assert time.monotonic() < give_up, more
            time.sleep(0.02)


def _descriptors() -> Counter[str]:
    found: Counter[str] = Counter()
    for path in Path("/proc/self/fd").iterdir():
        with suppress(OSError):
            found[os.readlink(path).partition(":[")[0]] += 1
    return found


def _threads() -> set[threading.Thread]:
    # Trio keeps idle threads for a while, to use them again.
    return {thread for thread in threading.enumerate() if not thread.name.startswith("Trio thread")}


def processes(mark: str) -> set[int]:
    """All descendants of this process, and those with the mark; without processes that wait to be buried."""
    parents: dict[int, int] = {}
    found = set()
    for path in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            state, parent = (path / "stat").read_text().rpartition(")")[2].split()[:2]
            if state not in "ZX":
                parents[int(path.name)] = int(parent)
                if mark.encode() in (path / "environ").read_bytes() + (path / "cmdline").read_bytes():
                    found.add(int(path.name))
    ancestors = {os.getpid()}
    while ancestors:
        ancestors = {pid for pid, parent in parents.items() if parent in ancestors}
        found |= ancestors
    return found


def summaries(out: Path) -> list[MatchSummary]:
    with Store.open(out / FILE_NAME) as store:
        return list(store.summaries())


def check_records(out: Path) -> None:
    """Every deal that was recorded can be played again, and ends as it says if no fault has ended it."""
    with Store.open(out / FILE_NAME) as store:
        for stored in store.deals():
            again = replay(parse_record(stored.deal.record))
            assert "error" not in again
            if stored.deal.forfeit is None and not stored.void:
                assert again["over"]
                assert {key: again[key] for key in stored.deal.result} == stored.deal.result


def faults(out: Path, name: str) -> list[tuple[str, str]]:
    """Kind and detail of what a bot has lost deals and matches by, as the records have them."""
    with Store.open(out / FILE_NAME) as store:
        found = [
            (stored.deal.forfeit.fault, stored.deal.forfeit.detail)
            for stored in store.deals()
            if stored.deal.forfeit is not None and stored.bots[stored.deal.forfeit.seat] == name
        ]
        for match in store.summaries():
            who, _, rest = match.detail.partition(": ")
            if who == name and ": " in rest:
                kind, _, detail = rest.partition(": ")
                found.append((kind, detail))
    return found


def log_of(out: Path, name: str) -> str:
    return "".join(path.read_text(errors="replace") for path in sorted((out / "logs").glob(f"{name}-*.log")))
