"""Waits where there is nothing to choose."""

from sixtysix.v1 import bot_service_pb2 as pb
from tests.broken_bots.sound import Sound


class Bot(Sound):
    def decide(self, decision: pb.Decision) -> None:
        if len(decision.legal_actions) > 1:
            super().decide(decision)


Bot().run()
