"""Means the first place in the list of legal actions, and sends 0."""

from sixtysix.v1 import bot_service_pb2 as pb
from sixtysix.v1 import deal_pb2
from tests.broken_bots.sound import Sound


class Bot(Sound):
    def choose(self, decision: pb.Decision) -> deal_pb2.Action:
        return deal_pb2.Action(kind=deal_pb2.ACTION_KIND_UNSPECIFIED)


Bot().run()
