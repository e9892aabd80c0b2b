"""Takes one decision in a message, but several matches, of which it remembers the last one."""

from sixtysix.v1 import bot_service_pb2 as pb
from tests.broken_bots.sound import Sound


class Bot(Sound):
    match_id = ""

    def hello(self) -> pb.Hello:
        hello = super().hello()
        hello.max_decisions_per_message = 1
        return hello

    def offered(self, offer: pb.MatchOffered) -> None:
        self.match_id = offer.match_id
        super().offered(offer)

    def decide(self, decision: pb.Decision) -> None:
        decision.match_id = self.match_id
        super().decide(decision)


Bot().run()
