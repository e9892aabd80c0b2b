"""Ratings while a tournament is played: from the counts of its standings, cheap enough to be made every few seconds."""

from dataclasses import dataclass

import numpy as np

from arbiter.ratings.bradley_terry import ELO, Scores, fit
from arbiter.ratings.elo import Z
from arbiter.ratings.table import leader_is_best, order_of
from arbiter.ratings.threads import one_thread
from arbiter.results import Scoreboard, WinDrawLoss

CrossTable = dict[str, dict[str, WinDrawLoss]]

_DRAWS = 2_000


@dataclass(frozen=True, slots=True)
class LiveRating:
    """A bot, its rating relative to the average, and half the width of the 95 % interval, in Elo."""

    name: str
    elo: float
    error: float


@dataclass(frozen=True, slots=True)
class LiveRatings:
    """The bots, best first, and the likelihood in percent that the first of them is stronger than every other."""

    lines: tuple[LiveRating, ...]
    leader_is_best: float | None


def live_ratings(board: Scoreboard) -> LiveRatings:
    """Return the ratings of all bots by the matches so far; what `arbiter ratings` leaves out is left out here."""
    table = board.cross_table()
    names = list(table)
    first, second = np.tril_indices(len(names), -1)
    counts = np.array([_counts(board, table, names[i], names[j]) for i, j in zip(first, second, strict=True)])
    matches, score = counts.reshape(-1, 2).T
    with one_thread():
        fitted = fit(Scores(len(names), first, second, matches, score))
        covariance = fitted.covariance()
        order = order_of(names, fitted.strengths)
        best = leader_is_best(fitted.strengths, covariance, order, draws=_DRAWS)
    errors = Z * np.sqrt(np.maximum(np.diag(covariance), 0)) * ELO
    return LiveRatings(
        lines=tuple(LiveRating(names[bot], float(fitted.strengths[bot] * ELO), float(errors[bot])) for bot in order),
        leader_is_best=best,
    )


def _counts(board: Scoreboard, table: CrossTable, name: str, other: str) -> tuple[float, float]:
    """Return how many matches two bots have played, and the score of the first."""
    result = table[name][other]
    won = result.won - board.walkovers[name, other]
    lost = result.lost - board.walkovers[other, name]
    return won + result.drawn + lost, won + result.drawn / 2
