"""The gRPC side of a scripted arbiter: what bots do becomes happenings in a queue, what they are sent is queued too."""

import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from queue import SimpleQueue
from typing import NamedTuple

import grpc
from google.protobuf.message import DecodeError

from sixtysix.v1 import bot_service_pb2 as pb
from sixtysix.v1 import status_pb2

MAX_MESSAGE_BYTES = 1 << 20
"""Largest message that is taken from a bot."""

_DETAILS_KEY = "grpc-status-details-bin"
_DOMAIN = "sixtysix"
_ERROR_INFO = "type.googleapis.com/google.rpc.ErrorInfo"
_MOST_STREAMS = 16
_OPTIONS = (
    ("grpc.max_receive_message_length", MAX_MESSAGE_BYTES),
    ("grpc.so_reuseport", 0),
    # A bot may wait for as long as its author sits at a debugger, and keep its connection alive meanwhile.
    ("grpc.http2.min_ping_interval_without_data_ms", 1_000),
    ("grpc.http2.max_ping_strikes", 0),
)


class ListenError(Exception):
    """The address cannot be listened at."""


class Opened(NamedTuple):
    """A bot has opened a stream."""

    stream: "ServerStream"


class Said(NamedTuple):
    """A message of a bot; None if its bytes are no PlayRequest."""

    stream: "ServerStream"
    request: pb.PlayRequest | None
    arrived_ns: int


class Closed(NamedTuple):
    """Nothing more comes on a stream."""

    stream: "ServerStream"


class Exited(NamedTuple):
    """A process that was started has ended; negative: by this signal."""

    status: int


Happening = Opened | Said | Closed | Exited
Happenings = SimpleQueue[Happening]


class StreamStatus(NamedTuple):
    """How the arbiter ends a stream: a status with a reason, or one of gRPC's own, as for a lost connection."""

    code: grpc.StatusCode
    reason: str = ""
    text: str = ""
    metadata: tuple[tuple[str, str], ...] = ()


FINE = StreamStatus(grpc.StatusCode.OK)
LOST = StreamStatus(grpc.StatusCode.UNAVAILABLE, "", "connection lost")


@dataclass(eq=False)
class ServerStream:
    """One stream of a bot.

    Attributes:
        authorization: its metadata of that name, None without.
        outbox: what it is sent, and how it ends.
    """

    authorization: str | None
    outbox: "SimpleQueue[pb.PlayResponse | StreamStatus]" = field(default_factory=SimpleQueue)

    def say(self, *updates: pb.Update) -> int:
        """Queue one message; returns the monotonic time in nanoseconds."""
        self.outbox.put(pb.PlayResponse(updates=updates))
        return time.monotonic_ns()

    def end(self, status: StreamStatus) -> None:
        """End it once everything before is sent."""
        self.outbox.put(status)


class Server:
    """Listens; one arbiter for all scenarios.

    Attributes:
        address: host and port.
        happenings: where streams that are opened from now on report what happens.
    """

    def __init__(self, address: str = "127.0.0.1:0") -> None:
        self.happenings: Happenings = SimpleQueue()
        self._pool = ThreadPoolExecutor(_MOST_STREAMS)
        self._server = grpc.server(self._pool, options=_OPTIONS)
        play: grpc.RpcMethodHandler[bytes, pb.PlayResponse] = grpc.stream_stream_rpc_method_handler(
            self._play, None, pb.PlayResponse.SerializeToString
        )
        service = grpc.method_handlers_generic_handler("sixtysix.v1.BotService", {"Play": play})
        self._server.add_generic_rpc_handlers((service,))
        host = address.rpartition(":")[0]
        try:
            self.address = f"{host}:{self._server.add_insecure_port(address)}"
        except RuntimeError:
            raise ListenError(f"cannot listen at {address}") from None

    def __enter__(self) -> "Server":
        self._server.start()
        return self

    def __exit__(self, *problem: object) -> None:
        self._server.stop(0).wait()
        self._pool.shutdown()

    def _play(self, requests: Iterator[bytes], context: grpc.ServicerContext) -> Iterator[pb.PlayResponse]:
        happenings = self.happenings
        values = [value for key, value in context.invocation_metadata() if key == "authorization"]
        stream = ServerStream(str(values[0]) if values else None)
        # A bot that is gone is sent nothing; this releases the thread that waits for something to send.
        context.add_callback(lambda: stream.end(FINE))
        happenings.put(Opened(stream))
        reader = threading.Thread(target=_read, args=(stream, requests, happenings), daemon=True)
        reader.start()
        while True:
            item = stream.outbox.get()
            if isinstance(item, StreamStatus):
                _finish(context, item)
                return
            yield item


def _read(stream: ServerStream, requests: Iterator[bytes], happenings: Happenings) -> None:
    try:
        for data in requests:
            arrived_ns = time.monotonic_ns()
            try:
                request = pb.PlayRequest.FromString(data)
            except DecodeError:
                request = None
            happenings.put(Said(stream, request, arrived_ns))
    except Exception:  # a call that is cancelled raises a bare one
        pass
    happenings.put(Closed(stream))


def _finish(context: grpc.ServicerContext, status: StreamStatus) -> None:
    if status.code is grpc.StatusCode.OK:
        return
    if status.reason:
        info = status_pb2.ErrorInfo(reason=status.reason, domain=_DOMAIN, metadata=dict(status.metadata))
        details = status_pb2.Status(code=status.code.value[0], message=status.text)
        detail = details.details.add()
        detail.type_url, detail.value = _ERROR_INFO, info.SerializeToString()
        context.set_trailing_metadata(((_DETAILS_KEY, details.SerializeToString()),))
    context.abort(status.code, f"{status.reason}: {status.text}" if status.reason else status.text)
