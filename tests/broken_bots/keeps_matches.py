"""Is ready for a match once, also if a new session has begun meanwhile."""

from sixtysix.v1 import bot_service_pb2 as pb
from tests.broken_bots.sound import Sound


class Bot(Sound):
    def __init__(self) -> None:
        super().__init__()
        self.known: set[str] = set()

    def offered(self, offer: pb.MatchOffered) -> None:
        if offer.match_id not in self.known:
            self.known.add(offer.match_id)
            super().offered(offer)


Bot().run()
