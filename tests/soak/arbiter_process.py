"""An arbiter that watches itself: python -m tests.soak.arbiter_process OUT BOTS MATCHES_PER_PAIR.

Prints its address, then a line of JSON every second, and in the end its standings are complete. Only neighbours play
each other: a whole round-robin of a thousand bots has a million matches.
"""

import asyncio
import json
import os
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import trio

from arbiter import hosting, logs, tournament
from arbiter.config import parse
from arbiter.results import MatchSummary, Scoreboard
from arbiter.schedule import ScheduledMatch, round_robin
from sixtysix.rules import RuleSet


@dataclass
class Sample:
    """What the arbiter holds at a moment: matches that have ended, memory, open files and sockets, tasks."""

    ended: int
    connected: int
    resident_mib: float
    descriptors: int
    trio_tasks: int
    asyncio_tasks: int


class WatchingReporter:
    """Implements `arbiter.progress.Reporter`."""

    def __init__(self) -> None:
        self.ended = 0
        self.connected: set[str] = set()

    def started(self, name: str, rules: RuleSet, scheduled: int, bots: Sequence[str], address: str) -> None:
        print(address, flush=True)

    def waiting(self, names: Sequence[str], address: str) -> None:
        """They come."""

    def bot_connected(self, name: str) -> None:
        self.connected.add(name)

    def match_ended(self, summary: MatchSummary, board: Scoreboard) -> None:
        self.ended += 1

    def note(self, text: str) -> None:
        print(text, file=sys.stderr, flush=True)

    def finished(self, board: Scoreboard, seconds: float) -> None:
        """The process ends."""

    def sample(self) -> Sample:
        status = Path("/proc/self/status").read_text(encoding="ascii")
        resident = next(line.split()[1] for line in status.splitlines() if line.startswith("VmRSS:"))
        return Sample(
            self.ended,
            len(self.connected),
            int(resident) / 1024,
            len(os.listdir("/proc/self/fd")),
            trio.lowlevel.current_statistics().tasks_living,
            len(asyncio.all_tasks(hosting.running_loop())),
        )

    async def watch(self) -> None:
        while True:
            await trio.sleep(1)
            print(json.dumps(asdict(self.sample())), flush=True)


def neighbours(names: Sequence[str], matches_per_pair: int, duplicate: bool = False) -> list[ScheduledMatch]:
    """The matches of the first bot against the second, of the third against the fourth, and so on."""
    rounds: list[list[ScheduledMatch]] = []
    for number, pair in enumerate(zip(names[::2], names[1::2], strict=True), start=1):
        pairing = f"{number:04}"
        rounds.append(
            [
                replace(match, match_id=f"{pairing}-{match.number:02}", pairing=pairing, cards="")
                for match in round_robin(pair, matches_per_pair, duplicate)
            ]
        )
    return [match for matches in zip(*rounds, strict=True) for match in matches]


async def main(out: Path, bots: int, matches_per_pair: int) -> None:
    names = [f"bot{number}" for number in range(bots)]
    for name in names:
        os.environ[f"{name.upper()}_TOKEN"] = f"token-of-{name}"
    config = parse(
        {
            "tournament": {
                "name": "soak",
                "matches_per_pair": matches_per_pair,
                "concurrency": bots // 2,
                "out": str(out),
            },
            "time": {"ready": "5m", "decision": "5m", "bank": "10h"},
            "faults": {"reconnect": "5m"},
            "bots": [{"name": name, "token_env": f"{name.upper()}_TOKEN"} for name in names],
        },
        "soak",
    )
    tournament.round_robin = neighbours  # type: ignore[attr-defined]
    reporter = WatchingReporter()
    with (out / "arbiter.log").open("w", encoding="utf-8", buffering=1) as log:
        logs.configure(log)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(reporter.watch)
            await tournament.run_tournament(config, out, reporter)
            nursery.cancel_scope.cancel()


if __name__ == "__main__":
    hosting.run(main, Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
