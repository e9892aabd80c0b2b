"""A stream without the SDK, for bots that do what the SDK would never do."""

import os
import queue
import signal
import threading
from collections.abc import Iterator
from typing import Any

import grpc

from sixtysix.v1 import bot_service_pb2 as pb

PLAY = "/sixtysix.v1.BotService/Play"
HELLO = pb.Command(hello=pb.Hello(protocol_major=1, max_concurrent_matches=64, max_decisions_per_message=64))


class RawStream:
    """Sends commands or bytes, and yields updates one by one; answers pings if it is told to."""

    def __init__(
        self,
        token: str | None = None,
        answer_pings: bool = True,
        address: str | None = None,
        options: tuple[tuple[str, int], ...] = (),
    ) -> None:
        self._outbox: queue.Queue[bytes | None] = queue.Queue()
        self._answer_pings = answer_pings
        channel = grpc.insecure_channel(os.environ["SIXTYSIX_ADDRESS"] if address is None else address, options)
        call: Any = channel.stream_stream(PLAY, response_deserializer=pb.PlayResponse.FromString)
        bearer = f"Bearer {os.environ['SIXTYSIX_TOKEN'] if token is None else token}"
        self._call = call(iter(self._outbox.get, None), metadata=(("authorization", bearer),))
        self._channel = channel

    def send(self, *commands: pb.Command) -> None:
        self.send_bytes(pb.PlayRequest(commands=commands).SerializeToString())

    def send_bytes(self, data: bytes) -> None:
        self._outbox.put(data)

    @property
    def backlog(self) -> int:
        """Messages that gRPC has not taken yet."""
        return self._outbox.qsize()

    def break_off(self) -> None:
        """End the connection without a word."""
        self._outbox.put(None)
        self._call.cancel()
        self._channel.close()

    def updates(self) -> Iterator[pb.Update]:
        for response in self._call:
            for update in response.updates:
                if update.WhichOneof("update") == "ping" and self._answer_pings:
                    self.send(pb.Command(pong=pb.Pong(nonce=update.ping.nonce)))
                yield update

    def decisions(self) -> Iterator[pb.Decision]:
        """Hello, ready for every match, and then the decisions."""
        self.send(HELLO)
        for update in self.updates():
            kind = update.WhichOneof("update")
            if kind == "match_offered":
                self.send(pb.Command(ready=pb.Ready(match_id=update.match_offered.match_id)))
            elif kind == "decision":
                yield update.decision
            elif kind in ("action_result", "error"):
                print(update, flush=True)

    def answer(self, decision: pb.Decision, **changes: object) -> pb.Command:
        """The first legal action, with changes."""
        command = pb.ActionCommand(
            match_id=decision.match_id, decision_id=decision.decision_id, action=decision.legal_actions[0]
        )
        for name, value in changes.items():
            setattr(command, name, value)
        return pb.Command(action=command)


def wait_for_ever() -> None:
    """Do nothing until killed."""
    threading.Event().wait()


def ignore_sigterm() -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
