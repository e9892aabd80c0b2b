"""Why an action is not legal: the sentence that names the rule.

Texts speak only of what the acting player knows, so that they can be shown to it.
"""

from sixtysix.rules.actions import CLAIM, CLOSE, DRAW, EXCHANGE, PASS, Action
from sixtysix.rules.cards import Card, Rank, Suit, pretty
from sixtysix.rules.deal import Deal, Stage
from sixtysix.rules.ruleset import Duty


def why_illegal(deal: Deal, action: Action) -> str:
    """Name the rule that forbids `action` now; for an action that is not legal."""
    if deal.over:
        return "the deal is over"
    if isinstance(action, Card):
        return _card(deal, action)
    if action == CLAIM:
        return _claim(deal)
    if action == CLOSE:
        return _close(deal)
    if action == EXCHANGE:
        return _exchange(deal)
    if action == DRAW:
        if deal.rules.close_before_draw:
            return "cards are drawn only just after a trick, with the talon open"
        return "cards are drawn by themselves in this rule set"
    if action == PASS:
        return "there is nothing to pass: a pass answers an exchange offer or ends a deal after the last trick"
    assert action.suit is not None
    return _marriage(deal, action.suit) if action.word == "marriage" else _trump(deal, action.suit)


def _card(deal: Deal, card: Card) -> str:
    hand = deal.hands[deal.turn]
    match deal.stage:
        case Stage.BEFORE_DRAW:
            return "no card is played before drawing: draw, close or claim"
        case Stage.EXCHANGE_OFFER:
            return "the exchange offer after a close is answered with pass or exchange"
        case Stage.LAST_CLAIM:
            return "all cards are played: claim or pass"
    if card not in hand:
        return f"{card.pretty} is not in the hand"
    if deal.stage is Stage.LEAD:
        assert deal.declared is not None
        return f"after declaring the marriage of {deal.declared.symbol} its king or queen must be led"
    return _duty(deal, card)


def _duty(deal: Deal, card: Card) -> str:
    led = deal.led
    assert led is not None
    same = [held for held in deal.hands[deal.turn] if held.suit is led.suit]
    allowed = pretty([action for action in deal.legal_actions() if isinstance(action, Card)])
    if not same:
        return f"must trump: no {led.suit.symbol} in the hand, so a trump has to be played ({allowed})"
    if card.suit is not led.suit or deal.duty is Duty.FOLLOW:
        return f"must follow suit: {led.pretty} was led ({allowed})"
    return f"must head the trick: a card higher than {led.pretty} has to be played ({allowed})"


def _claim(deal: Deal) -> str:
    if deal.stage is Stage.FOLLOW:
        return "no claim with a card on the table"
    return "no claim during an exchange offer: answer with pass or exchange"


def _close(deal: Deal) -> str:
    if deal.closing is not None:
        return "the talon is already closed"
    if deal.talon_left == 0:
        return "the talon is exhausted: there is nothing to close"
    if deal.stage is Stage.FOLLOW:
        return "only the player on lead may close"
    return "closing needs a trick won"


def _exchange(deal: Deal) -> str:
    rules, seat = deal.rules, deal.turn
    lowest = rules.tables.lowest[deal.trump]
    if not rules.exchange:
        return "this rule set has no exchange"
    if deal.stage is Stage.EXCHANGE_OFFER:
        return f"{lowest.pretty}, the lowest trump, is not in the hand"
    if deal.stage is Stage.FOLLOW and not rules.exchange_before_following:
        return "only the player on lead may exchange"
    if deal.stage in (Stage.BEFORE_DRAW, Stage.LAST_CLAIM):
        return "the exchange belongs to a lead"
    if deal.closing is not None:
        return "no exchange after the talon was closed"
    if deal.turn_up is None:
        return "the turn-up is no longer under the talon"
    if deal.declared is not None:
        return "no exchange after declaring a marriage on this lead"
    if rules.exchange_needs_trick and not deal.tricks[seat]:
        return "the exchange needs a trick won"
    if lowest not in deal.hands[seat]:
        return f"{lowest.pretty}, the lowest trump, is not in the hand"
    least = rules.exchange_min_face_down
    return f"the exchange needs at least {least} face-down card{'s' if least > 1 else ''} in the talon"


def _marriage(deal: Deal, suit: Suit) -> str:
    hand = deal.hands[deal.turn]
    if deal.stage is not Stage.LEAD:
        return "a marriage is declared on lead"
    if deal.declared is not None:
        return "one marriage a lead"
    if not deal.talon_open and not deal.rules.marriage_any_lead:
        return "no marriage once the talon is closed or exhausted"
    missing = [card for card in (Card.of(Rank.KING, suit), Card.of(Rank.QUEEN, suit)) if card not in hand]
    return f"a marriage needs king and queen in the hand: {pretty(missing)} missing"


def _trump(deal: Deal, suit: Suit) -> str:
    if not deal.rules.trump_change:
        return "this rule set has no trump change"
    if deal.stage is not Stage.LEAD:
        return "the trump is changed on lead"
    if deal.declared is not None:
        return "no trump change after declaring a marriage on this lead"
    if not deal.tricks[deal.turn]:
        return "a trump change needs a trick won"
    if suit is deal.trump:
        return f"{suit.symbol} is trump already"
    lowest = deal.rules.tables.lowest[deal.trump]
    if lowest not in deal.hands[deal.turn]:
        return f"a trump change needs {lowest.pretty} in the hand"
    return f"{lowest.pretty} has served for a trump change already"
