"""Pools of results for tests of ratings."""

import math
from collections.abc import Iterable, Mapping

from arbiter.ratings.matches import Matches

Counts = Mapping[tuple[str, str], tuple[int, int, int]]
"""Wins, draws and losses of the first of two players, who deals first."""


def collected(counts: Counts, players: Iterable[str] = ()) -> Matches:
    """The matches of a table of results, and players without any."""
    matches = Matches()
    for name in players:
        matches.player(name)
    for (first, second), (won, drawn, lost) in counts.items():
        for times, half_points in ((won, 2), (drawn, 1), (lost, 0)):
            for _ in range(times):
                matches.add(first, second, half_points)
    return matches


def log_likelihood(counts: Counts, elo: Mapping[str, float], advantage: float = 0.0) -> float:
    """Logarithm of the likelihood of the results, from the definition."""
    total = 0.0
    for (first, second), (won, drawn, lost) in counts.items():
        chance = 1 / (1 + 10 ** ((elo[second] - elo[first] - advantage) / 400))
        total += (won + drawn / 2) * math.log(chance) + (lost + drawn / 2) * math.log(1 - chance)
    return total


def log_drawn(elo: float) -> float:
    """What a drawn match between two players of this difference adds to the logarithm."""
    chance = 1 / (1 + 10 ** (-elo / 400))
    return (math.log(chance) + math.log(1 - chance)) / 2
