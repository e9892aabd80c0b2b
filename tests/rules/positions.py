"""Deals for tests: from short texts, and from the worked positions."""

import json
from pathlib import Path
from typing import Any

import pytest

from sixtysix.rules import RULE_SETS, Action, Card, Deal, IllegalActionError, RuleSet, Stage, parse_action
from sixtysix.rules.ruleset import Leader

DATA = Path(__file__).resolve().parents[2] / "vectors"
POSITIONS: list[dict[str, Any]] = [
    json.loads(line) for line in (DATA / "deals.jsonl").read_text(encoding="utf-8").splitlines()
]

UNDER = ("sixty-six", "mariage", "sechsundsechzig")
CHANGE = ("trump-change",)
SCHNAPSEN = ("schnapsen", "schnapsen-short", "schnapsen-vienna")
ALL = (*UNDER, *CHANGE, *SCHNAPSEN)
ASKED_BEFORE_DRAWING = ("sixty-six", "mariage", "trump-change")

# L is the lowest rank of the pack; cards after the bar are dealt only in games with six cards.
FIRST_HAS_LOWEST = ("LS AH KH QH AD | TD", "TH JH KD QD KC | JC")
SECOND_HAS_LOWEST = ("AH KH QH AD TD | AC", "LS TH JH KD QD | KC")
LOWEST_IN_TALON = ("AH KH QH AD TD | AC", "JD TH JH KD QD | KC")
MANY_CHOICES = ("LS KH QH KD QD | AC", "JH JD TD AD TC | AH")
TRICK = "AH, TH"
"""Seat 0 wins a trick with one of these hands and leads again."""


def cards(text: str) -> tuple[Card, ...]:
    """Cards separated by spaces."""
    return tuple(Card.parse(word) for word in text.split())


def actions(text: str) -> tuple[Action, ...]:
    """Actions separated by commas."""
    return tuple(parse_action(word.strip()) for word in text.split(",") if word.strip())


def deal_of(rules: str | RuleSet, first: str, second: str, turn_up: str, talon: str = "", carry: int = 0) -> Deal:
    """A deal in which seat 0 has the hand `first` and leads.

    `talon` gives its top face-down cards; the others lie below in the order of the pack.
    """
    rules = RULE_SETS[rules] if isinstance(rules, str) else rules
    hands, turned, top = (cards(first), cards(second)), Card.parse(turn_up), cards(talon)
    placed = {*hands[0], *hands[1], turned, *top}
    rest = tuple(card for card in rules.deck if card not in placed)
    full_talon = (turned, *top, *rest) if rules.turn_up_on_top else (*top, *rest)
    sizes = {len(hands[0]), len(hands[1])}
    assert sizes == {rules.hand_size}, "a full hand for each seat"
    assert len(placed) == 2 * rules.hand_size + 1 + len(top), "no card twice"
    return Deal(rules, 0 if rules.first_lead is Leader.DEALER else 1, hands, full_talon, turned, carry)


def play(deal: Deal, text: str) -> Deal:
    """Apply actions separated by commas; returns the same deal."""
    for action in actions(text):
        deal.apply(action)
    return deal


def legal(deal: Deal) -> str:
    """The legal actions in their order, separated by commas."""
    return ", ".join(action.text for action in deal.legal_actions())


def position(name: str, hands: tuple[str, str], turn_up: str = "KS", talon: str = "", carry: int = 0) -> Deal:
    """A deal of this rule set with seat 0 on lead and spades as trump."""
    first, second = (for_pack(name, hand) for hand in hands)
    return deal_of(name, first, second, for_pack(name, turn_up), for_pack(name, talon), carry)


def for_pack(name: str, text: str) -> str:
    """The hand or action in the pack of this rule set."""
    if name in SCHNAPSEN:
        return text.partition(" |")[0].replace("L", "J")
    return text.replace(" |", "").replace("L", "9")


def advance(deal: Deal, text: str) -> Deal:
    """Apply actions separated by commas, and draw where the rule set asks and the text says nothing."""
    for token in filter(None, text.split(", ")):
        _settle(deal, token)
        deal.apply(parse_action(for_pack(deal.rules.name, token)))
    _settle(deal, "")
    return deal


def _settle(deal: Deal, token: str) -> None:
    if deal.stage is Stage.BEFORE_DRAW and token not in ("draw", "close", "claim"):
        deal.apply(parse_action("draw"))


def exhausted(name: str, hands: tuple[str, str] = SECOND_HAS_LOWEST) -> Deal:
    """The lead after the last draw; every trick is the first card of each hand that may be played."""
    deal = position(name, hands)
    while deal.talon_left:
        advance(deal, str(deal.legal_actions()[0]))
    return deal


def refuse(deal: Deal, text: str, reason: str) -> None:
    action = parse_action(for_pack(deal.rules.name, text))
    assert action not in deal.legal_actions()
    with pytest.raises(IllegalActionError) as caught:
        deal.apply(action)
    assert reason in str(caught.value)
