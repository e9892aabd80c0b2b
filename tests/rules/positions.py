"""Deals for tests: from short texts, and from the worked positions."""

import json
from pathlib import Path
from typing import Any

from sixtysix.rules import RULE_SETS, Action, Card, Deal, RuleSet, parse_action
from sixtysix.rules.ruleset import Leader

DATA = Path(__file__).resolve().parent.parent / "data"
POSITIONS: list[dict[str, Any]] = [
    json.loads(line) for line in (DATA / "deals.jsonl").read_text(encoding="utf-8").splitlines()
]


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
