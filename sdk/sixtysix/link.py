"""The way to the arbiter: one session, over as many streams as it takes. Knows nothing of gRPC.

The bot's thread, which calls `receive`, `send` and `close`, reads the stream itself: to wake it from another one would
cost more than a quick decision. While it thinks, the keeper, a thread of the link's own, reads in its place, so that
pings are answered and a lost connection is opened again. With many matches the keeper always reads: what it has got
together is received at once.
"""

import logging
import threading
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from queue import Empty, SimpleQueue
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

PING_LATE_US = 150_000
"""A bot that thinks answers a ping later by this much at most."""
_KEEPER_S = PING_LATE_US / 2e6
"""How often the keeper looks, and after how much thinking it reads."""

_FEW_MATCHES = 4

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


class _Call(Enum):
    """What the keeper is to do."""

    READ = auto()
    LEAVE = auto()


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
        self._inbox: SimpleQueue[Arrival | _Ended | None] = SimpleQueue()
        self._ended: _Ended | None = None
        # Held by the thread whose turn it is to read.
        self._turn = threading.Lock()
        self._reading = self._keep_connected()
        self._over = threading.Event()
        # What the bot's thread does: is it in `receive`, does it read there, does it wait for what the keeper reads?
        self._away_since_ns: int | None = time.monotonic_ns()
        self._reads = self._waits = False
        self._calls: SimpleQueue[_Call] = SimpleQueue()
        self._interrupted = False
        # Guards the stream and its session, so that both see the commands in the same order.
        self._lock = threading.Lock()
        self._stream: Stream | None = None
        self._session = Session()
        self._keeper = threading.Thread(target=self._keep, name="sixtysix-link", daemon=True)

    def start(self) -> None:
        """Begin to connect."""
        self._keeper.start()

    def receive(self) -> list[Arrival]:
        """Wait for updates and return all that are ready; none when the tournament is over.

        Raises LinkError without a connection, UpdateError if the arbiter broke the protocol, KeyboardInterrupt after
        `interrupt`.
        """
        self._away_since_ns = None
        try:
            arrivals = self._ready()
            while not arrivals and self._ended is None:
                if self._few and self._turn.acquire(blocking=False):
                    try:
                        self._reads = True
                        # The keeper may have brought something at the end of its turn.
                        if self._inbox.empty():
                            self._read()
                    finally:
                        self._reads = False
                        self._turn.release()
                    arrivals = self._ready()
                else:
                    if not self._turn.locked():
                        self._calls.put(_Call.READ)
                    self._waits = True
                    try:
                        arrivals = self._ready(self._inbox.get())
                    finally:
                        self._waits = False
        finally:
            self._away_since_ns = time.monotonic_ns()
        if self._interrupted:
            raise KeyboardInterrupt
        if not arrivals and self._ended is not None and self._ended.problem is not None:
            raise self._ended.problem
        return arrivals

    def _ready(self, first: Arrival | _Ended | None = None) -> list[Arrival]:
        """All that has been read and not been received, with `first` before it."""
        arrivals = [first] if isinstance(first, Arrival) else []
        if isinstance(first, _Ended):
            self._ended = first
        while self._ended is None and not self._inbox.empty():
            item = self._inbox.get()
            if isinstance(item, _Ended):
                self._ended = item
            elif item is not None:
                arrivals.append(item)
        return arrivals

    def interrupt(self) -> bool:
        """Let `receive` end with a KeyboardInterrupt; False if the bot's thread is not just reading there.

        For a handler of signals: an exception out of the middle of a read would leave the stream unusable.
        """
        if self._reads:
            self._interrupted = True
            self._calls.put(_Call.LEAVE)
        return self._reads

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
        self._leave(reason)
        self._calls.put(_Call.LEAVE)
        self._over.wait(LEAVE_US / 1e6)
        self._break_off()
        self._keeper.join(LEAVE_US / 1e6)

    def _break_off(self) -> None:
        with self._lock:
            if self._stream is not None:
                self._stream.close()

    def _is_due(self, command: pb.Command) -> bool:
        if command.HasField("ready"):
            state = self._session.match_state(command.ready.match_id)
            if state is None or state is MatchState.ENDED:
                return False
        answer = self._session.command(command)
        return answer is None or answer is Answer.CURRENT

    def _leave(self, reason: str) -> None:
        """Say good-bye, or break off what has not begun."""
        self._closing.set()
        with self._lock:
            if self._stream is not None and not self._say_leave(reason):
                self._stream.close()

    def _say_leave(self, reason: str) -> bool:
        if self._stream is None or self._session.state is not StreamState.OPEN:
            return self._session.state is StreamState.LEFT
        command = pb.Command(leave=pb.Leave(reason=reason))
        self._session.command(command)
        self._stream.write(pb.PlayRequest(commands=[command]))
        return True

    def _read(self) -> None:
        """Read one message, whatever it takes to get it; by the thread that has the turn."""
        try:
            next(self._reading)
        except StopIteration:
            self._end(None)
        except Exception as error:  # goes on in the bot's thread
            self._end(error)

    def _end(self, problem: Exception | None) -> None:
        if not self._over.is_set():
            self._inbox.put(_Ended(problem))
            self._over.set()

    def _keep(self) -> None:
        while not self._over.is_set():
            try:
                call = self._calls.get(timeout=_KEEPER_S)
            except Empty:
                since = self._away_since_ns
                if since is None or time.monotonic_ns() - since < _KEEPER_S * 1e9:
                    continue
                call = _Call.READ
            if call is _Call.LEAVE:
                self._leave("interrupted")
            self._read_instead()
            if call is _Call.LEAVE and not self._over.wait(LEAVE_US / 1e6):
                self._break_off()

    @property
    def _few(self) -> bool:
        return self._session.matches <= _FEW_MATCHES

    def _read_instead(self) -> None:
        """Read until the bot's thread wants to."""
        if not self._turn.acquire(blocking=False):
            return
        try:
            while not (self._over.is_set() or (self._waits and self._few)):
                self._read()
        finally:
            self._turn.release()
        # It may wait for something that is not to come from here.
        self._inbox.put(None)

    def _keep_connected(self) -> Iterator[None]:
        """Go on by one message at each step."""
        alone_since_us = self._clock_us()
        delay_us = FIRST_DELAY_US
        attempts = 0
        while not self._closing.is_set():
            end = yield from self._follow(self._open_stream())
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

    def _follow(self, stream: Stream) -> Generator[None, None, StreamEnd]:
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
                yield
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
                if not self._say_leave(f"the arbiter broke the protocol: {error}"):
                    self._stream.close()
                return
        if updates:
            self._inbox.put(Arrival(updates, arrived_us))

    def _follow_update(self, update: pb.Update) -> None:
        self._session.update(update)
        if update.HasField("welcome"):
            self._hello.resume_session_id = update.welcome.session_id
            _log.info("connected to %s as %s", self._address, update.welcome.bot_name)
