"""Decisions through the arbiter, next to a bare echo with `grpc.aio`.

16 bots play one match each at a time, so 8 matches run at once. The echo has as many streams, in as many client
processes, and messages of the sizes that these matches have in the mean.
"""

from benchmarks.echo import echo_rate
from benchmarks.message_sizes import Sizes, mean_sizes
from benchmarks.report import Check, in_turn, median_ratio, show_pairs
from benchmarks.tournament import Plan, decision_rate

LEAST_RATIO = 0.5
_BOTS = 16
_MATCHES_PER_PAIR = 20


def run(quick: bool) -> list[Check]:
    """Measure both in turn: with a process for each bot, then with two processes for all."""
    sizes = mean_sizes(_plan(2))
    print(f"  mean message: {sizes.decision} bytes with a decision, {sizes.answer} bytes with an answer")
    return [_compare(processes, sizes, quick) for processes in (_BOTS, 2)]


def _plan(processes: int) -> Plan:
    return Plan(_BOTS, 1, _MATCHES_PER_PAIR, processes)


def _compare(processes: int, sizes: Sizes, quick: bool) -> Check:
    rounds, seconds = (2, 4.0) if quick else (5, 10.0)
    pairs = in_turn(
        rounds,
        lambda _: decision_rate(_plan(processes), seconds),
        lambda _: echo_rate(_BOTS, processes, sizes, seconds),
    )
    print(f"  {_BOTS} bots in {processes} processes")
    show_pairs("decisions a second", "arbiter", "bare echo", pairs)
    return Check(
        f"transport: decisions a second, share of a bare echo, {processes} processes",
        median_ratio(pairs),
        LEAST_RATIO,
    )
