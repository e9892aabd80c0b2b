"""One run of a scenario: the bot, its streams, what was said on them, and how long is waited for what."""

import signal
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from queue import Empty
from typing import NamedTuple

from sixtysix.conformance import clauses, messages
from sixtysix.conformance.clauses import Clause
from sixtysix.conformance.process import BotProcess
from sixtysix.conformance.server import (
    FINE,
    LOST,
    Closed,
    Exited,
    Happening,
    Happenings,
    Opened,
    Said,
    Server,
    ServerStream,
    StreamStatus,
)
from sixtysix.session import Answer, CommandError, Session
from sixtysix.v1 import bot_service_pb2 as pb

ARBITER, BOT = "arbiter", "bot"

FOR_EVER_S = threading.TIMEOUT_MAX
"""A limit that is none."""

_EXIT_S = 1.0
"""After the end of a stream: how long its process gets to end, so that the report can say that it has."""


class Failed(Exception):
    """The bot does not do what the protocol says.

    Attributes:
        clause: what it says.
    """

    def __init__(self, clause: Clause, problem: str) -> None:
        super().__init__(problem)
        self.clause = clause


class NotApplicable(Exception):
    """The scenario asks for something that the bot has not offered; the message says what."""


class Entry(NamedTuple):
    """Something that was said, or that happened.

    Attributes:
        stream: number of the stream, from 1; 0 for the process.
        sender: ``arbiter`` or ``bot``.
        message: the message, or a sentence about what happened.
    """

    stream: int
    sender: str
    message: pb.Update | pb.Command | str


class Heard(NamedTuple):
    """A command, what it answers if it is an action, and when it came."""

    command: pb.Command
    answer: Answer | None
    arrived_ns: int

    @property
    def kind(self) -> str:
        """Name of the command."""
        return str(self.command.WhichOneof("command"))


class Peer:
    """The bot at the other end of one stream.

    Attributes:
        number: of the stream, from 1.
        hello: what it has introduced itself with, once it has.
        inbox: commands that nobody has looked at, without pongs.
        closed: nothing more comes.
        unanswered: nonces of pings without a pong.
    """

    def __init__(self, number: int, stream: ServerStream, transcript: list[Entry]) -> None:
        self.number = number
        self.hello = pb.Hello()
        self.inbox: deque[Heard] = deque()
        self.closed = False
        self.unanswered: set[int] = set()
        self.authorization = stream.authorization
        self._stream = stream
        self._session = Session()
        self._transcript = transcript

    def say(self, *updates: pb.Update) -> int:
        """Send updates in one message; returns the monotonic time in nanoseconds."""
        for update in updates:
            self._session.update(update)
            self._transcript.append(Entry(self.number, ARBITER, update))
            if update.HasField("ping"):
                self.unanswered.add(update.ping.nonce)
        return self._stream.say(*updates)

    def end(self, status: StreamStatus) -> None:
        """End the stream."""
        told = " ".join(text for text in (status.code.name, status.reason, status.text) if text)
        self._transcript.append(Entry(self.number, ARBITER, f"ends the stream: {told}"))
        self._stream.end(status)

    def take(self, said: Said) -> None:
        """Note what the bot has said; raises Failed for what it may not say now."""
        if said.request is None:
            raise Failed(clauses.BAD_MESSAGE, "the bytes of a message are no PlayRequest")
        for command in said.request.commands:
            self._transcript.append(Entry(self.number, BOT, command))
            kind = command.WhichOneof("command")
            try:
                answer = self._session.command(command)
            except CommandError as error:
                clause = clauses.BAD_MESSAGE if error.reason == "MALFORMED_MESSAGE" else clauses.HELLO_FIRST
                raise Failed(clause, str(error)) from None
            if kind is None:
                raise Failed(clauses.NOTHING_KNOWN, "a command has nothing in it that is known")
            if kind == "pong":
                self._take_pong(command.pong.nonce)
                continue
            if kind == "leave":
                self.end(FINE)
            if kind == "hello":
                self.hello = command.hello
            if kind == "ready" and self._session.match_state(command.ready.match_id) is None:
                raise Failed(clauses.READY, f"ready for match {command.ready.match_id!r}, which was not offered")
            if answer is Answer.UNKNOWN_MATCH:
                problem = f"an answer in match {command.action.match_id!r}, which was not offered on this stream"
                raise Failed(clauses.ANSWER_REPEATS, problem)
            self.inbox.append(Heard(command, answer, said.arrived_ns))

    def _take_pong(self, nonce: int) -> None:
        if nonce not in self.unanswered:
            raise Failed(clauses.PONG, f"a pong with nonce {nonce}, which no ping that waits for one has")
        self.unanswered.remove(nonce)


class Trial:
    """What a scenario works with.

    Args:
        server: the arbiter's end.
        token: what the bot is known by.
        name: its name in the tournament.
        launch: starts the bot; None for one that somebody else starts.
        limit_s: how long the bot is waited for, whatever it is to do.
        patient: wait for the first connection for as long as it takes.

    Attributes:
        transcript: all that was said, in order.
        remarks: sentences for the report that are no failures.
        process: the bot's process, if it was started here.
        limit_s: as given.
    """

    def __init__(
        self,
        server: Server,
        token: str,
        name: str,
        launch: Callable[[Happenings], BotProcess] | None,
        limit_s: float,
        *,
        patient: bool = False,
    ) -> None:
        self.transcript: list[Entry] = []
        self.remarks: list[str] = []
        self.limit_s = limit_s
        self._token = token
        self._name = name
        self._peers: dict[ServerStream, Peer] = {}
        self._opened: deque[Peer] = deque()
        self._exit_status: int | None = None
        self._sessions = 0
        self._patient = patient
        self._server = server
        self._happenings = server.happenings
        self.process = None if launch is None else launch(self._happenings)

    @property
    def started_here(self) -> bool:
        """Can the process be watched?"""
        return self.process is not None

    def close(self, polite_s: float = 0.0) -> None:
        """End the process, which has some time to do so by itself, or break off the streams of one that goes on."""
        if self.process is not None:
            self.process.ask_to_end(polite_s)
        else:
            # It may be back before the next scenario has begun.
            self._server.happenings = Happenings()
        for peer in self._peers.values():
            if not peer.closed:
                peer.end(LOST if self.process is None else FINE)
        if self.process is not None:
            self.process.end()
            self._server.happenings = Happenings()

    def accept(self, clause: Clause = clauses.HELLO_IN_TIME) -> Peer:
        """Wait for a stream and its hello."""
        waits = _Deadline(FOR_EVER_S if self._patient and not self._peers else self.limit_s)
        while not self._opened:
            if self._exit_status is not None:
                raise Failed(clause, f"no connection: the process {ended(self._exit_status)}")
            if not self._pump(waits):
                raise Failed(clause, f"no connection within {waits}")
        peer = self._opened.popleft()
        if peer.authorization is None:
            raise Failed(clauses.TOKEN, "the call has no metadata 'authorization'")
        if peer.authorization != f"Bearer {self._token}":
            raise Failed(clauses.TOKEN, "the metadata 'authorization' is not 'Bearer ' and the token")
        heard = self.hear(peer, "hello", clauses.HELLO_IN_TIME)
        if heard.kind != "hello":
            raise Failed(clauses.HELLO_FIRST, f"the first command is {heard.kind}")
        return peer

    def welcome(self, peer: Peer, *, resumed: bool = False) -> None:
        """Answer the hello; a new session has a new id."""
        if not resumed:
            self._sessions += 1
        peer.say(messages.welcome(peer.hello, self.session_id, self._name, resumed=resumed))

    @property
    def session_id(self) -> str:
        """That of the last welcome."""
        return f"session-{self._sessions}"

    def hear(self, peer: Peer, expected: str, clause: Clause, limit_s: float | None = None) -> Heard:
        """Wait for the next command, of whatever kind; `expected` says which one should come."""
        waits = _Deadline(self.limit_s if limit_s is None else limit_s)
        while not peer.inbox:
            self._step(peer, waits, expected, clause)
        return peer.inbox.popleft()

    def answer(self, peer: Peer, clause: Clause = clauses.ANSWER_REPEATS) -> Heard:
        """Wait for the answer to an open decision; harmless commands before it are passed over."""
        while True:
            heard = self.hear(peer, "action", clause)
            if heard.kind == "leave":
                raise Failed(clause, f"the bot has left: {heard.command.leave.reason or 'no reason given'}")
            if heard.answer is Answer.CURRENT:
                return heard
            if heard.answer is not None:
                action = heard.command.action
                what = f"decision {action.decision_id} of match {action.match_id}"
                self.remarks.append(f"an answer to {what} that is {heard.answer.name}, which is no fault")

    def ready(self, peer: Peer, match_ids: list[str]) -> None:
        """Wait until the bot is ready for these matches."""
        waiting = set(match_ids)
        while waiting:
            heard = self.hear(peer, f"ready for {', '.join(sorted(waiting))}", clauses.READY)
            if heard.kind != "ready":
                raise Failed(clauses.READY, f"{heard.kind} comes before ready for {', '.join(sorted(waiting))}")
            waiting.discard(heard.command.ready.match_id)

    def pong(self, peer: Peer, nonce: int, limit_s: float) -> None:
        """Send a ping and wait for its pong."""
        peer.say(messages.ping(nonce))
        waits = _Deadline(limit_s)
        while nonce in peer.unanswered:
            self._step(peer, waits, "pong", clauses.PONG)

    def stop(self, clause: Clause, limit_s: float | None = None) -> None:
        """Wait until the process has ended without connecting again."""
        waits = _Deadline(self.limit_s if limit_s is None else limit_s)
        while self._exit_status is None:
            if not self._pump(waits):
                raise Failed(clause, f"the process still runs after {waits}")
            if self._opened:
                raise Failed(clause, "the bot connects again")
        self.remarks.append(f"the process {ended(self._exit_status)}")

    def stop_or_return(self, clause: Clause) -> None:
        """Wait until the process has ended or the bot connects again, whichever it prefers."""
        waits = _Deadline(self.limit_s)
        while self._exit_status is None and not self._opened:
            if not self._pump(waits):
                raise Failed(clause, f"neither the end of the process nor a new connection within {waits}")

    def terminate(self) -> None:
        """Send the process SIGTERM."""
        assert self.process is not None
        self.transcript.append(Entry(0, ARBITER, "sends the process SIGTERM"))
        self.process.signal(signal.SIGTERM)

    def _step(self, peer: Peer, waits: "_Deadline", expected: str, clause: Clause) -> None:
        if self._opened and self._opened[0] is not peer:
            raise Failed(clauses.ONE_CONNECTION, f"another stream is opened where {expected} is due")
        if peer.closed:
            raise Failed(clause, f"the bot ends the stream where {expected} is due{self._why_closed()}")
        if not self._pump(waits):
            raise Failed(clause, f"no {expected} within {waits}")

    def _why_closed(self) -> str:
        waits = _Deadline(_EXIT_S)
        while self.started_here and self._exit_status is None and self._pump(waits):
            pass
        return "" if self._exit_status is None else f"; its process {ended(self._exit_status)}"

    def _pump(self, waits: "_Deadline") -> bool:
        """Take note of the next happening; False if there is none in time."""
        happening: Happening
        try:
            happening = self._happenings.get(timeout=waits.left_s)
        except Empty:
            return False
        match happening:
            case Opened(stream):
                peer = Peer(len(self._peers) + 1, stream, self.transcript)
                self._peers[stream] = peer
                self._opened.append(peer)
                self.transcript.append(Entry(peer.number, BOT, "opens a stream"))
            case Said(stream):
                self._peers[stream].take(happening)
            case Closed(stream):
                self._peers[stream].closed = True
                self.transcript.append(Entry(self._peers[stream].number, BOT, "the stream has ended"))
            case Exited(status):
                self._exit_status = status
                self.transcript.append(Entry(0, BOT, f"the process {ended(status)}"))
        return True


class _Deadline:
    def __init__(self, limit_s: float) -> None:
        self._limit_s = limit_s
        self._at = time.monotonic() + limit_s

    @property
    def left_s(self) -> float:
        return max(0.0, self._at - time.monotonic())

    def __str__(self) -> str:
        return f"{self._limit_s:g} s"


def ended(status: int) -> str:
    """How a process has ended, as the end of a sentence about it."""
    if status < 0:
        with suppress(ValueError):
            return f"was killed by {signal.Signals(-status).name}"
    return f"exited with status {status}"
