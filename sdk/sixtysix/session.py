"""The protocol's state table: what may be said when, on one stream. No I/O; both ends use the same code.

Each end feeds every command and every update that it sends or receives into its own `Session`. What breaks the
table raises CommandError or UpdateError, so each end knows whose fault it is: a command error is the bot's, an
update error the arbiter's. Answers to decisions are not errors, whatever they are: `command` sorts them.

`docs/protocol.md` prints the same tables.
"""

from collections.abc import Mapping
from enum import Enum, auto

from sixtysix.v1 import bot_service_pb2 as pb
from sixtysix.v1 import deal_pb2

KEEP_ENDED = 256
"""Ended matches that a session remembers, to tell a late answer from one to a match that never was."""


class SessionError(Exception):
    """Something that the state table does not allow.

    Attributes:
        reason: name of a StatusReason, such as ``HELLO_EXPECTED``.
    """

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


class CommandError(SessionError):
    """A command that the table does not allow: the bot's fault."""


class UpdateError(SessionError):
    """An update that the table does not allow: the arbiter's fault."""


class _State(Enum):
    # The one of Enum is a Python function, called in every search of the tables below.
    __hash__ = object.__hash__


class StreamState(_State):
    """Where the stream is."""

    HELLO_EXPECTED = auto()
    WELCOME_EXPECTED = auto()
    OPEN = auto()
    LEFT = auto()


class MatchState(_State):
    """Where a match is, on this stream."""

    OFFERED = auto()
    PLAYING = auto()
    DECIDING = auto()
    ENDED = auto()


class Answer(Enum):
    """What an action is, seen from the decisions that are open."""

    CURRENT = pb.ACTION_STATUS_ACCEPTED
    DUPLICATE = pb.ACTION_STATUS_DUPLICATE
    STALE = pb.ACTION_STATUS_STALE
    TOO_LATE = pb.ACTION_STATUS_TOO_LATE
    UNKNOWN_MATCH = pb.ACTION_STATUS_UNKNOWN_MATCH
    MATCH_OVER = pb.ACTION_STATUS_MATCH_OVER


_S, _M = StreamState, MatchState

STREAM_TABLE: Mapping[tuple[StreamState, str], StreamState] = {
    (_S.HELLO_EXPECTED, "hello"): _S.WELCOME_EXPECTED,
    (_S.WELCOME_EXPECTED, "welcome"): _S.OPEN,
    **{(_S.OPEN, kind): _S.OPEN for kind in ("ready", "action", "pong", "ping", "draining", "error")},
    **{
        (_S.OPEN, kind): _S.OPEN
        for kind in (
            "match_offered",
            "deal_started",
            "event",
            "decision",
            "action_result",
            "deal_ended",
            "match_ended",
        )
    },
    **{(state, "leave"): _S.LEFT for state in (_S.WELCOME_EXPECTED, _S.OPEN)},
}
"""Stream state and kind of command or update to the next state; what is missing is not allowed."""

MATCH_TABLE: Mapping[tuple[MatchState, str], MatchState] = {
    (_M.OFFERED, "ready"): _M.PLAYING,
    **{(state, "ready"): state for state in (_M.PLAYING, _M.DECIDING)},
    **{(_M.PLAYING, kind): _M.PLAYING for kind in ("deal_started", "event", "deal_ended")},
    (_M.DECIDING, "event"): _M.DECIDING,
    **{(state, "action_result"): state for state in (_M.OFFERED, _M.PLAYING, _M.DECIDING)},
    **{(state, "decision"): _M.DECIDING for state in (_M.PLAYING, _M.DECIDING)},
    (_M.DECIDING, "deal_ended"): _M.PLAYING,
    **{(state, "match_ended"): _M.ENDED for state in (_M.OFFERED, _M.PLAYING, _M.DECIDING)},
}
"""The same for what is said about one match; an answer to the open decision leads from DECIDING to PLAYING."""


class _Match:
    __slots__ = ("answer", "answered_id", "decision_id", "missed_id", "state")

    def __init__(self, state: MatchState) -> None:
        self.state = state
        self.decision_id = 0
        self.answered_id = 0
        self.missed_id = 0
        self.answer: tuple[int, int, int] | None = None


class Session:
    """Follows one stream, at either end.

    Attributes:
        state: state of the stream.
    """

    def __init__(self) -> None:
        self.state = StreamState.HELLO_EXPECTED
        self._matches: dict[str, _Match] = {}
        self._ended: dict[str, None] = {}

    @property
    def matches(self) -> int:
        """How many matches have been offered and have not ended."""
        return len(self._matches)

    def match_state(self, match_id: str) -> MatchState | None:
        """State of a match, None for one that this stream does not know."""
        match = self._matches.get(match_id)
        if match is not None:
            return match.state
        return MatchState.ENDED if match_id in self._ended else None

    def command(self, command: pb.Command) -> Answer | None:
        """Follow a command; for an action say what it answers, otherwise None. Raises CommandError.

        A command of an unknown kind (of a later version) is let through: its kind is None.
        """
        kind = command.WhichOneof("command")
        if kind is None:
            if self.state is StreamState.HELLO_EXPECTED:
                raise CommandError("HELLO_EXPECTED", "the first command must be hello")
            return None
        self._stream(kind, CommandError)
        if kind == "action":
            return self._action(command.action)
        if kind == "ready":
            self._ready(command.ready.match_id)
        return None

    def update(self, update: pb.Update) -> None:
        """Follow an update. Raises UpdateError; one of an unknown kind (of a later version) is let through."""
        kind = update.WhichOneof("update")
        if kind is None:
            return
        self._stream(kind, UpdateError)
        if kind == "decision":
            decision = update.decision
            self._decision(decision.match_id, decision.decision_id)
        elif kind == "match_offered":
            match_id = update.match_offered.match_id
            if match_id in self._matches:
                raise UpdateError("MALFORMED_MESSAGE", f"match {match_id} is offered twice on one stream")
            resumed = update.match_offered.resumed
            self._matches[match_id] = _Match(MatchState.PLAYING if resumed else MatchState.OFFERED)
        elif kind == "action_result":
            if update.action_result.match_id in self._matches:
                self._step(update.action_result.match_id, kind)
        elif kind == "match_ended" and update.match_ended.match_id not in self._matches:
            # After a reconnect: the match ended while the bot was away.
            self._remember(update.match_ended.match_id)
        elif kind in _MATCH_UPDATES:
            self._step(getattr(update, kind).match_id, kind)

    def _stream(self, kind: str, error: type[SessionError]) -> None:
        after = STREAM_TABLE.get((self.state, kind))
        if after is not None:
            self.state = after
            return
        if self.state is StreamState.HELLO_EXPECTED:
            raise error("HELLO_EXPECTED", f"the first command must be hello, not {kind}")
        if kind == "hello":
            raise error("HELLO_REPEATED", "hello is said once")
        raise error("MALFORMED_MESSAGE", f"{kind} is not allowed in state {self.state.name}")

    def _ready(self, match_id: str) -> None:
        match = self._matches.get(match_id)
        if match is not None:
            match.state = MATCH_TABLE[match.state, "ready"]

    def _step(self, match_id: str, kind: str) -> _Match:
        match = self._matches.get(match_id)
        after = None if match is None else MATCH_TABLE.get((match.state, kind))
        if match is None or after is None:
            state = self.match_state(match_id)
            where = "unknown" if state is None else state.name
            raise UpdateError("MALFORMED_MESSAGE", f"{kind} is not allowed: match {match_id} is {where}")
        if match.state is MatchState.DECIDING and (kind == "decision" or after is not MatchState.DECIDING):
            match.missed_id = match.decision_id
        match.state = after
        if after is MatchState.ENDED:
            del self._matches[match_id]
            self._remember(match_id)
        return match

    def _remember(self, match_id: str) -> None:
        self._ended[match_id] = None
        if len(self._ended) > KEEP_ENDED:
            del self._ended[next(iter(self._ended))]

    def _decision(self, match_id: str, decision_id: int) -> None:
        match = self._step(match_id, "decision")
        if decision_id <= match.decision_id:
            raise UpdateError("MALFORMED_MESSAGE", f"decision id {decision_id} of match {match_id} is not a new one")
        match.decision_id = decision_id

    def _action(self, action: pb.ActionCommand) -> Answer:
        match_id, decision_id = action.match_id, action.decision_id
        match = self._matches.get(match_id)
        if match is None:
            return Answer.MATCH_OVER if match_id in self._ended else Answer.UNKNOWN_MATCH
        if match.state is MatchState.DECIDING and decision_id == match.decision_id:
            match.state = MatchState.PLAYING
            match.answered_id, match.answer = decision_id, _said(action.action)
            return Answer.CURRENT
        if decision_id and decision_id == match.missed_id:
            return Answer.TOO_LATE
        same = decision_id == match.answered_id and _said(action.action) == match.answer
        return Answer.DUPLICATE if same else Answer.STALE


def _said(action: deal_pb2.Action) -> tuple[int, int, int]:
    # Not the message, which would keep everything that came with it.
    return action.kind, action.card, action.suit


_MATCH_UPDATES = frozenset({"deal_started", "event", "deal_ended", "match_ended"})
