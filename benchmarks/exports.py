"""Decisions as Parquet: how fast they are written and read, and in how much memory.

Rows are counted by processor time, the start of the interpreter included. A store holds many matches between bots
that play at random; the same few are stored again and again under other ids.
"""

import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from arbiter.config import parse
from arbiter.results import DealResult, MatchResult, SeatStats
from arbiter.schedule import ScheduledMatch, round_robin
from arbiter.store import FILE_NAME, Store, TournamentRow
from benchmarks.report import BenchmarkError, Check, show_table
from sixtysix.rules import CLAIM, RULE_SETS, Action, Deal, DealRecord, Match, RuleSet
from sixtysix.rules.record import outcome_json

LEAST_ROWS_PER_SECOND = 10_000.0
MOST_RATIO = 1.2
_RULES = RULE_SETS["schnapsen"]
_NAMES = ("one", "other")
_DIFFERENT = 200
_AT_ONCE = 100
_TIMES = (1_500, 100, 0, 1_400)
_STATS = SeatStats(decisions=50, total_us=70_000, worst_us=1_400, faults=0)

_WRITE = "import sys; from arbiter.cli import main; sys.exit(main(sys.argv[1:]))"
_READ = """
import sys
from sixtysix.data import batches, features
print(sum(len(features(batch)) for batch in batches(sys.argv[1])))
"""


@dataclass(frozen=True, slots=True)
class _Run:
    seconds: float
    peak_kib: int


def run(quick: bool) -> list[Check]:
    """Export and read tournaments of two sizes; memory must not follow the size."""
    sizes = (100_000, 200_000) if quick else (100_000, 1_000_000)
    rows: list[tuple[str, ...]] = [("decisions", "export/s", "peak MiB", "read/s", "peak MiB", "file MiB")]
    writes: list[_Run] = []
    reads: list[_Run] = []
    for size in sizes:
        with TemporaryDirectory() as folder:
            decisions = _fill(Path(folder), size)
            path = Path(folder) / "decisions.parquet"
            writes.append(_measure([_WRITE, "export", folder, "--format", "parquet", "--output", str(path)]))
            reads.append(_measure([_READ, str(path)], decisions))
            rows.append(_line(decisions, writes[-1], reads[-1], path.stat().st_size))
    show_table(rows)
    return [
        Check(
            "exports: decisions written a second of processor time",
            sizes[-1] / writes[-1].seconds,
            LEAST_ROWS_PER_SECOND,
        ),
        *(
            Check(
                f"exports: peak memory of {what} {sizes[-1]:,} decisions, times that of {sizes[0]:,}",
                runs[-1].peak_kib / runs[0].peak_kib,
                MOST_RATIO,
                at_most=True,
            )
            for what, runs in (("writing", writes), ("reading", reads))
        ),
    ]


def _line(decisions: int, write: _Run, read: _Run, size: int) -> tuple[str, ...]:
    figures = [f"{decisions:,}"]
    for each in (write, read):
        figures += [f"{decisions / each.seconds:,.0f}", f"{each.peak_kib / 1024:.0f}"]
    return (*figures, f"{size / (1 << 20):.1f}")


def _measure(arguments: Sequence[str], printed: int | None = None) -> _Run:
    """Run Python code in a process of its own."""
    with subprocess.Popen([sys.executable, "-c", *arguments], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        text = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise BenchmarkError(f"a process has ended with status {process.returncode}")
    if printed is not None and text != f"{printed}\n":
        raise BenchmarkError(f"{printed} decisions were written, read were {text.strip()}")
    return _Run(usage.ru_utime + usage.ru_stime, usage.ru_maxrss)


def _fill(folder: Path, size: int) -> int:
    """Store matches with at least so many decisions, and return how many they have."""
    rng = Random(size)
    patterns = [_play(rng, dealer) for dealer in [0, 1] * (_DIFFERENT // 2)]
    mean = sum(len(deal.clock) for pattern in patterns for deal in pattern.deals) / len(patterns)
    per_pair = 2 * round(size / mean / 2 + 1)
    config = parse(
        {
            "tournament": {"name": "exports", "matches_per_pair": per_pair},
            "bots": [{"name": name, "command": [name]} for name in _NAMES],
        },
        "exports",
    )
    row = TournamentRow("exports", "exports", config.to_toml_dict(), "00" * 32, "2026-01-02T03:04:05+00:00")
    schedule = iter(round_robin(_NAMES, per_pair))
    decisions = number = 0
    with Store.create(folder / FILE_NAME, row) as store:
        while some := list(islice(schedule, _AT_ONCE)):
            store.issue(some)
            ended = []
            for match in some:
                ended.append(_as(patterns[number % _DIFFERENT], match))
                decisions += sum(len(deal.clock) for deal in ended[-1].deals)
                number += 1
            store.fix(ended)
    return decisions


def _as(pattern: MatchResult, match: ScheduledMatch) -> MatchResult:
    return replace(
        pattern,
        match_id=match.match_id,
        pairing=match.pairing,
        number=match.number,
        bots=match.bots,
        first_dealer=match.first_dealer,
    )


def _play(rng: Random, first_dealer: int) -> MatchResult:
    match = Match(_RULES, first_dealer)
    deals: list[DealResult] = []
    while not match.over:
        deals.append(_play_deal(rng, _RULES, match, len(deals) + 1))
    return MatchResult(
        match_id="",
        pairing="",
        number=0,
        bots=_NAMES,
        first_dealer=first_dealer,
        winner=match.winner,
        reason="target",
        detail="",
        score=(match.score[0], match.score[1]),
        deals=tuple(deals),
        seats=(_STATS, _STATS),
        started="2026-01-02T03:04:05+00:00",
        seconds=0.1,
    )


def _play_deal(rng: Random, rules: RuleSet, match: Match, number: int) -> DealResult:
    deck = list(rules.deck)
    rng.shuffle(deck)
    deal = Deal.from_deck(rules, deck, match.dealer, match.carry)
    start = DealRecord.of(deal)
    done: list[Action] = []
    while not deal.over:
        usual = [action for action in deal.legal_actions() if action is not CLAIM]
        ready = deal.card_points(deal.turn) >= rules.claim_points and CLAIM in deal.legal_actions()
        done.append(CLAIM if ready or not usual else rng.choice(usual))
        deal.apply(done[-1])
    assert deal.outcome is not None
    match.add(deal.outcome)
    return DealResult(
        number=number,
        record=replace(start, actions=tuple(action.text for action in done)).to_json(),
        result=outcome_json(deal),
        clock=(_TIMES,) * len(done),
        salt="00" * 16,
        commitment="00" * 32,
    )
