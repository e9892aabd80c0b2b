"""Actions: the single steps of which a deal consists.

An action is a `Card` (playing it) or a `Move` (everything else). Both are interned integers, cards 0..23 and
moves 24..36, so an action can index a table.
"""

from typing import TypeAlias

from sixtysix.rules.cards import CARD_COUNT, CARDS, Card, Suit
from sixtysix.rules.errors import NotationError


class Move(int):
    """An action that plays no card.

    Attributes:
        text: canonical notation, such as ``close`` or ``marriage H``.
        word: its first word.
        suit: the suit of a marriage or a trump change, otherwise None.
    """

    text: str
    word: str
    suit: Suit | None

    def __new__(cls, index: int) -> "Move":
        """The move of this index; raises ValueError outside 24..36."""
        if not CARD_COUNT <= index < len(ACTIONS):
            raise ValueError(f"a move index lies in {CARD_COUNT}..{len(ACTIONS) - 1}, not {index}")
        return MOVES[index - CARD_COUNT]

    @property
    def pretty(self) -> str:
        """The form shown to people, such as ``marriage ♥``."""
        return self.word if self.suit is None else f"{self.word} {self.suit.symbol}"

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return self.text

    def __reduce__(self) -> tuple[type["Move"], tuple[int]]:
        return Move, (int(self),)


Action: TypeAlias = Card | Move


def _make_moves() -> tuple[Move, ...]:
    plain = [(word, None) for word in ("draw", "exchange", "close", "claim", "pass")]
    suited = [(word, suit) for word in ("marriage", "trump") for suit in Suit]
    moves = []
    for index, (word, suit) in enumerate([*plain, *suited], start=CARD_COUNT):
        move = int.__new__(Move, index)
        move.word, move.suit = word, suit
        move.text = word if suit is None else f"{word} {suit.letter}"
        moves.append(move)
    return tuple(moves)


MOVES = _make_moves()
ACTIONS: tuple[Action, ...] = (*CARDS, *MOVES)
"""Every action, at its own index."""

DRAW, EXCHANGE, CLOSE, CLAIM, PASS = MOVES[:5]
MARRIAGES = MOVES[5:9]
"""Declaring a marriage, by suit."""
TRUMPS = MOVES[9:13]
"""Naming a new trump, by suit."""

_MOVE_BY_TEXT = {move.text: move for move in MOVES}


def parse_action(text: str) -> Action:
    """Read one action token; cards and suits in any spelling. Raises NotationError."""
    move = _MOVE_BY_TEXT.get(text)
    if move is not None:
        return move
    word, space, suit = text.partition(" ")
    if word in ("marriage", "trump"):
        if not space:
            raise NotationError(f"{word!r} needs a suit, as in '{word} H'")
        return (MARRIAGES if word == "marriage" else TRUMPS)[Suit.parse(suit)]
    try:
        return Card.parse(text)
    except NotationError:
        raise NotationError(
            f"not an action: {text!r} (a card, draw, exchange, marriage S, trump S, close, claim or pass)"
        ) from None
