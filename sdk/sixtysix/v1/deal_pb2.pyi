from sixtysix.v1 import cards_pb2 as _cards_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ActionKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ACTION_KIND_UNSPECIFIED: _ClassVar[ActionKind]
    ACTION_KIND_PLAY: _ClassVar[ActionKind]
    ACTION_KIND_DRAW: _ClassVar[ActionKind]
    ACTION_KIND_EXCHANGE: _ClassVar[ActionKind]
    ACTION_KIND_CLOSE: _ClassVar[ActionKind]
    ACTION_KIND_CLAIM: _ClassVar[ActionKind]
    ACTION_KIND_PASS: _ClassVar[ActionKind]
    ACTION_KIND_MARRIAGE: _ClassVar[ActionKind]
    ACTION_KIND_TRUMP: _ClassVar[ActionKind]

class Stage(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    STAGE_UNSPECIFIED: _ClassVar[Stage]
    STAGE_BEFORE_DRAW: _ClassVar[Stage]
    STAGE_LEAD: _ClassVar[Stage]
    STAGE_EXCHANGE_OFFER: _ClassVar[Stage]
    STAGE_FOLLOW: _ClassVar[Stage]
    STAGE_LAST_CLAIM: _ClassVar[Stage]

class EventKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    EVENT_KIND_UNSPECIFIED: _ClassVar[EventKind]
    EVENT_KIND_DEALT: _ClassVar[EventKind]
    EVENT_KIND_TURNED_UP: _ClassVar[EventKind]
    EVENT_KIND_PLAYED: _ClassVar[EventKind]
    EVENT_KIND_TRICK: _ClassVar[EventKind]
    EVENT_KIND_DREW: _ClassVar[EventKind]
    EVENT_KIND_EXCHANGED: _ClassVar[EventKind]
    EVENT_KIND_MARRIAGE: _ClassVar[EventKind]
    EVENT_KIND_TRUMP_CHANGED: _ClassVar[EventKind]
    EVENT_KIND_CLOSED: _ClassVar[EventKind]
    EVENT_KIND_CLAIMED: _ClassVar[EventKind]
    EVENT_KIND_PASSED: _ClassVar[EventKind]

class Reason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    REASON_UNSPECIFIED: _ClassVar[Reason]
    REASON_CLAIM: _ClassVar[Reason]
    REASON_FALSE_CLAIM: _ClassVar[Reason]
    REASON_FAILED_CLOSE: _ClassVar[Reason]
    REASON_CLOSER_BEATEN: _ClassVar[Reason]
    REASON_LAST_TRICK: _ClassVar[Reason]
    REASON_HIGHER_TOTAL: _ClassVar[Reason]
    REASON_DRAW: _ClassVar[Reason]
    REASON_TIE: _ClassVar[Reason]
    REASON_BOTH_OVER_66: _ClassVar[Reason]
    REASON_FORFEIT: _ClassVar[Reason]
ACTION_KIND_UNSPECIFIED: ActionKind
ACTION_KIND_PLAY: ActionKind
ACTION_KIND_DRAW: ActionKind
ACTION_KIND_EXCHANGE: ActionKind
ACTION_KIND_CLOSE: ActionKind
ACTION_KIND_CLAIM: ActionKind
ACTION_KIND_PASS: ActionKind
ACTION_KIND_MARRIAGE: ActionKind
ACTION_KIND_TRUMP: ActionKind
STAGE_UNSPECIFIED: Stage
STAGE_BEFORE_DRAW: Stage
STAGE_LEAD: Stage
STAGE_EXCHANGE_OFFER: Stage
STAGE_FOLLOW: Stage
STAGE_LAST_CLAIM: Stage
EVENT_KIND_UNSPECIFIED: EventKind
EVENT_KIND_DEALT: EventKind
EVENT_KIND_TURNED_UP: EventKind
EVENT_KIND_PLAYED: EventKind
EVENT_KIND_TRICK: EventKind
EVENT_KIND_DREW: EventKind
EVENT_KIND_EXCHANGED: EventKind
EVENT_KIND_MARRIAGE: EventKind
EVENT_KIND_TRUMP_CHANGED: EventKind
EVENT_KIND_CLOSED: EventKind
EVENT_KIND_CLAIMED: EventKind
EVENT_KIND_PASSED: EventKind
REASON_UNSPECIFIED: Reason
REASON_CLAIM: Reason
REASON_FALSE_CLAIM: Reason
REASON_FAILED_CLOSE: Reason
REASON_CLOSER_BEATEN: Reason
REASON_LAST_TRICK: Reason
REASON_HIGHER_TOTAL: Reason
REASON_DRAW: Reason
REASON_TIE: Reason
REASON_BOTH_OVER_66: Reason
REASON_FORFEIT: Reason

class Action(_message.Message):
    __slots__ = ("kind", "card", "suit")
    KIND_FIELD_NUMBER: _ClassVar[int]
    CARD_FIELD_NUMBER: _ClassVar[int]
    SUIT_FIELD_NUMBER: _ClassVar[int]
    kind: ActionKind
    card: _cards_pb2.Card
    suit: _cards_pb2.Suit
    def __init__(self, kind: _Optional[_Union[ActionKind, str]] = ..., card: _Optional[_Union[_cards_pb2.Card, str]] = ..., suit: _Optional[_Union[_cards_pb2.Suit, str]] = ...) -> None: ...

class Event(_message.Message):
    __slots__ = ("kind", "seat", "cards", "suit", "points")
    KIND_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    CARDS_FIELD_NUMBER: _ClassVar[int]
    SUIT_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    kind: EventKind
    seat: _cards_pb2.Seat
    cards: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    suit: _cards_pb2.Suit
    points: int
    def __init__(self, kind: _Optional[_Union[EventKind, str]] = ..., seat: _Optional[_Union[_cards_pb2.Seat, str]] = ..., cards: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ..., suit: _Optional[_Union[_cards_pb2.Suit, str]] = ..., points: _Optional[int] = ...) -> None: ...

class CloseState(_message.Message):
    __slots__ = ("own_card_points", "opponent_card_points", "own_tricks", "opponent_tricks")
    OWN_CARD_POINTS_FIELD_NUMBER: _ClassVar[int]
    OPPONENT_CARD_POINTS_FIELD_NUMBER: _ClassVar[int]
    OWN_TRICKS_FIELD_NUMBER: _ClassVar[int]
    OPPONENT_TRICKS_FIELD_NUMBER: _ClassVar[int]
    own_card_points: int
    opponent_card_points: int
    own_tricks: int
    opponent_tricks: int
    def __init__(self, own_card_points: _Optional[int] = ..., opponent_card_points: _Optional[int] = ..., own_tricks: _Optional[int] = ..., opponent_tricks: _Optional[int] = ...) -> None: ...

class Observation(_message.Message):
    __slots__ = ("seat", "deal_number", "dealer", "hand", "trump", "turn_up", "talon_count", "talon_closed_by", "leader", "led_card", "declared_marriage", "own_tricks", "opponent_tricks", "own_card_points", "opponent_card_points", "own_marriage_points", "opponent_marriage_points", "pending_marriage_points", "own_trick_points", "opponent_trick_points", "close_state", "used_nines", "opponent_known_cards", "own_shown_cards", "own_score", "opponent_score", "carry", "history", "played_cards")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    DEAL_NUMBER_FIELD_NUMBER: _ClassVar[int]
    DEALER_FIELD_NUMBER: _ClassVar[int]
    HAND_FIELD_NUMBER: _ClassVar[int]
    TRUMP_FIELD_NUMBER: _ClassVar[int]
    TURN_UP_FIELD_NUMBER: _ClassVar[int]
    TALON_COUNT_FIELD_NUMBER: _ClassVar[int]
    TALON_CLOSED_BY_FIELD_NUMBER: _ClassVar[int]
    LEADER_FIELD_NUMBER: _ClassVar[int]
    LED_CARD_FIELD_NUMBER: _ClassVar[int]
    DECLARED_MARRIAGE_FIELD_NUMBER: _ClassVar[int]
    OWN_TRICKS_FIELD_NUMBER: _ClassVar[int]
    OPPONENT_TRICKS_FIELD_NUMBER: _ClassVar[int]
    OWN_CARD_POINTS_FIELD_NUMBER: _ClassVar[int]
    OPPONENT_CARD_POINTS_FIELD_NUMBER: _ClassVar[int]
    OWN_MARRIAGE_POINTS_FIELD_NUMBER: _ClassVar[int]
    OPPONENT_MARRIAGE_POINTS_FIELD_NUMBER: _ClassVar[int]
    PENDING_MARRIAGE_POINTS_FIELD_NUMBER: _ClassVar[int]
    OWN_TRICK_POINTS_FIELD_NUMBER: _ClassVar[int]
    OPPONENT_TRICK_POINTS_FIELD_NUMBER: _ClassVar[int]
    CLOSE_STATE_FIELD_NUMBER: _ClassVar[int]
    USED_NINES_FIELD_NUMBER: _ClassVar[int]
    OPPONENT_KNOWN_CARDS_FIELD_NUMBER: _ClassVar[int]
    OWN_SHOWN_CARDS_FIELD_NUMBER: _ClassVar[int]
    OWN_SCORE_FIELD_NUMBER: _ClassVar[int]
    OPPONENT_SCORE_FIELD_NUMBER: _ClassVar[int]
    CARRY_FIELD_NUMBER: _ClassVar[int]
    HISTORY_FIELD_NUMBER: _ClassVar[int]
    PLAYED_CARDS_FIELD_NUMBER: _ClassVar[int]
    seat: _cards_pb2.Seat
    deal_number: int
    dealer: _cards_pb2.Seat
    hand: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    trump: _cards_pb2.Suit
    turn_up: _cards_pb2.Card
    talon_count: int
    talon_closed_by: _cards_pb2.Seat
    leader: _cards_pb2.Seat
    led_card: _cards_pb2.Card
    declared_marriage: _cards_pb2.Suit
    own_tricks: int
    opponent_tricks: int
    own_card_points: int
    opponent_card_points: int
    own_marriage_points: int
    opponent_marriage_points: int
    pending_marriage_points: int
    own_trick_points: int
    opponent_trick_points: int
    close_state: CloseState
    used_nines: _containers.RepeatedScalarFieldContainer[_cards_pb2.Suit]
    opponent_known_cards: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    own_shown_cards: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    own_score: int
    opponent_score: int
    carry: int
    history: _containers.RepeatedCompositeFieldContainer[Event]
    played_cards: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    def __init__(self, seat: _Optional[_Union[_cards_pb2.Seat, str]] = ..., deal_number: _Optional[int] = ..., dealer: _Optional[_Union[_cards_pb2.Seat, str]] = ..., hand: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ..., trump: _Optional[_Union[_cards_pb2.Suit, str]] = ..., turn_up: _Optional[_Union[_cards_pb2.Card, str]] = ..., talon_count: _Optional[int] = ..., talon_closed_by: _Optional[_Union[_cards_pb2.Seat, str]] = ..., leader: _Optional[_Union[_cards_pb2.Seat, str]] = ..., led_card: _Optional[_Union[_cards_pb2.Card, str]] = ..., declared_marriage: _Optional[_Union[_cards_pb2.Suit, str]] = ..., own_tricks: _Optional[int] = ..., opponent_tricks: _Optional[int] = ..., own_card_points: _Optional[int] = ..., opponent_card_points: _Optional[int] = ..., own_marriage_points: _Optional[int] = ..., opponent_marriage_points: _Optional[int] = ..., pending_marriage_points: _Optional[int] = ..., own_trick_points: _Optional[int] = ..., opponent_trick_points: _Optional[int] = ..., close_state: _Optional[_Union[CloseState, _Mapping]] = ..., used_nines: _Optional[_Iterable[_Union[_cards_pb2.Suit, str]]] = ..., opponent_known_cards: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ..., own_shown_cards: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ..., own_score: _Optional[int] = ..., opponent_score: _Optional[int] = ..., carry: _Optional[int] = ..., history: _Optional[_Iterable[_Union[Event, _Mapping]]] = ..., played_cards: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ...) -> None: ...

class Outcome(_message.Message):
    __slots__ = ("winner", "game_points", "own_score_change", "opponent_score_change", "carry", "reason", "own_card_points", "opponent_card_points", "own_tricks", "opponent_tricks")
    WINNER_FIELD_NUMBER: _ClassVar[int]
    GAME_POINTS_FIELD_NUMBER: _ClassVar[int]
    OWN_SCORE_CHANGE_FIELD_NUMBER: _ClassVar[int]
    OPPONENT_SCORE_CHANGE_FIELD_NUMBER: _ClassVar[int]
    CARRY_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    OWN_CARD_POINTS_FIELD_NUMBER: _ClassVar[int]
    OPPONENT_CARD_POINTS_FIELD_NUMBER: _ClassVar[int]
    OWN_TRICKS_FIELD_NUMBER: _ClassVar[int]
    OPPONENT_TRICKS_FIELD_NUMBER: _ClassVar[int]
    winner: _cards_pb2.Seat
    game_points: int
    own_score_change: int
    opponent_score_change: int
    carry: int
    reason: Reason
    own_card_points: int
    opponent_card_points: int
    own_tricks: int
    opponent_tricks: int
    def __init__(self, winner: _Optional[_Union[_cards_pb2.Seat, str]] = ..., game_points: _Optional[int] = ..., own_score_change: _Optional[int] = ..., opponent_score_change: _Optional[int] = ..., carry: _Optional[int] = ..., reason: _Optional[_Union[Reason, str]] = ..., own_card_points: _Optional[int] = ..., opponent_card_points: _Optional[int] = ..., own_tricks: _Optional[int] = ..., opponent_tricks: _Optional[int] = ...) -> None: ...
