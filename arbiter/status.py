"""Why a stream or a call ends with an error: reasons and their gRPC status codes."""

from collections.abc import Mapping
from dataclasses import dataclass, field

CODES: Mapping[str, str] = {
    "TOKEN_MISSING": "UNAUTHENTICATED",
    "TOKEN_UNKNOWN": "UNAUTHENTICATED",
    "BOT_NOT_IN_TOURNAMENT": "PERMISSION_DENIED",
    "PROTOCOL_VERSION_UNSUPPORTED": "FAILED_PRECONDITION",
    "RULE_SET_UNSUPPORTED": "FAILED_PRECONDITION",
    "REPLACED_BY_NEWER_CONNECTION": "ABORTED",
    "OUTBOUND_QUEUE_FULL": "RESOURCE_EXHAUSTED",
    "RATE_EXCEEDED": "RESOURCE_EXHAUSTED",
    "HEARTBEAT_MISSED": "UNAVAILABLE",
    "DRAINING": "UNAVAILABLE",
    "TOURNAMENT_OVER": "UNAVAILABLE",
    "HELLO_EXPECTED": "INVALID_ARGUMENT",
    "HELLO_REPEATED": "INVALID_ARGUMENT",
    "MALFORMED_MESSAGE": "INVALID_ARGUMENT",
    "TOURNAMENT_UNKNOWN": "NOT_FOUND",
    "MATCH_UNKNOWN": "NOT_FOUND",
    "MATCH_NOT_ENDED": "FAILED_PRECONDITION",
    "PAGE_TOKEN_INVALID": "INVALID_ARGUMENT",
    "STORE_AWAY": "UNAVAILABLE",
}
"""The gRPC status code of each reason; the reasons are those of `protos/sixtysix/v1/status.proto`."""


@dataclass(frozen=True, slots=True)
class StreamStatus:
    """The end of a stream or a call.

    Attributes:
        reason: name of a StatusReason without its prefix.
        message: for people.
        metadata: further facts by name.
    """

    reason: str
    message: str
    metadata: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.reason not in CODES:
            raise ValueError(f"unknown reason {self.reason!r}")

    @property
    def code(self) -> str:
        """Name of the gRPC status code."""
        return CODES[self.reason]
