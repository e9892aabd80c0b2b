"""Has room for eight matches, and says that it has for 64."""

from sixtysix.v1 import bot_service_pb2 as pb
from tests.broken_bots.sound import Sound


class Bot(Sound):
    def begin(self) -> None:
        self.matches: set[str] = set()
        super().begin()

    def offered(self, offer: pb.MatchOffered) -> None:
        self.matches.add(offer.match_id)
        super().offered(offer)

    def decide(self, decision: pb.Decision) -> None:
        if decision.match_id in sorted(self.matches)[:8]:
            super().decide(decision)


Bot().run()
