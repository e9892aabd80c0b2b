import json
import math
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from arbiter.ratings.bradley_terry import ELO, Scores, fit
from arbiter.ratings.elo import Z
from arbiter.ratings.matches import Matches, Pairings
from arbiter.ratings.table import Anchor, rate
from tests.arbiter.ratings.pools import Counts, collected, log_drawn, log_likelihood

VECTORS = json.loads((Path(__file__).parents[3] / "vectors" / "ratings.json").read_text(encoding="utf-8"))
POOLS: dict[str, Counts] = {
    "three": {("a", "b"): (6, 2, 3), ("b", "c"): (5, 0, 4), ("c", "a"): (2, 1, 7), ("b", "a"): (4, 0, 4)},
    "chain": {("a", "b"): (9, 0, 1), ("b", "c"): (8, 0, 2), ("c", "d"): (19, 0, 1)},
    "uneven": {("a", "b"): (300, 0, 1), ("b", "c"): (1, 0, 2), ("c", "a"): (1, 4, 90), ("d", "b"): (1, 1, 1)},
}


def parsed(results: dict[str, list[int]]) -> Counts:
    return {(key.split("-")[0], key.split("-")[1]): (won, drawn, lost) for key, (won, drawn, lost) in results.items()}


def maximised(
    names: Sequence[str], value: Callable[[dict[str, float], float], float]
) -> tuple[dict[str, float], float]:
    """Ratings with mean 0 and an advantage that maximise a function, found without derivatives of our own."""

    def unpacked(free: np.ndarray[Any, Any]) -> tuple[dict[str, float], float]:
        elo = [*(100 * free[:-1]), -100 * float(np.sum(free[:-1]))]
        return dict(zip(names, map(float, elo), strict=True)), 100 * float(free[-1])

    def lost(free: np.ndarray[tuple[int], np.dtype[np.float64]], *_: Any, **__: Any) -> float:
        return -value(*unpacked(free))

    found = minimize(lost, np.zeros(len(names)), method="BFGS", tol=1e-7)
    return unpacked(found.x)


@pytest.mark.parametrize("pool", VECTORS["pool"], ids=lambda pool: "-".join(pool["players"]))
@pytest.mark.parametrize("replications", [0, 400])
def test_the_ratings_of_the_vectors(pool: dict[str, Any], replications: int) -> None:
    listed = rate(collected(parsed(pool["results"])), replications=replications)
    assert {line.name: line.elo for line in listed.ratings} == pytest.approx(pool["ratings"], abs=0.01)
    if "errors" in pool:
        assert {line.name: line.error for line in listed.ratings} == pytest.approx(pool["errors"], rel=0.06)
    assert listed.warnings == ()


@pytest.mark.parametrize(("won", "drawn", "lost"), [(38, 0, 12), (1, 0, 1), (5, 3, 2), (100_000, 0, 1)])
def test_two_players_have_a_closed_form(won: int, drawn: int, lost: int) -> None:
    played, score = won + drawn + lost, won + drawn / 2
    chance = score / played
    difference = 400 * math.log10(chance / (1 - chance))
    error = Z * ELO / math.sqrt(played * chance * (1 - chance))
    listed = rate(collected({("a", "b"): (won, drawn, lost)}))
    assert [line.elo for line in listed.ratings] == pytest.approx([difference / 2, -difference / 2], abs=1e-5)
    assert [line.error for line in listed.ratings] == pytest.approx([error / 2, error / 2], rel=1e-6)
    anchored = rate(collected({("a", "b"): (won, drawn, lost)}), anchor=Anchor("b", 1500))
    assert [line.elo for line in anchored.ratings] == pytest.approx([1500 + difference, 1500], abs=1e-5)
    assert [line.error for line in anchored.ratings] == pytest.approx([error, 0], rel=1e-6)


@pytest.mark.parametrize("pool", POOLS)
def test_the_likelihood_is_greatest(pool: str) -> None:
    counts = POOLS[pool]
    listed = rate(collected(counts))
    elo, _ = maximised(
        sorted({name for pair in counts for name in pair}), lambda elo, unused: log_likelihood(counts, elo) - unused**2
    )
    assert {line.name: line.elo for line in listed.ratings} == pytest.approx(elo, abs=0.05)


@pytest.mark.parametrize("pool", POOLS)
def test_the_advantage_of_the_first_is_estimated_with_the_ratings(pool: str) -> None:
    counts = POOLS[pool]
    listed = rate(collected(counts), seat_advantage=True)
    elo, advantage = maximised(
        sorted({name for pair in counts for name in pair}),
        lambda elo, advantage: log_likelihood(counts, elo, advantage) + log_drawn(advantage),
    )
    assert listed.seat_advantage is not None
    assert listed.seat_advantage.elo == pytest.approx(advantage, abs=0.05)
    assert {line.name: line.elo for line in listed.ratings} == pytest.approx(elo, abs=0.05)


def test_a_seat_that_always_wins_has_a_bounded_advantage() -> None:
    listed = rate(collected({("a", "b"): (10, 0, 0), ("b", "a"): (10, 0, 0)}), seat_advantage=True)
    assert listed.seat_advantage is not None
    # 20 wins and the drawn match between equals: 20.5 of 21.
    assert listed.seat_advantage.elo == pytest.approx(400 * math.log10(20.5 / 0.5), abs=1e-3)
    assert listed.seat_advantage.error == pytest.approx(Z * ELO / math.sqrt(21 * 20.5 / 21 * 0.5 / 21), rel=1e-4)
    assert [line.elo for line in listed.ratings] == pytest.approx([0, 0], abs=1e-6)


def test_groups_that_only_the_prior_connects() -> None:
    counts = {("a", "b"): (3, 0, 2), ("c", "a"): (7, 0, 0), ("d", "e"): (1, 1, 0), ("e", "d"): (2, 0, 0)}
    names, groups = ["a", "b", "c", "d", "e", "f"], [["a", "b"], ["c"], ["d", "e"], ["f"]]

    def value(elo: dict[str, float], unused: float) -> float:
        averages = [sum(elo[name] for name in group) / len(group) for group in groups]
        return log_likelihood(counts, elo) + sum(map(log_drawn, averages)) - unused**2

    listed = rate(collected(counts, names))
    assert {line.name: line.elo for line in listed.ratings} == pytest.approx(maximised(names, value)[0], abs=0.05)


@pytest.mark.parametrize("counts", [POOLS["three"], POOLS["chain"], {("a", "b"): (5, 0, 0), ("b", "c"): (2, 0, 1)}])
@pytest.mark.parametrize("seat_advantage", [False, True])
def test_the_covariance_is_the_inverse_of_the_curvature(counts: Counts, seat_advantage: bool) -> None:
    """Measured by differences of the likelihood, with the last player's strength following from the others."""
    matches = collected(counts)
    names = matches.names
    fitted = fit(Pairings(len(names), matches.columns()).scores(), seat_advantage=seat_advantage)
    averages = [np.flatnonzero(fitted.groups == group) for group in set(fitted.groups.tolist())]
    centre = np.append(fitted.strengths[:-1], [fitted.advantage] if fitted.advantage is not None else [])

    def value(free: np.ndarray[Any, Any]) -> float:
        of_players = free[: len(names) - 1]
        elo = np.append(of_players, -of_players.sum()) * ELO
        advantage = float(free[-1]) * ELO if seat_advantage else 0.0
        total = log_likelihood(counts, dict(zip(names, elo.tolist(), strict=True)), advantage)
        total += log_drawn(advantage) if seat_advantage else 0.0
        return total + (sum(log_drawn(float(elo[group].mean())) for group in averages) if len(averages) > 1 else 0.0)

    size, step = len(centre), 1e-3
    units = np.eye(size) * step
    curvature = np.array(
        [
            [
                value(centre + i + j) - value(centre + i - j) - value(centre - i + j) + value(centre - i - j)
                for j in units
            ]
            for i in units
        ]
    ) / (-4 * step * step)
    inverse = np.linalg.inv(curvature)
    kept = [*range(len(names) - 1), *([len(names)] if seat_advantage else [])]
    assert fitted.covariance()[np.ix_(kept, kept)] == pytest.approx(inverse, rel=2e-3, abs=1e-6)


NAMES = ("a", "b", "c", "d", "e")
results = st.lists(
    st.tuples(st.sampled_from(NAMES), st.sampled_from(NAMES), st.integers(0, 2)).filter(lambda one: one[0] != one[1]),
    max_size=40,
)


def of_list(played: Sequence[tuple[str, str, int]]) -> Matches:
    matches = Matches()
    for first, second, half_points in played:
        matches.add(first, second, half_points)
    return matches


@settings(max_examples=60, deadline=None)
@given(results, st.randoms(use_true_random=False), st.floats(-3000, 3000))
def test_what_must_not_matter_does_not(played: list[tuple[str, str, int]], rng: Any, elo: float) -> None:
    listed = rate(of_list(played))
    shuffled = [(b, a, 2 - half) if rng.random() < 0.5 else (a, b, half) for a, b, half in played]
    rng.shuffle(shuffled)
    again = {line.name: line for line in rate(of_list(shuffled)).ratings}
    mirrored = {line.name: line for line in rate(of_list([(b, a, half) for a, b, half in played])).ratings}
    anchored = rate(of_list(played), anchor=Anchor(listed.ratings[0].name, elo) if played else None)
    shift = elo - listed.ratings[0].elo if played else 0
    for line, moved in zip(listed.ratings, anchored.ratings, strict=True):
        assert math.isfinite(line.elo)
        assert math.isfinite(line.error)
        assert (again[line.name].elo, again[line.name].error) == pytest.approx((line.elo, line.error), abs=1e-3)
        assert (mirrored[line.name].elo, mirrored[line.name].error) == pytest.approx((-line.elo, line.error), abs=1e-3)
        assert (moved.name, moved.elo, moved.los_next) == pytest.approx((line.name, line.elo + shift, line.los_next))
    assert sum(line.elo for line in listed.ratings) == pytest.approx(0, abs=1e-6)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(["ab", "bc", "ca"]), st.integers(0, 2)), min_size=9, max_size=40))
def test_expected_scores_are_the_actual_ones_where_results_alone_decide(drawn: list[tuple[str, int]]) -> None:
    """The gradient of the likelihood vanishes, player by player."""
    played = [(pair[0], pair[1], half_points) for pair, half_points in drawn]
    listed = rate(of_list(played))
    assume(not any(line.by_prior for line in listed.ratings))
    elo = {line.name: line.elo for line in listed.ratings}
    balance = dict.fromkeys(elo, 0.0)
    for first, second, half_points in played:
        surprise = half_points / 2 - 1 / (1 + 10 ** ((elo[second] - elo[first]) / 400))
        balance[first] += surprise
        balance[second] -= surprise
    assert balance == pytest.approx(dict.fromkeys(elo, 0.0), abs=1e-6)


def test_strengths_far_apart_are_found() -> None:
    names = [f"p{number:02}" for number in range(40)]
    counts = dict.fromkeys(pairwise(names), (1000, 0, 1))
    listed = rate(collected(counts))
    steps = [a.elo - b.elo for a, b in pairwise(listed.ratings)]
    assert steps == pytest.approx([400 * 3] * 39, abs=1e-3)
    assert [line.name for line in listed.ratings] == names


@settings(max_examples=100, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.tuples(st.integers(0, 9), st.integers(0, 9)).filter(lambda pair: pair[0] != pair[1]),
            st.sampled_from([0, 0, 1, 30, 1_000, 1_000_000]),
            st.sampled_from([0, 0, 1, 30, 1_000, 1_000_000]),
            st.sampled_from([0, 0, 0, 3]),
        ),
        min_size=1,
        max_size=30,
    ),
    st.booleans(),
)
def test_extreme_results_have_finite_ratings(
    played: list[tuple[tuple[int, int], int, int, int]], seat_advantage: bool
) -> None:
    pairs, won, lost, drawn = zip(*played, strict=True)
    first, second = np.array(pairs).T
    counts = np.array([won, lost, drawn], dtype=np.float64)
    fitted = fit(
        Scores(10, first, second, counts.sum(axis=0), counts[0] + counts[2] / 2), seat_advantage=seat_advantage
    )
    assert np.isfinite(fitted.strengths).all()
    assert (np.diag(fitted.covariance()) >= 0).all()
