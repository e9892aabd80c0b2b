"""How the ratings became what they are: ratings after the first so many matches. No I/O."""

from collections.abc import Sequence

import numpy as np

from arbiter.ratings.bradley_terry import ELO, Fit, fit
from arbiter.ratings.matches import Matches, Pairings
from arbiter.results import MatchSummary
from arbiter.views import Json

POINTS = 40


def progress_json(order: Sequence[str], ended: Sequence[MatchSummary], points: int = POINTS) -> Json:
    """Return ``{matches, elo}``: how many matches had been played at each point, and `elo[bot][point]`.

    The matches count in the order in which they began. The average of the pool is 0 at every point.

    Args:
        order: all bots.
        ended: matches that count.
        points: at most so many, the last of them after all matches; none if there is no match.
    """
    matches = Matches()
    for name in order:
        matches.player(name)
    for match in sorted(ended, key=lambda match: (match.started, match.match_id)):
        matches.add(*match.bots, 1 if match.winner is None else 2 * int(match.winner == 0))
    total = len(matches)
    points = min(points, total)
    played = [total * point // points for point in range(1, points + 1)]
    pairings = Pairings(len(order), matches.columns())
    fitted: Fit | None = None
    lines: list[list[float]] = [[] for _ in order]
    for count in played:
        fitted = fit(pairings.scores((np.arange(total) < count).astype(np.float64)), start=fitted)
        for line, strength in zip(lines, fitted.strengths, strict=True):
            line.append(round(float(strength) * ELO, 1))
    return {"matches": played, "elo": lines}
