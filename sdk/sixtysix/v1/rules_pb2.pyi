from sixtysix.v1 import cards_pb2 as _cards_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Leader(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    LEADER_UNSPECIFIED: _ClassVar[Leader]
    LEADER_FOREHAND: _ClassVar[Leader]
    LEADER_DEALER: _ClassVar[Leader]

class NextDealer(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    NEXT_DEALER_UNSPECIFIED: _ClassVar[NextDealer]
    NEXT_DEALER_WINNER: _ClassVar[NextDealer]
    NEXT_DEALER_ALTERNATE: _ClassVar[NextDealer]

class Duty(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    DUTY_UNSPECIFIED: _ClassVar[Duty]
    DUTY_NONE: _ClassVar[Duty]
    DUTY_FOLLOW: _ClassVar[Duty]
    DUTY_HEAD: _ClassVar[Duty]

class Measure(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    MEASURE_UNSPECIFIED: _ClassVar[Measure]
    MEASURE_AT_CLAIM: _ClassVar[Measure]
    MEASURE_AT_CLOSE: _ClassVar[Measure]

class BothOver(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    BOTH_OVER_UNSPECIFIED: _ClassVar[BothOver]
    BOTH_OVER_CLAIMANT: _ClassVar[BothOver]
    BOTH_OVER_CARRY: _ClassVar[BothOver]

class CloserFails(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CLOSER_FAILS_UNSPECIFIED: _ClassVar[CloserFails]
    CLOSER_FAILS_OTHER_TRICKLESS: _ClassVar[CloserFails]
    CLOSER_FAILS_CLOSER_TRICKLESS: _ClassVar[CloserFails]
    CLOSER_FAILS_NO_PENALTY: _ClassVar[CloserFails]

class CloserBeaten(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CLOSER_BEATEN_UNSPECIFIED: _ClassVar[CloserBeaten]
    CLOSER_BEATEN_FLAT: _ClassVar[CloserBeaten]
    CLOSER_BEATEN_AS_FAILED_CLOSE: _ClassVar[CloserBeaten]
    CLOSER_BEATEN_AS_CLAIM: _ClassVar[CloserBeaten]

class Unclaimed(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    UNCLAIMED_UNSPECIFIED: _ClassVar[Unclaimed]
    UNCLAIMED_HIGHER_TOTAL: _ClassVar[Unclaimed]
    UNCLAIMED_TIE: _ClassVar[Unclaimed]
    UNCLAIMED_DRAW: _ClassVar[Unclaimed]
    UNCLAIMED_LAST_TRICK: _ClassVar[Unclaimed]
    UNCLAIMED_LAST_TRICK_FLAT: _ClassVar[Unclaimed]

class ClosedUnclaimed(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CLOSED_UNCLAIMED_UNSPECIFIED: _ClassVar[ClosedUnclaimed]
    CLOSED_UNCLAIMED_FAILED: _ClassVar[ClosedUnclaimed]
    CLOSED_UNCLAIMED_TIE_AT_66: _ClassVar[ClosedUnclaimed]
    CLOSED_UNCLAIMED_DRAW: _ClassVar[ClosedUnclaimed]

class LastClaim(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    LAST_CLAIM_UNSPECIFIED: _ClassVar[LastClaim]
    LAST_CLAIM_CLOSED: _ClassVar[LastClaim]
    LAST_CLAIM_ALWAYS: _ClassVar[LastClaim]
LEADER_UNSPECIFIED: Leader
LEADER_FOREHAND: Leader
LEADER_DEALER: Leader
NEXT_DEALER_UNSPECIFIED: NextDealer
NEXT_DEALER_WINNER: NextDealer
NEXT_DEALER_ALTERNATE: NextDealer
DUTY_UNSPECIFIED: Duty
DUTY_NONE: Duty
DUTY_FOLLOW: Duty
DUTY_HEAD: Duty
MEASURE_UNSPECIFIED: Measure
MEASURE_AT_CLAIM: Measure
MEASURE_AT_CLOSE: Measure
BOTH_OVER_UNSPECIFIED: BothOver
BOTH_OVER_CLAIMANT: BothOver
BOTH_OVER_CARRY: BothOver
CLOSER_FAILS_UNSPECIFIED: CloserFails
CLOSER_FAILS_OTHER_TRICKLESS: CloserFails
CLOSER_FAILS_CLOSER_TRICKLESS: CloserFails
CLOSER_FAILS_NO_PENALTY: CloserFails
CLOSER_BEATEN_UNSPECIFIED: CloserBeaten
CLOSER_BEATEN_FLAT: CloserBeaten
CLOSER_BEATEN_AS_FAILED_CLOSE: CloserBeaten
CLOSER_BEATEN_AS_CLAIM: CloserBeaten
UNCLAIMED_UNSPECIFIED: Unclaimed
UNCLAIMED_HIGHER_TOTAL: Unclaimed
UNCLAIMED_TIE: Unclaimed
UNCLAIMED_DRAW: Unclaimed
UNCLAIMED_LAST_TRICK: Unclaimed
UNCLAIMED_LAST_TRICK_FLAT: Unclaimed
CLOSED_UNCLAIMED_UNSPECIFIED: ClosedUnclaimed
CLOSED_UNCLAIMED_FAILED: ClosedUnclaimed
CLOSED_UNCLAIMED_TIE_AT_66: ClosedUnclaimed
CLOSED_UNCLAIMED_DRAW: ClosedUnclaimed
LAST_CLAIM_UNSPECIFIED: LastClaim
LAST_CLAIM_CLOSED: LastClaim
LAST_CLAIM_ALWAYS: LastClaim

class RuleSet(_message.Message):
    __slots__ = ("name", "title", "hash", "ranks", "card_points", "hand_size", "packets", "turn_up_after", "turn_up_on_top", "first_lead", "next_dealer", "open_duty", "closed_duty", "exchange", "exchange_needs_trick", "exchange_min_face_down", "exchange_before_following", "exchange_after_close", "trump_change", "marriage_any_lead", "marriage_needs_its_trick", "marriage_points", "trump_marriage_points", "close_before_draw", "close_needs_trick", "last_trick_points", "claim_points", "schneider_points", "closer_measure", "both_over", "false_claim", "false_claim_trickless", "closer_fails", "closer_beaten", "unclaimed", "closed_unclaimed", "last_claim", "forfeit", "zero_sum", "target", "score_down")
    NAME_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    HASH_FIELD_NUMBER: _ClassVar[int]
    RANKS_FIELD_NUMBER: _ClassVar[int]
    CARD_POINTS_FIELD_NUMBER: _ClassVar[int]
    HAND_SIZE_FIELD_NUMBER: _ClassVar[int]
    PACKETS_FIELD_NUMBER: _ClassVar[int]
    TURN_UP_AFTER_FIELD_NUMBER: _ClassVar[int]
    TURN_UP_ON_TOP_FIELD_NUMBER: _ClassVar[int]
    FIRST_LEAD_FIELD_NUMBER: _ClassVar[int]
    NEXT_DEALER_FIELD_NUMBER: _ClassVar[int]
    OPEN_DUTY_FIELD_NUMBER: _ClassVar[int]
    CLOSED_DUTY_FIELD_NUMBER: _ClassVar[int]
    EXCHANGE_FIELD_NUMBER: _ClassVar[int]
    EXCHANGE_NEEDS_TRICK_FIELD_NUMBER: _ClassVar[int]
    EXCHANGE_MIN_FACE_DOWN_FIELD_NUMBER: _ClassVar[int]
    EXCHANGE_BEFORE_FOLLOWING_FIELD_NUMBER: _ClassVar[int]
    EXCHANGE_AFTER_CLOSE_FIELD_NUMBER: _ClassVar[int]
    TRUMP_CHANGE_FIELD_NUMBER: _ClassVar[int]
    MARRIAGE_ANY_LEAD_FIELD_NUMBER: _ClassVar[int]
    MARRIAGE_NEEDS_ITS_TRICK_FIELD_NUMBER: _ClassVar[int]
    MARRIAGE_POINTS_FIELD_NUMBER: _ClassVar[int]
    TRUMP_MARRIAGE_POINTS_FIELD_NUMBER: _ClassVar[int]
    CLOSE_BEFORE_DRAW_FIELD_NUMBER: _ClassVar[int]
    CLOSE_NEEDS_TRICK_FIELD_NUMBER: _ClassVar[int]
    LAST_TRICK_POINTS_FIELD_NUMBER: _ClassVar[int]
    CLAIM_POINTS_FIELD_NUMBER: _ClassVar[int]
    SCHNEIDER_POINTS_FIELD_NUMBER: _ClassVar[int]
    CLOSER_MEASURE_FIELD_NUMBER: _ClassVar[int]
    BOTH_OVER_FIELD_NUMBER: _ClassVar[int]
    FALSE_CLAIM_FIELD_NUMBER: _ClassVar[int]
    FALSE_CLAIM_TRICKLESS_FIELD_NUMBER: _ClassVar[int]
    CLOSER_FAILS_FIELD_NUMBER: _ClassVar[int]
    CLOSER_BEATEN_FIELD_NUMBER: _ClassVar[int]
    UNCLAIMED_FIELD_NUMBER: _ClassVar[int]
    CLOSED_UNCLAIMED_FIELD_NUMBER: _ClassVar[int]
    LAST_CLAIM_FIELD_NUMBER: _ClassVar[int]
    FORFEIT_FIELD_NUMBER: _ClassVar[int]
    ZERO_SUM_FIELD_NUMBER: _ClassVar[int]
    TARGET_FIELD_NUMBER: _ClassVar[int]
    SCORE_DOWN_FIELD_NUMBER: _ClassVar[int]
    name: str
    title: str
    hash: str
    ranks: _containers.RepeatedScalarFieldContainer[_cards_pb2.Rank]
    card_points: _containers.RepeatedScalarFieldContainer[int]
    hand_size: int
    packets: _containers.RepeatedScalarFieldContainer[int]
    turn_up_after: int
    turn_up_on_top: bool
    first_lead: Leader
    next_dealer: NextDealer
    open_duty: Duty
    closed_duty: Duty
    exchange: bool
    exchange_needs_trick: bool
    exchange_min_face_down: int
    exchange_before_following: bool
    exchange_after_close: bool
    trump_change: bool
    marriage_any_lead: bool
    marriage_needs_its_trick: bool
    marriage_points: int
    trump_marriage_points: int
    close_before_draw: bool
    close_needs_trick: bool
    last_trick_points: int
    claim_points: int
    schneider_points: int
    closer_measure: Measure
    both_over: BothOver
    false_claim: int
    false_claim_trickless: int
    closer_fails: CloserFails
    closer_beaten: CloserBeaten
    unclaimed: Unclaimed
    closed_unclaimed: ClosedUnclaimed
    last_claim: LastClaim
    forfeit: int
    zero_sum: bool
    target: int
    score_down: bool
    def __init__(self, name: _Optional[str] = ..., title: _Optional[str] = ..., hash: _Optional[str] = ..., ranks: _Optional[_Iterable[_Union[_cards_pb2.Rank, str]]] = ..., card_points: _Optional[_Iterable[int]] = ..., hand_size: _Optional[int] = ..., packets: _Optional[_Iterable[int]] = ..., turn_up_after: _Optional[int] = ..., turn_up_on_top: bool = ..., first_lead: _Optional[_Union[Leader, str]] = ..., next_dealer: _Optional[_Union[NextDealer, str]] = ..., open_duty: _Optional[_Union[Duty, str]] = ..., closed_duty: _Optional[_Union[Duty, str]] = ..., exchange: bool = ..., exchange_needs_trick: bool = ..., exchange_min_face_down: _Optional[int] = ..., exchange_before_following: bool = ..., exchange_after_close: bool = ..., trump_change: bool = ..., marriage_any_lead: bool = ..., marriage_needs_its_trick: bool = ..., marriage_points: _Optional[int] = ..., trump_marriage_points: _Optional[int] = ..., close_before_draw: bool = ..., close_needs_trick: bool = ..., last_trick_points: _Optional[int] = ..., claim_points: _Optional[int] = ..., schneider_points: _Optional[int] = ..., closer_measure: _Optional[_Union[Measure, str]] = ..., both_over: _Optional[_Union[BothOver, str]] = ..., false_claim: _Optional[int] = ..., false_claim_trickless: _Optional[int] = ..., closer_fails: _Optional[_Union[CloserFails, str]] = ..., closer_beaten: _Optional[_Union[CloserBeaten, str]] = ..., unclaimed: _Optional[_Union[Unclaimed, str]] = ..., closed_unclaimed: _Optional[_Union[ClosedUnclaimed, str]] = ..., last_claim: _Optional[_Union[LastClaim, str]] = ..., forfeit: _Optional[int] = ..., zero_sum: bool = ..., target: _Optional[int] = ..., score_down: bool = ...) -> None: ...
