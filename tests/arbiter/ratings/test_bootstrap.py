from collections.abc import Sequence
from random import Random

import pytest

from arbiter.ratings.matches import Matches
from arbiter.ratings.table import Anchor, RatingList, rate
from tests.arbiter.ratings.pools import collected

STRENGTHS = {"a": 150.0, "b": 40.0, "c": -60.0, "d": -130.0}


def round_robin(matches_per_pair: int, seed: int) -> Matches:
    """Independent matches that come out as the model says."""
    rng, matches = Random(seed), Matches()
    for first in STRENGTHS:
        for second in STRENGTHS:
            if first != second:
                chance = 1 / (1 + 10 ** ((STRENGTHS[second] - STRENGTHS[first]) / 400))
                for _ in range(matches_per_pair // 2):
                    matches.add(first, second, 2 * int(rng.random() < chance))
    return matches


def pairs(outcomes: Sequence[tuple[int, int]], *, shared: bool) -> Matches:
    """Pairs of matches between a and b: half points of a in the first and in the second."""
    matches = Matches()
    for number, (first, second) in enumerate(outcomes):
        matches.add("a", "b", first, shared=number if shared else None)
        matches.add("b", "a", 2 - second, shared=number if shared else None)
    return matches


def errors(listed: RatingList) -> list[float]:
    return [line.error for line in listed.ratings]


@pytest.mark.parametrize("anchor", [None, Anchor("c", 0)])
def test_both_ways_to_errors_agree_on_independent_matches_without_draws(anchor: Anchor | None) -> None:
    matches = round_robin(100, 5)
    fisher, bootstrap = rate(matches, anchor=anchor), rate(matches, anchor=anchor, replications=800)
    assert errors(bootstrap) == pytest.approx(errors(fisher), rel=0.1, abs=1e-4)
    assert [line.elo for line in bootstrap.ratings] == [line.elo for line in fisher.ratings]
    assert (fisher.method, bootstrap.method, bootstrap.replications) == ("fisher", "bootstrap", 800)


def test_the_error_of_the_advantage_too() -> None:
    matches = round_robin(100, 6)
    fisher = rate(matches, seat_advantage=True).seat_advantage
    bootstrap = rate(matches, seat_advantage=True, replications=800).seat_advantage
    assert fisher is not None
    assert bootstrap is not None
    assert bootstrap.error == pytest.approx(fisher.error, rel=0.1)


def test_a_seed_gives_the_same_errors_again() -> None:
    matches = round_robin(20, 7)
    first, again, other = (errors(rate(matches, replications=30, seed=seed)) for seed in (1, 1, 2))
    assert first == again != other


@pytest.mark.parametrize(
    ("outcomes", "factor"),
    [
        # Whoever has the better cards wins both: the pairs say nothing, and surely so.
        ([(2, 0), (0, 2)] * 100, 0.0),
        # The second match repeats the first: half as many matches, so to say.
        ([(2, 2), (0, 0)] * 100, 2**0.5),
    ],
)
def test_pairs_are_resampled_as_pairs(outcomes: list[tuple[int, int]], factor: float) -> None:
    fisher = errors(rate(pairs(outcomes, shared=False)))
    single = errors(rate(pairs(outcomes, shared=False), replications=600))
    together = errors(rate(pairs(outcomes, shared=True), replications=600))
    assert single == pytest.approx(fisher, rel=0.1)
    assert together == pytest.approx([factor * error for error in fisher], rel=0.1, abs=1e-6)


def test_results_without_spread_leave_equals_equal() -> None:
    listed = rate(pairs([(2, 0), (0, 2)] * 100, shared=True), replications=50)
    assert (listed.ratings[0].los_next, listed.leader_is_best) == (50, 50)
    assert [line.rank for line in listed.ratings] == [1, 1]


def test_draws_make_the_spread_smaller_than_the_information_says() -> None:
    matches = collected({("a", "b"): (25, 50, 25)})
    # The variance of a result is 1/8 instead of 1/4.
    assert errors(rate(matches, replications=600)) == pytest.approx(
        [error / 2**0.5 for error in errors(rate(matches))], rel=0.1
    )


def test_what_only_the_prior_bounds_is_not_sure_in_the_bootstrap_either() -> None:
    counts = {("a", "b"): (30, 0, 25), ("a", "low"): (40, 0, 0), ("b", "low"): (40, 0, 0)}
    fisher, bootstrap = (
        {line.name: line for line in rate(collected(counts), replications=count).ratings} for count in (0, 200)
    )
    assert bootstrap["low"].error >= fisher["low"].error > 200
    assert bootstrap["a"].los_next == pytest.approx(fisher["a"].los_next, abs=5)
