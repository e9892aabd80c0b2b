"""Checks the points of the opponent against the tricks and marriages that it knows of."""

from sixtysix.v1 import bot_service_pb2 as pb
from tests.broken_bots.sound import Sound


class Bot(Sound):
    def decide(self, decision: pb.Decision) -> None:
        seen = decision.observation
        assert not seen.pending_marriage_points, "a marriage, and no points for it"
        super().decide(decision)


Bot().run()
