"""Positions for the tests of the example bots."""

from collections.abc import Callable, Iterator
from itertools import count
from random import Random

from sixtysix.rules import CLAIM, CLOSE, Action, Card, Deal, RuleSet, Stage, View


def random_deal(rules: RuleSet, random: Random) -> Deal:
    """A deal before its first action, with a carry of 0 or 1."""
    deck = list(rules.deck)
    random.shuffle(deck)
    return Deal.from_deck(rules, deck, random.randrange(2), carry=random.randrange(2))


def reached(rules: RuleSet, seed: object, wanted: Callable[[Deal], bool], close_share: float = 0.3) -> Iterator[Deal]:
    """Endless positions that random play without claims reaches first in a deal and that are `wanted`."""
    for number in count():
        random = Random(f"{rules.name} {seed} {number}")
        deal = random_deal(rules, random)
        while not deal.over and not wanted(deal):
            legal: list[Action] = [action for action in deal.legal_actions() if action != CLAIM]
            if CLOSE in legal and random.random() > close_share:
                legal.remove(CLOSE)
            deal.apply(random.choice(legal or [CLAIM]))
        if not deal.over:
            yield deal


def is_endgame(deal: Deal) -> bool:
    """Are no more cards drawn or exchanged?"""
    return not deal.over and not deal.talon_open and deal.stage is not Stage.EXCHANGE_OFFER


def view_of(deal: Deal) -> View:
    """The view of the seat on turn."""
    return View.of(deal, deal.turn)


def position(
    rules: RuleSet,
    own: str,
    other: str,
    turn_up: str,
    *,
    face_down: int = 0,
    points: tuple[int, int] = (0, 0),
) -> Deal:
    """Seat 0 leads with the cards `own`, each player has one trick; without face-down cards the turn-up is gone too.

    The other cards have been played, the first of the pack first.
    """
    hands = [Card.parse(text) for text in own.split()], [Card.parse(text) for text in other.split()]
    trump = Card.parse(turn_up)
    rest = [card for card in rules.deck if card not in (*hands[0], *hands[1], trump)]
    gone, talon = rest[: len(rest) - face_down], rest[len(rest) - face_down :]
    deal = Deal(rules, 1, hands, [trump, *talon] if rules.turn_up_on_top else talon, trump)
    deal.turn = deal.leader = 0
    deal.tricks, deal.trick_points = [1, 1], list(points)
    if not face_down:
        deal.talon, deal.turn_up = (), None
        gone.append(trump)
    deal.played = sum(1 << card for card in gone)
    return deal
