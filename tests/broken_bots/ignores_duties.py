"""Plays the last card of its hand, whatever is led."""

from sixtysix.v1 import bot_service_pb2 as pb
from sixtysix.v1 import deal_pb2
from tests.broken_bots.sound import Sound


class Bot(Sound):
    def choose(self, decision: pb.Decision) -> deal_pb2.Action:
        if decision.stage != deal_pb2.STAGE_FOLLOW:
            return super().choose(decision)
        return deal_pb2.Action(kind=deal_pb2.ACTION_KIND_PLAY, card=decision.observation.hand[-1])


Bot().run()
