"""One bot of a tournament and its session, over as many connections as it takes."""

import hmac
import secrets
import time
from collections import deque
from collections.abc import Callable

import structlog
import trio

from arbiter.alarm import Alarm
from arbiter.connection import Connection, Stamp
from arbiter.limits import MAX_MESSAGE_BYTES
from arbiter.policy import Fault
from arbiter.remote_seat import RemoteSeat
from arbiter.stalls import StallMeter
from arbiter.status import StreamStatus
from arbiter.tokens import bot_name
from arbiter.transport import Transport
from sixtysix import wire
from sixtysix._version import __version__
from sixtysix.session import Answer, Session
from sixtysix.v1 import bot_service_pb2 as pb

HEARTBEAT_US = 2_000_000
MOST_MATCHES = 1_024
"""Matches at once that the arbiter grants to one bot at most."""
MOST_DECISIONS = 256
"""Decisions in one message that the arbiter grants at most."""
_UNANSWERED_PINGS = 2
_ROUND_TRIPS = 8
_KEPT_ENDS = 1_024
_MOST_TEXT, _MOST_REASON = 64, 200
_log = structlog.get_logger()


class Participant:
    """One bot of the tournament, connected or not; implements `arbiter.remote_seat.Link`.

    Attributes:
        key: its key in the lobby.
        name: its name in the tournament.
        ask_before_draw, wants_events: its wishes.
        capacity: matches that it plays at once; 1 until it has said hello.
        round_trip_us: best recent round trip; None before the first.
    """

    def __init__(self, key: str, transport: Callable[[], Transport], most_matches: int | None) -> None:
        self.key = key
        self.name = bot_name(key)
        self.ask_before_draw = False
        self.wants_events = False
        self.capacity = 1
        self._transport = transport
        self._most_matches = most_matches or MOST_MATCHES
        self._connection: Connection | None = None
        self._session = Session()
        self._session_id = ""
        self._welcomed = trio.Event()
        self._seats: dict[str, RemoteSeat] = {}
        self._ends: deque[pb.Update] = deque(maxlen=_KEPT_ENDS)
        self._pings: dict[int, Stamp] = {}
        self._round_trips: deque[int] = deque(maxlen=_ROUND_TRIPS)
        self.round_trip_us: int | None = None
        self._lost_since: float | None = None
        self._lost_by = ""

    @property
    def connected(self) -> bool:
        return self._connection is not None

    def is_on(self, connection: Connection) -> bool:
        """Is this the connection of the present session?"""
        return self._connection is connection

    @property
    def stalls(self) -> StallMeter:
        return self._transport().stalls

    @property
    def alarm(self) -> Alarm:
        return self._transport().alarm

    async def wait_connected(self) -> None:
        """Wait until the bot has said hello."""
        await self._welcomed.wait()

    def send(self, update: pb.Update, stamp: Stamp | None = None) -> None:
        if self._connection is not None:
            self._session.update(update)
            self._connection.send(update, stamp)

    def join(self, seat: RemoteSeat) -> None:
        self._seats[seat.match_id] = seat

    def part(self, seat: RemoteSeat, end: pb.Update) -> None:
        self._seats.pop(seat.match_id, None)
        if self._connection is None:
            self._ends.append(end)
        elif self._session.match_state(seat.match_id) is not None:
            self.send(end)

    def begin(self, connection: Connection, session: Session, hello: pb.Hello) -> None:
        """A connection has said hello: it is the bot's from now on."""
        if self._connection is not None:
            self._connection.close(StreamStatus("REPLACED_BY_NEWER_CONNECTION", "the bot has connected again"))
        # As bytes: texts with other than ASCII characters cannot be compared.
        same = hmac.compare_digest(hello.resume_session_id.encode(), self._session_id.encode())
        resumed = bool(self._session_id) and same
        if not resumed:
            self._session_id = secrets.token_urlsafe(16)
            self._ends.clear()
            self._round_trips.clear()
            self.round_trip_us = None
            for seat in list(self._seats.values()):
                if seat.is_ready:
                    seat.lose(Fault.DISCONNECTED, f"{self.name} came back with a new session, without its matches")
        self._connection, self._session, self._lost_since = connection, session, None
        self._pings.clear()
        self.wants_events, self.ask_before_draw = hello.want_events, hello.ask_before_draw
        self.capacity = max(1, min(hello.max_concurrent_matches, self._most_matches))
        connection.max_decisions = max(1, min(hello.max_decisions_per_message, MOST_DECISIONS))
        self.send(pb.Update(welcome=self._welcome(resumed, connection.max_decisions)))
        self.ping()
        for end in self._ends:
            self.send(end)
        self._ends.clear()
        for seat in list(self._seats.values()):
            if not seat.gone:
                seat.resend()
        self._welcomed.set()
        version, sdk = hello.bot_version[:_MOST_TEXT], hello.sdk[:_MOST_TEXT]
        _log.info("bot connected", bot=self.name, version=version, sdk=sdk, resumed=resumed)

    def _welcome(self, resumed: bool, max_decisions: int) -> pb.Welcome:
        return pb.Welcome(
            session_id=self._session_id,
            bot_name=self.name,
            protocol_major=wire.PROTOCOL_MAJOR,
            protocol_minor=wire.PROTOCOL_MINOR,
            max_message_bytes=MAX_MESSAGE_BYTES,
            max_concurrent_matches=self.capacity,
            max_decisions_per_message=max_decisions,
            heartbeat_us=HEARTBEAT_US,
            server_version=__version__,
            resumed=resumed,
        )

    def handle(self, command: pb.Command, arrived_ns: int) -> None:
        """Carry out a command of the present connection; raises CommandError."""
        kind = command.WhichOneof("command")
        if kind == "action":
            self._action(command, command.action, arrived_ns)
            return
        self._session.command(command)
        match kind:
            case "ready":
                self._ready(command.ready.match_id)
            case "pong":
                self._pong(command.pong.nonce, arrived_ns)
            case "leave":
                self.leave(command.leave.reason)
            case _:
                self._error(pb.ERROR_REASON_UNKNOWN_COMMAND, "a command that this arbiter does not know")

    def _action(self, command: pb.Command, action: pb.ActionCommand, arrived_ns: int) -> None:
        seat = self._seats.get(action.match_id)
        if seat is not None and seat.is_unwritten(action.decision_id):
            # The bot cannot have seen the decision: an earlier command of the same message led to it.
            self._tell_status(action, pb.ACTION_STATUS_STALE)
            return
        answer = self._session.command(command)
        assert answer is not None
        if seat is not None:
            seat.on_action(action, answer, arrived_ns)
            return
        status = pb.ACTION_STATUS_UNKNOWN_MATCH if answer is Answer.UNKNOWN_MATCH else pb.ACTION_STATUS_MATCH_OVER
        self._tell_status(action, status)

    def _tell_status(self, command: pb.ActionCommand, status: pb.ActionStatus) -> None:
        result = pb.ActionResult(match_id=command.match_id, decision_id=command.decision_id, status=status)
        self.send(pb.Update(action_result=result))

    def _ready(self, match_id: str) -> None:
        seat = self._seats.get(match_id)
        if seat is not None:
            seat.on_ready()
        elif self._session.match_state(match_id) is None:
            self._error(pb.ERROR_REASON_UNKNOWN_MATCH, "ready for a match that was not offered", match_id)
        else:
            self._error(pb.ERROR_REASON_MATCH_OVER, "ready for a match that has ended", match_id)

    def _error(self, reason: pb.ErrorReason, message: str, match_id: str = "") -> None:
        self.send(pb.Update(error=pb.Error(reason=reason, message=message, match_id=match_id)))

    def ping(self) -> None:
        """Send a ping, or give the connection up if too many were not answered."""
        if self._connection is None:
            return
        if len(self._pings) >= _UNANSWERED_PINGS:
            self._connection.close(StreamStatus("HEARTBEAT_MISSED", f"{len(self._pings)} pings were not answered"))
            self.lost(self._connection, "the bot does not answer pings")
            return
        nonce, stamp = secrets.randbits(63) | 1, Stamp()
        self._pings[nonce] = stamp
        self.send(pb.Update(ping=pb.Ping(nonce=nonce)), stamp)

    def _pong(self, nonce: int, arrived_ns: int) -> None:
        stamp = self._pings.pop(nonce, None)
        if stamp is None or stamp.written_ns is None:
            self._error(pb.ERROR_REASON_UNEXPECTED_PONG, "a pong without its ping")
            return
        self._round_trips.append(max(0, arrived_ns - stamp.written_ns) // 1000)
        self.round_trip_us = min(self._round_trips)

    def farewell(self, reason: str) -> str:
        """What to tell of a bot that says good-bye with this reason."""
        return f"{self.name} left" + (f": {reason[:_MOST_REASON]}" if reason else "")

    def leave(self, reason: str) -> None:
        """The bot says good-bye: its matches are over."""
        connection = self._connection
        self._end_session(Fault.LEFT, self.farewell(reason))
        if connection is not None:
            connection.close(None)

    def break_off(self, status: StreamStatus, detail: str) -> None:
        """The bot broke the protocol: its stream ends with a status, its matches are over."""
        connection = self._connection
        self._end_session(Fault.PROTOCOL, detail)
        if connection is not None:
            connection.close(status)

    def process_ended(self, detail: str) -> None:
        """The bot's own process has ended, so nobody will come back."""
        connected_before = bool(self._session_id)
        fault = Fault.DISCONNECTED if connected_before else Fault.NOT_READY
        self._end_session(fault, detail)

    def _end_session(self, fault: Fault, detail: str) -> None:
        for seat in list(self._seats.values()):
            seat.lose(fault if seat.is_ready else Fault.NOT_READY, detail)
        self._connection, self._session_id, self._lost_since = None, "", None
        self._welcomed = trio.Event()

    def lost(self, connection: Connection, detail: str) -> None:
        """A connection has ended without a good-bye."""
        if connection is not self._connection:
            return
        self._connection = None
        self._welcomed = trio.Event()
        self._lost_since, self._lost_by = time.monotonic(), detail
        _log.warning("bot disconnected", bot=self.name, detail=detail)

    def check_grace(self, grace_s: float) -> str:
        """Give up the matches of a bot that has been away for too long; says so then, otherwise nothing."""
        if self._lost_since is None or time.monotonic() - self._lost_since < grace_s:
            return ""
        detail = f"{self.name} lost its connection for {grace_s:g} s: {self._lost_by}"
        self._end_session(Fault.DISCONNECTED, detail)
        return detail

    def close(self, status: StreamStatus | None) -> None:
        """End the stream, without an error if `status` is None."""
        if self._connection is not None:
            if status is not None and status.reason == "DRAINING":
                self.send(pb.Update(draining=pb.Draining(deadline_us=0)))
            self._connection.close(status)
            self._connection = None
