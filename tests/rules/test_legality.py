"""The texts of refusals: each names the rule, and none gives away a card that the player does not know."""

import re

import pytest
from hypothesis import given, settings

from sixtysix.rules import ACTIONS, CARDS, EXCHANGE, Card, Deal, IllegalActionError
from sixtysix.rules.legality import why_illegal
from tests.rules.hiding_pairs import seen_by
from tests.rules.playouts import Playout, playouts
from tests.rules.positions import deal_of, play

REASONS = [
    "the deal is over",
    "[^ ]+ is not in the hand",
    "must follow suit: [^ ]+ was led",
    "must head the trick: a card higher than [^ ]+ has to be played",
    "must trump: no . in the hand",
    "no card is played before drawing",
    "the exchange offer after a close is answered with pass or exchange",
    "all cards are played: claim or pass",
    "after declaring the marriage of . its king or queen must be led",
    "no claim with a card on the table",
    "no claim during an exchange offer",
    "the talon is already closed",
    "the talon is exhausted",
    "only the player on lead may close",
    "closing needs a trick won",
    "this rule set has no exchange",
    "[^ ]+, the lowest trump, is not in the hand",
    "only the player on lead may exchange",
    "the exchange belongs to a lead",
    "no exchange after the talon was closed",
    "the turn-up is no longer under the talon",
    "no exchange after declaring a marriage on this lead",
    "the exchange needs a trick won",
    r"the exchange needs at least \d face-down cards? in the talon",
    "cards are drawn only just after a trick",
    "cards are drawn by themselves in this rule set",
    "there is nothing to pass",
    "a marriage is declared on lead",
    "one marriage a lead",
    "no marriage once the talon is closed or exhausted",
    "a marriage needs king and queen in the hand: [^ ]+( [^ ]+)? missing",
    "this rule set has no trump change",
    "the trump is changed on lead",
    "no trump change after declaring a marriage on this lead",
    "a trump change needs a trick won",
    ". is trump already",
    "a trump change needs [^ ]+ in the hand",
    "[^ ]+ has served for a trump change already",
]
RULE = re.compile("|".join(f"(?:{reason})" for reason in REASONS))
CARD_BY_PRETTY = {card.pretty: card for card in CARDS}


@settings(max_examples=300)
@given(playouts())
def test_every_refusal_names_a_rule_and_no_card_that_the_player_cannot_know(playout: Playout) -> None:
    deal, done = playout.play()
    known = seen_by(deal.turn, playout.start(), done)
    for action in ACTIONS:
        if action in deal.legal_actions():
            continue
        text = why_illegal(deal, action)
        assert RULE.match(text), text
        named = {CARD_BY_PRETTY[word] for word in re.findall(r"(?:10|[AKQJ9])[♣♦♥♠]", text)}
        lowest = deal.rules.tables.lowest[deal.trump]
        assert named <= {*known, action, lowest, *_pair(action)}, text


def _pair(action: object) -> tuple[Card, ...]:
    suit = str(action).removeprefix("marriage ")
    return (Card.parse(f"K{suit}"), Card.parse(f"Q{suit}")) if str(action).startswith("marriage ") else ()


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ("JH", "must head the trick: a card higher than K♥ has to be played (A♥ 10♥)"),
        ("AS", "must follow suit: K♥ was led (A♥ 10♥)"),
        ("AC", "must follow suit: K♥ was led (A♥ 10♥)"),
        ("KD", "K♦ is not in the hand"),
        ("KH", "K♥ is not in the hand"),
    ],
)
def test_the_duties_of_a_closed_talon(reply: str, reason: str) -> None:
    deal = play(deal_of("schnapsen", "KH KD AD TD QD", "AH TH JH AS AC", "KS"), "close, KH")
    assert why_illegal(deal, Card.parse(reply)) == reason


def test_the_duty_to_trump() -> None:
    deal = play(deal_of("schnapsen", "KH KD AD TD QD", "AS JS JC TC AC", "KS"), "close, KH")
    assert why_illegal(deal, Card.parse("AC")) == "must trump: no ♥ in the hand, so a trump has to be played (A♠ J♠)"


def test_the_number_of_face_down_cards() -> None:
    deal = deal_of("schnapsen", "JS AH AD AC AS", "TH JH KD QC KC", "KS", "JD TC QD JC TD QH KH QS")
    play(deal, "AH, JH, AD, KD, AC, QC, AS, TH")
    assert why_illegal(deal, EXCHANGE) == "the exchange needs at least 2 face-down cards in the talon"


@pytest.mark.parametrize("action", [None, "AS", 5.5, -1, 37, 99, (), object()])
def test_what_is_no_action_at_all(action: object) -> None:
    deal = deal_of("schnapsen", "KH KD AD TD QD", "AH TH JH AS AC", "KS")
    before = _state(deal)
    with pytest.raises(IllegalActionError, match="not an action"):
        deal.apply(action)  # type: ignore[arg-type]  # that is the point
    assert _state(deal) == before


def _state(deal: Deal) -> tuple[object, ...]:
    return tuple(getattr(deal, name) for name in Deal.__slots__ if name != "_legal")
