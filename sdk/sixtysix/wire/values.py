"""Cards, actions, events and outcomes on the wire."""

from collections.abc import Iterable
from functools import lru_cache
from typing import cast

from sixtysix.rules import (
    ACTIONS,
    CARDS,
    Action,
    Card,
    Event,
    EventKind,
    Outcome,
    Reason,
    Suit,
)
from sixtysix.timecontrol import TimeControl
from sixtysix.v1 import bot_service_pb2, cards_pb2, deal_pb2

PROTOCOL_MAJOR, PROTOCOL_MINOR = 1, 0
MAX_COMMENT = 200
"""Characters of an action's comment that are kept."""


class WireError(ValueError):
    """A message that holds no valid value where one is needed; the text names the field."""


class LaterVersionError(WireError):
    """A value that is unknown here and only informs: a reader leaves out what it belongs to."""


def card_number(card: Card | None) -> cards_pb2.Card:
    """The enum number of a card; unspecified for None."""
    return _CARD_NUMBERS[0 if card is None else card + 1]


def card_numbers(cards: Iterable[Card]) -> list[cards_pb2.Card]:
    """The enum numbers of cards."""
    return [_CARD_NUMBERS[card + 1] for card in cards]


def read_card(number: int, field: str) -> Card:
    """The card of an enum number; raises WireError for unspecified and unknown ones."""
    card = _CARD_OF.get(number)
    if card is None:
        raise WireError(f"{field}: {number} is not a card")
    return card


def read_cards(numbers: Iterable[int], field: str) -> tuple[Card, ...]:
    """The cards of a repeated field."""
    try:
        # Without a call for each card: these are most of what a decision holds.
        return tuple([_CARD_OF[number] for number in numbers])
    except KeyError as error:
        raise WireError(f"{field}: {error.args[0]} is not a card") from None


def read_played(numbers: Iterable[int], field: str) -> int:
    """The bit mask of the cards of a repeated field."""
    played = 0
    try:
        for number in numbers:
            played |= _BIT_OF[number]
    except KeyError as error:
        raise WireError(f"{field}: {error.args[0]} is not a card") from None
    return played


def read_optional_card(number: int, field: str) -> Card | None:
    """The card of an enum number, None for unspecified."""
    return read_card(number, field) if number else None


def suit_number(suit: Suit | None) -> cards_pb2.Suit:
    """The enum number of a suit; unspecified for None."""
    return _SUIT_NUMBERS[0 if suit is None else suit + 1]


def read_suit(number: int, field: str) -> Suit:
    """The suit of an enum number; raises WireError for unspecified and unknown ones."""
    if not 1 <= number <= len(_SUITS):
        raise WireError(f"{field}: {number} is not a suit")
    return _SUITS[number - 1]


def read_optional_suit(number: int, field: str) -> Suit | None:
    """The suit of an enum number, None for unspecified."""
    return read_suit(number, field) if number else None


def seat_number(seat: int | None) -> cards_pb2.Seat:
    """The enum number of seat 0 or 1; unspecified for None."""
    return _SEAT_NUMBERS[0 if seat is None else seat + 1]


def read_seat(number: int, field: str) -> int:
    """Seat 0 or 1; raises WireError for unspecified and unknown ones."""
    if number not in (1, 2):
        raise WireError(f"{field}: {number} is not a seat")
    return number - 1


_SUITS = tuple(Suit)
_CARD_OF = dict(enumerate(CARDS, start=1))
_BIT_OF = {number: 1 << card for number, card in _CARD_OF.items()}
# At run time the enum values of protobuf are plain integers.
_CARD_NUMBERS = cast("list[cards_pb2.Card]", list(range(len(CARDS) + 1)))
_SUIT_NUMBERS = cast("list[cards_pb2.Suit]", list(range(len(_SUITS) + 1)))
_SEAT_NUMBERS = cast("list[cards_pb2.Seat]", [0, 1, 2])
_EVENT_KINDS = cast("dict[EventKind, deal_pb2.EventKind]", {kind: int(kind) for kind in EventKind})
_KIND_OF_WORD = {
    "draw": deal_pb2.ACTION_KIND_DRAW,
    "exchange": deal_pb2.ACTION_KIND_EXCHANGE,
    "close": deal_pb2.ACTION_KIND_CLOSE,
    "claim": deal_pb2.ACTION_KIND_CLAIM,
    "pass": deal_pb2.ACTION_KIND_PASS,
    "marriage": deal_pb2.ACTION_KIND_MARRIAGE,
    "trump": deal_pb2.ACTION_KIND_TRUMP,
}
_SUITED_KINDS = (deal_pb2.ACTION_KIND_MARRIAGE, deal_pb2.ACTION_KIND_TRUMP)


def _make_action_message(action: Action) -> deal_pb2.Action:
    if isinstance(action, Card):
        return deal_pb2.Action(kind=deal_pb2.ACTION_KIND_PLAY, card=card_number(action))
    return deal_pb2.Action(kind=_KIND_OF_WORD[action.word], suit=suit_number(action.suit))


ACTION_MESSAGES = [_make_action_message(action) for action in ACTIONS]
"""By action; shared, not to be changed."""


def action_message(action: Action) -> deal_pb2.Action:
    """The message of an action; shared, not to be changed."""
    return ACTION_MESSAGES[action]


_ACTION_OF = {
    (int(message.kind), int(message.card), int(message.suit)): action
    for action, message in zip(ACTIONS, ACTION_MESSAGES, strict=True)
}


def read_action(message: deal_pb2.Action) -> Action:
    """The action of a message; raises WireError if it is unset, unknown or contradicts itself."""
    action = _ACTION_OF.get((message.kind, message.card, message.suit))
    if action is None:
        raise WireError(_why_no_action(message))
    return action


def _why_no_action(message: deal_pb2.Action) -> str:
    if message.kind == deal_pb2.ACTION_KIND_PLAY:
        if message.suit:
            return "action.suit: must be unset when a card is played"
        return f"action.card: {message.card} is not a card"
    if message.card:
        return "action.card: must be unset unless a card is played"
    if message.kind in _SUITED_KINDS:
        return f"action.suit: {message.suit} is not a suit"
    if message.kind not in _KIND_OF_WORD.values():
        return f"action.kind: {message.kind} is not a kind of action"
    return "action.suit: belongs to marriage and trump only"


@lru_cache(maxsize=4096)
def event_message(event: Event) -> deal_pb2.Event:
    """The message of an event, as one seat has seen it; shared, not to be changed."""
    return deal_pb2.Event(
        kind=_EVENT_KINDS[event.kind],
        seat=seat_number(event.seat),
        cards=card_numbers(event.cards),
        suit=suit_number(event.suit),
        points=event.points,
    )


def read_event(message: deal_pb2.Event) -> Event:
    """The event of a message; raises LaterVersionError for a kind that is not known."""
    try:
        kind = EventKind(message.kind)
    except ValueError:
        raise LaterVersionError(f"event.kind: {message.kind} is not a kind of event") from None
    return Event(
        kind,
        read_seat(message.seat, "event.seat"),
        read_cards(message.cards, "event.cards"),
        read_optional_suit(message.suit, "event.suit"),
        message.points,
    )


_REASONS = cast(
    "dict[Reason, deal_pb2.Reason]", {reason: deal_pb2.Reason.Value(f"REASON_{reason.name}") for reason in Reason}
)
_REASON_OF = {number: reason for reason, number in _REASONS.items()}


def reason_number(reason: Reason) -> deal_pb2.Reason:
    """The enum number of the reason for which a deal ended."""
    return _REASONS[reason]


def outcome_message(outcome: Outcome, seat: int) -> deal_pb2.Outcome:
    """An outcome as `seat` is told it."""
    other = 1 - seat
    return deal_pb2.Outcome(
        winner=seat_number(outcome.winner),
        game_points=outcome.game_points,
        own_score_change=outcome.score_change[seat],
        opponent_score_change=outcome.score_change[other],
        carry=outcome.carry,
        reason=_REASONS[outcome.reason],
        own_card_points=outcome.card_points[seat],
        opponent_card_points=outcome.card_points[other],
        own_tricks=outcome.tricks[seat],
        opponent_tricks=outcome.tricks[other],
    )


def read_outcome(message: deal_pb2.Outcome, seat: int) -> Outcome:
    """The outcome that `seat` was told; raises LaterVersionError for a reason that is not known."""
    reason = _REASON_OF.get(message.reason)
    if reason is None:
        raise LaterVersionError(f"outcome.reason: {message.reason} is not a reason")
    return Outcome(
        read_seat(message.winner, "outcome.winner") if message.winner else None,
        message.game_points,
        by_seat(seat, message.own_score_change, message.opponent_score_change),
        message.carry,
        reason,
        by_seat(seat, message.own_card_points, message.opponent_card_points),
        by_seat(seat, message.own_tricks, message.opponent_tricks),
    )


def by_seat(seat: int, own: int, other: int) -> tuple[int, int]:
    """A pair of numbers of `seat` and the other, in the order of the seats."""
    return (own, other) if seat == 0 else (other, own)


def time_control_message(control: TimeControl) -> bot_service_pb2.TimeControl:
    """The message of a time control."""
    return bot_service_pb2.TimeControl(
        ready_us=control.ready_us,
        decision_us=control.decision_us,
        bank_us=control.bank_us,
        increment_us=control.increment_us,
        lag_us=control.lag_us,
    )


def read_time_control(message: bot_service_pb2.TimeControl) -> TimeControl:
    """The time control of a message."""
    try:
        return TimeControl(message.ready_us, message.decision_us, message.bank_us, message.increment_us, message.lag_us)
    except ValueError as error:
        raise WireError(f"time_control: {error}") from None
