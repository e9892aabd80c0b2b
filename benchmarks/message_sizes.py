"""How large the messages of real matches are."""

from collections.abc import Sequence
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from benchmarks.processes import pipe, receive
from benchmarks.threads import on_threads
from benchmarks.tournament import Plan, started, until_stopped
from sixtysix import Bot
from sixtysix.client import hello_of, play
from sixtysix.connection import GrpcStream
from sixtysix.link import Link, StreamEnd, monotonic_us
from sixtysix.player import Player
from sixtysix.v1 import bot_service_pb2 as pb

_COUNTED = 500


class Sizes(NamedTuple):
    """Bytes of a message from a bot with one answer, and of a message to it with one decision."""

    answer: int
    decision: int


def mean_sizes(plan: Plan) -> Sizes:
    """The mean over the first decisions of every bot. Other updates that travel in the same message are included."""
    reader, writer = pipe()
    with (
        TemporaryDirectory() as folder,
        started(plan, Path(folder), partial(_host_counting, writer)) as running,
    ):
        writer.close()
        counts: list[Sizes] = [receive(reader, running.needed) for _ in range(plan.bots)]
    messages = plan.bots * _COUNTED
    return Sizes(
        round(sum(count.answer for count in counts) / messages),
        round(sum(count.decision for count in counts) / messages),
    )


class _CountingStream(GrpcStream):
    """A stream that reports the bytes of its first decisions and answers."""

    def __init__(self, address: str, token: str, writer: "Connection[Any, Any]") -> None:
        super().__init__(address, token)
        self._writer = writer
        self._decisions = self._decision_bytes = 0
        self._answers = self._answer_bytes = 0

    def read(self) -> pb.PlayResponse | StreamEnd:
        message = super().read()
        if not isinstance(message, StreamEnd) and self._decisions < _COUNTED and _has_decision(message):
            self._decisions += 1
            self._decision_bytes += message.ByteSize()
        return message

    def write(self, request: pb.PlayRequest) -> None:
        super().write(request)
        if self._answers < _COUNTED and any(command.HasField("action") for command in request.commands):
            self._answers += 1
            self._answer_bytes += request.ByteSize()
            if self._answers == _COUNTED:
                # The decision came before the answer.
                self._writer.send(Sizes(self._answer_bytes, self._decision_bytes))


def _has_decision(message: pb.PlayResponse) -> bool:
    return any(update.HasField("decision") for update in message.updates)


def _host_counting(writer: "Connection[Any, Any]", bot: type[Bot], address: str, tokens: Sequence[str]) -> None:
    def play_counting(token: str) -> None:
        link = Link(address, partial(_CountingStream, address, token, writer), hello_of(bot()))
        with until_stopped():
            play(link, Player(bot(), 0, monotonic_us))

    on_threads(play_counting, tokens)
