"""Cards, suits and ranks: the 24 cards that every rule set plays with, or plays with a part of.

Cards are interned integers, so that tables can be indexed by them and equality is identity:

>>> Card.parse("10♥") is Card.parse("TH")
True
>>> str(Card.parse("10♥")), Card.parse("TH").pretty
('TH', '10♥')
"""

from collections.abc import Iterable
from enum import IntEnum

from sixtysix.rules.errors import NotationError

RANKS_PER_SUIT = 6
CARD_COUNT = 24


class Suit(IntEnum):
    """The four suits, in the order in which actions list them."""

    CLUBS = 0
    DIAMONDS = 1
    HEARTS = 2
    SPADES = 3

    @property
    def letter(self) -> str:
        """``C``, ``D``, ``H`` or ``S``."""
        return "CDHS"[self]

    @property
    def symbol(self) -> str:
        """``♣``, ``♦``, ``♥`` or ``♠``."""
        return "♣♦♥♠"[self]

    @classmethod
    def parse(cls, text: str) -> "Suit":
        """Read a letter of either case or a symbol; raises NotationError."""
        suit = _SUIT_BY_TEXT.get(text)
        if suit is None:
            raise NotationError(f"not a suit: {text!r} (use C, D, H or S)")
        return suit

    def __str__(self) -> str:
        return self.letter


class Rank(IntEnum):
    """The six ranks; their numbers only name them, the strength is a table of the rule set."""

    ACE = 0
    TEN = 1
    KING = 2
    QUEEN = 3
    JACK = 4
    NINE = 5

    @property
    def letter(self) -> str:
        """``A``, ``T``, ``K``, ``Q``, ``J`` or ``9``."""
        return "ATKQJ9"[self]

    def __str__(self) -> str:
        return self.letter


_SUIT_BY_TEXT = {text: suit for suit in Suit for text in (suit.letter, suit.letter.lower(), suit.symbol)}
_RANK_BY_TEXT = {text: rank for rank in Rank for text in (rank.letter, rank.letter.lower())}
_RANK_BY_TEXT["10"] = Rank.TEN


class Card(int):
    """One of the 24 cards; as an integer, ``suit * 6 + rank``.

    A card is also the action of playing it, as in the notation.

    Attributes:
        suit: its suit.
        rank: its rank.
        text: canonical notation, such as ``TH``.
        pretty: the form shown to people, such as ``10♥``.
    """

    suit: Suit
    rank: Rank
    text: str
    pretty: str

    def __new__(cls, index: int) -> "Card":
        """The card of this index; raises ValueError outside 0..23."""
        if not 0 <= index < CARD_COUNT:
            raise ValueError(f"a card index lies in 0..{CARD_COUNT - 1}, not {index}")
        return CARDS[index]

    @classmethod
    def of(cls, rank: Rank, suit: Suit) -> "Card":
        """The card of this rank and suit."""
        return CARDS[suit * RANKS_PER_SUIT + rank]

    @classmethod
    def parse(cls, text: str) -> "Card":
        """Read ``TH``, ``th``, ``10H`` or ``10♥``; raises NotationError."""
        rank, suit = _RANK_BY_TEXT.get(text[:-1]), _SUIT_BY_TEXT.get(text[-1:])
        if rank is None or suit is None:
            raise NotationError(f"not a card: {text!r} (a rank of A T K Q J 9, then a suit of C D H S)")
        return cls.of(rank, suit)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return self.text

    def __reduce__(self) -> tuple[type["Card"], tuple[int]]:
        return Card, (int(self),)


def _make_card(suit: Suit, rank: Rank) -> Card:
    card = int.__new__(Card, suit * RANKS_PER_SUIT + rank)
    card.suit, card.rank = suit, rank
    card.text = rank.letter + suit.letter
    card.pretty = ("10" if rank is Rank.TEN else rank.letter) + suit.symbol
    return card


CARDS: tuple[Card, ...] = tuple(_make_card(suit, rank) for suit in Suit for rank in Rank)
"""All 24 cards, at their own index."""


def pretty(cards: Iterable[Card]) -> str:
    """Cards as people read them, separated by spaces."""
    return " ".join(card.pretty for card in cards)
