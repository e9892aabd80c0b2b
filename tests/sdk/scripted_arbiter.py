"""A small arbiter on a real socket that follows a script, for the tests of the client."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import grpc

from sixtysix.v1 import bot_service_pb2 as pb
from sixtysix.v1 import bot_service_pb2_grpc, status_pb2
from tests.sdk.client_messages import deal_started, kinds, offered, welcome

TOKEN = "the-token"

Script = Callable[["Peer"], Iterator[pb.PlayResponse]]
"""What is done with one stream: read from the bot, yield what it is sent. The stream ends with OK after it."""


class Peer:
    """The bot, as the script of one stream sees it."""

    def __init__(self, requests: Iterator[pb.PlayRequest], context: grpc.ServicerContext) -> None:
        self._requests = requests
        self._context = context

    def message(self) -> list[pb.Command]:
        """Wait for the next message of the bot."""
        return list(next(self._requests).commands)

    def refuse(self, code: grpc.StatusCode, reason: str, text: str) -> None:
        """End the stream with a status and its reason."""
        info = status_pb2.ErrorInfo(reason=reason, domain="sixtysix")
        status = status_pb2.Status(code=code.value[0], message=text)
        detail = status.details.add()
        detail.type_url = "type.googleapis.com/google.rpc.ErrorInfo"
        detail.value = info.SerializeToString()
        self._context.set_trailing_metadata((("grpc-status-details-bin", status.SerializeToString()),))
        self._context.abort(code, f"{reason}: {text}")

    def drop(self, code: grpc.StatusCode) -> None:
        """End the stream as gRPC itself does when a connection is lost."""
        self._context.abort(code, "connection lost")


def say(*updates: pb.Update) -> pb.PlayResponse:
    return pb.PlayResponse(updates=updates)


class _Servicer(bot_service_pb2_grpc.BotServiceServicer):
    def __init__(self, scripts: Sequence[Script]) -> None:
        self._scripts = list(scripts)

    def Play(  # noqa: N802 # named by the protocol
        self, requests: Iterator[pb.PlayRequest], context: grpc.ServicerContext
    ) -> Iterator[pb.PlayResponse]:
        peer = Peer(requests, context)
        if ("authorization", f"Bearer {TOKEN}") not in context.invocation_metadata():
            peer.refuse(grpc.StatusCode.UNAUTHENTICATED, "TOKEN_UNKNOWN", "the token is no bot's")
        return self._scripts.pop(0)(peer)


@contextmanager
def arbiter(*scripts: Script, credentials: grpc.ServerCredentials | None = None) -> Iterator[str]:
    """Listen on a free port of this machine; one script for each stream. The address is what the block gets."""
    with ThreadPoolExecutor(4) as pool:
        server = grpc.server(pool)
        bot_service_pb2_grpc.add_BotServiceServicer_to_server(_Servicer(scripts), server)
        if credentials is None:
            port = server.add_insecure_port("127.0.0.1:0")
        else:
            port = server.add_secure_port("127.0.0.1:0", credentials)
        server.start()
        try:
            yield f"127.0.0.1:{port}"
        finally:
            server.stop(0).wait()


def opening(peer: Peer, *match_ids: str) -> Iterator[pb.PlayResponse]:
    """Welcome a bot and begin matches with it, all in their first deal."""
    assert kinds(peer.message()) == ["hello"]
    yield say(welcome(), *(offered(name) for name in match_ids))
    waiting = list(match_ids)
    while waiting:
        for command in peer.message():
            waiting.remove(command.ready.match_id)
    yield say(*(deal_started(name) for name in match_ids))
