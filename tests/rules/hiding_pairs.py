"""Pairs of deals that one seat cannot tell apart."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from random import Random

from sixtysix.rules import EXCHANGE, MARRIAGES, TRUMPS, Action, Card, Deal, IllegalActionError, Move, Rank
from tests.rules.playouts import Playout


@dataclass(frozen=True)
class HidingPair:
    """Two deals in which the same actions were possible and two cards that `seat` has never seen are swapped.

    Attributes:
        seat: the seat that cannot tell them apart.
        actions: the actions played in both.
        swapped: the two cards.
        deals: both deals after the actions, with their logs.
    """

    seat: int
    actions: tuple[Action, ...]
    swapped: tuple[Card, Card]
    deals: tuple[Deal, Deal]


def hiding_pair(playout: Playout, seat: int, rng: Random) -> HidingPair | None:
    """Swap two cards that `seat` has not seen; None if the actions are not possible in the other deal."""
    deal, actions = playout.play()
    hidden = sorted(set(playout.rules.deck) - seen_by(seat, playout.start(), actions))
    if len(hidden) < 2:
        return None
    first, second = rng.sample(hidden, 2)
    other = swapped(playout.start(), first, second)
    try:
        for action in actions:
            other.apply(action)
    except IllegalActionError:
        return None
    return HidingPair(seat, tuple(actions), (first, second), (deal, other))


def seen_by(seat: int, deal: Deal, actions: Sequence[Action]) -> set[Card]:
    """The cards that a player at the table has had in hand or before his eyes, whatever the engine tells him.

    `deal` is the deal before the actions, which are applied to it.
    """
    assert deal.turn_up is not None
    seen = {*deal.hands[seat], deal.turn_up}
    for action in actions:
        seen.update(_laid_open(deal, action))
        deal.apply(action)
        seen.update(deal.hands[seat])
    return seen


def _laid_open(deal: Deal, action: Action) -> Iterable[Card]:
    lowest = Card.of(Rank.JACK if "9" not in deal.rules.ranks else Rank.NINE, deal.trump)
    if isinstance(action, Card):
        return (action,)
    if action in MARRIAGES:
        assert isinstance(action, Move)
        assert action.suit is not None
        return Card.of(Rank.KING, action.suit), Card.of(Rank.QUEEN, action.suit)
    if action == EXCHANGE or action in TRUMPS:
        return (lowest,)
    return ()


def swapped(deal: Deal, first: Card, second: Card) -> Deal:
    """The deal, not begun, with two cards in each other's place."""
    swap = {first: second, second: first}
    hands = tuple([swap.get(card, card) for card in hand] for hand in deal.hands)
    talon = [swap.get(card, card) for card in deal.talon]
    assert deal.turn_up is not None
    return Deal(deal.rules, deal.dealer, (hands[0], hands[1]), talon, deal.turn_up, deal.carry)
