"""Plays no other match before it has heard of the end of the deal."""

from sixtysix.v1 import bot_service_pb2 as pb
from tests.broken_bots.sound import Sound


class Bot(Sound):
    deals = 0

    def told(self, kind: str, update: pb.Update) -> None:
        self.deals += {"deal_started": 1, "deal_ended": -1}.get(kind, 0)

    def offered(self, offer: pb.MatchOffered) -> None:
        if not self.deals or offer.resumed:
            super().offered(offer)


Bot().run()
