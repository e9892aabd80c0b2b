"""Leaves at once when the arbiter is going to shut down."""

from sixtysix.v1 import bot_service_pb2 as pb
from tests.broken_bots.sound import Sound


class Bot(Sound):
    def told(self, kind: str, update: pb.Update) -> None:
        if kind == "draining":
            self.stream.send(pb.Command(leave=pb.Leave(reason="the arbiter shuts down")))


Bot().run()
