"""Views on the wire: a decision with its observation, complete enough for a bot that keeps nothing."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import overload

from sixtysix.rules import Clock, Closing, Event, RuleSet, Stage, Suit, View
from sixtysix.rules.view import cards_of
from sixtysix.v1 import bot_service_pb2, deal_pb2
from sixtysix.wire.values import (
    ACTION_MESSAGES,
    LaterVersionError,
    WireError,
    by_seat,
    card_number,
    card_numbers,
    event_message,
    read_action,
    read_cards,
    read_event,
    read_optional_card,
    read_optional_suit,
    read_played,
    read_seat,
    read_suit,
    seat_number,
    suit_number,
)

_STAGES = {
    Stage.BEFORE_DRAW: deal_pb2.STAGE_BEFORE_DRAW,
    Stage.LEAD: deal_pb2.STAGE_LEAD,
    Stage.EXCHANGE_OFFER: deal_pb2.STAGE_EXCHANGE_OFFER,
    Stage.FOLLOW: deal_pb2.STAGE_FOLLOW,
    Stage.LAST_CLAIM: deal_pb2.STAGE_LAST_CLAIM,
}
_STAGE_OF = {number: stage for stage, number in _STAGES.items()}
# Serialized parts of one message, joined, parse as the message with all of them: far cheaper than copying messages.
_LEGAL_ACTIONS = [bot_service_pb2.Decision(legal_actions=[message]).SerializeToString() for message in ACTION_MESSAGES]


def fill_decision(decision: bot_service_pb2.Decision, view: View, history: bytes) -> None:
    """Write stage, observation and legal actions of a view into a decision.

    `history` is `history_bytes` of the view's events; the arbiter keeps it from one decision to the next.
    """
    decision.stage = _STAGES[view.stage]
    decision.MergeFromString(b"".join([_LEGAL_ACTIONS[action] for action in view.legal_actions]))
    seat = view.seat
    closing = view.closing
    observation = decision.observation
    observation.seat = seat_number(seat)
    observation.deal_number = view.deal_number
    observation.dealer = seat_number(view.dealer)
    observation.hand.extend(card_numbers(view.hand))
    observation.trump = suit_number(view.trump)
    observation.turn_up = card_number(view.turn_up)
    observation.talon_count = view.face_down
    observation.leader = seat_number(view.leader)
    observation.led_card = card_number(view.led)
    observation.declared_marriage = suit_number(view.declared)
    observation.own_tricks = view.own_tricks
    observation.opponent_tricks = view.opponent_tricks
    observation.own_card_points = view.own_card_points
    observation.opponent_card_points = view.opponent_card_points
    observation.own_marriage_points = view.own_marriage_points
    observation.opponent_marriage_points = view.opponent_marriage_points
    observation.pending_marriage_points = view.pending_marriage
    observation.own_trick_points = view.own_trick_points
    observation.opponent_trick_points = view.opponent_trick_points
    if closing is not None:
        observation.talon_closed_by = seat_number(closing.seat)
        state = observation.close_state
        state.own_card_points = closing.card_points[seat]
        state.opponent_card_points = closing.card_points[1 - seat]
        state.own_tricks = closing.tricks[seat]
        state.opponent_tricks = closing.tricks[1 - seat]
    if view.used_nines:
        observation.used_nines.extend([suit_number(suit) for suit in Suit if view.used_nines >> suit & 1])
    if view.opponent_known:
        observation.opponent_known_cards.extend(card_numbers(view.opponent_known))
    if view.own_shown:
        observation.own_shown_cards.extend(card_numbers(view.own_shown))
    observation.own_score = view.own_score
    observation.opponent_score = view.opponent_score
    observation.carry = view.carry
    observation.MergeFromString(history)
    observation.played_cards.extend(card_numbers(cards_of(view.played)))


def history_bytes(events: Iterable[Event]) -> bytes:
    """Events as a serialized part of an observation; parts of one deal are joined in order."""
    return b"".join([_event_bytes(event) for event in events])


@lru_cache(maxsize=4096)
def _event_bytes(event: Event) -> bytes:
    return deal_pb2.Observation(history=[event_message(event)]).SerializeToString()


def read_view(decision: bot_service_pb2.Decision, rules: RuleSet) -> View:
    """The view of a decision; raises WireError naming a field that holds no valid value."""
    stage = _STAGE_OF.get(decision.stage)
    if stage is None:
        raise WireError(f"decision.stage: {decision.stage} is not a stage")
    seen = decision.observation
    seat = read_seat(seen.seat, "observation.seat")
    view = View.__new__(View)
    view.rules, view.seat, view.stage = rules, seat, stage
    view.deal_number = seen.deal_number
    view.dealer = read_seat(seen.dealer, "observation.dealer")
    view.own_score, view.opponent_score, view.carry = seen.own_score, seen.opponent_score, seen.carry
    view.hand = read_cards(seen.hand, "observation.hand")
    view.trump = read_suit(seen.trump, "observation.trump")
    view.turn_up = read_optional_card(seen.turn_up, "observation.turn_up")
    view.face_down = seen.talon_count
    view.closing = _read_closing(seen, seat)
    view.leader = read_seat(seen.leader, "observation.leader")
    view.led = read_optional_card(seen.led_card, "observation.led_card")
    view.declared = read_optional_suit(seen.declared_marriage, "observation.declared_marriage")
    view.own_tricks, view.opponent_tricks = seen.own_tricks, seen.opponent_tricks
    view.own_trick_points, view.opponent_trick_points = seen.own_trick_points, seen.opponent_trick_points
    view.own_marriage_points = seen.own_marriage_points
    view.opponent_marriage_points = seen.opponent_marriage_points
    view.pending_marriage = seen.pending_marriage_points
    used = [read_suit(number, "observation.used_nines") for number in seen.used_nines]
    view.used_nines = sum(1 << suit for suit in used)
    view.opponent_known = read_cards(seen.opponent_known_cards, "observation.opponent_known_cards")
    view.own_shown = read_cards(seen.own_shown_cards, "observation.own_shown_cards")
    view.played = read_played(seen.played_cards, "observation.played_cards")
    view.legal_actions = tuple([read_action(message) for message in decision.legal_actions])
    clock = decision.clock
    view.clock = Clock(clock.cap_us, clock.bank_us, clock.opponent_bank_us) if clock.cap_us else None
    view._history = _History(seen.history)
    view._length = len(seen.history)
    return view


def _read_closing(seen: deal_pb2.Observation, seat: int) -> Closing | None:
    if not seen.talon_closed_by:
        return None
    state = seen.close_state
    return Closing(
        read_seat(seen.talon_closed_by, "observation.talon_closed_by"),
        by_seat(seat, state.own_card_points, state.opponent_card_points),
        by_seat(seat, state.own_tricks, state.opponent_tricks),
    )


class _History(Sequence[Event]):
    """Events that are read when somebody looks at them: most bots never do."""

    def __init__(self, messages: Sequence[deal_pb2.Event]) -> None:
        self._messages = messages

    def __len__(self) -> int:
        return len(self._messages)

    @overload
    def __getitem__(self, index: int) -> Event: ...
    @overload
    def __getitem__(self, index: slice) -> list[Event]: ...
    def __getitem__(self, index: int | slice) -> Event | list[Event]:
        if isinstance(index, slice):
            return list(_known(self._messages[index]))
        return read_event(self._messages[index])


def _known(messages: Iterable[deal_pb2.Event]) -> Iterator[Event]:
    for message in messages:
        with suppress(LaterVersionError):
            yield read_event(message)
