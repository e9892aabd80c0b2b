"""What a store keeps besides the results themselves."""

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from arbiter.results import DealResult, MatchResult, Reason, is_walkover


@dataclass(frozen=True, slots=True)
class TournamentRow:
    """What is known of the tournament itself.

    Attributes:
        id: unique for ever.
        name: as configured.
        config: the effective configuration, JSON values only.
        secret: of the dealer, in hexadecimal; not shown by `repr`.
        created: UTC, ISO 8601.
    """

    id: str
    name: str
    config: dict[str, Any]
    secret: str = field(repr=False)
    created: str


class Outcome(NamedTuple):
    """Of an attempt at a match that ended, what ratings need: a few columns, for there may be a million.

    Attributes:
        cards: key of the decks, which another match may share.
        attempt: how often the match had been issued when it was played.
        bot0: the name in seat 0.
        bot1: the name in seat 1.
        first_dealer: the seat that dealt first.
        winner: a seat, or None for a draw or a void match.
        reason: why it ended.
        score0: game points of seat 0.
        score1: game points of seat 1.
        deals: played.
        faults: of both seats.
    """

    cards: str
    attempt: int
    bot0: str
    bot1: str
    first_dealer: int
    winner: int | None
    reason: Reason
    score0: int
    score1: int
    deals: int
    faults: int

    @property
    def walkover(self) -> bool:
        """True if the match was forfeited without being tried: the loser was withdrawn."""
        return is_walkover(self.reason, self.deals, self.faults)


@dataclass(frozen=True, slots=True)
class StoredDeal:
    """A deal together with the match it belongs to.

    Attributes:
        match_id: of the match.
        attempt: how often the match had been issued when it was played.
        bots: the names in seat 0 and seat 1.
        void: the match does not count.
        deal: the deal itself.
    """

    match_id: str
    attempt: int
    bots: tuple[str, str]
    void: bool
    deal: DealResult


@dataclass(frozen=True, slots=True)
class StoredMatch:
    """An attempt at a match that ended, and what was stored with it.

    Attributes:
        attempt: how often the match had been issued when it was played.
        result: the match.
        digest: of the result when it was stored; None if that was done by a version without digests.
    """

    attempt: int
    result: MatchResult
    digest: str | None
