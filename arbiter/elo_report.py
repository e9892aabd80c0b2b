"""Elo figures and the state of a sequential test, for people and as JSON. No I/O."""

from collections.abc import Sequence
from typing import Any

from arbiter.pairs import CLASSES
from arbiter.ratings.elo import MATCHES, Estimate, estimate
from arbiter.ratings.sprt import Sprt, llr_logistic, llr_normalized

Json = dict[str, Any]
_VERDICTS = {"elo0": "Elo {0:g} is accepted", "elo1": "Elo {1:g} is accepted", None: "not decided"}


def estimate_json(counts: Sequence[int]) -> Json:
    """Return the members of `Estimate`, all null before the first result; no number is infinite."""
    names = ("results", "score", "elo", "bound", "margin", "low", "high", "nelo", "nelo_margin", "los")
    if not any(counts):
        return {**dict.fromkeys(names), "results": 0}
    found = estimate(counts)
    return {name: getattr(found, name) for name in names}


def sprt_json(counts: Sequence[int], sprt: Sprt) -> Json:
    """Return the test, its two log-likelihood ratios and what the results so far decide."""
    return {
        "elo0": sprt.elo0,
        "elo1": sprt.elo1,
        "alpha": sprt.alpha,
        "beta": sprt.beta,
        "normalized": sprt.normalized,
        "llr_logistic": llr_logistic(counts, sprt.elo0, sprt.elo1),
        "llr_normalized": llr_normalized(counts, sprt.elo0, sprt.elo1),
        "lower": sprt.lower,
        "upper": sprt.upper,
        "verdict": sprt.verdict(sprt.llr(counts)),
    }


def elo_text(found: Estimate) -> str:
    """Return the difference in a few words, such as ``Elo +13.9 ± 21.6``."""
    if found.bound is not None:
        return f"Elo {found.bound} {found.elo:+.1f}"
    return f"Elo {found.elo:+.1f} ± {'?' if found.margin is None else f'{found.margin:.1f}'}"


def estimate_lines(counts: Sequence[int]) -> list[str]:
    """Return what at least one result says, in lines for people."""
    found = estimate(counts)
    lines = [_counts_text(counts, found), f"  {_interval_text(found)}"]
    if found.nelo is not None:
        lines.append(f"  normalised Elo {found.nelo:+.1f} ± {found.nelo_margin:.1f}")
    lines.append(f"  likelihood of superiority {found.los:.1f} %")
    return lines


def sprt_lines(counts: Sequence[int], sprt: Sprt) -> list[str]:
    """Return the state of a test in lines for people."""
    kind = "normalised Elo" if sprt.normalized else "Elo"
    ratios = {
        "logistic": llr_logistic(counts, sprt.elo0, sprt.elo1),
        "normalised": llr_normalized(counts, sprt.elo0, sprt.elo1),
    }
    shown = ", ".join(f"{name} {ratio:+.2f}" for name, ratio in ratios.items())
    verdict = _VERDICTS[sprt.verdict(sprt.llr(counts))].format(sprt.elo0, sprt.elo1)
    return [
        f"test of {kind} {sprt.elo0:g} against {sprt.elo1:g}, alpha {sprt.alpha:g}, beta {sprt.beta:g}: {verdict}",
        f"  log-likelihood ratio {shown}; bounds {sprt.lower:+.2f} and {sprt.upper:+.2f}",
    ]


def _counts_text(counts: Sequence[int], found: Estimate) -> str:
    if len(counts) == MATCHES:
        lost, drawn, won = counts
        return f"{found.results} matches: {won} won, {drawn} drawn, {lost} lost, score {found.score:.1%}"
    classes = ", ".join(f"{name} {count}" for name, count in zip(CLASSES, counts, strict=True))
    return f"{found.results} pairs: {classes}, score {found.score:.1%}"


def _interval_text(found: Estimate) -> str:
    if found.bound is not None:
        return f"{elo_text(found)} (95 %): no result is different, so there is no estimate"
    if found.low is None and found.high is None:
        return f"{elo_text(found)}: too few results for an interval"
    low = "no lower limit" if found.low is None else f"{found.low:+.1f}"
    high = "no upper limit" if found.high is None else f"{found.high:+.1f}"
    return f"{elo_text(found)} (95 %: {low} to {high})"
