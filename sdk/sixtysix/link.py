"""The way to the arbiter: one session, over as many streams as it takes. Knows nothing of gRPC.

A thread of its own reads the stream, answers pings at once and connects again after a loss, while the bot's
thread thinks. The bot's thread calls `receive`, `send` and `close`.
"""

import logging
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from queue import SimpleQueue
from random import Random
from typing import NamedTuple, Protocol

from sixtysix.session import Answer, MatchState, Session, StreamState, UpdateError
from sixtysix.v1 import bot_service_pb2 as pb

FIRST_DELAY_US = 100_000
"""Before the first attempt to connect again; each further one waits twice as long."""
LONGEST_DELAY_US = 5_000_000
GIVE_UP_US = 60_000_000
"""Time without a connection after which the bot gives up."""
LEAVE_US = 2_000_000
"""Most time that the arbiter gets to end the stream after `leave`."""

_RECONNECT = frozenset({"HEARTBEAT_MISSED", "OUTBOUND_QUEUE_FULL"})
_LOST = frozenset({"UNAVAILABLE", "CANCELLED"})

_log = logging.getLogger(__name__)


class LinkError(Exception):
    """The arbiter cannot be reached, refuses the bot or has ended its stream; the message says why."""


@dataclass(frozen=True, slots=True)
class StreamEnd:
    """How a stream ended.

    Attributes:
        code: name of the gRPC status, such as ``UNAVAILABLE``.
        reason: name of a StatusReason, such as ``DRAINING``; empty if the end comes from gRPC itself.
        text: the same for people.
    """

    code: str
    reason: str = ""
    text: str = ""

    @property
    def over(self) -> bool:
        """Has the tournament come to its end?"""
        return self.code == "OK" or self.reason == "TOURNAMENT_OVER"

    @property
    def lost(self) -> bool:
        """Is it right to connect again, by the table of stream errors in docs/protocol.md?"""
        return self.reason in _RECONNECT if self.reason else self.code in _LOST

    def __str__(self) -> str:
        return f"{self.reason or self.code}: {self.text}" if self.text else self.reason or self.code


class Stream(Protocol):
    """One stream to the arbiter."""

    def read(self) -> pb.PlayResponse | StreamEnd:
        """Wait for the next message or the end of the stream; called by one thread."""

    def write(self, request: pb.PlayRequest) -> None:
        """Queue a message, without waiting."""

    def close(self) -> None:
        """Break the stream off, whoever reads it; does nothing if it has ended."""


class Arrival(NamedTuple):
    """The updates of one message, pings left out, and when it came in monotonic microseconds."""

    updates: Sequence[pb.Update]
    arrived_us: int


class _Ended(NamedTuple):
    problem: Exception | None


def monotonic_us() -> int:
    """The monotonic clock in microseconds."""
    return time.monotonic_ns() // 1000


class Link:
    """A bot's connection, kept up.

    Args:
        address: where the arbiter is, for messages to people.
        open_stream: starts a stream.
        hello: the bot's introduction.
        clock_us: the monotonic clock.
        sleep_us: waits between attempts; by default until `close` is called at most.
        jitter: spreads the attempts of many bots.
    """

    def __init__(
        self,
        address: str,
        open_stream: Callable[[], Stream],
        hello: pb.Hello,
        *,
        clock_us: Callable[[], int] = monotonic_us,
        sleep_us: Callable[[int], object] | None = None,
        jitter: Random | None = None,
    ) -> None:
        self._address = address
        self._open_stream = open_stream
        self._hello = hello
        self._clock_us = clock_us
        self._closing = threading.Event()
        self._sleep_us = sleep_us or (lambda us: self._closing.wait(us / 1e6))
        self._jitter = jitter or Random()
        self._inbox: SimpleQueue[Arrival | _Ended] = SimpleQueue()
        self._ended: _Ended | None = None
        # Guards the stream and its session, so that both see the commands in the same order.
        self._lock = threading.Lock()
        self._stream: Stream | None = None
        self._session = Session()
        self._thread = threading.Thread(target=self._run, name="sixtysix-link", daemon=True)

    def start(self) -> None:
        """Begin to connect."""
        self._thread.start()

    def receive(self) -> list[Arrival]:
        """Wait for updates and return all that are ready; none when the tournament is over.

        Raises LinkError without a connection, UpdateError if the arbiter broke the protocol.
        """
        arrivals: list[Arrival] = []
        while self._ended is None and not (arrivals and self._inbox.empty()):
            item = self._inbox.get()
            if isinstance(item, _Ended):
                self._ended = item
            else:
                arrivals.append(item)
        if not arrivals and self._ended is not None and self._ended.problem is not None:
            raise self._ended.problem
        return arrivals

    def send(self, commands: Iterable[pb.Command]) -> None:
        """Send commands in one message, without those that are too late or belong to a lost stream.

        What is left out is not missed: the arbiter repeats offers and open decisions on the next stream.
        """
        with self._lock:
            if self._stream is None or self._session.state is not StreamState.OPEN:
                return
            due = [command for command in commands if self._is_due(command)]
            if due:
                self._stream.write(pb.PlayRequest(commands=due))

    def close(self, reason: str) -> None:
        """Leave, if there is a connection, and end it; after the end of the tournament do nothing."""
        self._closing.set()
        with self._lock:
            left = self._leave(reason)
        if left:
            self._thread.join(LEAVE_US / 1e6)
        with self._lock:
            if self._stream is not None:
                self._stream.close()
        self._thread.join(LEAVE_US / 1e6)

    def _is_due(self, command: pb.Command) -> bool:
        if command.HasField("ready"):
            state = self._session.match_state(command.ready.match_id)
            if state is None or state is MatchState.ENDED:
                return False
        answer = self._session.command(command)
        return answer is None or answer is Answer.CURRENT

    def _leave(self, reason: str) -> bool:
        if self._stream is None or self._session.state is not StreamState.OPEN:
            return False
        command = pb.Command(leave=pb.Leave(reason=reason))
        self._session.command(command)
        self._stream.write(pb.PlayRequest(commands=[command]))
        return True

    def _run(self) -> None:
        problem: Exception | None = None
        try:
            self._keep_connected()
        except Exception as error:  # goes on in the bot's thread
            problem = error
        self._inbox.put(_Ended(problem))

    def _keep_connected(self) -> None:
        alone_since_us = self._clock_us()
        delay_us = FIRST_DELAY_US
        attempts = 0
        while not self._closing.is_set():
            end = self._follow(self._open_stream())
            if end.over or self._closing.is_set():
                return
            if not end.lost:
                raise LinkError(f"the arbiter at {self._address} ended the connection: {end}")
            if self._session.state is not StreamState.WELCOME_EXPECTED:
                alone_since_us = self._clock_us()
                delay_us = FIRST_DELAY_US
                attempts = 0
            seconds = GIVE_UP_US // 1_000_000
            if self._clock_us() - alone_since_us >= GIVE_UP_US:
                raise LinkError(f"no connection to the arbiter at {self._address} for {seconds} s: {end}")
            if attempts == 0:
                _log.warning("no connection to %s (%s), trying for %d s", self._address, end, seconds)
            attempts += 1
            self._sleep_us(int(delay_us * self._jitter.uniform(0.5, 1.0)))
            delay_us = min(2 * delay_us, LONGEST_DELAY_US)

    def _follow(self, stream: Stream) -> StreamEnd:
        hello = pb.Command(hello=self._hello)
        with self._lock:
            self._stream, self._session = stream, Session()
            self._session.command(hello)
            stream.write(pb.PlayRequest(commands=[hello]))
            if self._closing.is_set():
                stream.close()
        try:
            while True:
                message = stream.read()
                if isinstance(message, StreamEnd):
                    return message
                self._take(message)
        finally:
            with self._lock:
                self._stream = None
            stream.close()

    def _take(self, message: pb.PlayResponse) -> None:
        arrived_us = self._clock_us()
        updates: list[pb.Update] = []
        with self._lock:
            if self._session.state is StreamState.LEFT or self._stream is None:
                return
            try:
                for update in message.updates:
                    self._follow_update(update)
                    if update.HasField("ping"):
                        pong = pb.Command(pong=pb.Pong(nonce=update.ping.nonce))
                        self._session.command(pong)
                        self._stream.write(pb.PlayRequest(commands=[pong]))
                    else:
                        updates.append(update)
            except UpdateError as error:
                self._inbox.put(_Ended(error))
                self._closing.set()
                if not self._leave(f"the arbiter broke the protocol: {error}"):
                    self._stream.close()
                return
        if updates:
            self._inbox.put(Arrival(updates, arrived_us))

    def _follow_update(self, update: pb.Update) -> None:
        self._session.update(update)
        if update.HasField("welcome"):
            self._hello.resume_session_id = update.welcome.session_id
            _log.info("connected to %s as %s", self._address, update.welcome.bot_name)
