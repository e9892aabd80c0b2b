"""Streams without a network: the test says what the arbiter sends, and looks at what the bot has sent."""

from queue import SimpleQueue

from sixtysix.link import StreamEnd
from sixtysix.v1 import bot_service_pb2 as pb

WAIT_S = 30
"""After this a test that waits for the other thread fails instead of hanging."""


class FakeStream:
    """Implements `sixtysix.link.Stream`.

    Attributes:
        underway: updates that the arbiter has sent before it learns that the bot leaves.
    """

    def __init__(self) -> None:
        self.underway: list[pb.Update] = []
        self._incoming: SimpleQueue[pb.PlayResponse | StreamEnd] = SimpleQueue()
        self._sent: SimpleQueue[pb.PlayRequest] = SimpleQueue()

    def read(self) -> pb.PlayResponse | StreamEnd:
        return self._incoming.get()

    def write(self, request: pb.PlayRequest) -> None:
        self._sent.put(request)
        if any(command.HasField("leave") for command in request.commands):
            self.say(*self.underway)
            self.end(StreamEnd("OK"))

    def close(self) -> None:
        self.end(StreamEnd("CANCELLED"))

    def say(self, *updates: pb.Update) -> None:
        """The arbiter sends one message."""
        self._incoming.put(pb.PlayResponse(updates=updates))

    def end(self, end: StreamEnd) -> None:
        """The arbiter, or the network, ends the stream."""
        self._incoming.put(end)

    def sent(self) -> list[pb.Command]:
        """Wait for the next message of the bot."""
        return list(self._sent.get(timeout=WAIT_S).commands)

    @property
    def all_was_seen(self) -> bool:
        """Has the test taken every message that the bot has sent?"""
        return self._sent.empty()


class FakeArbiter:
    """Hands out streams, those that were prepared first, and tells the test of each."""

    def __init__(self, *prepared: FakeStream) -> None:
        self._prepared = list(prepared)
        self._opened: SimpleQueue[FakeStream] = SimpleQueue()

    def open_stream(self) -> FakeStream:
        stream = self._prepared.pop(0) if self._prepared else FakeStream()
        self._opened.put(stream)
        return stream

    def accept(self) -> FakeStream:
        """Wait for the next stream that the bot opens."""
        return self._opened.get(timeout=WAIT_S)
