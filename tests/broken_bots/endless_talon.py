"""Does not reckon with the end of the talon."""

from sixtysix.v1 import bot_service_pb2 as pb
from tests.broken_bots.sound import Sound


class Bot(Sound):
    def hello(self) -> pb.Hello:
        hello = super().hello()
        hello.rule_sets.append("schnapsen")
        return hello

    def decide(self, decision: pb.Decision) -> None:
        assert decision.observation.turn_up, "no card turned up"
        super().decide(decision)


Bot().run()
