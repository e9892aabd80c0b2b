"""Leaves when a deal is lost by a fault."""

from sixtysix.v1 import bot_service_pb2 as pb
from tests.broken_bots.sound import Sound


class Bot(Sound):
    def told(self, kind: str, update: pb.Update) -> None:
        if kind == "action_result" and update.action_result.status == pb.ACTION_STATUS_TOO_LATE:
            self.stream.send(pb.Command(leave=pb.Leave(reason="unfair")))


Bot().run()
