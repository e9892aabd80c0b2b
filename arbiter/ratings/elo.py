"""Elo figures of one player's results against another, from counts alone. Pure.

Results are counted by class, in ascending order of what they are worth to the player that is named first: ``(L, D, W)``
for single matches, ``(LL, LD, WL+DD, WD, WW)`` for pairs of matches that shared their cards. The formulas are those of
fishtest, the testing framework of the chess program Stockfish, after the notes of M. Van den Bergh.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import erf, expm1, log, log10, sqrt
from typing import Literal

K = 800 / log(10)
"""Scale of normalised Elo: between equals, without draws, it is the same as Elo."""
Z = 1.959963984540054
"""Two-sided 95 % quantile of the normal distribution."""
MATCHES, PAIRS = 3, 5
"""Number of classes of single matches and of pairs."""

_ONE_SIDED = 0.05


@dataclass(frozen=True, slots=True)
class Estimate:
    """What results say about the difference of two players.

    Attributes:
        results: matches or pairs.
        score: mean, from 0 to 1.
        elo: the difference; where every result is the highest or the lowest it would be infinite, and this is its
            one-sided 95 % bound.
        bound: which bound `elo` is, or None for an ordinary estimate.
        margin: half the width of the 95 % interval of `elo`; None where it has no finite one, or results do not differ.
        low: lower end of that interval; None if there is none.
        high: its upper end; None if there is none.
        nelo: normalised Elo; None if results do not differ.
        nelo_margin: half the width of its 95 % interval.
        los: likelihood of superiority, in percent.
    """

    results: int
    score: float
    elo: float
    bound: Literal["at least", "at most"] | None
    margin: float | None
    low: float | None
    high: float | None
    nelo: float | None
    nelo_margin: float
    los: float


def elo_of_score(score: float) -> float:
    """Return the difference in Elo that goes with an expected score; raises ValueError unless 0 < score < 1."""
    if not 0 < score < 1:
        raise ValueError(f"the score must lie between 0 and 1, not at {score}")
    return 400 * log10(score / (1 - score))


def score_of_elo(elo: float) -> float:
    """Return the expected score of a player that is better by so many Elo."""
    # Powers of a negative exponent only: the others overflow.
    smaller = 10 ** (-abs(elo) / 400) / (1 + 10 ** (-abs(elo) / 400))
    return 1 - smaller if elo > 0 else smaller


def normal_cdf(x: float) -> float:
    """Return the probability that a standard normal variable is less than `x`."""
    return (1 + erf(x / sqrt(2))) / 2


def scores_of(classes: int) -> tuple[float, ...]:
    """Return the scores of 3 or 5 classes, from 0 to 1."""
    if classes not in (MATCHES, PAIRS):
        raise ValueError(f"results have {MATCHES} classes (matches) or {PAIRS} (pairs), not {classes}")
    return tuple(place / (classes - 1) for place in range(classes))


def check_counts(counts: Sequence[int]) -> None:
    """Raise ValueError unless there are 3 or 5 counts, none of them negative."""
    scores_of(len(counts))
    if min(counts) < 0:
        raise ValueError(f"expected no negative count, found {min(counts)}")


def estimate(counts: Sequence[int]) -> Estimate:
    """Return what results say.

    Args:
        counts: by class, in ascending order; at least one result.

    Raises:
        ValueError: there are no results, or not 3 or 5 counts of 0 or more.
    """
    check_counts(counts)
    n = sum(counts)
    if n == 0:
        raise ValueError("there are no results")
    scores = scores_of(len(counts))
    # Whole numbers divided once: exact where all results are of one class.
    s = sum(count * place for place, count in enumerate(counts)) / (n * (len(counts) - 1))
    variance = sum(count * (score - s) ** 2 for count, score in zip(counts, scores, strict=True)) / n
    per_result = 1 if len(counts) == MATCHES else 2
    nelo_margin = K * Z / sqrt(per_result * n)
    if variance == 0:
        elo, bound = _elo_or_bound(s, n)
        return Estimate(n, s, elo, bound, None, None, None, None, nelo_margin, _los_of_equal_results(s, n))
    se = sqrt(variance / n)
    low = elo_of_score(s - Z * se) if s - Z * se > 0 else None
    high = elo_of_score(s + Z * se) if s + Z * se < 1 else None
    return Estimate(
        results=n,
        score=s,
        elo=elo_of_score(s),
        bound=None,
        margin=None if low is None or high is None else (high - low) / 2,
        low=low,
        high=high,
        nelo=K * (s - 0.5) / sqrt(per_result * variance),
        nelo_margin=nelo_margin,
        los=100 * normal_cdf((s - 0.5) / se),
    )


def _elo_or_bound(score: float, results: int) -> tuple[float, Literal["at least", "at most"] | None]:
    if 0 < score < 1:
        return elo_of_score(score), None
    # Clopper and Pearson: with this chance of a win, n wins out of n would still happen in 5 % of the cases.
    log_chance = log(_ONE_SIDED) / results
    # Written for a chance near 1, where its difference from 1 loses its digits.
    worst = 400 * (log_chance / log(10) - log10(-expm1(log_chance)))
    return (worst, "at least") if score == 1 else (-worst, "at most")


def _los_of_equal_results(score: float, results: int) -> float:
    """With no spread to go by: the chance that the more likely of two outcomes is the given one, from a flat prior."""
    if score == 0.5:
        return 50.0
    other = 100 * 0.5 ** min(results + 1, 1000)
    return 100 - other if score > 0.5 else other
