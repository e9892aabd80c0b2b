"""Decisions through the arbiter, next to a bare echo with `grpc.aio`.

16 bots play one match each at a time, so 8 matches run at once. The echo has as many streams, in as many client
processes, and messages of the sizes that these matches have in the mean.
"""

from benchmarks.echo import echo_rate
from benchmarks.lean import host_lean_bots
from benchmarks.message_sizes import Sizes, mean_sizes
from benchmarks.report import Check, in_turn, median_ratio, show_pairs
from benchmarks.tournament import Plan, decision_rate, host_bots

LEAST_RATIO = 0.5
_BOTS = 16
_MATCHES_PER_PAIR = 20


def run(quick: bool) -> list[Check]:
    """Measure both in turn: with `grpc.aio` at both ends, then with the SDK's client and a process for each bot."""
    sizes = mean_sizes(_plan(2))
    print(f"  mean message: {sizes.decision} bytes with a decision, {sizes.answer} bytes with an answer")
    return [_compare(sizes, quick, processes, lean) for processes, lean in ((1, True), (_BOTS, False))]


def _plan(processes: int) -> Plan:
    return Plan(_BOTS, 1, _MATCHES_PER_PAIR, processes)


def _compare(sizes: Sizes, quick: bool, processes: int, lean: bool) -> Check:
    rounds, seconds = (3, 4.0) if quick else (7, 10.0)
    pairs = in_turn(
        rounds,
        lambda _: decision_rate(_plan(processes), seconds, host_lean_bots if lean else host_bots),
        lambda _: echo_rate(_BOTS, processes, sizes, seconds, lean),
    )
    clients = "grpc.aio clients in one process" if lean else f"the SDK's clients in {processes} processes"
    print(f"  {_BOTS} bots, {clients}")
    show_pairs("decisions a second", "arbiter", "bare echo", pairs)
    return Check(f"transport: decisions a second, share of a bare echo, {clients}", median_ratio(pairs), LEAST_RATIO)
