from google.protobuf import any_pb2 as _any_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class StatusReason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    STATUS_REASON_UNSPECIFIED: _ClassVar[StatusReason]
    STATUS_REASON_TOKEN_MISSING: _ClassVar[StatusReason]
    STATUS_REASON_TOKEN_UNKNOWN: _ClassVar[StatusReason]
    STATUS_REASON_BOT_NOT_IN_TOURNAMENT: _ClassVar[StatusReason]
    STATUS_REASON_PROTOCOL_VERSION_UNSUPPORTED: _ClassVar[StatusReason]
    STATUS_REASON_RULE_SET_UNSUPPORTED: _ClassVar[StatusReason]
    STATUS_REASON_REPLACED_BY_NEWER_CONNECTION: _ClassVar[StatusReason]
    STATUS_REASON_OUTBOUND_QUEUE_FULL: _ClassVar[StatusReason]
    STATUS_REASON_HEARTBEAT_MISSED: _ClassVar[StatusReason]
    STATUS_REASON_DRAINING: _ClassVar[StatusReason]
    STATUS_REASON_TOURNAMENT_OVER: _ClassVar[StatusReason]
    STATUS_REASON_HELLO_EXPECTED: _ClassVar[StatusReason]
    STATUS_REASON_HELLO_REPEATED: _ClassVar[StatusReason]
    STATUS_REASON_MALFORMED_MESSAGE: _ClassVar[StatusReason]
    STATUS_REASON_TOURNAMENT_UNKNOWN: _ClassVar[StatusReason]
    STATUS_REASON_MATCH_UNKNOWN: _ClassVar[StatusReason]
    STATUS_REASON_MATCH_NOT_ENDED: _ClassVar[StatusReason]
    STATUS_REASON_PAGE_TOKEN_INVALID: _ClassVar[StatusReason]
    STATUS_REASON_RATE_EXCEEDED: _ClassVar[StatusReason]
    STATUS_REASON_STORE_AWAY: _ClassVar[StatusReason]
STATUS_REASON_UNSPECIFIED: StatusReason
STATUS_REASON_TOKEN_MISSING: StatusReason
STATUS_REASON_TOKEN_UNKNOWN: StatusReason
STATUS_REASON_BOT_NOT_IN_TOURNAMENT: StatusReason
STATUS_REASON_PROTOCOL_VERSION_UNSUPPORTED: StatusReason
STATUS_REASON_RULE_SET_UNSUPPORTED: StatusReason
STATUS_REASON_REPLACED_BY_NEWER_CONNECTION: StatusReason
STATUS_REASON_OUTBOUND_QUEUE_FULL: StatusReason
STATUS_REASON_HEARTBEAT_MISSED: StatusReason
STATUS_REASON_DRAINING: StatusReason
STATUS_REASON_TOURNAMENT_OVER: StatusReason
STATUS_REASON_HELLO_EXPECTED: StatusReason
STATUS_REASON_HELLO_REPEATED: StatusReason
STATUS_REASON_MALFORMED_MESSAGE: StatusReason
STATUS_REASON_TOURNAMENT_UNKNOWN: StatusReason
STATUS_REASON_MATCH_UNKNOWN: StatusReason
STATUS_REASON_MATCH_NOT_ENDED: StatusReason
STATUS_REASON_PAGE_TOKEN_INVALID: StatusReason
STATUS_REASON_RATE_EXCEEDED: StatusReason
STATUS_REASON_STORE_AWAY: StatusReason

class Status(_message.Message):
    __slots__ = ("code", "message", "details")
    CODE_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    code: int
    message: str
    details: _containers.RepeatedCompositeFieldContainer[_any_pb2.Any]
    def __init__(self, code: _Optional[int] = ..., message: _Optional[str] = ..., details: _Optional[_Iterable[_Union[_any_pb2.Any, _Mapping]]] = ...) -> None: ...

class ErrorInfo(_message.Message):
    __slots__ = ("reason", "domain", "metadata")
    class MetadataEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    REASON_FIELD_NUMBER: _ClassVar[int]
    DOMAIN_FIELD_NUMBER: _ClassVar[int]
    METADATA_FIELD_NUMBER: _ClassVar[int]
    reason: str
    domain: str
    metadata: _containers.ScalarMap[str, str]
    def __init__(self, reason: _Optional[str] = ..., domain: _Optional[str] = ..., metadata: _Optional[_Mapping[str, str]] = ...) -> None: ...
