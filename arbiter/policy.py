"""What follows from a fault: one pure table."""

import enum
from dataclasses import dataclass


class Fault(enum.Enum):
    """What a bot did wrong. The bot is told; records and standings show it to everyone after the match."""

    ILLEGAL = "illegal"
    """A well-formed action that the rules forbid at this moment; the bot is told which rule."""
    LATE = "late"
    """No valid answer within the time limit; the bot is told TOO_LATE at once."""
    MALFORMED = "malformed"
    """An answer that is no action (unset, unknown enum value, garbage command); the bot is told MALFORMED."""
    DISCONNECTED = "disconnected"
    """The process crashed, or the connection was lost beyond the grace; only the opponent can be told."""
    LEFT = "left"
    """The bot said `leave` during a match."""
    NOT_READY = "not_ready"
    """The bot never connected, or never said `ready`, within the start limit."""
    PROTOCOL = "protocol"
    """The stream itself broke the protocol and was closed with a status that gives the reason."""


class Consequence(enum.Enum):
    """What the arbiter does about a fault."""

    FORFEIT_DEAL = "forfeit_deal"
    """The offender loses the deal at once; the match goes on; both bots see the outcome of the deal."""
    FORFEIT_MATCH = "forfeit_match"
    """The offender loses the match at once; both bots see the reason."""
    VOID = "void"
    """The match is recorded, played again with fresh cards and never counted."""


_GONE = frozenset({Fault.DISCONNECTED, Fault.LEFT, Fault.NOT_READY, Fault.PROTOCOL})


@dataclass(frozen=True)
class FaultPolicy:
    """The organiser's choices and the table that follows from them.

    Attributes:
        illegal: for ILLEGAL and MALFORMED: FORFEIT_DEAL or FORFEIT_MATCH.
        late: for LATE: FORFEIT_DEAL or FORFEIT_MATCH.
        limit: the fault of this number (1 = the first) in a match forfeits the match; at least 1.
        reconnect_us: grace for a lost connection in microseconds, after which it is DISCONNECTED; at least 0.

    Raises:
        ValueError: a value is outside its range.
    """

    illegal: Consequence
    late: Consequence
    limit: int
    reconnect_us: int

    def __post_init__(self) -> None:
        for name in ("illegal", "late"):
            if getattr(self, name) is Consequence.VOID:
                raise ValueError(f"{name} must not be VOID: a bot could undo a match it is losing")
        if self.limit < 1:
            raise ValueError(f"limit must be at least 1, not {self.limit}")
        if self.reconnect_us < 0:
            raise ValueError(f"reconnect_us must be at least 0, not {self.reconnect_us}")

    def consequence(self, fault: Fault, faults_so_far_in_match: int, opponent_gone: bool) -> Consequence:
        """Return what follows from a fault.

        Args:
            fault: what the bot did.
            faults_so_far_in_match: faults of this bot earlier in the match, this one not included.
            opponent_gone: the other bot is beyond reach too (crashed, left, or never came).
        """
        if fault in _GONE:
            return Consequence.VOID if opponent_gone else Consequence.FORFEIT_MATCH
        if faults_so_far_in_match + 1 >= self.limit:
            return Consequence.FORFEIT_MATCH
        return self.late if fault is Fault.LATE else self.illegal
