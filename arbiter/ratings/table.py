"""The rating list of a pool of players, with its errors and what to know about it. Pure."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components
from scipy.special import ndtr

from arbiter.ratings import bootstrap
from arbiter.ratings.bradley_terry import ELO, Fit, Floats, Scores, fit
from arbiter.ratings.elo import Z
from arbiter.ratings.matches import Matches, Pairings, Tally, tally
from arbiter.ratings.threads import one_thread

MOST_PLAYERS = 5000
"""The information of so many players takes about a gigabyte."""
PRIOR = "the prior (one drawn match with the average of the pool)"

_SAME = 1e-6
_TINY = 1e-300
_CANDIDATES = 50


class RatingError(Exception):
    """The matches cannot be rated as asked; the message says why."""


@dataclass(frozen=True, slots=True)
class Anchor:
    """A player whose rating is given."""

    name: str
    elo: float


@dataclass(frozen=True, slots=True)
class Rating:
    """One line of the list. Errors are half the width of 95 % intervals.

    Attributes:
        rank: from 1; players with the same rating share it.
        name: of the player.
        elo: the rating.
        error: of `elo`, relative to the average of the pool or to the anchor.
        matches: that count.
        won: of these.
        drawn: of these.
        lost: of these.
        forfeits: of those lost, by forfeit.
        los_next: likelihood of superiority over the player in the next line, in percent; None in the last line.
        opponents: average rating of the opponents, weighted by matches; None without a match.
        deals: played in the matches that count, as far as known.
        points_per_deal: game points per deal minus those of the opponents; None without deals.
        points_per_deal_error: of `points_per_deal`; None with fewer than two independent matches or pairs.
        by_prior: the distance to the largest group of players rests on the prior, not on results alone; true for all if
            no group is the largest.
    """

    rank: int
    name: str
    elo: float
    error: float
    matches: int
    won: int
    drawn: int
    lost: int
    forfeits: int
    los_next: float | None
    opponents: float | None
    deals: int
    points_per_deal: float | None
    points_per_deal_error: float | None
    by_prior: bool


@dataclass(frozen=True, slots=True)
class SeatAdvantage:
    """What dealing first is worth, in Elo, and half the width of its 95 % interval."""

    elo: float
    error: float


@dataclass(frozen=True, slots=True)
class RatingList:
    """Ratings of a pool, best first.

    Attributes:
        ratings: one line for each player.
        matches: that count.
        void: matches that do not.
        anchor: the player with the given rating; None if the average of the pool is 0.
        method: where the errors come from.
        replications: of the bootstrap; 0 without.
        seat_advantage: None if it was not estimated.
        leader_is_best: likelihood, in percent, that the first player is stronger than every other; None without one.
        warnings: what to know before believing the list, for people.
    """

    ratings: tuple[Rating, ...]
    matches: int
    void: int
    anchor: Anchor | None
    method: Literal["fisher", "bootstrap"]
    replications: int
    seat_advantage: SeatAdvantage | None
    leader_is_best: float | None
    warnings: tuple[str, ...]


def rate(
    matches: Matches,
    *,
    anchor: Anchor | None = None,
    replications: int = 0,
    seed: int = 0,
    seat_advantage: bool = False,
) -> RatingList:
    """Return the ratings of all players.

    Args:
        matches: all results together.
        anchor: a player and its rating; without one, the average of the pool is 0.
        replications: of the bootstrap; 0: errors by the inverse Fisher information.
        seed: of the bootstrap.
        seat_advantage: estimate what dealing first is worth too.

    Raises:
        RatingError: no player has the name of the anchor, or there are too many players.
    """
    names = matches.names
    if anchor is not None and anchor.name not in names:
        raise RatingError(f"the anchor {anchor.name!r} is none of the players")
    if len(names) > MOST_PLAYERS:
        raise RatingError(f"{len(names)} players are more than can be rated together ({MOST_PLAYERS})")
    method: Literal["fisher", "bootstrap"] = "bootstrap" if replications and len(matches) else "fisher"
    if not names:
        return RatingList((), 0, matches.void, None, method, 0, None, None, ("there are no players",))
    with one_thread():
        return _rate(matches, anchor, method, replications, seed, seat_advantage)


def _rate(
    matches: Matches,
    anchor: Anchor | None,
    method: Literal["fisher", "bootstrap"],
    replications: int,
    seed: int,
    seat_advantage: bool,
) -> RatingList:
    names, columns = matches.names, matches.columns()
    pairings = Pairings(len(names), columns)
    scores = pairings.scores()
    fitted = fit(scores, seat_advantage=seat_advantage)
    if method == "bootstrap":
        covariance = bootstrap.covariance(columns, pairings, fitted, replications, seed)
    else:
        covariance = fitted.covariance()
    of_players = covariance[: len(names), : len(names)]
    order = order_of(names, fitted.strengths)
    ratings = _lines(matches, scores, fitted, of_players, tally(len(names), columns), order, anchor)
    advantage = None
    if fitted.advantage is not None:
        advantage = SeatAdvantage(fitted.advantage * ELO, Z * _root(covariance[-1, -1]) * ELO)
    return RatingList(
        ratings=tuple(ratings),
        matches=len(matches),
        void=matches.void,
        anchor=anchor,
        method=method,
        replications=replications if method == "bootstrap" else 0,
        seat_advantage=advantage,
        leader_is_best=leader_is_best(fitted.strengths, of_players, order),
        warnings=tuple(_warnings(matches, scores, fitted, ratings)),
    )


def order_of(names: Sequence[str], strengths: Floats) -> list[int]:
    """Return the players, best first; equal ones by name."""
    return sorted(range(len(names)), key=lambda player: (-round(float(strengths[player]) / _SAME), names[player]))


def _lines(
    matches: Matches,
    scores: Scores,
    fitted: Fit,
    covariance: Floats,
    sums: Tally,
    order: Sequence[int],
    anchor: Anchor | None,
) -> list[Rating]:
    names = matches.names
    elo = fitted.strengths * ELO
    variance = np.diag(covariance).copy()
    if anchor is not None:
        fixed = names.index(anchor.name)
        variance += variance[fixed] - 2 * covariance[fixed]
        elo = elo - elo[fixed] + anchor.elo
    opponents = np.bincount(scores.first, scores.matches * elo[scores.second], len(names))
    opponents += np.bincount(scores.second, scores.matches * elo[scores.first], len(names))
    superior = dict(zip(order, _superior(fitted.strengths, covariance, order), strict=False))
    by_prior = _outside(fitted)
    ratings: list[Rating] = []
    for place, player in enumerate(order, start=1):
        name = names[player]
        played = int(sums.won[player] + sums.drawn[player] + sums.lost[player])
        tied = ratings and abs(ratings[-1].elo - elo[player]) < _SAME * ELO
        ratings.append(
            Rating(
                rank=ratings[-1].rank if tied else place,
                name=name,
                elo=float(elo[player]),
                error=Z * _root(variance[player]) * ELO,
                matches=played,
                won=int(sums.won[player]),
                drawn=int(sums.drawn[player]),
                lost=int(sums.lost[player]),
                forfeits=matches.forfeits[name],
                los_next=superior.get(player),
                opponents=float(opponents[player]) / played if played else None,
                deals=int(sums.deals[player]),
                points_per_deal=_known(sums.per_deal[player]),
                points_per_deal_error=_known(Z * sums.per_deal_deviation[player]),
                by_prior=bool(by_prior[player]),
            )
        )
    return ratings


def _outside(fitted: Fit) -> NDArray[np.bool_]:
    """Return which players are not in the largest group; if several are, all."""
    sizes = np.bincount(fitted.groups)
    largest = np.flatnonzero(sizes == sizes.max())
    return np.asarray((fitted.groups != largest[0]) | (len(largest) > 1), dtype=np.bool_)


def _superior(strengths: Floats, covariance: Floats, order: Sequence[int]) -> list[float]:
    """Return, for every two neighbours, the likelihood in percent that the first is stronger."""
    found = []
    for better, worse in pairwise(order):
        variance = covariance[better, better] + covariance[worse, worse] - 2 * covariance[better, worse]
        found.append(_likelihood(float(strengths[better] - strengths[worse]), _root(variance)))
    return found


def _likelihood(difference: float, deviation: float) -> float:
    if deviation < _SAME:
        # The bootstrap of results that are all alike has no spread but that of rounding.
        return 50.0 if abs(difference) < _SAME else 100.0
    return 100 * float(ndtr(difference / deviation))


def leader_is_best(strengths: Floats, covariance: Floats, order: Sequence[int], draws: int = 20_000) -> float | None:
    """Return the likelihood, in percent, that the leader is stronger than every other player; None without others.

    It is the share of random draws from the distribution of the ratings in which the leader leads.

    Args:
        strengths: of the players.
        covariance: of the strengths.
        order: the players, best first.
        draws: how many.
    """
    if len(order) < 2:
        return None
    variance = np.diag(covariance)
    leader, others = order[0], np.array(order[1:])
    gaps = (strengths[leader] - strengths[others]) / np.sqrt(
        np.maximum(variance[leader] + variance[others] - 2 * covariance[leader, others], _TINY)
    )
    # Of a large field, only those who come close can be better.
    chosen = np.array([leader, *others[np.argsort(gaps, kind="stable")][:_CANDIDATES]])
    values, vectors = np.linalg.eigh(covariance[np.ix_(chosen, chosen)])
    noise = np.random.default_rng(0).standard_normal((draws, len(chosen)))
    drawn = strengths[chosen] + noise @ (vectors * np.sqrt(np.maximum(values, 0))).T
    leads = drawn >= drawn.max(axis=1)[:, None] - _SAME
    return 100 * float(np.mean(leads[:, 0] / leads.sum(axis=1)))


def _root(variance: float) -> float:
    """Return a standard deviation; of the anchor to itself, rounding may leave less than nothing."""
    return float(np.sqrt(max(float(variance), 0.0)))


def _known(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def _warnings(matches: Matches, scores: Scores, fitted: Fit, ratings: Sequence[Rating]) -> list[str]:
    found = []
    if not len(matches):
        found.append("no match counts yet: the ratings say nothing")
    elif fitted.by_prior:
        found += _about_groups(matches.names, scores, fitted, ratings)
    if matches.forfeits:
        found.append(f"lost by forfeit, and counted: {_counts(matches.forfeits)}")
    if matches.walkovers:
        found.append(
            "withdrawn; matches that were not played for that count in the standings, but not here: "
            + _counts(matches.walkovers)
        )
    return found


def _about_groups(names: Sequence[str], scores: Scores, fitted: Fit, ratings: Sequence[Rating]) -> list[str]:
    found = []
    by_name = sorted(ratings, key=lambda line: line.name)
    idle = [line.name for line in by_name if not line.matches]
    undefeated = [line.name for line in by_name if line.matches and line.won == line.matches]
    winless = [line.name for line in by_name if line.matches and line.lost == line.matches]
    if idle:
        found.append(f"no match, so the rating is {PRIOR} alone: {', '.join(idle)}")
    if undefeated:
        found.append(f"won every match, so only {PRIOR} bounds the rating above: {', '.join(undefeated)}")
    if winless:
        found.append(f"lost every match, so only {PRIOR} bounds the rating below: {', '.join(winless)}")
    apart = _parts(names, scores, set(idle))
    if len(apart) > 1:
        shown = " | ".join(", ".join(part) for part in apart)
        found.append(f"no match connects these groups, so what lies between them is {PRIOR} alone: {shown}")
    explained = {*idle, *undefeated, *winless}
    members: dict[int, list[str]] = {}
    for player, name in enumerate(names):
        members.setdefault(int(fitted.groups[player]), []).append(name)
    one_sided = sorted(sorted(group) for group in members.values() if not explained.issuperset(group))
    if len(one_sided) > len(apart):
        shown = " | ".join(", ".join(group) for group in one_sided)
        found.append(f"between these groups all results go one way, so only {PRIOR} bounds their distance: {shown}")
    return found


def _parts(names: Sequence[str], scores: Scores, idle: set[str]) -> list[list[str]]:
    """Return the players that chains of matches connect, part by part, without those who have none."""
    met = coo_array((scores.matches, (scores.first, scores.second)), shape=(len(names), len(names))).tocsr()
    _, labels = connected_components(met, directed=False)
    parts: dict[int, list[str]] = {}
    for name, label in zip(names, labels.tolist(), strict=True):
        if name not in idle:
            parts.setdefault(label, []).append(name)
    return sorted(sorted(part) for part in parts.values())


def _counts(counter: Counter[str]) -> str:
    return ", ".join(f"{name} {count}" for name, count in sorted(counter.items()))
