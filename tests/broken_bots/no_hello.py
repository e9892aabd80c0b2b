"""Begins with something else than hello."""

from sixtysix.v1 import bot_service_pb2 as pb
from tests.broken_bots.sound import Sound


class Bot(Sound):
    def begin(self) -> None:
        self.stream.send(pb.Command(ready=pb.Ready(match_id="any")))
        super().begin()


Bot().run()
