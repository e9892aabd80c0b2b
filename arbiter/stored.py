"""What a store keeps besides the results themselves."""

from dataclasses import dataclass, field
from typing import Any

from arbiter.results import DealResult, MatchResult


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
