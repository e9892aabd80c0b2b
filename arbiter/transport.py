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
from typing import Any

import grpc
import grpc.aio
import structlog
import trio
from google.protobuf.message import DecodeError, Message
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from arbiter.alarm import Alarm
from arbiter.connection import Connection, Handler
from arbiter.limits import (
    MAX_MESSAGE_BYTES,
    MAX_METADATA_BYTES,
    MOST_COMMANDS,
    QUERIES_AT_ONCE,
    QUERIES_BURST,
    QUERIES_PER_SECOND,
    STREAM_COST,
    Bucket,
)
from arbiter.listening import Settings, from_here, make_room
from arbiter.queries import Queries, QueryError
from arbiter.stalls import TICK_NS, StallMeter
from arbiter.status import StreamStatus
from arbiter.tls import ServerTls
from sixtysix.v1 import bot_service_pb2, status_pb2, tournament_service_pb2, tournament_service_pb2_grpc

_LAST_WRITE_S = 1.0
_SWITCH_S = 0.0005
_log = structlog.get_logger()
_SERVER_OPTIONS = [
    ("grpc.max_receive_message_length", MAX_MESSAGE_BYTES),
    ("grpc.max_metadata_size", MAX_METADATA_BYTES),
    ("grpc.absolute_max_metadata_size", 2 * MAX_METADATA_BYTES),
    # Who connects and asks for nothing is not kept.
    ("grpc.server_handshake_timeout_ms", 10_000),
    ("grpc.max_connection_idle_ms", 60_000),
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


Authenticate = Callable[[str | None, bool], str | StreamStatus]
"""Says whose bearer token it is, or why it is refused; True if it came to the address for bots on this machine."""


class Transport(trio.abc.Instrument):
    """The server and its I/O thread.

    Attributes:
        address: ``host:port`` that bots connect to, once running.
        local_address: where bots on this machine do.
        stalls: what the I/O thread knows of its own stalls.
        alarm: the watch over deadlines; somebody has to run it.
    """

    def __init__(self, settings: Settings, authenticate: Authenticate, handler: Handler, queries: Queries) -> None:
        self.address = self.local_address = settings.listen
        self.stalls = StallMeter(time.monotonic_ns())
        self.alarm = Alarm()
        self._settings = settings
        self._authenticate = authenticate
        self._handler = handler
        self._queries = queries
        # By bot, not by stream: who connects again begins with no more than was left.
        self._buckets: dict[str, Bucket] = {}
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
            try:
                self._inbox.popleft()()
            except Exception:
                # Raised here it would end the whole program.
                _log.exception("the arbiter failed at what a stream brought")

    def _post(self, call: Callable[[], None]) -> None:
        self._inbox.append(call)
        if not self._main_wakes:
            self._main_wakes = True
            # Not at once: what else this pass of the loop reads goes with it.
            self._loop.call_soon(self._wake_main)

    def _wake_main(self) -> None:
        with suppress(trio.RunFinishedError):
            self._token.run_sync_soon(self.drain)

    def before_io_wait(self, timeout: float) -> None:
        """Trio has nothing more to run: hand over what was sent meanwhile, in one go."""
        if self._dirty and not self._io_wakes:
            self._io_wakes = True
            self._loop.call_soon_threadsafe(self._flush)

    def _flush(self) -> None:
        self._io_wakes = False
        while self._dirty:
            connection = self._dirty.popleft()
            connection.wake.set()
            connection.room.set()
            if connection.closing:
                connection.close_asked.set()

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
        settings = self._settings
        connections = ("grpc.max_allowed_incoming_connections", make_room(settings.limits.connections))
        server = grpc.aio.server(options=[*_SERVER_OPTIONS, connections])
        handlers: dict[str, Any] = {"Play": grpc.stream_stream_rpc_method_handler(self._play)}
        server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(_BOT_SERVICE, handlers),))
        services = [_BOT_SERVICE]
        if settings.tournament_service:
            servicer = _Tournaments(self._queries)
            tournament_service_pb2_grpc.add_TournamentServiceServicer_to_server(servicer, server)
            services.append(_TOURNAMENT_SERVICE)
        health_servicer = health.aio.HealthServicer()
        health_pb2_grpc.add_HealthServicer_to_server(health_servicer, server)
        for service in ("", *services):
            await health_servicer.set(service, health_pb2.HealthCheckResponse.SERVING)
        if settings.reflection:
            names = (*services, health.SERVICE_NAME, reflection.SERVICE_NAME)
            reflection.enable_server_reflection(names, server)
        self.address = _listen(server, settings.listen, settings.tls)
        # Bots on this machine need no certificate, and have none.
        self.local_address = from_here(self.address) if settings.tls is None else _listen(server, "127.0.0.1:0", None)
        await server.start()
        ticker = asyncio.create_task(self._tick())
        self._started.set()
        await self._stop.wait()
        ticker.cancel()
        await health_servicer.enter_graceful_shutdown()
        await server.stop(grace=1.0)
        # What grpc has still to do for calls that have just ended.
        rest = asyncio.all_tasks() - {asyncio.current_task()}
        if rest:
            await asyncio.wait(rest, timeout=_LAST_WRITE_S)

    async def _tick(self) -> None:
        while True:
            await asyncio.sleep(TICK_NS / 1e9)
            self.stalls.ticked(time.monotonic_ns())

    async def _play(self, _: object, context: "grpc.aio.ServicerContext[bytes, bytes]") -> None:
        inside = self._settings.tls is not None and not _is_encrypted(context)
        found = self._authenticate(_bearer(context.invocation_metadata()), inside)
        if isinstance(found, StreamStatus):
            _set_status(context, found)
            return
        limits, now_ns = self._settings.limits, time.monotonic_ns()
        bucket = self._buckets.get(found) or Bucket(limits.commands_per_second, limits.burst, now_ns)
        self._buckets[found] = bucket
        if not bucket.take(STREAM_COST, now_ns):
            _set_status(context, StreamStatus("RATE_EXCEEDED", "the bot connects too often"))
            return
        connection = Connection(found, bucket, self._dirty.append)
        self._post(lambda: self._handler.opened(connection))
        # The reader is never cancelled: a cancelled read ends the stream. It ends by itself when the call does.
        reader = asyncio.create_task(self._read(connection, context))
        writer = asyncio.create_task(self._write(connection, context))
        closer = asyncio.create_task(connection.close_asked.wait())
        detail = "the connection was lost"
        try:
            await asyncio.wait({reader, closer}, return_when=asyncio.FIRST_COMPLETED)
            detail = reader.result() if reader.done() else "the arbiter closed the stream"
            if connection.closing:
                # A bot that does not read must not hold the stream open.
                await asyncio.wait({writer}, timeout=_LAST_WRITE_S)
        finally:
            # The reader is to end as well, whatever it waits for.
            connection.end()
            closer.cancel()
            writer.cancel()
            if connection.status is not None:
                detail = connection.status.message
            self._post(lambda: self._handler.closed(connection, detail))
        if connection.status is not None:
            _set_status(context, connection.status)

    async def _read(self, connection: Connection, context: "grpc.aio.ServicerContext[bytes, bytes]") -> str:
        while not (connection.closing or connection.closed):
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
                break
            commands = len(request.commands)
            if commands > MOST_COMMANDS or not connection.admit(commands, len(data), arrived_ns):
                self._post(lambda: self._handler.flooded(connection))
                break
            self._post(_Received(self._handler, connection, request, arrived_ns, len(data)))
            await connection.wait_for_room()
        # Read on, and a bot that is to go could keep us busy.
        await connection.close_asked.wait()
        return "the arbiter closed the stream"

    async def _write(self, connection: Connection, context: "grpc.aio.ServicerContext[bytes, bytes]") -> None:
        with suppress(grpc.RpcError, asyncio.InvalidStateError):  # the call has ended; the reader says so
            while True:
                await connection.wake.wait()
                connection.wake.clear()
                while connection.has_messages:
                    connection.writing = True
                    await context.write(connection.next_message())
                    connection.writing = False
                if connection.closing:
                    return


class _Received:
    __slots__ = ("_arrived_ns", "_connection", "_handler", "_request", "_size")

    def __init__(
        self,
        handler: Handler,
        connection: Connection,
        request: bot_service_pb2.PlayRequest,
        arrived_ns: int,
        size: int,
    ) -> None:
        self._handler, self._connection, self._request = handler, connection, request
        self._arrived_ns, self._size = arrived_ns, size

    def __call__(self) -> None:
        self._handler.received(self._connection, self._request, self._arrived_ns)
        self._connection.handled(len(self._request.commands), self._size)


@asynccontextmanager
async def open_transport(
    settings: Settings, authenticate: Authenticate, handler: Handler, queries: Queries
) -> AsyncIterator[Transport]:
    """Listen as long as the block runs. `authenticate` is called on the I/O thread. Raises ListenError."""
    transport = Transport(settings, authenticate, handler, queries)
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
    if transport._problem is not None:
        raise transport._problem


class _Tournaments(tournament_service_pb2_grpc.TournamentServiceServicer):
    """Answers from the store, on worker threads; as many as leave time for the tournament."""

    def __init__(self, queries: Queries) -> None:
        self._queries = queries
        self._bucket = Bucket(QUERIES_PER_SECOND, QUERIES_BURST, time.monotonic_ns())
        self._running = 0

    async def answer(self, name: str, request: Message, context: "grpc.aio.ServicerContext[Any, Any]") -> Any:
        """Answer one call; `name` is that of the method of `Queries`."""
        if self._running >= QUERIES_AT_ONCE or not self._bucket.take(1, time.monotonic_ns()):
            await _abort(context, StreamStatus("RATE_EXCEEDED", "too many questions; ask again later"))
            return None
        self._running += 1
        try:
            return await asyncio.to_thread(getattr(self._queries, name), request)
        except QueryError as error:
            await _abort(context, error.status)
        finally:
            self._running -= 1


def _unary(name: str) -> Callable[..., Awaitable[Message | None]]:
    async def method(
        self: _Tournaments, request: Message, context: "grpc.aio.ServicerContext[Any, Any]"
    ) -> Message | None:
        found: Message | None = await self.answer(name, request, context)
        return found

    return method


for _method in tournament_service_pb2.DESCRIPTOR.services_by_name["TournamentService"].methods:
    _snake = "".join("_" + letter.lower() if letter.isupper() else letter for letter in _method.name).lstrip("_")
    setattr(_Tournaments, _method.name, _unary(_snake))


def _listen(server: grpc.aio.Server, listen: str, tls: ServerTls | None) -> str:
    """Listen, and return ``host:port`` with the port that was taken."""
    try:
        if tls is None:
            port = server.add_insecure_port(listen)
        else:
            pairs = [(tls.key, tls.certificate)]
            shown = tls.client_ca is not None
            port = server.add_secure_port(listen, grpc.ssl_server_credentials(pairs, tls.client_ca, shown))
    except RuntimeError:
        raise ListenError(f"cannot listen on {listen}: the address is in use or not of this machine") from None
    return f"{listen.rpartition(':')[0]}:{port}"


def _is_encrypted(context: "grpc.aio.ServicerContext[Any, Any]") -> bool:
    return list(context.auth_context().get("transport_security_type", ())) == [b"ssl"]


def _bearer(metadata: Any) -> str | None:
    for key, value in metadata or ():
        if key == "authorization" and isinstance(value, str) and value.startswith("Bearer "):
            return value.removeprefix("Bearer ")
    return None


def _trailing(status: StreamStatus) -> tuple[grpc.StatusCode, str, tuple[tuple[str, bytes], ...]]:
    code = grpc.StatusCode[status.code]
    info = status_pb2.ErrorInfo(reason=status.reason, domain="sixtysix", metadata=status.metadata)
    message = status_pb2.Status(code=code.value[0], message=status.message)
    detail = message.details.add()
    detail.type_url = "type.googleapis.com/google.rpc.ErrorInfo"
    detail.value = info.SerializeToString()
    return code, f"{status.reason}: {status.message}", (("grpc-status-details-bin", message.SerializeToString()),)


def _set_status(context: "grpc.aio.ServicerContext[Any, Any]", status: StreamStatus) -> None:
    # `abort` would do the same, and leave a cycle of references that keeps the call until the next collection.
    code, text, trailing = _trailing(status)
    context.set_code(code)
    context.set_details(text)
    context.set_trailing_metadata(trailing)


async def _abort(context: "grpc.aio.ServicerContext[Any, Any]", status: StreamStatus) -> None:
    await context.abort(*_trailing(status))
