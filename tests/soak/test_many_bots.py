"""Very many bots at once: nothing grows, and every match ends as it should."""

import json
import subprocess
import sys
from collections import Counter
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from arbiter.store import FILE_NAME, Store

HOSTS = 4
MOST_GROWTH = 1.1
"""Of the memory, from a quarter of the matches to nine tenths."""

Samples = list[dict[str, Any]]


@pytest.mark.parametrize(("bots", "matches_per_pair"), [(40, 4)])
def test_all_matches_end(tmp_path: Path, bots: int, matches_per_pair: int) -> None:
    samples = play(tmp_path, bots, matches_per_pair)
    check_matches(tmp_path, bots // 2 * matches_per_pair)
    assert samples[-1]["connected"] == bots


@pytest.mark.soak
@pytest.mark.parametrize(("bots", "matches_per_pair"), [(1_000, 4)])
def test_nothing_grows(tmp_path: Path, bots: int, matches_per_pair: int) -> None:
    matches = bots // 2 * matches_per_pair
    samples = play(tmp_path, bots, matches_per_pair)
    decisions = check_matches(tmp_path, matches)
    print(f"{bots} bots, {matches} matches, {decisions} decisions that were charged, {len(samples)} samples:")
    for sample in samples[:: max(1, len(samples) // 20)]:
        print(f"  {sample}")
    # Below, and above, not all bots play.
    steady = [sample for sample in samples if matches // 4 <= sample["ended"] <= matches * 9 // 10]
    assert len(steady) >= 10
    for name in ("descriptors", "trio_tasks", "asyncio_tasks"):
        first = max(sample[name] for sample in steady[: len(steady) // 2])
        second = max(sample[name] for sample in steady[len(steady) // 2 :])
        assert second <= first * MOST_GROWTH, (name, samples)
    assert steady[0]["connected"] == bots
    assert steady[-1]["resident_mib"] <= steady[0]["resident_mib"] * MOST_GROWTH, samples


def check_matches(out: Path, matches: int) -> int:
    """All have ended by the rules, without a fault; returns how many decisions were charged."""
    with Store.open(out / FILE_NAME) as store:
        ended = list(store.summaries())
    assert Counter(match.reason for match in ended) == {"target": matches}
    assert sum(seat.faults for match in ended for seat in match.seats) == 0
    return sum(seat.decisions for match in ended for seat in match.seats)


def play(out: Path, bots: int, matches_per_pair: int) -> Samples:
    """Play the whole tournament; what the arbiter said of itself."""
    names = [f"bot{number}" for number in range(bots)]
    with ExitStack() as stack:
        command = [sys.executable, "-m", "tests.soak.arbiter_process", str(out), str(bots), str(matches_per_pair)]
        arbiter = stack.enter_context(subprocess.Popen(command, stdout=subprocess.PIPE, text=True))
        stack.callback(arbiter.kill)
        assert arbiter.stdout is not None
        address = arbiter.stdout.readline().strip()
        assert address
        for host in range(HOSTS):
            command = [sys.executable, "-m", "tests.soak.bots_process", address, *names[host::HOSTS]]
            stack.callback(stack.enter_context(subprocess.Popen(command)).kill)
        samples = [json.loads(line) for line in arbiter.stdout]
        assert arbiter.wait() == 0
    return samples
