"""One stream of a bot, between gRPC and the lobby."""

import asyncio
import time
from collections import deque
from dataclasses import dataclass, field
from typing import Protocol

from arbiter.limits import MAX_QUEUED_BYTES, Bucket, message_cost
from arbiter.status import StreamStatus
from sixtysix.v1 import bot_service_pb2

_WRITE_BYTES = 1024 * 1024
_GATHER_S = 0.002
"""How long updates wait for others, while the bot has decisions to answer."""
_UPDATES_TAG = bytes((bot_service_pb2.PlayResponse.UPDATES_FIELD_NUMBER << 3 | 2,))


def _framed(update: bytes) -> bytes:
    """A serialized PlayResponse with one update, made without copying the update's message.

    Messages of one type written one after another parse as one message, so batching is joining bytes.
    """
    length, prefix = len(update), _UPDATES_TAG
    while length > 0x7F:
        prefix += bytes((length & 0x7F | 0x80,))
        length >>= 7
    return prefix + bytes((length,)) + update


class Stamp:
    """When the clock of an update began to run.

    Attributes:
        written_ns: when the update was handed to the network, or began to wait behind a message that the bot has not
            taken, in monotonic nanoseconds; None before.
        sent: it was handed to the network.
    """

    __slots__ = ("sent", "written_ns")

    def __init__(self) -> None:
        self.written_ns: int | None = None
        self.sent = False

    def start(self, now_ns: int) -> None:
        """The clock runs from now on, unless it runs already."""
        if self.written_ns is None:
            self.written_ns = now_ns

    def send(self, now_ns: int) -> None:
        """The update is handed to the network."""
        self.start(now_ns)
        self.sent = True


@dataclass(eq=False, slots=True)
class Connection:
    """One stream. The lobby calls `send` and `close`, the transport the rest.

    Attributes:
        bot: the key of the bot.
        status: how the stream ends, once `closing` is set; None for a good end.
        writing: a message is on its way that the bot has not taken yet.
        wake, close_asked: there is something to write, or to close.
        max_decisions: most decisions that one message may hold.
        closed: nothing can be sent any more.

    As in Nagle's algorithm: a bot that has nothing to answer is written to at once. While it has, what is for it is
    gathered until it is as much as that, or for a moment; no clock runs meanwhile, and with many matches at once it
    saves most of the messages.
    """

    bot: str
    _bucket: Bucket
    _outbox: deque[tuple[bytes, Stamp | None]] = field(default_factory=deque)
    _queued_bytes: int = 0
    _credit: int = 0
    _unanswered: int = 0
    _timer: asyncio.TimerHandle | None = None
    status: StreamStatus | None = None
    closing: bool = False
    writing: bool = False
    wake: asyncio.Event = field(default_factory=asyncio.Event)
    close_asked: asyncio.Event = field(default_factory=asyncio.Event)
    max_decisions: int = 64
    closed: bool = False

    def send(self, update: bot_service_pb2.Update, stamp: Stamp | None = None) -> None:
        """Queue an update; `stamp` is told when it is written. A bot that does not read is disconnected."""
        if self.closed or self.closing:
            return
        data = _framed(update.SerializeToString())
        if self._queued_bytes + len(data) > MAX_QUEUED_BYTES:
            self._outbox.clear()
            self.close(StreamStatus("OUTBOUND_QUEUE_FULL", "updates are not read"))
            return
        if self.writing and stamp is not None:
            # It waits behind a message that the bot has not taken yet: who does not read gains no time.
            stamp.start(time.monotonic_ns())
        self._queued_bytes += len(data)
        if stamp is not None or update.HasField("match_offered"):
            self._credit += 1
        self._outbox.append((data, stamp))
        if len(self._outbox) > self._unanswered:
            self.wake.set()
        elif self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(_GATHER_S, self._gathered)

    def _gathered(self) -> None:
        # Whatever the bot makes of them: it is not held back again because of these.
        self._timer, self._unanswered = None, 0
        if self._outbox:
            self.wake.set()

    def close(self, status: StreamStatus | None) -> None:
        """End the stream after what is queued was written: with a status, or in good order."""
        if not self.closing:
            self.status, self.closing = status, True
            self.wake.set()
            self.close_asked.set()

    @property
    def has_messages(self) -> bool:
        """Is there anything to write?"""
        return bool(self._outbox)

    def next_message(self) -> bytes:
        """Take what goes out together."""
        chunks: list[bytes] = []
        size = decisions = 0
        now = time.monotonic_ns()
        while self._outbox and size < _WRITE_BYTES and decisions < self.max_decisions:
            data, stamp = self._outbox.popleft()
            chunks.append(data)
            size += len(data)
            if stamp is not None:
                decisions += 1
                stamp.send(now)
        self._queued_bytes -= size
        self._unanswered += decisions
        return b"".join(chunks)

    def admit(self, commands: int, size: int, now_ns: int) -> bool:
        """Count a message that has arrived; False if the bot sends more than it may."""
        self._unanswered = max(0, self._unanswered - commands)
        if len(self._outbox) > self._unanswered:
            self.wake.set()
        credit, self._credit = self._credit, 0
        return self._bucket.take(message_cost(commands, size), now_ns, credit)

    def end(self) -> None:
        """Nothing is sent or read any more: let go who waits."""
        self.closed = True
        self.close_asked.set()
        if self._timer is not None:
            self._timer.cancel()


class Handler(Protocol):
    """What happens on the streams."""

    def opened(self, connection: Connection) -> None:
        """A bot with a valid token has connected."""

    def received(self, connection: Connection, request: bot_service_pb2.PlayRequest, arrived_ns: int) -> None:
        """Commands have arrived."""

    def garbled(self, connection: Connection) -> None:
        """A message has arrived that cannot be read; nothing more will be."""

    def flooded(self, connection: Connection) -> None:
        """The bot sends more than it may; nothing more of it will be read."""

    def closed(self, connection: Connection, detail: str) -> None:
        """The stream has ended, from whichever side; nothing can be sent any more."""
