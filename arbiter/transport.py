"""gRPC beside trio: the only module that knows grpc.

`grpc.aio` runs on the loop that hosts trio (`arbiter.hosting`), so an answer is handled where it is read, without a
switch of thread or task. It is stamped with the moment at which the loop woke up to it: what was handled before it in
the same pass, such as the work of other matches, is nobody's thinking time.
"""

import asyncio
import sys
import time
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
from arbiter.hosting import awaited, running_loop
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


class Transport:
    """The server.

    Attributes:
        address: ``host:port`` that bots connect to, once running.
        local_address: where bots on this machine do.
        stalls: when the loop stood still.
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
        self._loop = running_loop()
        self._server: grpc.aio.Server
        self._health: health.aio.HealthServicer
        self._ticker: asyncio.Task[None]

    async def start(self) -> None:
        """Listen; raises ListenError."""
        settings = self._settings
        connections = ("grpc.max_allowed_incoming_connections", make_room(settings.limits.connections))
        self._server = server = grpc.aio.server(options=[*_SERVER_OPTIONS, connections])
        handlers: dict[str, Any] = {"Play": grpc.stream_stream_rpc_method_handler(self._play)}
        server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(_BOT_SERVICE, handlers),))
        services = [_BOT_SERVICE]
        if settings.tournament_service:
            servicer = _Tournaments(self._queries)
            tournament_service_pb2_grpc.add_TournamentServiceServicer_to_server(servicer, server)
            services.append(_TOURNAMENT_SERVICE)
        self._health = health_servicer = health.aio.HealthServicer()
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
        self._ticker = asyncio.create_task(self._tick())

    async def stop(self) -> None:
        """End all streams."""
        self._ticker.cancel()
        await self._health.enter_graceful_shutdown()
        await self._server.stop(grace=1.0)
        # What grpc has still to do for calls that have just ended.
        rest = asyncio.all_tasks() - {asyncio.current_task()}
        if rest:
            await asyncio.wait(rest, timeout=_LAST_WRITE_S)
        # grpc ends its own thread with the last object of it.
        del self._server, self._health

    def _hand_over(self, handle: Callable[..., None], *what: Any) -> None:
        try:
            handle(*what)
        except Exception:
            # A mistake of ours must not end the stream, let alone the program.
            _log.exception("the arbiter failed at what a stream brought")

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
        connection = Connection(found, bucket)
        self._hand_over(self._handler.opened, connection)
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
            self._hand_over(self._handler.closed, connection, detail)
        if connection.status is not None:
            _set_status(context, connection.status)

    async def _read(self, connection: Connection, context: "grpc.aio.ServicerContext[bytes, bytes]") -> str:
        while not (connection.closing or connection.closed):
            try:
                data: Any = await context.read()
            except Exception as error:  # grpc raises several undocumented types when a peer breaks off
                return f"the connection was lost ({type(error).__name__})"
            arrived_ns = self._loop.woke_ns
            self.stalls.ran(arrived_ns)
            if not isinstance(data, bytes):
                return "the stream was ended by the bot, or the connection was lost"
            try:
                request = bot_service_pb2.PlayRequest.FromString(data)
            except DecodeError:
                self._hand_over(self._handler.garbled, connection)
                break
            commands = len(request.commands)
            if commands > MOST_COMMANDS or not connection.admit(commands, len(data), arrived_ns):
                self._hand_over(self._handler.flooded, connection)
                break
            self._hand_over(self._handler.received, connection, request, arrived_ns)
        # Read on, and a bot that is to go could keep us busy.
        await connection.close_asked.wait()
        return "the arbiter closed the stream"

    async def _write(self, connection: Connection, context: "grpc.aio.ServicerContext[bytes, bytes]") -> None:
        with suppress(grpc.RpcError, asyncio.InvalidStateError):  # the call has ended; the reader says so
            while connection.has_messages or not connection.closing:
                if not connection.closing:
                    await connection.wake.wait()
                    connection.wake.clear()
                if connection.has_messages:
                    await context.write(connection.next_message())
                    connection.written()


@asynccontextmanager
async def open_transport(
    settings: Settings, authenticate: Authenticate, handler: Handler, queries: Queries
) -> AsyncIterator[Transport]:
    """Listen as long as the block runs. Raises ListenError."""
    transport = Transport(settings, authenticate, handler, queries)
    # The store's threads take turns with this one: the default of 5 ms would be somebody's thinking time.
    sys.setswitchinterval(_SWITCH_S)
    await awaited(transport.start())
    try:
        yield transport
    finally:
        with trio.CancelScope(shield=True):
            await awaited(transport.stop())


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
