"""Random agents in the PettingZoo environment of the SDK: steps a second, deals of `schnapsen` and `sixty-six`.

A step is one action with the observation before it; resets take time but are no steps. The environment is measured in
its usual wrappers and without them.
"""

import time
from collections.abc import Callable
from random import Random
from statistics import median
from typing import Any

from benchmarks.report import BenchmarkError, Check, show_table

LEAST_STEPS = 10_000.0
_RULES = ("schnapsen", "sixty-six")


def run(quick: bool) -> list[Check]:
    """Play deals with random legal actions."""
    try:
        from sixtysix import rl
    except ModuleNotFoundError as error:
        raise BenchmarkError(f"{error}; `make bench` has an environment with it") from None
    rounds, deals = (3, 100) if quick else (9, 1_000)
    rows, checks = [("rule set", "in wrappers, steps per CPU-second", "without wrappers")], []
    for rules in _RULES:
        kinds: tuple[Callable[[], Any], ...] = (
            lambda rules=rules: rl.env(rules),
            lambda rules=rules: rl.raw_env(rules),
        )
        rates = [median(_rate(make(), deals, seed) for seed in range(rounds)) for make in kinds]
        rows.append((rules, *(f"{rate:,.0f}" for rate in rates)))
        checks.append(Check(f"rl: steps per CPU-second, {rules}", rates[1], LEAST_STEPS))
    show_table(rows)
    return checks


def _rate(env: Any, deals: int, seed: int) -> float:
    rng = Random(seed)
    steps = 0
    started = time.process_time()
    env.reset(seed=seed)
    for _ in range(deals):
        env.reset()
        for _ in env.agent_iter():
            observation, _, termination, truncation, _ = env.last()
            if termination or truncation:
                env.step(None)
            else:
                steps += 1
                env.step(rng.choice(observation["action_mask"].nonzero()[0]))
    return steps / (time.process_time() - started)
