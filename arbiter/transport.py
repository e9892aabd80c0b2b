"""gRPC beside trio: the only module that knows grpc.

`grpc.aio` runs on a thread of its own, everything else in the main thread under trio. Both directions go through a
deque, and the other side is woken only if it is not already due to wake, so that whatever is ready travels together.
A command is time-stamped on the I/O thread as it arrives: the work of other matches is nobody's thinking time.
"""

import asyncio
import sys
import threading
import time
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, Protocol

import grpc
import grpc.aio
import trio
from google.protobuf.message import DecodeError, Message
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from arbiter.queries import Queries, QueryError
from arbiter.stalls import TICK_NS, StallMeter
from arbiter.status import StreamStatus
from sixtysix.v1 import bot_service_pb2, status_pb2, tournament_service_pb2, tournament_service_pb2_grpc

MAX_MESSAGE_BYTES = 256 * 1024
"""Longest message that a bot may send."""
MAX_QUEUED_BYTES = 4 * 1024 * 1024
"""A bot that leaves more than this unread loses its connection."""
_WRITE_BYTES = 1024 * 1024
_LAST_WRITE_S = 1.0
_SWITCH_S = 0.0005
_SERVER_OPTIONS = [
    ("grpc.max_receive_message_length", MAX_MESSAGE_BYTES),
    ("grpc.keepalive_time_ms", 20_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.http2.ping_timeout_ms", 10_000),
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.http2.min_ping_interval_without_data_ms", 5_000),
    ("grpc.so_reuseport", 0),
]
_BOT_SERVICE = "sixtysix.v1.BotService"
_TOURNAMENT_SERVICE = "sixtysix.v1.TournamentService"


class ListenError(Exception):
    """The address cannot be listened on."""


class Stamp:
    """When an update was handed to the network, in monotonic nanoseconds; None as long as it was not."""

    __slots__ = ("written_ns",)

    def __init__(self) -> None:
        self.written_ns: int | None = None


class Handler(Protocol):
    """What happens on the streams; called in the main thread."""

    def opened(self, connection: "Connection") -> None:
        """A bot with a valid token has connected."""

    def received(self, connection: "Connection", request: bot_service_pb2.PlayRequest, arrived_ns: int) -> None:
        """Commands have arrived."""

    def garbled(self, connection: "Connection") -> None:
        """A message has arrived that cannot be read."""

    def closed(self, connection: "Connection", detail: str) -> None:
        """The stream has ended, from whichever side; nothing can be sent any more."""


@dataclass(eq=False, slots=True)
class Connection:
    """One stream. The main thread calls `send` and `close`; the rest belongs to the I/O thread."""

    bot: str
    _transport: "Transport"
    _outbox: deque[tuple[bytes, Stamp | None]] = field(default_factory=deque)
    # One counter for each thread: a shared one would lose counts.
    _bytes_in: int = 0
    _bytes_out: int = 0
    _status: StreamStatus | None = None
    _closing: bool = False
    _wake: asyncio.Event = field(default_factory=asyncio.Event)
    _close_asked: asyncio.Event = field(default_factory=asyncio.Event)
    max_decisions: int = 64
    closed: bool = False

    def send(self, update: bot_service_pb2.Update, stamp: Stamp | None = None) -> None:
        """Queue an update; `stamp` is told when it is written. A bot that does not read is disconnected."""
        if self.closed or self._closing:
            return
        # Messages of one type written one after another parse as one message: batching is joining bytes.
        data = bot_service_pb2.PlayResponse(updates=[update]).SerializeToString()
        if self._bytes_in - self._bytes_out + len(data) > MAX_QUEUED_BYTES:
            self._outbox.clear()
            self.close(StreamStatus("OUTBOUND_QUEUE_FULL", "updates are not read"))
            return
        self._bytes_in += len(data)
        self._outbox.append((data, stamp))
        self._transport._wake_io(self)

    def close(self, status: StreamStatus | None) -> None:
        """End the stream after what is queued was written: with a status, or in good order."""
        if not self._closing:
            self._status, self._closing = status, True
            self._transport._wake_io(self)

    def _next_message(self) -> bytes:
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


class Transport(trio.abc.Instrument):
    """The server and its I/O thread.

    Attributes:
        address: ``host:port`` that bots connect to, once running.
        stalls: what the I/O thread knows of its own stalls.
    """

    def __init__(
        self,
        listen: str,
        authenticate: Callable[[str | None], str | StreamStatus],
        handler: Handler,
        queries: Queries,
    ) -> None:
        self.address = listen
        self.stalls = StallMeter(time.monotonic_ns())
        self._listen = listen
        self._authenticate = authenticate
        self._handler = handler
        self._queries = queries
        self._inbox: deque[Callable[[], None]] = deque()
        self._main_wakes = False
        self._dirty: deque[Connection] = deque()
        self._io_wakes = False
        self._token = trio.lowlevel.current_trio_token()
        self._loop = asyncio.new_event_loop()
        self._started = threading.Event()
        self._problem: BaseException | None = None
        self._stop: asyncio.Event | None = None

    def drain(self) -> None:
        """Handle what has arrived by now; in the main thread."""
        self._main_wakes = False
        while self._inbox:
            self._inbox.popleft()()

    def _post(self, call: Callable[[], None]) -> None:
        self._inbox.append(call)
        if not self._main_wakes:
            self._main_wakes = True
            # Not at once: what else this pass of the loop reads goes with it.
            self._loop.call_soon(self._wake_main)

    def _wake_main(self) -> None:
        with suppress(trio.RunFinishedError):
            self._token.run_sync_soon(self.drain)

    def _wake_io(self, connection: Connection) -> None:
        self._dirty.append(connection)

    def before_io_wait(self, timeout: float) -> None:
        """Trio has nothing more to run: hand over what was sent meanwhile, in one go."""
        if self._dirty and not self._io_wakes:
            self._io_wakes = True
            self._loop.call_soon_threadsafe(self._flush)

    def _flush(self) -> None:
        self._io_wakes = False
        while self._dirty:
            connection = self._dirty.popleft()
            connection._wake.set()
            if connection._closing:
                connection._close_asked.set()

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_until_complete(self._serve())
        except BaseException as error:
            self._problem = error
        finally:
            self._started.set()
            self._loop.close()

    async def _serve(self) -> None:
        self._stop = asyncio.Event()
        server = grpc.aio.server(options=_SERVER_OPTIONS)
        handlers: dict[str, Any] = {"Play": grpc.stream_stream_rpc_method_handler(self._play)}
        server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(_BOT_SERVICE, handlers),))
        tournament_service_pb2_grpc.add_TournamentServiceServicer_to_server(_Tournaments(self._queries), server)
        health_servicer = health.aio.HealthServicer()
        health_pb2_grpc.add_HealthServicer_to_server(health_servicer, server)
        for service in ("", _BOT_SERVICE, _TOURNAMENT_SERVICE):
            await health_servicer.set(service, health_pb2.HealthCheckResponse.SERVING)
        names = (_BOT_SERVICE, _TOURNAMENT_SERVICE, health.SERVICE_NAME, reflection.SERVICE_NAME)
        reflection.enable_server_reflection(names, server)
        try:
            port = server.add_insecure_port(self._listen)
        except RuntimeError:
            raise ListenError(
                f"cannot listen on {self._listen}: the address is in use or not of this machine"
            ) from None
        host = self._listen.rpartition(":")[0]
        self.address = f"{host}:{port}"
        await server.start()
        ticker = asyncio.create_task(self._tick())
        self._started.set()
        await self._stop.wait()
        ticker.cancel()
        await health_servicer.enter_graceful_shutdown()
        await server.stop(grace=1.0)

    async def _tick(self) -> None:
        while True:
            await asyncio.sleep(TICK_NS / 1e9)
            self.stalls.ticked(time.monotonic_ns())

    async def _play(self, _: object, context: "grpc.aio.ServicerContext[bytes, bytes]") -> None:
        token = _bearer(context.invocation_metadata())
        found = self._authenticate(token)
        if isinstance(found, StreamStatus):
            await _abort(context, found)
            return
        connection = Connection(found, self)
        self._post(lambda: self._handler.opened(connection))
        # The reader is never cancelled: a cancelled read ends the stream. It ends by itself when the call does.
        reader = asyncio.create_task(self._read(connection, context))
        writer = asyncio.create_task(self._write(connection, context))
        closer = asyncio.create_task(connection._close_asked.wait())
        detail = "the connection was lost"
        try:
            await asyncio.wait({reader, closer}, return_when=asyncio.FIRST_COMPLETED)
            detail = reader.result() if reader.done() else "the arbiter closed the stream"
            if connection._closing:
                # A bot that does not read must not hold the stream open.
                await asyncio.wait({writer}, timeout=_LAST_WRITE_S)
        finally:
            connection.closed = True
            closer.cancel()
            writer.cancel()
            self._post(lambda: self._handler.closed(connection, detail))
        if connection._status is not None:
            await _abort(context, connection._status)

    async def _read(self, connection: Connection, context: "grpc.aio.ServicerContext[bytes, bytes]") -> str:
        while True:
            try:
                data: Any = await context.read()
            except Exception as error:  # grpc raises several undocumented types when a peer breaks off
                return f"the connection was lost ({type(error).__name__})"
            arrived_ns = time.monotonic_ns()
            self.stalls.ran(arrived_ns)
            if not isinstance(data, bytes):
                return "the stream was ended by the bot, or the connection was lost"
            try:
                request = bot_service_pb2.PlayRequest.FromString(data)
            except DecodeError:
                self._post(lambda: self._handler.garbled(connection))
                continue
            self._post(_Received(self._handler, connection, request, arrived_ns))

    async def _write(self, connection: Connection, context: "grpc.aio.ServicerContext[bytes, bytes]") -> None:
        with suppress(grpc.RpcError, asyncio.InvalidStateError):  # the call has ended; the reader says so
            while True:
                await connection._wake.wait()
                connection._wake.clear()
                while connection._outbox:
                    await context.write(connection._next_message())
                if connection._closing:
                    return


class _Received:
    __slots__ = ("_arguments", "_handler")

    def __init__(self, handler: Handler, *arguments: Any) -> None:
        self._handler, self._arguments = handler, arguments

    def __call__(self) -> None:
        self._handler.received(*self._arguments)


@asynccontextmanager
async def open_transport(
    listen: str, authenticate: Callable[[str | None], str | StreamStatus], handler: Handler, queries: Queries
) -> AsyncIterator[Transport]:
    """Listen on ``host:port`` (port 0: any) as long as the block runs. Raises ListenError.

    `authenticate` gets the bearer token, or None, and says whose it is or why it is refused; it is called on the I/O
    thread.
    """
    transport = Transport(listen, authenticate, handler, queries)
    # The two threads take turns at every message: the default of 5 ms would be somebody's thinking time.
    sys.setswitchinterval(_SWITCH_S)
    thread = threading.Thread(target=transport._run, name="arbiter-io", daemon=True)
    thread.start()
    await trio.to_thread.run_sync(transport._started.wait)
    if transport._problem is not None:
        raise transport._problem
    trio.lowlevel.add_instrument(transport)
    try:
        yield transport
    finally:
        trio.lowlevel.remove_instrument(transport)
        transport.before_io_wait(0)
        stop = transport._stop
        assert stop is not None
        transport._loop.call_soon_threadsafe(stop.set)
        with trio.CancelScope(shield=True):
            await trio.to_thread.run_sync(thread.join)
        transport.drain()


class _Tournaments(tournament_service_pb2_grpc.TournamentServiceServicer):
    """Answers from the store, on worker threads."""

    def __init__(self, queries: Queries) -> None:
        self._queries = queries


def _unary(name: str) -> Callable[..., Awaitable[Message | None]]:
    async def method(
        self: _Tournaments, request: Message, context: "grpc.aio.ServicerContext[Any, Any]"
    ) -> Message | None:
        try:
            return await asyncio.to_thread(getattr(self._queries, name), request)
        except QueryError as error:
            await _abort(context, error.status)
            return None

    return method


for _method in tournament_service_pb2.DESCRIPTOR.services_by_name["TournamentService"].methods:
    _snake = "".join("_" + letter.lower() if letter.isupper() else letter for letter in _method.name).lstrip("_")
    setattr(_Tournaments, _method.name, _unary(_snake))


def _bearer(metadata: Any) -> str | None:
    for key, value in metadata or ():
        if key == "authorization" and isinstance(value, str) and value.startswith("Bearer "):
            return value.removeprefix("Bearer ")
    return None


async def _abort(context: "grpc.aio.ServicerContext[Any, Any]", status: StreamStatus) -> None:
    code = grpc.StatusCode[status.code]
    info = status_pb2.ErrorInfo(reason=status.reason, domain="sixtysix", metadata=status.metadata)
    message = status_pb2.Status(code=code.value[0], message=status.message)
    detail = message.details.add()
    detail.type_url = "type.googleapis.com/google.rpc.ErrorInfo"
    detail.value = info.SerializeToString()
    trailing = (("grpc-status-details-bin", message.SerializeToString()),)
    await context.abort(code, f"{status.reason}: {status.message}", trailing)
