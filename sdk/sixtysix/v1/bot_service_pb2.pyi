from sixtysix.v1 import cards_pb2 as _cards_pb2
from sixtysix.v1 import deal_pb2 as _deal_pb2
from sixtysix.v1 import rules_pb2 as _rules_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ActionStatus(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ACTION_STATUS_UNSPECIFIED: _ClassVar[ActionStatus]
    ACTION_STATUS_ACCEPTED: _ClassVar[ActionStatus]
    ACTION_STATUS_DUPLICATE: _ClassVar[ActionStatus]
    ACTION_STATUS_STALE: _ClassVar[ActionStatus]
    ACTION_STATUS_TOO_LATE: _ClassVar[ActionStatus]
    ACTION_STATUS_ILLEGAL: _ClassVar[ActionStatus]
    ACTION_STATUS_MALFORMED: _ClassVar[ActionStatus]
    ACTION_STATUS_UNKNOWN_MATCH: _ClassVar[ActionStatus]
    ACTION_STATUS_MATCH_OVER: _ClassVar[ActionStatus]

class MatchResult(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    MATCH_RESULT_UNSPECIFIED: _ClassVar[MatchResult]
    MATCH_RESULT_WON: _ClassVar[MatchResult]
    MATCH_RESULT_LOST: _ClassVar[MatchResult]
    MATCH_RESULT_DRAWN: _ClassVar[MatchResult]
    MATCH_RESULT_VOID: _ClassVar[MatchResult]

class MatchEndReason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    MATCH_END_REASON_UNSPECIFIED: _ClassVar[MatchEndReason]
    MATCH_END_REASON_TARGET: _ClassVar[MatchEndReason]
    MATCH_END_REASON_DEAL_LIMIT: _ClassVar[MatchEndReason]
    MATCH_END_REASON_FORFEIT: _ClassVar[MatchEndReason]
    MATCH_END_REASON_VOID: _ClassVar[MatchEndReason]

class ErrorReason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ERROR_REASON_UNSPECIFIED: _ClassVar[ErrorReason]
    ERROR_REASON_UNKNOWN_COMMAND: _ClassVar[ErrorReason]
    ERROR_REASON_UNKNOWN_MATCH: _ClassVar[ErrorReason]
    ERROR_REASON_MATCH_OVER: _ClassVar[ErrorReason]
    ERROR_REASON_UNEXPECTED_PONG: _ClassVar[ErrorReason]
ACTION_STATUS_UNSPECIFIED: ActionStatus
ACTION_STATUS_ACCEPTED: ActionStatus
ACTION_STATUS_DUPLICATE: ActionStatus
ACTION_STATUS_STALE: ActionStatus
ACTION_STATUS_TOO_LATE: ActionStatus
ACTION_STATUS_ILLEGAL: ActionStatus
ACTION_STATUS_MALFORMED: ActionStatus
ACTION_STATUS_UNKNOWN_MATCH: ActionStatus
ACTION_STATUS_MATCH_OVER: ActionStatus
MATCH_RESULT_UNSPECIFIED: MatchResult
MATCH_RESULT_WON: MatchResult
MATCH_RESULT_LOST: MatchResult
MATCH_RESULT_DRAWN: MatchResult
MATCH_RESULT_VOID: MatchResult
MATCH_END_REASON_UNSPECIFIED: MatchEndReason
MATCH_END_REASON_TARGET: MatchEndReason
MATCH_END_REASON_DEAL_LIMIT: MatchEndReason
MATCH_END_REASON_FORFEIT: MatchEndReason
MATCH_END_REASON_VOID: MatchEndReason
ERROR_REASON_UNSPECIFIED: ErrorReason
ERROR_REASON_UNKNOWN_COMMAND: ErrorReason
ERROR_REASON_UNKNOWN_MATCH: ErrorReason
ERROR_REASON_MATCH_OVER: ErrorReason
ERROR_REASON_UNEXPECTED_PONG: ErrorReason

class PlayRequest(_message.Message):
    __slots__ = ("commands",)
    COMMANDS_FIELD_NUMBER: _ClassVar[int]
    commands: _containers.RepeatedCompositeFieldContainer[Command]
    def __init__(self, commands: _Optional[_Iterable[_Union[Command, _Mapping]]] = ...) -> None: ...

class PlayResponse(_message.Message):
    __slots__ = ("updates",)
    UPDATES_FIELD_NUMBER: _ClassVar[int]
    updates: _containers.RepeatedCompositeFieldContainer[Update]
    def __init__(self, updates: _Optional[_Iterable[_Union[Update, _Mapping]]] = ...) -> None: ...

class Command(_message.Message):
    __slots__ = ("hello", "ready", "action", "pong", "leave")
    HELLO_FIELD_NUMBER: _ClassVar[int]
    READY_FIELD_NUMBER: _ClassVar[int]
    ACTION_FIELD_NUMBER: _ClassVar[int]
    PONG_FIELD_NUMBER: _ClassVar[int]
    LEAVE_FIELD_NUMBER: _ClassVar[int]
    hello: Hello
    ready: Ready
    action: ActionCommand
    pong: Pong
    leave: Leave
    def __init__(self, hello: _Optional[_Union[Hello, _Mapping]] = ..., ready: _Optional[_Union[Ready, _Mapping]] = ..., action: _Optional[_Union[ActionCommand, _Mapping]] = ..., pong: _Optional[_Union[Pong, _Mapping]] = ..., leave: _Optional[_Union[Leave, _Mapping]] = ...) -> None: ...

class Update(_message.Message):
    __slots__ = ("welcome", "match_offered", "deal_started", "event", "decision", "action_result", "deal_ended", "match_ended", "ping", "draining", "error")
    WELCOME_FIELD_NUMBER: _ClassVar[int]
    MATCH_OFFERED_FIELD_NUMBER: _ClassVar[int]
    DEAL_STARTED_FIELD_NUMBER: _ClassVar[int]
    EVENT_FIELD_NUMBER: _ClassVar[int]
    DECISION_FIELD_NUMBER: _ClassVar[int]
    ACTION_RESULT_FIELD_NUMBER: _ClassVar[int]
    DEAL_ENDED_FIELD_NUMBER: _ClassVar[int]
    MATCH_ENDED_FIELD_NUMBER: _ClassVar[int]
    PING_FIELD_NUMBER: _ClassVar[int]
    DRAINING_FIELD_NUMBER: _ClassVar[int]
    ERROR_FIELD_NUMBER: _ClassVar[int]
    welcome: Welcome
    match_offered: MatchOffered
    deal_started: DealStarted
    event: MatchEvent
    decision: Decision
    action_result: ActionResult
    deal_ended: DealEnded
    match_ended: MatchEnded
    ping: Ping
    draining: Draining
    error: Error
    def __init__(self, welcome: _Optional[_Union[Welcome, _Mapping]] = ..., match_offered: _Optional[_Union[MatchOffered, _Mapping]] = ..., deal_started: _Optional[_Union[DealStarted, _Mapping]] = ..., event: _Optional[_Union[MatchEvent, _Mapping]] = ..., decision: _Optional[_Union[Decision, _Mapping]] = ..., action_result: _Optional[_Union[ActionResult, _Mapping]] = ..., deal_ended: _Optional[_Union[DealEnded, _Mapping]] = ..., match_ended: _Optional[_Union[MatchEnded, _Mapping]] = ..., ping: _Optional[_Union[Ping, _Mapping]] = ..., draining: _Optional[_Union[Draining, _Mapping]] = ..., error: _Optional[_Union[Error, _Mapping]] = ...) -> None: ...

class Hello(_message.Message):
    __slots__ = ("protocol_major", "protocol_minor", "bot_name", "bot_version", "author", "sdk", "language", "rule_sets", "max_concurrent_matches", "max_decisions_per_message", "want_events", "ask_before_draw", "resume_session_id")
    PROTOCOL_MAJOR_FIELD_NUMBER: _ClassVar[int]
    PROTOCOL_MINOR_FIELD_NUMBER: _ClassVar[int]
    BOT_NAME_FIELD_NUMBER: _ClassVar[int]
    BOT_VERSION_FIELD_NUMBER: _ClassVar[int]
    AUTHOR_FIELD_NUMBER: _ClassVar[int]
    SDK_FIELD_NUMBER: _ClassVar[int]
    LANGUAGE_FIELD_NUMBER: _ClassVar[int]
    RULE_SETS_FIELD_NUMBER: _ClassVar[int]
    MAX_CONCURRENT_MATCHES_FIELD_NUMBER: _ClassVar[int]
    MAX_DECISIONS_PER_MESSAGE_FIELD_NUMBER: _ClassVar[int]
    WANT_EVENTS_FIELD_NUMBER: _ClassVar[int]
    ASK_BEFORE_DRAW_FIELD_NUMBER: _ClassVar[int]
    RESUME_SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    protocol_major: int
    protocol_minor: int
    bot_name: str
    bot_version: str
    author: str
    sdk: str
    language: str
    rule_sets: _containers.RepeatedScalarFieldContainer[str]
    max_concurrent_matches: int
    max_decisions_per_message: int
    want_events: bool
    ask_before_draw: bool
    resume_session_id: str
    def __init__(self, protocol_major: _Optional[int] = ..., protocol_minor: _Optional[int] = ..., bot_name: _Optional[str] = ..., bot_version: _Optional[str] = ..., author: _Optional[str] = ..., sdk: _Optional[str] = ..., language: _Optional[str] = ..., rule_sets: _Optional[_Iterable[str]] = ..., max_concurrent_matches: _Optional[int] = ..., max_decisions_per_message: _Optional[int] = ..., want_events: bool = ..., ask_before_draw: bool = ..., resume_session_id: _Optional[str] = ...) -> None: ...

class Ready(_message.Message):
    __slots__ = ("match_id",)
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    def __init__(self, match_id: _Optional[str] = ...) -> None: ...

class ActionCommand(_message.Message):
    __slots__ = ("match_id", "decision_id", "action", "comment")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    DECISION_ID_FIELD_NUMBER: _ClassVar[int]
    ACTION_FIELD_NUMBER: _ClassVar[int]
    COMMENT_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    decision_id: int
    action: _deal_pb2.Action
    comment: str
    def __init__(self, match_id: _Optional[str] = ..., decision_id: _Optional[int] = ..., action: _Optional[_Union[_deal_pb2.Action, _Mapping]] = ..., comment: _Optional[str] = ...) -> None: ...

class Pong(_message.Message):
    __slots__ = ("nonce",)
    NONCE_FIELD_NUMBER: _ClassVar[int]
    nonce: int
    def __init__(self, nonce: _Optional[int] = ...) -> None: ...

class Leave(_message.Message):
    __slots__ = ("reason",)
    REASON_FIELD_NUMBER: _ClassVar[int]
    reason: str
    def __init__(self, reason: _Optional[str] = ...) -> None: ...

class Welcome(_message.Message):
    __slots__ = ("session_id", "bot_name", "protocol_major", "protocol_minor", "max_message_bytes", "max_concurrent_matches", "max_decisions_per_message", "heartbeat_us", "server_version", "resumed")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    BOT_NAME_FIELD_NUMBER: _ClassVar[int]
    PROTOCOL_MAJOR_FIELD_NUMBER: _ClassVar[int]
    PROTOCOL_MINOR_FIELD_NUMBER: _ClassVar[int]
    MAX_MESSAGE_BYTES_FIELD_NUMBER: _ClassVar[int]
    MAX_CONCURRENT_MATCHES_FIELD_NUMBER: _ClassVar[int]
    MAX_DECISIONS_PER_MESSAGE_FIELD_NUMBER: _ClassVar[int]
    HEARTBEAT_US_FIELD_NUMBER: _ClassVar[int]
    SERVER_VERSION_FIELD_NUMBER: _ClassVar[int]
    RESUMED_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    bot_name: str
    protocol_major: int
    protocol_minor: int
    max_message_bytes: int
    max_concurrent_matches: int
    max_decisions_per_message: int
    heartbeat_us: int
    server_version: str
    resumed: bool
    def __init__(self, session_id: _Optional[str] = ..., bot_name: _Optional[str] = ..., protocol_major: _Optional[int] = ..., protocol_minor: _Optional[int] = ..., max_message_bytes: _Optional[int] = ..., max_concurrent_matches: _Optional[int] = ..., max_decisions_per_message: _Optional[int] = ..., heartbeat_us: _Optional[int] = ..., server_version: _Optional[str] = ..., resumed: bool = ...) -> None: ...

class TimeControl(_message.Message):
    __slots__ = ("ready_us", "decision_us", "bank_us", "increment_us", "lag_us")
    READY_US_FIELD_NUMBER: _ClassVar[int]
    DECISION_US_FIELD_NUMBER: _ClassVar[int]
    BANK_US_FIELD_NUMBER: _ClassVar[int]
    INCREMENT_US_FIELD_NUMBER: _ClassVar[int]
    LAG_US_FIELD_NUMBER: _ClassVar[int]
    ready_us: int
    decision_us: int
    bank_us: int
    increment_us: int
    lag_us: int
    def __init__(self, ready_us: _Optional[int] = ..., decision_us: _Optional[int] = ..., bank_us: _Optional[int] = ..., increment_us: _Optional[int] = ..., lag_us: _Optional[int] = ...) -> None: ...

class MatchOffered(_message.Message):
    __slots__ = ("match_id", "rules", "seat", "opponent_name", "time_control", "deal_limit", "resumed")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    RULES_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    OPPONENT_NAME_FIELD_NUMBER: _ClassVar[int]
    TIME_CONTROL_FIELD_NUMBER: _ClassVar[int]
    DEAL_LIMIT_FIELD_NUMBER: _ClassVar[int]
    RESUMED_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    rules: _rules_pb2.RuleSet
    seat: _cards_pb2.Seat
    opponent_name: str
    time_control: TimeControl
    deal_limit: int
    resumed: bool
    def __init__(self, match_id: _Optional[str] = ..., rules: _Optional[_Union[_rules_pb2.RuleSet, _Mapping]] = ..., seat: _Optional[_Union[_cards_pb2.Seat, str]] = ..., opponent_name: _Optional[str] = ..., time_control: _Optional[_Union[TimeControl, _Mapping]] = ..., deal_limit: _Optional[int] = ..., resumed: bool = ...) -> None: ...

class DealStarted(_message.Message):
    __slots__ = ("match_id", "deal_number", "dealer", "own_score", "opponent_score", "carry", "commitment")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    DEAL_NUMBER_FIELD_NUMBER: _ClassVar[int]
    DEALER_FIELD_NUMBER: _ClassVar[int]
    OWN_SCORE_FIELD_NUMBER: _ClassVar[int]
    OPPONENT_SCORE_FIELD_NUMBER: _ClassVar[int]
    CARRY_FIELD_NUMBER: _ClassVar[int]
    COMMITMENT_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    deal_number: int
    dealer: _cards_pb2.Seat
    own_score: int
    opponent_score: int
    carry: int
    commitment: bytes
    def __init__(self, match_id: _Optional[str] = ..., deal_number: _Optional[int] = ..., dealer: _Optional[_Union[_cards_pb2.Seat, str]] = ..., own_score: _Optional[int] = ..., opponent_score: _Optional[int] = ..., carry: _Optional[int] = ..., commitment: _Optional[bytes] = ...) -> None: ...

class MatchEvent(_message.Message):
    __slots__ = ("match_id", "event")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    EVENT_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    event: _deal_pb2.Event
    def __init__(self, match_id: _Optional[str] = ..., event: _Optional[_Union[_deal_pb2.Event, _Mapping]] = ...) -> None: ...

class Clock(_message.Message):
    __slots__ = ("cap_us", "bank_us", "opponent_bank_us")
    CAP_US_FIELD_NUMBER: _ClassVar[int]
    BANK_US_FIELD_NUMBER: _ClassVar[int]
    OPPONENT_BANK_US_FIELD_NUMBER: _ClassVar[int]
    cap_us: int
    bank_us: int
    opponent_bank_us: int
    def __init__(self, cap_us: _Optional[int] = ..., bank_us: _Optional[int] = ..., opponent_bank_us: _Optional[int] = ...) -> None: ...

class Charge(_message.Message):
    __slots__ = ("decision_id", "elapsed_us", "allowance_us", "stall_us", "charged_us")
    DECISION_ID_FIELD_NUMBER: _ClassVar[int]
    ELAPSED_US_FIELD_NUMBER: _ClassVar[int]
    ALLOWANCE_US_FIELD_NUMBER: _ClassVar[int]
    STALL_US_FIELD_NUMBER: _ClassVar[int]
    CHARGED_US_FIELD_NUMBER: _ClassVar[int]
    decision_id: int
    elapsed_us: int
    allowance_us: int
    stall_us: int
    charged_us: int
    def __init__(self, decision_id: _Optional[int] = ..., elapsed_us: _Optional[int] = ..., allowance_us: _Optional[int] = ..., stall_us: _Optional[int] = ..., charged_us: _Optional[int] = ...) -> None: ...

class Decision(_message.Message):
    __slots__ = ("match_id", "decision_id", "stage", "observation", "legal_actions", "clock", "previous_charge")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    DECISION_ID_FIELD_NUMBER: _ClassVar[int]
    STAGE_FIELD_NUMBER: _ClassVar[int]
    OBSERVATION_FIELD_NUMBER: _ClassVar[int]
    LEGAL_ACTIONS_FIELD_NUMBER: _ClassVar[int]
    CLOCK_FIELD_NUMBER: _ClassVar[int]
    PREVIOUS_CHARGE_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    decision_id: int
    stage: _deal_pb2.Stage
    observation: _deal_pb2.Observation
    legal_actions: _containers.RepeatedCompositeFieldContainer[_deal_pb2.Action]
    clock: Clock
    previous_charge: Charge
    def __init__(self, match_id: _Optional[str] = ..., decision_id: _Optional[int] = ..., stage: _Optional[_Union[_deal_pb2.Stage, str]] = ..., observation: _Optional[_Union[_deal_pb2.Observation, _Mapping]] = ..., legal_actions: _Optional[_Iterable[_Union[_deal_pb2.Action, _Mapping]]] = ..., clock: _Optional[_Union[Clock, _Mapping]] = ..., previous_charge: _Optional[_Union[Charge, _Mapping]] = ...) -> None: ...

class ActionResult(_message.Message):
    __slots__ = ("match_id", "decision_id", "status", "message", "consequence")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    DECISION_ID_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    CONSEQUENCE_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    decision_id: int
    status: ActionStatus
    message: str
    consequence: str
    def __init__(self, match_id: _Optional[str] = ..., decision_id: _Optional[int] = ..., status: _Optional[_Union[ActionStatus, str]] = ..., message: _Optional[str] = ..., consequence: _Optional[str] = ...) -> None: ...

class DealEnded(_message.Message):
    __slots__ = ("match_id", "deal_number", "outcome", "own_score", "opponent_score")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    DEAL_NUMBER_FIELD_NUMBER: _ClassVar[int]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    OWN_SCORE_FIELD_NUMBER: _ClassVar[int]
    OPPONENT_SCORE_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    deal_number: int
    outcome: _deal_pb2.Outcome
    own_score: int
    opponent_score: int
    def __init__(self, match_id: _Optional[str] = ..., deal_number: _Optional[int] = ..., outcome: _Optional[_Union[_deal_pb2.Outcome, _Mapping]] = ..., own_score: _Optional[int] = ..., opponent_score: _Optional[int] = ...) -> None: ...

class MatchEnded(_message.Message):
    __slots__ = ("match_id", "result", "reason", "detail", "own_score", "opponent_score", "own_time_us")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    DETAIL_FIELD_NUMBER: _ClassVar[int]
    OWN_SCORE_FIELD_NUMBER: _ClassVar[int]
    OPPONENT_SCORE_FIELD_NUMBER: _ClassVar[int]
    OWN_TIME_US_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    result: MatchResult
    reason: MatchEndReason
    detail: str
    own_score: int
    opponent_score: int
    own_time_us: int
    def __init__(self, match_id: _Optional[str] = ..., result: _Optional[_Union[MatchResult, str]] = ..., reason: _Optional[_Union[MatchEndReason, str]] = ..., detail: _Optional[str] = ..., own_score: _Optional[int] = ..., opponent_score: _Optional[int] = ..., own_time_us: _Optional[int] = ...) -> None: ...

class Ping(_message.Message):
    __slots__ = ("nonce",)
    NONCE_FIELD_NUMBER: _ClassVar[int]
    nonce: int
    def __init__(self, nonce: _Optional[int] = ...) -> None: ...

class Draining(_message.Message):
    __slots__ = ("deadline_us",)
    DEADLINE_US_FIELD_NUMBER: _ClassVar[int]
    deadline_us: int
    def __init__(self, deadline_us: _Optional[int] = ...) -> None: ...

class Error(_message.Message):
    __slots__ = ("reason", "message", "match_id")
    REASON_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    reason: ErrorReason
    message: str
    match_id: str
    def __init__(self, reason: _Optional[_Union[ErrorReason, str]] = ..., message: _Optional[str] = ..., match_id: _Optional[str] = ...) -> None: ...
