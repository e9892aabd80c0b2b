"""Events: what happens at the table, each with its audience.

The engine keeps one log a seat and puts into it only what that seat may see.
"""

from enum import IntEnum
from typing import NamedTuple

from sixtysix.rules.cards import CARDS, Card, Suit


class EventKind(IntEnum):
    """What happened; the comment says which fields of `Event` are set and who is told."""

    # The one of Enum is a Python function, called for every event that is searched in a cache.
    __hash__ = int.__hash__

    DEALT = 1  # seat, cards: the hand; to that seat only
    TURNED_UP = 2  # seat: the dealer, cards: the turn-up, suit: trump
    PLAYED = 3  # seat, cards: the card
    TRICK = 4  # seat: the winner, cards: led and reply, points: its card points with any bonus
    DREW = 5  # seat, cards: the card; empty for the other seat, unless the card lay face up
    EXCHANGED = 6  # seat, cards: given and taken
    MARRIAGE = 7  # seat, suit, cards: king and queen, points: what it is worth
    TRUMP_CHANGED = 8  # seat, suit: the new trump, cards: the nine shown
    CLOSED = 9  # seat
    CLAIMED = 10  # seat, points: the card points of the claimant
    PASSED = 11  # seat; after a close told to that seat only


class Event(NamedTuple):
    """One thing that happened in a deal, as one seat sees it."""

    kind: EventKind
    seat: int
    cards: tuple[Card, ...] = ()
    suit: Suit | None = None
    points: int = 0


# Made once: these are most of the events of a deal.
PLAYED = tuple(tuple(Event(EventKind.PLAYED, seat, (card,)) for card in CARDS) for seat in (0, 1))
DREW = tuple(tuple(Event(EventKind.DREW, seat, (card,)) for card in CARDS) for seat in (0, 1))
DREW_HIDDEN = tuple(Event(EventKind.DREW, seat) for seat in (0, 1))
