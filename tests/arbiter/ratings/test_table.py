import math
from itertools import combinations

import numpy as np
import pytest
from scipy.stats import multivariate_normal, norm

from arbiter.ratings.bradley_terry import ELO
from arbiter.ratings.elo import Z, estimate
from arbiter.ratings.matches import Matches
from arbiter.ratings.table import MOST_PLAYERS, Anchor, RatingError, RatingList, leader_is_best, rate
from sixtysix.local import LocalResult
from sixtysix.series import Tally
from tests.arbiter.ratings.pools import collected

RING = {("a", "b"): (6, 2, 3), ("b", "c"): (5, 0, 4), ("c", "a"): (2, 1, 7)}


def by_name(listed: RatingList) -> dict[str, float]:
    return {line.name: line.elo for line in listed.ratings}


def test_counts_and_opponents() -> None:
    listed = rate(collected(RING))
    lines = {line.name: line for line in listed.ratings}
    assert [(line.won, line.drawn, line.lost, line.matches) for _, line in sorted(lines.items())] == [
        (13, 3, 5, 21),
        (8, 2, 10, 20),
        (6, 1, 12, 19),
    ]
    elo = by_name(listed)
    assert lines["a"].opponents == pytest.approx((11 * elo["b"] + 10 * elo["c"]) / 21)
    assert lines["c"].opponents == pytest.approx((9 * elo["b"] + 10 * elo["a"]) / 19)
    assert [line.rank for line in listed.ratings] == [1, 2, 3]
    assert listed.matches == 30


def test_the_likelihood_of_superiority_of_two() -> None:
    """The exact one, beside that of the score on its own scale."""
    won, lost = 60, 40
    listed = rate(collected({("a", "b"): (won, 0, lost)}))
    deviation = ELO / math.sqrt(100 * 0.6 * 0.4)
    assert listed.ratings[0].los_next == pytest.approx(100 * norm.cdf(400 * math.log10(1.5) / deviation), abs=1e-6)
    assert listed.ratings[0].los_next == pytest.approx(estimate((lost, 0, won)).los, abs=0.3)
    assert listed.ratings[1].los_next is None
    assert listed.leader_is_best == pytest.approx(listed.ratings[0].los_next, abs=0.5)


def test_the_leader_of_several() -> None:
    strengths = np.array([0.1, 0.3, 0.25, -4.0])
    root = np.array([[0.2, 0.05, 0, 0.1], [0, 0.1, 0.1, 0.2], [0.1, 0, 0.15, 0], [0.3, 0, 0, 0.4]])
    covariance = root @ root.T
    others = [0, 2, 3]
    difference = np.zeros((3, 4))
    difference[:, 1] = 1
    difference[range(3), others] = -1
    exact = multivariate_normal.cdf(difference @ strengths, cov=difference @ covariance @ difference.T, rng=1)
    assert leader_is_best(strengths, covariance, [1, 2, 0, 3]) == pytest.approx(100 * exact, abs=1.5)


@pytest.mark.parametrize("seat_advantage", [False, True])
@pytest.mark.parametrize("replications", [0, 20])
def test_pools_that_say_little(seat_advantage: bool, replications: int) -> None:
    def rated(matches: Matches) -> RatingList:
        return rate(matches, seat_advantage=seat_advantage, replications=replications)

    nobody = rated(Matches())
    assert (nobody.ratings, nobody.warnings) == ((), ("there are no players",))
    alone = rated(collected({}, ["a"]))
    assert [(line.rank, line.name, line.elo, line.error, line.los_next) for line in alone.ratings] == [
        (1, "a", 0, 0, None)
    ]
    idle = rated(collected({}, ["b", "a"]))
    assert [(line.rank, line.name, line.opponents, line.points_per_deal) for line in idle.ratings] == [
        (1, "a", None, None),
        (1, "b", None, None),
    ]
    assert idle.warnings == ("no match counts yet: the ratings say nothing",)
    assert all(line.error > 300 for line in idle.ratings)
    drawn = rated(collected({("a", "b"): (0, 7, 0)}))
    assert by_name(drawn) == pytest.approx({"a": 0, "b": 0}, abs=1e-6)
    assert [line.rank for line in drawn.ratings] == [1, 1]
    assert drawn.warnings == ()


def test_players_without_results_of_both_kinds_are_named_and_bounded() -> None:
    listed = rate(collected({**RING, ("top", "a"): (12, 0, 0), ("c", "low"): (8, 0, 0)}, ["idle"]))
    lines = {line.name: line for line in listed.ratings}
    assert [name for name, line in lines.items() if line.by_prior] == ["top", "idle", "low"]
    assert all(math.isfinite(line.elo) and 0 < line.error < 1000 for line in lines.values())
    assert lines["top"].elo - lines["a"].elo > 300
    assert lines["c"].elo - lines["low"].elo > 300
    prior = "the prior (one drawn match with the average of the pool)"
    assert listed.warnings == (
        f"no match, so the rating is {prior} alone: idle",
        f"won every match, so only {prior} bounds the rating above: top",
        f"lost every match, so only {prior} bounds the rating below: low",
    )


def test_an_outsider_moves_the_others_only_together() -> None:
    ring = {pair: (20 * won, 20 * drawn, 20 * lost) for pair, (won, drawn, lost) in RING.items()}
    alone, joined = rate(collected(ring)), rate(collected({**ring, ("a", "low"): (500, 0, 0)}))
    for better, worse in combinations("abc", 2):
        before = by_name(alone)[better] - by_name(alone)[worse]
        assert by_name(joined)[better] - by_name(joined)[worse] == pytest.approx(before, abs=1.0)


def test_groups_that_no_match_connects_are_named() -> None:
    listed = rate(collected({("a", "b"): (3, 0, 3), ("x", "y"): (1, 0, 3), ("y", "z"): (2, 0, 2)}))
    assert listed.warnings == (
        "no match connects these groups, so what lies between them is the prior (one drawn match with the average of "
        "the pool) alone: a, b | x, y, z",
    )
    assert [line.name for line in listed.ratings if line.by_prior] == ["a", "b"]


def test_groups_between_which_all_results_go_one_way_are_named() -> None:
    listed = rate(
        collected({("a", "b"): (3, 0, 3), ("x", "y"): (1, 0, 3), ("a", "x"): (5, 0, 0), ("b", "y"): (5, 0, 0)})
    )
    assert listed.warnings == (
        "between these groups all results go one way, so only the prior (one drawn match with the average of the pool) "
        "bounds their distance: a, b | x, y",
    )
    assert all(line.by_prior for line in listed.ratings)


def test_forfeits_and_walkovers_are_named() -> None:
    matches = collected(RING)
    matches.forfeits.update({"c": 2, "a": 1})
    matches.walkovers["b"] = 4
    listed = rate(matches)
    assert [line.forfeits for line in sorted(listed.ratings, key=lambda line: line.name)] == [1, 0, 2]
    assert listed.warnings == (
        "lost by forfeit, and counted: a 1, c 2",
        "withdrawn; matches that were not played for that count in the standings, but not here: b 4",
    )


@pytest.mark.parametrize("anchored", ["a", "b", "c"])
def test_an_anchor_is_where_it_was_put(anchored: str) -> None:
    free, listed = rate(collected(RING)), rate(collected(RING), anchor=Anchor(anchored, 2000.0))
    line = next(line for line in listed.ratings if line.name == anchored)
    assert (line.elo, line.error) == pytest.approx((2000, 0), abs=1e-4)
    shift = 2000 - by_name(free)[anchored]
    assert by_name(listed) == pytest.approx({name: elo + shift for name, elo in by_name(free).items()})
    assert [line.los_next for line in listed.ratings] == [line.los_next for line in free.ratings]


def test_what_cannot_be_rated() -> None:
    with pytest.raises(RatingError, match="the anchor 'z' is none of the players"):
        rate(collected(RING), anchor=Anchor("z", 0))
    crowd = collected({}, (f"p{number}" for number in range(MOST_PLAYERS + 1)))
    with pytest.raises(RatingError, match="5001 players are more than can be rated together"):
        rate(crowd)


def test_game_points_per_deal_are_those_of_a_series() -> None:
    """The same figures as `python -m sixtysix play` has, for matches with cards of their own."""
    matches, tally = Matches(), Tally()
    for number, (first, second, deals) in enumerate([(7, 3, 6), (2, 7, 5), (7, 0, 4), (8, 6, 9), (1, 7, 5)]):
        score = (first, second)
        tally.add(LocalResult(winner=int(first < second), score=score, deals=deals, game_points=score))
        dealer, other = ("a", "b") if number % 2 else ("b", "a")
        margin = first - second if dealer == "a" else second - first
        matches.add(dealer, other, 2 * int(margin > 0), margin=margin, deals=deals)
    lines = {line.name: line for line in rate(matches).ratings}
    assert tally.interval is not None
    low, high = tally.interval
    assert lines["a"].points_per_deal == pytest.approx(tally.per_deal)
    assert lines["a"].points_per_deal_error == pytest.approx((high - low) / 2)
    assert lines["b"].points_per_deal == pytest.approx(-(tally.per_deal or 0))
    assert lines["b"].points_per_deal_error == pytest.approx(lines["a"].points_per_deal_error)
    assert lines["a"].deals == lines["b"].deals == 29


def test_game_points_of_matches_with_the_same_cards_belong_together() -> None:
    """The luck of the cards, here all there is, does not widen the interval."""
    pairs, single = Matches(), Matches()
    for number, luck in enumerate([7, -5, 3, -7]):
        for dealer, other, margin in (("a", "b", luck), ("b", "a", luck - 2)):
            for matches, shared in ((pairs, number), (single, None)):
                matches.add(dealer, other, 2 * int(margin > 0), margin=margin, deals=5, shared=shared)
    together, apart = ({line.name: line for line in rate(matches).ratings} for matches in (pairs, single))
    # In each pair, a scores 2 more than b in 10 deals.
    assert together["a"].points_per_deal == apart["a"].points_per_deal == pytest.approx(0.2)
    assert together["a"].points_per_deal_error == pytest.approx(0, abs=1e-12)
    margins = [7, -5, -5, 7, 3, -1, -7, 9]
    spread = sum((margin - 0.2 * 5) ** 2 for margin in margins)
    assert apart["a"].points_per_deal_error == pytest.approx(Z * math.sqrt(8 / 7 * spread) / 40)


def test_one_match_has_game_points_but_no_interval() -> None:
    matches = Matches()
    matches.add("a", "b", 2, margin=4, deals=5)
    matches.add("a", "c", 2)
    line = rate(matches).ratings[0]
    assert (line.name, line.points_per_deal, line.points_per_deal_error, line.deals) == ("a", 0.8, None, 5)
