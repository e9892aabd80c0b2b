import random
from bisect import bisect
from collections.abc import Sequence
from functools import cache
from itertools import accumulate
from math import isfinite, log, sqrt
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arbiter.ratings.elo import score_of_elo
from arbiter.ratings.sprt import MOST_ELO, Sprt, SprtError, llr_logistic, llr_normalized
from tests.arbiter.ratings.test_elo import CASES, few_counts, some_counts

elo = st.one_of(st.sampled_from([-MOST_ELO, 0.0, MOST_ELO]), st.floats(-MOST_ELO, MOST_ELO))
TESTS = 2000


@pytest.mark.parametrize(("case", "counts"), CASES)
def test_published_vectors(case: dict[str, Any], counts: Sequence[int]) -> None:
    assert llr_logistic(counts, case["elo0"], case["elo1"]) == pytest.approx(case["llr_logistic"], rel=1e-3)
    assert llr_normalized(counts, case["elo0"], case["elo1"]) == pytest.approx(case["llr_normalized"], rel=1e-3)


def test_bounds_are_walds() -> None:
    sprt = Sprt(0, 10, alpha=0.05, beta=0.1)
    assert sprt.lower == pytest.approx(log(0.1 / 0.95))
    assert sprt.upper == pytest.approx(log(0.9 / 0.05))
    values = (-99, sprt.lower, sprt.lower + 1e-9, 0, sprt.upper - 1e-9, sprt.upper, 99)
    assert [sprt.verdict(value) for value in values] == ["elo0", "elo0", None, None, None, "elo1", "elo1"]


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"elo0": 10}, "elo0 must be less than elo1, not 10 and 10"),
        ({"elo0": 11}, "elo0 must be less than elo1, not 11 and 10"),
        ({"elo0": -1500}, "elo0: expected from -200 to 200, found -1500"),
        ({"elo1": float("inf")}, "elo1: expected from -200 to 200, found inf"),
        ({"elo0": float("nan")}, "elo0: expected from -200 to 200, found nan"),
        ({"alpha": 0.5, "beta": 0.5}, r"alpha \+ beta must be less than 1, not 0.5 \+ 0.5"),
        ({"alpha": 0}, "alpha: expected at least 1e-09 and less than 1, found 0"),
        ({"beta": 1}, "beta: expected at least 1e-09 and less than 1, found 1"),
        ({"beta": float("nan")}, "beta: expected at least 1e-09 and less than 1, found nan"),
    ],
)
def test_no_such_test(changes: dict[str, float], problem: str) -> None:
    with pytest.raises(SprtError, match=f"^{problem}$"):
        Sprt(**{"elo0": 0.0, "elo1": 10.0, **changes})  # type: ignore[arg-type]  # the flag is not among them


def test_nothing_is_known_before_the_first_result() -> None:
    assert llr_logistic((0, 0, 0), 0, 10) == llr_normalized((0, 0, 0, 0, 0), 0, 10) == 0


@given(st.one_of(some_counts, few_counts), elo, elo)
def test_every_ratio_is_a_number(counts: Sequence[int], elo0: float, elo1: float) -> None:
    for ratio in (llr_logistic, llr_normalized):
        assert isfinite(ratio(counts, elo0, elo1))
        assert ratio(counts, elo0, elo0) == pytest.approx(0, abs=1e-6 * sum(counts))


@given(few_counts, st.floats(0, 50), st.floats(51, 100))
def test_the_opponent_tests_the_opposite(counts: Sequence[int], elo0: float, elo1: float) -> None:
    own, other = llr_logistic(counts, elo0, elo1), llr_logistic(counts[::-1], -elo1, -elo0)
    assert own == pytest.approx(-other, abs=1e-6)


@pytest.mark.parametrize(("winning", "verdict"), [(True, "elo1"), (False, "elo0")])
@pytest.mark.parametrize("classes", [3, 5])
@pytest.mark.parametrize("normalized", [False, True])
def test_a_test_of_one_sided_results_ends(winning: bool, verdict: str, classes: int, normalized: bool) -> None:
    sprt = Sprt(0, 10, normalized=normalized)
    counts = [0] * classes
    for results in range(1, 2000):
        counts[-1 if winning else 0] = results
        found = sprt.verdict(sprt.llr(counts))
        if found is not None:
            break
    assert found == verdict


def distribution(elo: float, classes: int, spread: float) -> list[float]:
    """Probabilities of the classes with the mean that goes with `elo`; `spread` lies with the first and last."""
    shift = score_of_elo(elo) - 0.5
    chances = [0.0] * classes
    chances[classes // 2] = 1 - spread
    chances[0], chances[-1] = spread / 2 - shift, spread / 2 + shift
    return chances


@pytest.mark.parametrize(("classes", "spread"), [(5, 0.4), (3, 0.9)])
@pytest.mark.parametrize(("truth", "wrong", "rate"), [(0.0, "elo1", 0.05), (60.0, "elo0", 0.1)])
def test_error_rates_hold(classes: int, spread: float, truth: float, wrong: str, rate: float) -> None:
    sprt = Sprt(0, 60, alpha=0.05, beta=0.1)
    wrongs = _wrongs(sprt, distribution(truth, classes, spread), wrong)
    assert wrongs <= TESTS * rate + 3 * sqrt(TESTS * rate * (1 - rate))
    # And the test is not so careful that it wastes matches.
    assert wrongs >= TESTS * rate / 4


@pytest.mark.parametrize(("at_elo1", "wrong"), [(False, "elo1"), (True, "elo0")])
def test_error_rates_hold_for_normalised_elo(at_elo1: bool, wrong: str) -> None:
    sprt = Sprt(0, 60, normalized=True)
    # (mean - 1/2) / deviation = 2 ** 0.5 * 60 / K; K = 347.4 gives 0.2442, and 0.0752 solves it for a spread of 0.4.
    chances = [0.2 - 0.0752, 0, 0.6, 0, 0.2 + 0.0752] if at_elo1 else [0.2, 0, 0.6, 0, 0.2]
    mean = sum(chance * place / 4 for place, chance in enumerate(chances))
    deviation = sqrt(sum(chance * (place / 4 - mean) ** 2 for place, chance in enumerate(chances)))
    assert (mean - 0.5) / deviation == pytest.approx(0.2442 if at_elo1 else 0, abs=0.001)
    wrongs = _wrongs(sprt, chances, wrong)
    assert TESTS * 0.05 / 4 <= wrongs <= TESTS * 0.05 + 3 * sqrt(TESTS * 0.05 * 0.95)


def _wrongs(sprt: Sprt, chances: Sequence[float], wrong: str) -> int:
    """How many of the simulated tests accept what is wrong."""
    verdict_of = cache(lambda counts: sprt.verdict(sprt.llr(counts)))
    rng, limits, wrongs = random.Random(66), list(accumulate(chances)), 0
    for _ in range(TESTS):
        counts, verdict = [0] * len(chances), None
        while verdict is None:
            counts[bisect(limits[:-1], rng.random())] += 1
            verdict = verdict_of(tuple(counts))
        wrongs += verdict == wrong
    return wrongs
