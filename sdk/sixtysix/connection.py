"""One stream to the arbiter over gRPC: the only module of the SDK that knows it."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from queue import SimpleQueue

import grpc
from google.protobuf.message import DecodeError

from sixtysix.link import StreamEnd
from sixtysix.v1 import bot_service_pb2 as pb
from sixtysix.v1 import bot_service_pb2_grpc, status_pb2

_DOMAIN = "sixtysix"
_DETAILS_KEY = "grpc-status-details-bin"
_ERROR_INFO = "type.googleapis.com/google.rpc.ErrorInfo"
# What gRPC says of a certificate that is not accepted, of one for another host, and of a peer without TLS.
_NOT_THE_ARBITER = ("CERTIFICATE_VERIFY_FAILED", "Hostname Verification Check failed", "WRONG_VERSION_NUMBER")
_OPTIONS = (
    # A silent network is noticed within the time for which matches usually wait for their bot.
    ("grpc.keepalive_time_ms", 6_000),
    ("grpc.keepalive_timeout_ms", 4_000),
    ("grpc.http2.ping_timeout_ms", 4_000),
    ("grpc.http2.max_pings_without_data", 0),
    # Each attempt has a channel of its own, so that gRPC adds no waiting time to that of the link.
    ("grpc.use_local_subchannel_pool", 1),
    ("grpc.min_reconnect_backoff_ms", 5_000),
)


@dataclass(frozen=True, slots=True)
class Tls:
    """How to know the arbiter, and how to be known, as PEM.

    Attributes:
        ca: the authorities of which one must have signed the arbiter's certificate, or that certificate itself; None
            for the public ones.
        certificate: of this client, with the intermediate ones after it, if the arbiter asks for one.
        key: its private key.
    """

    ca: bytes | None
    certificate: bytes | None = None
    key: bytes | None = field(default=None, repr=False)


class GrpcStream:
    """A call of `BotService.Play`; implements `sixtysix.link.Stream`.

    Args:
        address: ``host:port`` of the arbiter.
        token: the bot's token.
        tls: encrypt the connection; without it, nothing is encrypted.
    """

    def __init__(self, address: str, token: str, tls: Tls | None = None) -> None:
        self._outgoing: SimpleQueue[pb.PlayRequest | None] = SimpleQueue()
        proxy = ("grpc.enable_http_proxy", 0 if is_local(address) else 1)
        options = (*_OPTIONS, proxy)
        if tls is None:
            self._channel = grpc.insecure_channel(address, options)
        else:
            credentials = grpc.ssl_channel_credentials(tls.ca, tls.key, tls.certificate)
            self._channel = grpc.secure_channel(address, credentials, options)
        requests = iter(self._outgoing.get, None)
        # Held as long as the stream lives: gRPC cancels a call that nobody refers to.
        self._call: Iterator[pb.PlayResponse] = bot_service_pb2_grpc.BotServiceStub(self._channel).Play(
            requests, metadata=(("authorization", f"Bearer {token}"),)
        )

    def read(self) -> pb.PlayResponse | StreamEnd:
        """Wait for the next message or the end of the stream."""
        try:
            return next(self._call)
        except StopIteration:
            return StreamEnd("OK")
        except grpc.RpcError as error:
            return stream_end(error)

    def write(self, request: pb.PlayRequest) -> None:
        """Queue a message."""
        self._outgoing.put(request)

    def close(self) -> None:
        """Break the stream off."""
        self._outgoing.put(None)
        self._channel.close()


def stream_end(error: grpc.RpcError) -> StreamEnd:
    """What the status of a failed call says; details that cannot be read are left out."""
    code, text = error.code().name, error.details() or ""
    for item in error.trailing_metadata() or ():
        if item.key == _DETAILS_KEY and isinstance(item.value, bytes):
            try:
                status = status_pb2.Status.FromString(item.value)
                infos = [
                    status_pb2.ErrorInfo.FromString(detail.value)
                    for detail in status.details
                    if detail.type_url == _ERROR_INFO
                ]
            except DecodeError:
                continue
            for info in infos:
                if info.domain == _DOMAIN:
                    return StreamEnd(code, info.reason, status.message or text)
    if any(mark in text for mark in _NOT_THE_ARBITER):
        # Not UNAVAILABLE as gRPC has it: trying again helps nobody.
        return StreamEnd("UNAUTHENTICATED", "", f"it is not the arbiter that was expected: {text}")
    return StreamEnd(code, "", text)


def is_local(address: str) -> bool:
    """Is the arbiter on this machine, where no proxy has a place?"""
    host = address.rpartition(":")[0]
    return host in ("localhost", "[::1]") or host.startswith("127.")
