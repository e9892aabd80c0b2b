"""One stream of a bot, between gRPC and the lobby."""

import asyncio
import time
from collections import deque
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from arbiter.gathering import Gathering
from arbiter.limits import MAX_QUEUED_BYTES, Bucket, message_cost
from arbiter.status import StreamStatus
from sixtysix.v1 import bot_service_pb2

_WRITE_BYTES = 1024 * 1024
_BLOCKED_NS = 5_000_000
"""A message that takes longer to write waits for the bot to read."""
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
        written_ns: when the update was handed to the network, or began to wait behind a message that the bot did not
            take, in monotonic nanoseconds; None before.
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


class _Queued(NamedTuple):
    """An update that is to be written; `waits_ns`: since when it waits for the message before it, 0 if it does not."""

    data: bytes
    stamp: Stamp | None
    asks: bool
    waits_ns: int


@dataclass(eq=False, slots=True)
class Connection:
    """One stream. The lobby calls `send` and `close`, the transport the rest.

    Attributes:
        bot: the key of the bot.
        status: how the stream ends, once `closing` is set; None for a good end.
        writing_ns: since when a message is on its way that the bot has not taken yet, 0 if there is none.
        wake, close_asked: there is something to write, or to close.
        max_decisions: most decisions that one message may hold.
        closed: nothing can be sent any more.

    Updates are gathered, as `arbiter.gathering` has it; no clock runs meanwhile.
    """

    bot: str
    _bucket: Bucket
    _outbox: deque[_Queued] = field(default_factory=deque)
    _queued_bytes: int = 0
    _credit: int = 0
    _gathering: Gathering = field(default_factory=Gathering)
    _timer: asyncio.TimerHandle | None = None
    status: StreamStatus | None = None
    closing: bool = False
    writing_ns: int = 0
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
        self._queued_bytes += len(data)
        asks = stamp is not None or update.HasField("match_offered")
        self._credit += asks
        self._outbox.append(_Queued(data, stamp, asks, time.monotonic_ns() if self.writing_ns else 0))
        self._gather()

    def _gather(self) -> None:
        if not self._outbox:
            return
        if self._gathering.is_enough(len(self._outbox)):
            self.wake.set()
        elif self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(self._gathering.patience_s, self._patience_ends)

    def _patience_ends(self) -> None:
        self._timer = None
        self._gathering.give_up()
        self._gather()

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
        """Take what goes out together; `written` is to be called when it has gone."""
        chunks: list[bytes] = []
        size = asking = decisions = 0
        self.writing_ns = now = time.monotonic_ns()
        while self._outbox and size < _WRITE_BYTES and decisions < self.max_decisions:
            data, stamp, asks, _ = self._outbox.popleft()
            chunks.append(data)
            size += len(data)
            asking += asks
            if stamp is not None:
                decisions += 1
                stamp.send(now)
        self._queued_bytes -= size
        self._gathering.written(asking)
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._outbox:
            # It was time for these too.
            self.wake.set()
        return b"".join(chunks)

    def written(self) -> None:
        """The message has gone out."""
        blocked = time.monotonic_ns() - self.writing_ns > _BLOCKED_NS
        self.writing_ns = 0
        if blocked:
            # Who does not read gains no time: the clocks of what had to wait have run, and it waits no longer.
            for queued in self._outbox:
                if queued.stamp is not None and queued.waits_ns:
                    queued.stamp.start(queued.waits_ns)
            self._gathering.give_up()
            self._gather()

    def admit(self, commands: int, size: int, now_ns: int) -> bool:
        """Count a message that has arrived; False if the bot sends more than it may."""
        self._gathering.answered(commands)
        self._gather()
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
