"""What is charged for a decision, next to the time that the bot itself has measured.

16 matches at once; the bots think for 1 ms, 10 ms or 50 ms, a process each, and note by their own clock how long that
was. A bot that stays a fifth below its cap must never be late. Twice: those of 1 ms are at work here, on the processors
that all share, or they sleep, as if they thought on a machine of their own.
"""

import logging
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from arbiter.config import parse
from arbiter.store import FILE_NAME, Store
from arbiter.times_report import TimedDecision, timed_decisions
from benchmarks.report import BenchmarkError, Check, show_table
from benchmarks.threads import on_threads
from benchmarks.tournament import Plan, started, until_stopped
from sixtysix import Action, Bot, View
from sixtysix.bot import MatchInfo, MatchReport
from sixtysix.client import run as run_bot

MOST_MEDIAN_MS, MOST_999_MS = 2.0, 10.0
"""By how much a charge may exceed the bot's own time, at the median and at the 99.9th percentile."""
_THINK_MS = (1, 10, 50)
_CAP_MS = 64
_SAFE_US = _CAP_MS * 800
"""A fifth below the cap."""
_BOTS = 32


class Thinker(Bot):
    """Thinks for a fixed time and notes how long it was; which one, and where to, is told by `host_thinkers`."""

    think_ms = 0
    at_work = False
    notes = Path()

    def on_match_start(self, info: MatchInfo) -> None:
        self.match_id = info.match_id
        self.thought_us: dict[int, list[int]] = {}

    def choose(self, view: View) -> Action:
        begun_ns = time.monotonic_ns()
        if self.at_work:
            while time.monotonic_ns() - begun_ns < self.think_ms * 1_000_000:
                pass
        else:
            time.sleep(self.think_ms / 1000)
        action = view.legal_actions[0]
        self.thought_us.setdefault(view.deal_number, []).append((time.monotonic_ns() - begun_ns) // 1000)
        return action

    def on_match_end(self, report: MatchReport) -> None:
        with self.notes.open("a", encoding="ascii") as notes:
            for deal, times in self.thought_us.items():
                notes.write(f"{self.match_id} {deal} {' '.join(map(str, times))}\n")
            notes.write(f"{self.match_id} ended\n")


def host_thinkers(folder: Path, at_work: bool, _: type[Bot], address: str, tokens: Sequence[str]) -> None:
    """Run thinkers, each with the time and the file that follow from its number."""
    logging.getLogger("sixtysix").setLevel(logging.ERROR)  # what is late is counted

    def play(token: str) -> None:
        name = token.removeprefix("token-of-")
        bot = Thinker()
        bot.think_ms = _THINK_MS[int(name.removeprefix("bot")) % len(_THINK_MS)]
        bot.at_work = at_work and bot.think_ms == min(_THINK_MS)
        bot.notes = folder / name
        with until_stopped():
            run_bot(bot, address=address, token=token)

    on_threads(play, tokens)


@dataclass(frozen=True, slots=True)
class _Pair:
    """A decision as the arbiter has it, and how long the bot says that it has thought: 0 if it did not get to it."""

    timed: TimedDecision
    thought_us: int

    @property
    def excess_us(self) -> int:
        return self.timed.charged_us - self.thought_us


def run(quick: bool) -> list[Check]:
    """Measure with bots at work, then with all asleep."""
    wanted = 4_000 if quick else 20_000
    return _measure(wanted, True) + _measure(wanted, False)


def _measure(wanted: int, at_work: bool) -> list[Check]:
    """Play until there are so many decisions and compare the records with the notes of the bots."""
    kind = "those of 1 ms at work" if at_work else "all asleep"
    plan = Plan(_BOTS, 1, 2, _BOTS, Thinker, decision=f"{_CAP_MS}ms", faults=True)
    with TemporaryDirectory() as name:
        out, notes = Path(name) / "out", Path(name) / "notes"
        out.mkdir()
        notes.mkdir()
        with started(plan, out, partial(host_thinkers, notes, at_work)) as running:
            left = wanted
            for ended in running.ends():
                left -= ended.decisions
                if left <= 0:
                    break
        pairs = [pair for pair in _compared(out, notes) if not pair.timed.forced]
    charged = [pair for pair in pairs if not pair.timed.late]
    print(f"  {len(pairs):,} decisions that are charged, 16 matches at once, cap {_CAP_MS} ms, {kind}")
    rows = [("thinks", "decisions", "median", "99th", "99.9th", "worst")]
    for think_ms in (*_THINK_MS, None):
        mine = [pair for pair in charged if think_ms in (None, _nearest(pair.thought_us))]
        figures = _figures([pair.excess_us for pair in mine])
        what = "all" if think_ms is None else f"{think_ms} ms"
        rows.append((what, f"{len(mine):,}", *(f"{figure:.2f}" for figure in figures)))
    way = _figures([pair.timed.elapsed_us - pair.timed.stall_us - pair.thought_us for pair in charged])
    rows.append(("all, without allowance", f"{len(charged):,}", *(f"{figure:.2f}" for figure in way)))
    print("  what was charged, less what the bot has measured, in ms")
    show_table(rows)
    safe = [pair for pair in pairs if pair.thought_us <= _SAFE_US]
    late = [pair for pair in safe if pair.timed.late]
    stalled = sum(pair.timed.stall_us > 0 for pair in pairs)
    print(f"  {len(pairs) - len(safe):,} decisions took the bot more than {_SAFE_US / 1000:g} ms")
    print(f"  {stalled:,} decisions have a credit for stalls of the arbiter")
    for pair in late:
        print(f"  late: {pair.timed}, the bot says {pair.thought_us / 1000:.3f} ms")
    median_ms, _, most_ms, _ = _figures([pair.excess_us for pair in charged])
    return [
        Check(
            f"clocks, {kind}: charged beyond the bot's own time, median, ms", median_ms, MOST_MEDIAN_MS, at_most=True
        ),
        Check(f"clocks, {kind}: the same, 99.9th percentile, ms", most_ms, MOST_999_MS, at_most=True),
        Check(f"clocks, {kind}: late of {len(safe):,} decisions below 80 % of the cap", len(late), 0, at_most=True),
    ]


def _compared(out: Path, notes: Path) -> list[_Pair]:
    thought: dict[tuple[str, str, int], list[int]] = {}
    complete: set[tuple[str, str]] = set()
    for path in notes.iterdir():
        for line in path.read_text(encoding="ascii").splitlines():
            match_id, deal, *times = line.split()
            if deal == "ended":
                complete.add((path.name, match_id))
            else:
                thought[path.name, match_id, int(deal)] = [int(time_us) for time_us in times]
    pairs: list[_Pair] = []
    with Store.open(out / FILE_NAME) as store:
        control = parse(store.tournament.config, "benchmark").time_control()
        for summary in list(store.summaries()):
            match = store.match(summary.match_id)
            timed = list(timed_decisions(match, control))
            for deal in match.deals:
                for seat, name in enumerate(match.bots):
                    # Otherwise stopped between the record and the bot's note of it.
                    if (name, match.match_id) in complete:
                        mine = [decision for decision in timed if (decision.deal, decision.seat) == (deal.number, seat)]
                        pairs += _in_deal(mine, thought.get((name, match.match_id, deal.number), []))
    return pairs


def _in_deal(timed: Sequence[TimedDecision], times: Sequence[int]) -> list[_Pair]:
    # A decision that the bot did not get to in time is the last one of its deal.
    if len(times) == len(timed) - 1 and timed[-1].late:
        times = [*times, 0]
    if len(times) != len(timed):
        raise BenchmarkError(f"a bot decided {len(times)} times in a deal, not {len(timed)}: {timed}")
    return list(map(_Pair, timed, times))


def _nearest(thought_us: int) -> int:
    return min(_THINK_MS, key=lambda think_ms: abs(think_ms * 1000 - thought_us))


def _figures(values_us: Sequence[int]) -> tuple[float, float, float, float]:
    """Median, 99th and 99.9th percentile and maximum, in milliseconds."""
    if not values_us:
        raise BenchmarkError("no decision was charged")
    ordered = sorted(values_us)
    places = (len(ordered) // 2, len(ordered) * 99 // 100, len(ordered) * 999 // 1000, len(ordered) - 1)
    median_us, most_us, rare_us, worst_us = (ordered[place] for place in places)
    return median_us / 1000, most_us / 1000, rare_us / 1000, worst_us / 1000
