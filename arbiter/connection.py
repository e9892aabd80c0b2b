"""One stream of a bot, between the main thread and the I/O thread."""

import asyncio
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from arbiter.limits import MAX_QUEUED_BYTES, MAX_UNHANDLED_BYTES, MOST_UNHANDLED, Bucket, message_cost
from arbiter.status import StreamStatus
from sixtysix.v1 import bot_service_pb2

_WRITE_BYTES = 1024 * 1024
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
    """When an update was handed to the network, in monotonic nanoseconds; None as long as it was not."""

    __slots__ = ("written_ns",)

    def __init__(self) -> None:
        self.written_ns: int | None = None


@dataclass(eq=False, slots=True)
class Connection:
    """One stream. The main thread calls `send`, `close` and `handled`, the I/O thread the rest.

    Attributes:
        bot: the key of the bot.
        status: how the stream ends, once `closing` is set; None for a good end.
        writing: a message is on its way that the bot has not taken yet.
        wake, close_asked, room: there is something to write, to close, to read.
        max_decisions: most decisions that one message may hold.
        closed: nothing can be sent any more.
    """

    bot: str
    _bucket: Bucket
    _wake_io: "Callable[[Connection], None]"
    _outbox: deque[tuple[bytes, Stamp | None]] = field(default_factory=deque)
    # One counter for each thread: a shared one would lose counts.
    _bytes_in: int = 0
    _bytes_out: int = 0
    _asked: int = 0
    _credited: int = 0
    _arrived: int = 0
    _arrived_bytes: int = 0
    _handled: int = 0
    _handled_bytes: int = 0
    _paused: bool = False
    status: StreamStatus | None = None
    closing: bool = False
    writing: bool = False
    wake: asyncio.Event = field(default_factory=asyncio.Event)
    close_asked: asyncio.Event = field(default_factory=asyncio.Event)
    room: asyncio.Event = field(default_factory=asyncio.Event)
    max_decisions: int = 64
    closed: bool = False

    def send(self, update: bot_service_pb2.Update, stamp: Stamp | None = None) -> None:
        """Queue an update; `stamp` is told when it is written. A bot that does not read is disconnected."""
        if self.closed or self.closing:
            return
        data = _framed(update.SerializeToString())
        if self._bytes_in - self._bytes_out + len(data) > MAX_QUEUED_BYTES:
            self._outbox.clear()
            self.close(StreamStatus("OUTBOUND_QUEUE_FULL", "updates are not read"))
            return
        if self.writing and stamp is not None and stamp.written_ns is None:
            # It waits behind a message that the bot has not taken yet: who does not read gains no time.
            stamp.written_ns = time.monotonic_ns()
        self._bytes_in += len(data)
        if stamp is not None or update.HasField("match_offered"):
            self._asked += 1
        self._outbox.append((data, stamp))
        self._wake_io(self)

    def close(self, status: StreamStatus | None) -> None:
        """End the stream after what is queued was written: with a status, or in good order."""
        if not self.closing:
            self.status, self.closing = status, True
            self._wake_io(self)

    def handled(self, commands: int, size: int) -> None:
        """So many commands, in so many bytes, need no more memory."""
        self._handled += commands
        self._handled_bytes += size
        if self._paused:
            self._wake_io(self)

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
                if stamp.written_ns is None:
                    stamp.written_ns = now
        self._bytes_out += size
        return b"".join(chunks)

    def admit(self, commands: int, size: int, now_ns: int) -> bool:
        """Count a message that has arrived; False if the bot sends more than it may."""
        asked = self._asked
        extra, self._credited = asked - self._credited, asked
        if not self._bucket.take(message_cost(commands, size), now_ns, extra):
            return False
        self._arrived += commands
        self._arrived_bytes += size
        return True

    async def wait_for_room(self) -> None:
        """Wait as long as too much of the bot is not handled yet: the network holds back the rest."""
        if not self._is_full():
            return
        # The order of the two matters: the main thread looks at it after it has counted.
        self._paused = True
        while self._is_full() and not (self.closing or self.closed):
            self.room.clear()
            if self._is_full():
                await self.room.wait()
        self._paused = False

    def end(self) -> None:
        """Nothing is sent or read any more: let go who waits."""
        self.closed = True
        self.room.set()
        self.close_asked.set()

    def _is_full(self) -> bool:
        return (
            self._arrived - self._handled > MOST_UNHANDLED
            or self._arrived_bytes - self._handled_bytes > MAX_UNHANDLED_BYTES
        )


class Handler(Protocol):
    """What happens on the streams; called in the main thread."""

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
