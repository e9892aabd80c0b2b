import json
from collections.abc import Sequence
from math import isfinite
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arbiter.ratings.elo import Estimate, elo_of_score, estimate, score_of_elo

VECTORS = json.loads((Path(__file__).parents[3] / "vectors" / "ratings.json").read_text(encoding="utf-8"))
CASES = [(case, (case["l"], case["d"], case["w"])) for case in VECTORS["two_player"]]
CASES += [(case, tuple(case["counts"])) for case in VECTORS["pairs"]]

count = st.integers(0, 10**12)
some_counts = st.one_of(st.tuples(*[count] * 3), st.tuples(*[count] * 5)).filter(any)
few_counts = st.one_of(st.tuples(*[st.integers(0, 3)] * 3), st.tuples(*[st.integers(0, 3)] * 5)).filter(any)


def numbers(found: Estimate) -> list[float]:
    fields = (getattr(found, name) for name in Estimate.__slots__)
    return [value for value in fields if isinstance(value, int | float)]


@pytest.mark.parametrize(("case", "counts"), CASES)
def test_published_vectors(case: dict[str, Any], counts: Sequence[int]) -> None:
    found = estimate(counts)
    assert found.elo == pytest.approx(case["elo"], abs=0.001)
    assert found.margin == pytest.approx(case["margin"], abs=0.001)
    assert found.nelo == pytest.approx(case["nelo"], abs=0.001)
    assert found.nelo_margin == pytest.approx(case["nelo_margin"], abs=0.001)
    assert found.los == pytest.approx(case["los"], abs=0.01)
    assert found.bound is None
    assert found.low is not None
    assert found.high is not None
    assert (found.high - found.low) / 2 == pytest.approx(found.margin)


@pytest.mark.parametrize(("score", "elo"), [(0.5, 0.0), (0.75, 190.8485), (0.64, 99.9515), (0.1, -381.697)])
def test_elo_of_a_score_and_back(score: float, elo: float) -> None:
    assert elo_of_score(score) == pytest.approx(elo, abs=0.001)
    assert score_of_elo(elo) == pytest.approx(score, abs=1e-5)


@pytest.mark.parametrize("score", [0, 1, -0.1, 1.5, float("nan")])
def test_a_score_without_elo(score: float) -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        elo_of_score(score)


def test_the_score_of_a_huge_difference() -> None:
    assert (score_of_elo(1e9), score_of_elo(-1e9)) == (1, 0)


# 0.05 ** (1 / 5) = 0.54928, and E(0.54928) = 34.355; for one result E(0.05) = -511.50.
@pytest.mark.parametrize(
    ("counts", "elo", "bound", "los"),
    [
        ((0, 0, 5), 34.355, "at least", 100 - 100 / 64),
        ((5, 0, 0), -34.355, "at most", 100 / 64),
        ((0, 0, 0, 0, 5), 34.355, "at least", 100 - 100 / 64),
        ((0, 0, 1), -511.50, "at least", 75),
        ((0, 7, 0), 0, None, 50),
        ((0, 0, 7, 0, 0), 0, None, 50),
        ((0, 0, 0, 2, 0), 190.85, None, 87.5),
    ],
)
def test_results_that_are_all_alike_have_a_bound_or_no_error(
    counts: Sequence[int], elo: float, bound: str | None, los: float
) -> None:
    found = estimate(counts)
    assert found.elo == pytest.approx(elo, abs=0.01)
    assert (found.bound, found.margin, found.nelo) == (bound, None, None)
    assert found.los == pytest.approx(los)


def test_few_results_have_no_finite_interval() -> None:
    found = estimate((1, 0, 1))
    assert (found.elo, found.margin, found.low, found.high) == (0, None, None, None)
    found = estimate((1, 0, 3))
    assert found.high is None
    assert found.low == pytest.approx(-126.45, abs=0.01)


@given(st.one_of(some_counts, few_counts))
def test_every_figure_is_a_number(counts: Sequence[int]) -> None:
    found = estimate(counts)
    assert all(isfinite(value) for value in numbers(found))
    assert 0 <= found.score <= 1
    assert 0 <= found.los <= 100


@given(few_counts)
def test_the_opponent_sees_the_opposite(counts: Sequence[int]) -> None:
    own, other = estimate(counts), estimate(counts[::-1])
    assert own.elo == pytest.approx(-other.elo, abs=1e-9)
    assert own.los == pytest.approx(100 - other.los)
    assert own.nelo_margin == other.nelo_margin


@pytest.mark.parametrize("counts", [(), (1,), (1, 2), (1, 2, 3, 4), (0, 0, 0), (1, -1, 5), (0, 0, 0, 0, 0)])
def test_what_is_no_set_of_results(counts: Sequence[int]) -> None:
    with pytest.raises(ValueError, match=r"results have 3|no results|negative"):
        estimate(counts)
