"""Thinks that a deal is over when its last card is played."""

from sixtysix.v1 import bot_service_pb2 as pb
from tests.broken_bots.sound import Sound


class Bot(Sound):
    def decide(self, decision: pb.Decision) -> None:
        if decision.observation.hand:
            super().decide(decision)


Bot().run()
