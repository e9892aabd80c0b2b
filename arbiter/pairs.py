"""Duplicate matches counted as what they are: pairs, whose two results belong together. Pure."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from arbiter.results import MatchSummary
from arbiter.schedule import ScheduledMatch, partners

CLASSES = ("LL", "LD", "WL+DD", "WD", "WW")
"""What the two matches of a pair can come to, for the bot that is named first."""


@dataclass(frozen=True, slots=True)
class PairCount:
    """The duplicate matches of two bots.

    Attributes:
        bots: their names.
        counts: pairs by class, in the order of `CLASSES`, as the first bot sees them.
        single: matches that count without a partner: it was void, or has not been played.
    """

    bots: tuple[str, str]
    counts: tuple[int, int, int, int, int]
    single: int

    @property
    def pairs(self) -> int:
        """Pairs in all."""
        return sum(self.counts)


def count_pairs(
    schedule: Iterable[ScheduledMatch], attempts: Mapping[str, int], matches: Iterable[MatchSummary]
) -> list[PairCount]:
    """Return the pairs of every two bots of a tournament with duplicates.

    Args:
        schedule: all matches.
        attempts: how often each match was issued: two that were issued equally often had the same cards.
        matches: those that ended, void ones included.
    """
    planned = list(schedule)
    partner_of = partners(planned)
    # Half points of the first bot: 0 for a loss, 1 for a draw, 2 for a win.
    points: dict[str, int] = {}
    first_bots = {match.pairing: match.bots for match in planned if not match.second_half}
    for ended in matches:
        if not ended.void:
            first = ended.bots.index(first_bots[ended.pairing][0])
            points[ended.match_id] = 1 if ended.winner is None else 2 * int(ended.winner == first)
    counts = {pairing: [0] * len(CLASSES) for pairing in first_bots}
    single = dict.fromkeys(first_bots, 0)
    for match in planned:
        if match.match_id not in points:
            continue
        partner = partner_of.get(match.match_id)
        if partner not in points or attempts.get(partner) != attempts.get(match.match_id):
            single[match.pairing] += 1
        elif match.second_half:
            counts[match.pairing][points[match.match_id] + points[partner]] += 1
    return [
        PairCount(bots, (of[0], of[1], of[2], of[3], of[4]), single[pairing])
        for (pairing, bots), of in zip(first_bots.items(), counts.values(), strict=True)
    ]
