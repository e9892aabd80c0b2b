"""Wald's sequential probability ratio test of two differences in Elo, from counts of results by class. Pure.

After A. Wald (Sequential tests of statistical hypotheses, 1945) and M. Van den Bergh's notes on the statistics of
fishtest: each hypothesis is the maximum-likelihood distribution over the classes of results that agrees with it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import log, sqrt
from typing import Literal

from arbiter.ratings.elo import MATCHES, K, check_counts, score_of_elo, scores_of

MOST_ELO = 200.0
"""Hypotheses reach as far; beyond, no test is needed, and that of normalised Elo has no solution for some results."""
LEAST_RATE = 1e-9
"""Least error rate that a test may have."""

_EMPTY_CLASS = 0.001
_STANDS_STILL = 1e-12
_MOST_STEPS = 2000

Verdict = Literal["elo0", "elo1"]


class SprtError(ValueError):
    """No test has these hypotheses or error rates; the message says what is wrong with which."""


@dataclass(frozen=True, slots=True)
class Sprt:
    """A test of `elo0` against `elo1`.

    Attributes:
        elo0: the difference of the null hypothesis.
        elo1: the difference of the alternative, more than `elo0`.
        alpha: chance that `elo1` is accepted although `elo0` holds.
        beta: chance that `elo0` is accepted although `elo1` holds.
        normalized: the two are normalised Elo.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    normalized: bool = False

    def __post_init__(self) -> None:
        """Raise SprtError if there is no such test."""
        for name, elo in (("elo0", self.elo0), ("elo1", self.elo1)):
            # Written so that NaN fails too, as below.
            if not -MOST_ELO <= elo <= MOST_ELO:
                raise SprtError(f"{name}: expected from {-MOST_ELO:g} to {MOST_ELO:g}, found {elo:g}")
        if not self.elo0 < self.elo1:
            raise SprtError(f"elo0 must be less than elo1, not {self.elo0:g} and {self.elo1:g}")
        for name, rate in (("alpha", self.alpha), ("beta", self.beta)):
            if not LEAST_RATE <= rate < 1:
                raise SprtError(f"{name}: expected at least {LEAST_RATE:g} and less than 1, found {rate:g}")
        if not self.alpha + self.beta < 1:
            raise SprtError(f"alpha + beta must be less than 1, not {self.alpha:g} + {self.beta:g}")

    @property
    def lower(self) -> float:
        """Log-likelihood ratio at or below which `elo0` is accepted."""
        return log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """Log-likelihood ratio at or above which `elo1` is accepted."""
        return log((1 - self.beta) / self.alpha)

    def llr(self, counts: Sequence[int]) -> float:
        """Return the log-likelihood ratio of results, counted as in `arbiter.ratings.elo`."""
        ratio = llr_normalized if self.normalized else llr_logistic
        return ratio(counts, self.elo0, self.elo1)

    def verdict(self, llr: float) -> Verdict | None:
        """Return what is accepted at this ratio, or None if the test has to go on."""
        if llr <= self.lower:
            return "elo0"
        return "elo1" if llr >= self.upper else None


def llr_logistic(counts: Sequence[int], elo0: float, elo1: float) -> float:
    """Return the log-likelihood ratio of `elo1` against `elo0`, 0 before the first result.

    Args:
        counts: 3 or 5, by class.
        elo0: a hypothesis as `Sprt` allows it.
        elo1: another one.

    Raises:
        ValueError: not 3 or 5 counts of 0 or more.
    """
    return _llr(counts, lambda f, a: [_with_mean(f, a, score_of_elo(elo)) for elo in (elo0, elo1)])


def llr_normalized(counts: Sequence[int], elo0: float, elo1: float) -> float:
    """Return the same as `llr_logistic` for hypotheses in normalised Elo."""
    scale = K if len(counts) == MATCHES else K / sqrt(2)
    return _llr(counts, lambda f, a: [_with_t_value(f, a, elo / scale) for elo in (elo0, elo1)])


def _llr(counts: Sequence[int], fit: Callable[[Sequence[float], Sequence[float]], Sequence[Sequence[float]]]) -> float:
    check_counts(counts)
    if not any(counts):
        return 0.0
    filled = [count or _EMPTY_CLASS for count in counts]
    n = sum(filled)
    frequencies = [count / n for count in filled]
    p0, p1 = fit(frequencies, scores_of(len(counts)))
    return n * sum(f * log(q1 / q0) for f, q0, q1 in zip(frequencies, p0, p1, strict=True))


def _with_mean(frequencies: Sequence[float], scores: Sequence[float], mean: float) -> list[float]:
    return _tilted(frequencies, [score - mean for score in scores])


def _with_t_value(frequencies: Sequence[float], scores: Sequence[float], t: float) -> list[float]:
    """The most likely distribution whose mean is 1/2 and `t` of its standard deviations."""
    p = [1 / len(scores)] * len(scores)
    for _ in range(_MOST_STEPS):
        mu = sum(q * a for q, a in zip(p, scores, strict=True))
        sigma = sqrt(sum(q * (a - mu) ** 2 for q, a in zip(p, scores, strict=True)))
        phi = [a - 0.5 - t * sigma / 2 * (1 + ((a - mu) / sigma) ** 2) for a in scores]
        before, p = p, _tilted(frequencies, phi)
        if max(abs(new - old) for new, old in zip(p, before, strict=True)) < _STANDS_STILL:
            break
    # Where two solutions are about to merge it creeps; the last step is then as good.
    return p


def _tilted(frequencies: Sequence[float], values: Sequence[float]) -> list[float]:
    """The most likely distribution under which `values` have the mean 0: f / (1 + theta value), all positive."""
    mean = sum(f * value for f, value in zip(frequencies, values, strict=True))
    # Theta ends where this value's class would get everything; u, its distance from there, keeps all digits.
    last = min(values) if mean > 0 else max(values)
    ratios = [value / last for value in values]
    low, high, u = 0.0, 1.0, 1.0
    for _ in range(_MOST_STEPS):
        excess = slope = 0.0
        for f, ratio in zip(frequencies, ratios, strict=True):
            part = ratio / (1 - ratio + u * ratio)
            excess += f * part
            slope += f * part * part
        if excess > 0:
            low = u
        else:
            high = u
        # Newton's method, with a step towards the side of the root where it leaves the bracket.
        following = u + excess / slope
        if not low < following < high:
            following = (low + high) / 2 if low else high / 16
        if abs(following - u) <= _STANDS_STILL * u:
            break
        u = following
    return [f / (1 - ratio + u * ratio) for f, ratio in zip(frequencies, ratios, strict=True)]
