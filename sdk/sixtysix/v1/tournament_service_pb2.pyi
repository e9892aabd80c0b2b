from google.protobuf import timestamp_pb2 as _timestamp_pb2
from sixtysix.v1 import bot_service_pb2 as _bot_service_pb2
from sixtysix.v1 import cards_pb2 as _cards_pb2
from sixtysix.v1 import deal_pb2 as _deal_pb2
from sixtysix.v1 import rules_pb2 as _rules_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class TournamentState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    TOURNAMENT_STATE_UNSPECIFIED: _ClassVar[TournamentState]
    TOURNAMENT_STATE_RUNNING: _ClassVar[TournamentState]
    TOURNAMENT_STATE_FINISHED: _ClassVar[TournamentState]
    TOURNAMENT_STATE_STOPPED: _ClassVar[TournamentState]
TOURNAMENT_STATE_UNSPECIFIED: TournamentState
TOURNAMENT_STATE_RUNNING: TournamentState
TOURNAMENT_STATE_FINISHED: TournamentState
TOURNAMENT_STATE_STOPPED: TournamentState

class GetServerInfoRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class GetServerInfoResponse(_message.Message):
    __slots__ = ("server_version", "protocol_major", "protocol_minor", "rule_sets")
    SERVER_VERSION_FIELD_NUMBER: _ClassVar[int]
    PROTOCOL_MAJOR_FIELD_NUMBER: _ClassVar[int]
    PROTOCOL_MINOR_FIELD_NUMBER: _ClassVar[int]
    RULE_SETS_FIELD_NUMBER: _ClassVar[int]
    server_version: str
    protocol_major: int
    protocol_minor: int
    rule_sets: _containers.RepeatedCompositeFieldContainer[_rules_pb2.RuleSet]
    def __init__(self, server_version: _Optional[str] = ..., protocol_major: _Optional[int] = ..., protocol_minor: _Optional[int] = ..., rule_sets: _Optional[_Iterable[_Union[_rules_pb2.RuleSet, _Mapping]]] = ...) -> None: ...

class ListTournamentsRequest(_message.Message):
    __slots__ = ("page_size", "page_token")
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListTournamentsResponse(_message.Message):
    __slots__ = ("tournaments", "next_page_token")
    TOURNAMENTS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    tournaments: _containers.RepeatedCompositeFieldContainer[Tournament]
    next_page_token: str
    def __init__(self, tournaments: _Optional[_Iterable[_Union[Tournament, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class Tournament(_message.Message):
    __slots__ = ("tournament_id", "name", "rules", "bots", "state", "scheduled_matches", "played_matches", "void_matches", "created_at")
    TOURNAMENT_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    RULES_FIELD_NUMBER: _ClassVar[int]
    BOTS_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    SCHEDULED_MATCHES_FIELD_NUMBER: _ClassVar[int]
    PLAYED_MATCHES_FIELD_NUMBER: _ClassVar[int]
    VOID_MATCHES_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    tournament_id: str
    name: str
    rules: _rules_pb2.RuleSet
    bots: _containers.RepeatedScalarFieldContainer[str]
    state: TournamentState
    scheduled_matches: int
    played_matches: int
    void_matches: int
    created_at: _timestamp_pb2.Timestamp
    def __init__(self, tournament_id: _Optional[str] = ..., name: _Optional[str] = ..., rules: _Optional[_Union[_rules_pb2.RuleSet, _Mapping]] = ..., bots: _Optional[_Iterable[str]] = ..., state: _Optional[_Union[TournamentState, str]] = ..., scheduled_matches: _Optional[int] = ..., played_matches: _Optional[int] = ..., void_matches: _Optional[int] = ..., created_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class GetStandingsRequest(_message.Message):
    __slots__ = ("tournament_id",)
    TOURNAMENT_ID_FIELD_NUMBER: _ClassVar[int]
    tournament_id: str
    def __init__(self, tournament_id: _Optional[str] = ...) -> None: ...

class GetStandingsResponse(_message.Message):
    __slots__ = ("tournament", "standings")
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    STANDINGS_FIELD_NUMBER: _ClassVar[int]
    tournament: Tournament
    standings: _containers.RepeatedCompositeFieldContainer[Standing]
    def __init__(self, tournament: _Optional[_Union[Tournament, _Mapping]] = ..., standings: _Optional[_Iterable[_Union[Standing, _Mapping]]] = ...) -> None: ...

class Standing(_message.Message):
    __slots__ = ("rank", "name", "matches", "won", "lost", "drawn", "game_points", "game_points_against", "deals", "faults", "mean_us", "worst_us")
    RANK_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    MATCHES_FIELD_NUMBER: _ClassVar[int]
    WON_FIELD_NUMBER: _ClassVar[int]
    LOST_FIELD_NUMBER: _ClassVar[int]
    DRAWN_FIELD_NUMBER: _ClassVar[int]
    GAME_POINTS_FIELD_NUMBER: _ClassVar[int]
    GAME_POINTS_AGAINST_FIELD_NUMBER: _ClassVar[int]
    DEALS_FIELD_NUMBER: _ClassVar[int]
    FAULTS_FIELD_NUMBER: _ClassVar[int]
    MEAN_US_FIELD_NUMBER: _ClassVar[int]
    WORST_US_FIELD_NUMBER: _ClassVar[int]
    rank: int
    name: str
    matches: int
    won: int
    lost: int
    drawn: int
    game_points: int
    game_points_against: int
    deals: int
    faults: int
    mean_us: int
    worst_us: int
    def __init__(self, rank: _Optional[int] = ..., name: _Optional[str] = ..., matches: _Optional[int] = ..., won: _Optional[int] = ..., lost: _Optional[int] = ..., drawn: _Optional[int] = ..., game_points: _Optional[int] = ..., game_points_against: _Optional[int] = ..., deals: _Optional[int] = ..., faults: _Optional[int] = ..., mean_us: _Optional[int] = ..., worst_us: _Optional[int] = ...) -> None: ...

class ListMatchesRequest(_message.Message):
    __slots__ = ("tournament_id", "page_size", "page_token")
    TOURNAMENT_ID_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    tournament_id: str
    page_size: int
    page_token: str
    def __init__(self, tournament_id: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListMatchesResponse(_message.Message):
    __slots__ = ("matches", "next_page_token")
    MATCHES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    matches: _containers.RepeatedCompositeFieldContainer[MatchSummary]
    next_page_token: str
    def __init__(self, matches: _Optional[_Iterable[_Union[MatchSummary, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class SeatStats(_message.Message):
    __slots__ = ("decisions", "total_us", "worst_us", "faults")
    DECISIONS_FIELD_NUMBER: _ClassVar[int]
    TOTAL_US_FIELD_NUMBER: _ClassVar[int]
    WORST_US_FIELD_NUMBER: _ClassVar[int]
    FAULTS_FIELD_NUMBER: _ClassVar[int]
    decisions: int
    total_us: int
    worst_us: int
    faults: int
    def __init__(self, decisions: _Optional[int] = ..., total_us: _Optional[int] = ..., worst_us: _Optional[int] = ..., faults: _Optional[int] = ...) -> None: ...

class MatchSummary(_message.Message):
    __slots__ = ("match_id", "pairing", "number", "bots", "first_dealer", "winner", "reason", "detail", "score", "deals", "seats", "started_at", "duration_us")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    PAIRING_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    BOTS_FIELD_NUMBER: _ClassVar[int]
    FIRST_DEALER_FIELD_NUMBER: _ClassVar[int]
    WINNER_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    DETAIL_FIELD_NUMBER: _ClassVar[int]
    SCORE_FIELD_NUMBER: _ClassVar[int]
    DEALS_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    STARTED_AT_FIELD_NUMBER: _ClassVar[int]
    DURATION_US_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    pairing: str
    number: int
    bots: _containers.RepeatedScalarFieldContainer[str]
    first_dealer: _cards_pb2.Seat
    winner: _cards_pb2.Seat
    reason: _bot_service_pb2.MatchEndReason
    detail: str
    score: _containers.RepeatedScalarFieldContainer[int]
    deals: int
    seats: _containers.RepeatedCompositeFieldContainer[SeatStats]
    started_at: _timestamp_pb2.Timestamp
    duration_us: int
    def __init__(self, match_id: _Optional[str] = ..., pairing: _Optional[str] = ..., number: _Optional[int] = ..., bots: _Optional[_Iterable[str]] = ..., first_dealer: _Optional[_Union[_cards_pb2.Seat, str]] = ..., winner: _Optional[_Union[_cards_pb2.Seat, str]] = ..., reason: _Optional[_Union[_bot_service_pb2.MatchEndReason, str]] = ..., detail: _Optional[str] = ..., score: _Optional[_Iterable[int]] = ..., deals: _Optional[int] = ..., seats: _Optional[_Iterable[_Union[SeatStats, _Mapping]]] = ..., started_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., duration_us: _Optional[int] = ...) -> None: ...

class GetMatchRecordRequest(_message.Message):
    __slots__ = ("tournament_id", "match_id")
    TOURNAMENT_ID_FIELD_NUMBER: _ClassVar[int]
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    tournament_id: str
    match_id: str
    def __init__(self, tournament_id: _Optional[str] = ..., match_id: _Optional[str] = ...) -> None: ...

class GetMatchRecordResponse(_message.Message):
    __slots__ = ("record",)
    RECORD_FIELD_NUMBER: _ClassVar[int]
    record: MatchRecord
    def __init__(self, record: _Optional[_Union[MatchRecord, _Mapping]] = ...) -> None: ...

class MatchRecord(_message.Message):
    __slots__ = ("match", "rules", "deals")
    MATCH_FIELD_NUMBER: _ClassVar[int]
    RULES_FIELD_NUMBER: _ClassVar[int]
    DEALS_FIELD_NUMBER: _ClassVar[int]
    match: MatchSummary
    rules: _rules_pb2.RuleSet
    deals: _containers.RepeatedCompositeFieldContainer[DealRecord]
    def __init__(self, match: _Optional[_Union[MatchSummary, _Mapping]] = ..., rules: _Optional[_Union[_rules_pb2.RuleSet, _Mapping]] = ..., deals: _Optional[_Iterable[_Union[DealRecord, _Mapping]]] = ...) -> None: ...

class DealRecord(_message.Message):
    __slots__ = ("number", "dealer", "carry", "first_hand", "second_hand", "talon", "turn_up", "actions", "result", "deck", "salt", "commitment", "forfeit", "pairing")
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    DEALER_FIELD_NUMBER: _ClassVar[int]
    CARRY_FIELD_NUMBER: _ClassVar[int]
    FIRST_HAND_FIELD_NUMBER: _ClassVar[int]
    SECOND_HAND_FIELD_NUMBER: _ClassVar[int]
    TALON_FIELD_NUMBER: _ClassVar[int]
    TURN_UP_FIELD_NUMBER: _ClassVar[int]
    ACTIONS_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    DECK_FIELD_NUMBER: _ClassVar[int]
    SALT_FIELD_NUMBER: _ClassVar[int]
    COMMITMENT_FIELD_NUMBER: _ClassVar[int]
    FORFEIT_FIELD_NUMBER: _ClassVar[int]
    PAIRING_FIELD_NUMBER: _ClassVar[int]
    number: int
    dealer: _cards_pb2.Seat
    carry: int
    first_hand: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    second_hand: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    talon: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    turn_up: _cards_pb2.Card
    actions: _containers.RepeatedCompositeFieldContainer[RecordedAction]
    result: DealResult
    deck: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    salt: bytes
    commitment: bytes
    forfeit: Forfeit
    pairing: str
    def __init__(self, number: _Optional[int] = ..., dealer: _Optional[_Union[_cards_pb2.Seat, str]] = ..., carry: _Optional[int] = ..., first_hand: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ..., second_hand: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ..., talon: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ..., turn_up: _Optional[_Union[_cards_pb2.Card, str]] = ..., actions: _Optional[_Iterable[_Union[RecordedAction, _Mapping]]] = ..., result: _Optional[_Union[DealResult, _Mapping]] = ..., deck: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ..., salt: _Optional[bytes] = ..., commitment: _Optional[bytes] = ..., forfeit: _Optional[_Union[Forfeit, _Mapping]] = ..., pairing: _Optional[str] = ...) -> None: ...

class RecordedAction(_message.Message):
    __slots__ = ("action", "charge", "comment")
    ACTION_FIELD_NUMBER: _ClassVar[int]
    CHARGE_FIELD_NUMBER: _ClassVar[int]
    COMMENT_FIELD_NUMBER: _ClassVar[int]
    action: _deal_pb2.Action
    charge: _bot_service_pb2.Charge
    comment: str
    def __init__(self, action: _Optional[_Union[_deal_pb2.Action, _Mapping]] = ..., charge: _Optional[_Union[_bot_service_pb2.Charge, _Mapping]] = ..., comment: _Optional[str] = ...) -> None: ...

class DealResult(_message.Message):
    __slots__ = ("winner", "game_points", "score_change", "carry", "reason", "card_points", "tricks")
    WINNER_FIELD_NUMBER: _ClassVar[int]
    GAME_POINTS_FIELD_NUMBER: _ClassVar[int]
    SCORE_CHANGE_FIELD_NUMBER: _ClassVar[int]
    CARRY_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    CARD_POINTS_FIELD_NUMBER: _ClassVar[int]
    TRICKS_FIELD_NUMBER: _ClassVar[int]
    winner: _cards_pb2.Seat
    game_points: int
    score_change: _containers.RepeatedScalarFieldContainer[int]
    carry: int
    reason: _deal_pb2.Reason
    card_points: _containers.RepeatedScalarFieldContainer[int]
    tricks: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, winner: _Optional[_Union[_cards_pb2.Seat, str]] = ..., game_points: _Optional[int] = ..., score_change: _Optional[_Iterable[int]] = ..., carry: _Optional[int] = ..., reason: _Optional[_Union[_deal_pb2.Reason, str]] = ..., card_points: _Optional[_Iterable[int]] = ..., tricks: _Optional[_Iterable[int]] = ...) -> None: ...

class Forfeit(_message.Message):
    __slots__ = ("seat", "fault", "detail", "charge")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    FAULT_FIELD_NUMBER: _ClassVar[int]
    DETAIL_FIELD_NUMBER: _ClassVar[int]
    CHARGE_FIELD_NUMBER: _ClassVar[int]
    seat: _cards_pb2.Seat
    fault: str
    detail: str
    charge: _bot_service_pb2.Charge
    def __init__(self, seat: _Optional[_Union[_cards_pb2.Seat, str]] = ..., fault: _Optional[str] = ..., detail: _Optional[str] = ..., charge: _Optional[_Union[_bot_service_pb2.Charge, _Mapping]] = ...) -> None: ...
