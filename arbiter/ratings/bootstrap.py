"""The spread of ratings by the bootstrap: the same estimate, made anew from resampled results. Pure.

B. Efron, Bootstrap methods: another look at the jackknife, Annals of Statistics 7, 1979.
"""

import numpy as np

from arbiter.ratings.bradley_terry import Fit, Floats, fit
from arbiter.ratings.matches import Columns, Pairings


def covariance(columns: Columns, pairings: Pairings, fitted: Fit, replications: int, seed: int) -> Floats:
    """Return the covariance of the strengths, with mean 0, and then of the advantage if it is estimated.

    Each replication draws as many units as there are, with replacement: pairs of matches that shared their cards, and
    all other matches alone. What the Fisher information takes from the model (matches are independent, and come out by
    chance as the ratings say) is thus taken from the results. What only the prior says cannot be resampled: how far the
    groups of the fit lie apart has the variance of the Fisher information on top.

    Args:
        columns: the matches.
        pairings: of these matches.
        fitted: to these matches.
        replications: at least 2.
        seed: of the random numbers.
    """
    rng = np.random.default_rng(seed)
    seat_advantage = fitted.advantage is not None
    found = np.empty((replications, len(fitted.strengths) + seat_advantage))
    for row in found:
        drawn = np.bincount(rng.integers(columns.units, size=columns.units), minlength=columns.units)
        scores = pairings.scores(drawn[columns.unit].astype(np.float64))
        again = fit(scores, seat_advantage=seat_advantage, start=fitted)
        row[: len(fitted.strengths)] = again.strengths
        if again.advantage is not None:
            row[-1] = again.advantage
    return np.atleast_2d(np.cov(found, rowvar=False)) + _between_groups(fitted)


def _between_groups(fitted: Fit) -> Floats:
    """Return the part of the covariance of a fit that is about the averages of its groups."""
    covariance = fitted.covariance()
    if not fitted.by_prior:
        return np.zeros_like(covariance)
    same = fitted.groups[:, None] == fitted.groups
    averaging = np.zeros_like(covariance)
    averaging[: len(same), : len(same)] = same / same.sum(axis=1)
    between: Floats = averaging @ covariance @ averaging.T
    return between
