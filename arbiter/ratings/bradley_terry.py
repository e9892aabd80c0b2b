"""Bradley-Terry ratings: maximum likelihood over all results together. Pure.

The model is P(i beats j) = 1 / (1 + 10^((R_j - R_i) / 400)), and a draw counts as half a win (R. A. Bradley and
M. E. Terry, Rank analysis of incomplete block designs I, Biometrika 39, 1952; E. Zermelo, Mathematische Zeitschrift
29, 1929). The ratings exist, and are unique up to a shift, if every player has both won and lost through chains of
opponents (L. R. Ford, American Mathematical Monthly 64, 1957). Players fall into groups for which this holds; if there
is more than one group, each gets a prior of one drawn match between its average and the average of the pool.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_factor, cho_solve
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components
from scipy.special import expit

from arbiter.ratings.elo import K

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

ELO = K / 2
"""Elo of one unit of the logistic scale, 400 / ln 10."""

# The square of a step in standard errors, and the difference between actual and expected score in matches: rounding
# leaves more of the second where matches are many, and of the first where hardly any of them could surprise.
_SMALL_STEP = 1e-14
_SMALL_SURPRISE = 1e-9
_FLOOR = 1e-13
_MOST_STEPS = 1000
_FAR = 15.0


@dataclass(frozen=True, slots=True)
class Scores:
    """Results by pairing; the order of the two players matters only for the advantage of the first.

    Attributes:
        players: how many there are; they are numbered from 0.
        first: for each pairing, the player that deals first.
        second: for each pairing, the other player.
        matches: for each pairing, how many were played; may have fractions.
        score: for each pairing, the score of the first player, draws as half.
    """

    players: int
    first: Ints
    second: Ints
    matches: Floats
    score: Floats


@dataclass(frozen=True, slots=True)
class Fit:
    """The ratings of greatest likelihood, on the logistic scale; times `ELO` they are Elo.

    Attributes:
        strengths: of the players, with mean 0.
        advantage: of dealing first; None if it was not estimated.
        groups: for each player the number of its group, from 0. Within a group, differences follow from results alone.
        information: Fisher information of strengths and advantage (the last row and column) on the space of strengths
            with a fixed mean, plus `fixing` / players in each entry of two players.
        fixing: what makes the information invertible.
    """

    strengths: Floats
    advantage: float | None
    groups: Ints
    information: Floats
    fixing: float

    @property
    def by_prior(self) -> bool:
        """Do differences between groups rest on the prior?"""
        return bool(self.groups.max(initial=0) > 0)

    def covariance(self) -> Floats:
        """Return the inverse of the information: of the strengths with mean 0 and then, if estimated, the advantage."""
        players = len(self.strengths)
        inverse: Floats = cho_solve(cho_factor(self.information), np.eye(len(self.information)))
        inverse[:players, :players] -= 1 / (self.fixing * players)
        return inverse


class ConvergenceError(ArithmeticError):
    """The search for the greatest likelihood did not end: the arbiter's own fault."""


def fit(scores: Scores, *, seat_advantage: bool = False, start: Fit | None = None) -> Fit:
    """Return the ratings under which the results are most likely.

    Newton's method with steps of ln(1 + b) / b, where b is the most by which a whole step would change the difference
    within a pairing: the likelihood of a logistic model grows with each of them, from wherever it starts, and near the
    end they are whole (F. Bach, Self-concordant analysis for logistic regression, Electronic Journal of Statistics 4,
    2010; T. Sun and Q. Tran-Dinh, Mathematical Programming 178, 2019). The likelihood is strictly concave, so where the
    steps vanish the gradient does, and the maximum is the only one.

    Args:
        scores: at least one player.
        seat_advantage: estimate what dealing first is worth too, with a prior of one drawn match between equals.
        start: a fit of similar results, to begin with.

    Raises:
        ConvergenceError: no end after many steps.
    """
    likelihood = _Likelihood(scores, _groups(scores), seat_advantage)
    at = np.zeros(scores.players + seat_advantage)
    # Where strengths lie far apart, other results may hardly have any information.
    if start is not None and np.ptp(start.strengths) < _FAR:
        at[: scores.players] = start.strengths
        if seat_advantage and start.advantage is not None:
            at[-1] = start.advantage
    for _ in range(_MOST_STEPS):
        gradient, information, fixing = likelihood.derivatives(at)
        step: Floats = cho_solve(cho_factor(information), gradient)
        if gradient @ step < _SMALL_STEP or np.max(np.abs(gradient)) < _SMALL_SURPRISE:
            advantage = float(at[-1]) if seat_advantage else None
            return Fit(at[: scores.players], advantage, likelihood.groups, information, fixing)
        change = likelihood.most_change(step)
        at += step * np.log1p(change) / change
        at[: scores.players] -= at[: scores.players].mean()
    raise ConvergenceError(f"no ratings after {_MOST_STEPS} steps")


def _groups(scores: Scores) -> Ints:
    """Number the groups of players who have, through chains of opponents, both won and lost against each other."""
    won, lost = scores.score > 0, scores.score < scores.matches
    better = np.concatenate([scores.first[won], scores.second[lost]])
    worse = np.concatenate([scores.second[won], scores.first[lost]])
    shape = (scores.players, scores.players)
    beaten = coo_array((np.ones(len(better)), (better, worse)), shape=shape).tocsr()
    _, labels = connected_components(beaten, directed=True, connection="strong")
    return np.asarray(labels, dtype=np.int64)


class _Likelihood:
    """The logarithm of the likelihood, as a function of the strengths (with mean 0) and the advantage."""

    def __init__(self, scores: Scores, groups: Ints, seat_advantage: bool) -> None:
        self._scores = scores
        self._seat_advantage = seat_advantage
        self._sizes = np.bincount(groups).astype(np.float64)
        self._prior = len(self._sizes) > 1
        self.groups = groups

    def derivatives(self, at: Floats) -> tuple[Floats, Floats, float]:
        """Return gradient and information as in `Fit`, and what the information was made invertible with."""
        scores, n = self._scores, self._scores.players
        chance = expit(self._edges(at))
        surprise = scores.score - scores.matches * chance
        weight = scores.matches * chance * (1 - chance)
        gradient, information = np.zeros(len(at)), np.zeros((len(at), len(at)))
        gradient[:n] = self._difference(surprise)
        between = np.bincount(scores.first * n + scores.second, weight, n * n).reshape(n, n)
        between += between.T
        information[:n, :n] = np.diag(between.sum(axis=1)) - between
        if self._seat_advantage:
            even = expit(at[n])
            gradient[n] = surprise.sum() + 0.5 - even
            information[n, n] = weight.sum() + even * (1 - even)
            information[:n, n] = information[n, :n] = self._difference(weight)
        if self._prior:
            self._add_prior(at, gradient, information)
        fixing = max(float(np.trace(information)) / n, 1.0)
        information[:n, :n] += fixing / n
        # Far below what any result says, but more than rounding takes away.
        np.einsum("ii->i", information)[:] += _FLOOR * fixing
        return gradient, information, fixing

    def most_change(self, step: Floats) -> float:
        """Return the most by which a step changes the difference within a pairing, those of the priors included."""
        changes = [self._edges(step), step[self._scores.players :]]
        if self._prior:
            changes.append(self._averages(step))
        return float(np.max(np.abs(np.concatenate(changes))))

    def _edges(self, at: Floats) -> Floats:
        edge: Floats = at[self._scores.first] - at[self._scores.second]
        if self._seat_advantage:
            edge += at[-1]
        return edge

    def _difference(self, of_pairings: Floats) -> Floats:
        """Return, for each player, the sum of a figure where it is first minus that where it is second."""
        scores = self._scores
        difference: Floats = np.bincount(scores.first, of_pairings, scores.players).astype(np.float64)
        difference -= np.bincount(scores.second, of_pairings, scores.players)
        return difference

    def _averages(self, at: Floats) -> Floats:
        averages: Floats = np.bincount(self.groups, at[: self._scores.players]) / self._sizes
        return averages

    def _add_prior(self, at: Floats, gradient: Floats, information: Floats) -> None:
        n, sizes, groups = self._scores.players, self._sizes, self.groups
        chance = expit(self._averages(at))
        gradient[:n] += ((0.5 - chance) / sizes)[groups]
        weight = chance * (1 - chance) / sizes**2
        information[:n, :n] += np.where(groups[:, None] == groups, weight[groups], 0)
        # The average of the pool stays where it is, whatever the prior pulls at.
        gradient[:n] -= gradient[:n].mean()
        of_players = information[:n, :n]
        of_players -= of_players.mean(axis=0)
        of_players -= of_players.mean(axis=1)[:, None]
