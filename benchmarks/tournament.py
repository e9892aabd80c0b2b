"""An arbiter and its bots in processes of their own, connected by gRPC as in any tournament."""

import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from arbiter.results import MatchSummary, Scoreboard
from arbiter.store import FILE_NAME, Store
from benchmarks.processes import pipe, processes, receive
from benchmarks.report import BenchmarkError
from benchmarks.threads import on_threads
from sixtysix import Action, Bot, View
from sixtysix.client import ClientError, run
from sixtysix.rules import RuleSet

_TOKEN = "BENCHMARK_TOKEN_{}"


class FirstBot(Bot):
    """Plays the first legal action: the least that a decision can cost its bot."""

    def choose(self, view: View) -> Action:
        return view.legal_actions[0]


@dataclass(frozen=True, slots=True)
class Plan:
    """A tournament in `schnapsen` between bots that are all alike.

    Attributes:
        bots: how many.
        at_once: matches that each of them plays at once.
        matches_per_pair: even.
        processes: among which the bots are shared out.
        bot: what plays.
        decision: the most time for a decision.
        faults: they are counted, not the end of the benchmark.
        web: where the live page listens, if there is one.
    """

    bots: int
    at_once: int
    matches_per_pair: int
    processes: int
    bot: type[Bot] = FirstBot
    # A busy machine is not to be measured by forfeits.
    decision: str = "60s"
    faults: bool = False
    web: str | None = None

    @property
    def concurrency(self) -> int:
        """Matches at once in the whole tournament."""
        return self.bots * self.at_once // 2


@dataclass(frozen=True, slots=True)
class MatchEnded:
    """A match has ended and is stored.

    Attributes:
        match_id: of the match.
        decisions: of both bots, forced ones left out.
        at_ns: when, in monotonic nanoseconds.
        memory_kib: resident memory of the arbiter at this moment.
        peak_kib: the most that it was so far.
    """

    match_id: str
    decisions: int
    at_ns: int
    memory_kib: int
    peak_kib: int


Host = Callable[[type[Bot], str, Sequence[str]], None]
"""Runs bots in one process: kind of bot, address of the arbiter, a token for each bot."""


def host_bots(bot: type[Bot], address: str, tokens: Sequence[str]) -> None:
    """Run bots as the SDK does; several share the process, a thread each."""

    def play(token: str) -> None:
        with until_stopped():
            run(bot(), address=address, token=token)

    on_threads(play, tokens)


@contextmanager
def until_stopped() -> Iterator[None]:
    """A block in which a bot plays; that the arbiter stops in the middle is no failure."""
    with suppress(ClientError):
        yield


@dataclass(frozen=True, slots=True)
class Running:
    """A tournament that is being played.

    Attributes:
        needed: its processes.
    """

    needed: Sequence[BaseProcess]
    _reader: "Connection[Any, Any]"

    def ends(self) -> Iterator[MatchEnded]:
        """Wait for the matches to end, one after another; raises BenchmarkError for a fault of any kind."""
        while True:
            yield receive(self._reader, self.needed)


@contextmanager
def started(plan: Plan, out: Path, host: Host = host_bots) -> Iterator[Running]:
    """Play in the directory `out` as long as the block runs; what has ended is kept there."""
    tokens = {f"bot{number}": f"token-of-bot{number}" for number in range(plan.bots)}
    with processes() as start:
        reader, writer = pipe()
        arbiter = start(_arbitrate, plan, tokens, out, writer)
        writer.close()
        address = receive(reader, [arbiter])
        shares = [list(tokens.values())[first :: plan.processes] for first in range(plan.processes)]
        hosts = [start(host, plan.bot, address, share) for share in shares]
        yield Running((arbiter, *hosts), reader)


def decision_rate(plan: Plan, seconds: float, host: Host = host_bots) -> float:
    """Decisions a second of all bots together, while all matches that may be played at once are at play.

    They are counted in the records of the matches that ended within the time: what is missing of those that had
    begun before makes up, in the mean, for what has been played of those that go on.
    """
    warm_up = 2 * plan.concurrency
    counted: list[str] = []
    begun_ns = 0
    with TemporaryDirectory() as folder:
        with started(plan, Path(folder), host) as running:
            for number, ended in enumerate(running.ends(), start=1):
                if number == warm_up:
                    begun_ns = ended.at_ns
                elif number > warm_up:
                    counted.append(ended.match_id)
                    elapsed_s = (ended.at_ns - begun_ns) / 1e9
                    if elapsed_s >= seconds:
                        break
        asked = decisions(Path(folder))
    return sum(asked[match_id] for match_id in counted) / elapsed_s


def decisions(out: Path) -> dict[str, int]:
    """How many decisions bots were asked for in each match that has ended, forced ones too."""
    counts: dict[str, int] = {}
    with Store.open(out / FILE_NAME) as store:
        for stored in store.deals():
            # Draws that nobody was asked for took no time.
            asked = sum(1 for elapsed_us, *_ in stored.deal.clock if elapsed_us > 0)
            counts[stored.match_id] = counts.get(stored.match_id, 0) + asked
    return counts


def _arbitrate(plan: Plan, tokens: dict[str, str], out: Path, writer: "Connection[Any, Any]") -> None:
    from arbiter import directory, hosting, logs
    from arbiter.config import parse
    from arbiter.tournament import Interrupted, run_tournament

    bots = []
    for number, (name, token) in enumerate(tokens.items()):
        variable = _TOKEN.format(number)
        os.environ[variable] = token
        bots.append({"name": name, "token_env": variable, "concurrency": plan.at_once})
    settings = {
        "name": "benchmark",
        "rules": "schnapsen",
        "matches_per_pair": plan.matches_per_pair,
        "concurrency": plan.concurrency,
        "out": str(out),
    }
    time_control = {"ready": "60s", "decision": plan.decision, "bank": "1h"}
    web = {} if plan.web is None else {"web": {"listen": plan.web}}
    config = parse({"tournament": settings, "time": time_control, "bots": bots, **web}, "benchmark")
    with (out / directory.LOG_FILE).open("w", encoding="utf-8", buffering=1) as log, suppress(Interrupted):
        logs.configure(log)
        hosting.run(run_tournament, config, out, _PipeReporter(writer, plan.faults))
    writer.send(BenchmarkError("the tournament has come to its end too early"))


class _PipeReporter:
    """Implements `arbiter.progress.Reporter`: the address first, then every match."""

    def __init__(self, writer: "Connection[Any, Any]", faults: bool) -> None:
        self._writer = writer
        self._faults = faults

    def started(self, name: str, rules: RuleSet, scheduled: int, bots: Sequence[str], address: str) -> None:
        self._writer.send(address)

    def waiting(self, names: Sequence[str], address: str) -> None:
        """The bots are started with the address."""

    def bot_connected(self, name: str) -> None:
        """All connect at the beginning."""

    def match_ended(self, summary: MatchSummary, board: Scoreboard) -> None:
        if not self._faults and (summary.reason in ("forfeit", "void") or any(seat.faults for seat in summary.seats)):
            self._send(BenchmarkError(f"match {summary.match_id} has a fault: {summary.detail}"))
        memory_kib, peak_kib = _memory_kib()
        decisions = sum(seat.decisions for seat in summary.seats)
        self._send(MatchEnded(summary.match_id, decisions, time.monotonic_ns(), memory_kib, peak_kib))

    def note(self, text: str) -> None:
        if not text.startswith("the live page is at "):
            self._send(BenchmarkError(text))

    def finished(self, board: Scoreboard, seconds: float) -> None:
        """Not before the benchmark has what it needs."""

    def _send(self, said: MatchEnded | BenchmarkError) -> None:
        with suppress(BrokenPipeError):  # the benchmark has what it needs
            self._writer.send(said)


def _memory_kib() -> tuple[int, int]:
    values = {}
    with open("/proc/self/status", encoding="ascii") as status:
        for line in status:
            key, _, value = line.partition(":")
            if key in ("VmRSS", "VmHWM"):
                values[key] = int(value.removesuffix("kB\n"))
    return values["VmRSS"], values["VmHWM"]
