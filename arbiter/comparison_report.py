"""Comparisons of two bots for people and as JSON. No I/O."""

from collections.abc import Sequence
from typing import Any

from arbiter.comparison import Comparison
from arbiter.elo_report import elo_text, estimate_json, estimate_lines, sprt_json, sprt_lines
from arbiter.ratings.elo import estimate
from arbiter.report import rules_text
from arbiter.views import RulesSpec

Json = dict[str, Any]


def comparison_json(bots: Sequence[str], rules: RulesSpec, comparison: Comparison, *, finished: bool) -> Json:
    """Return what two bots have come to, as the new one sees it.

    Args:
        bots: the new and the old one, as the user named them.
        rules: what they play.
        comparison: the pairs that count.
        finished: all was played that had to be.
    """
    return {
        "new": bots[0],
        "old": bots[1],
        "rules": rules,
        "finished": finished,
        "pairs": comparison.counts,
        "left_out": comparison.left_out,
        "deals": comparison.deals,
        "points_per_deal": comparison.per_deal,
        "points_per_deal_margin": comparison.per_deal_margin,
        **estimate_json(comparison.counts),
        **sprt_json(comparison.counts, comparison.sprt),
    }


def comparison_lines(names: Sequence[str], rules: RulesSpec, comparison: Comparison) -> list[str]:
    """Return the same in lines for people; `names` are short ones."""
    lines = [f"{names[0]} (new) against {names[1]} (old), {rules_text(rules)}, {comparison.deals} deals"]
    if comparison.left_out:
        lines.append(f"  {comparison.left_out} pairs left out: a match was not played, or not with the same cards")
    if not comparison.pairs:
        return [*lines, "  no pair has been played to the end"]
    lines += estimate_lines(comparison.counts)
    if comparison.per_deal is not None:
        margin = comparison.per_deal_margin
        error = "" if margin is None else f" ± {margin:.3f}"
        lines.append(f"  game points per deal {comparison.per_deal:+.3f}{error}")
    return lines + sprt_lines(comparison.counts, comparison.sprt)


def live_text(comparison: Comparison) -> str:
    """Return how it stands, in one line."""
    if not comparison.pairs:
        return "no pair yet"
    sprt = comparison.sprt
    ratio = sprt.llr(comparison.counts)
    return (
        f"{comparison.pairs} pairs, {elo_text(estimate(comparison.counts))}, "
        f"LLR {ratio:+.2f} ({sprt.lower:+.2f} to {sprt.upper:+.2f})"
    )
