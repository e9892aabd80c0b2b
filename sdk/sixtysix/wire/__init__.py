"""Between the wire and the rules: messages of `protos/sixtysix/v1` to and from the engine's own values.

What comes from the other side is checked: a field that holds no valid value raises WireError naming it.
"""

from sixtysix.wire.observation import fill_decision, history_bytes, read_view
from sixtysix.wire.rulesets import read_rule_set, rule_set_message
from sixtysix.wire.values import (
    MAX_COMMENT,
    PROTOCOL_MAJOR,
    PROTOCOL_MINOR,
    LaterVersionError,
    WireError,
    action_message,
    event_message,
    outcome_message,
    read_action,
    read_event,
    read_outcome,
    read_seat,
    read_time_control,
    seat_number,
    time_control_message,
)

__all__ = [
    "MAX_COMMENT",
    "PROTOCOL_MAJOR",
    "PROTOCOL_MINOR",
    "LaterVersionError",
    "WireError",
    "action_message",
    "event_message",
    "fill_decision",
    "history_bytes",
    "outcome_message",
    "read_action",
    "read_event",
    "read_outcome",
    "read_rule_set",
    "read_seat",
    "read_time_control",
    "read_view",
    "rule_set_message",
    "seat_number",
    "time_control_message",
]
