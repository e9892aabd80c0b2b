"""Many matches at once over one stream, next to one match at a time: two bots, a process each."""

from benchmarks.report import Check, in_turn, median_ratio, show_pairs
from benchmarks.tournament import Plan, decision_rate

LEAST_RATIO = 10.0
_AT_ONCE = 64
_MATCHES_PER_PAIR = 2_000


def run(quick: bool) -> list[Check]:
    """Measure both in turn."""
    rounds, seconds = (2, 4.0) if quick else (5, 10.0)
    pairs = in_turn(rounds, lambda _: _rate(_AT_ONCE, seconds), lambda _: _rate(1, seconds))
    show_pairs("decisions a second and bot", f"{_AT_ONCE} at once", "one by one", pairs)
    return [
        Check(
            f"many: decisions a second and bot, {_AT_ONCE} at once, times one by one",
            median_ratio(pairs),
            LEAST_RATIO,
        )
    ]


def _rate(at_once: int, seconds: float) -> float:
    plan = Plan(2, at_once, _MATCHES_PER_PAIR, 2)
    return decision_rate(plan, seconds) / plan.bots
