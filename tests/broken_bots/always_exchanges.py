"""Takes every offer of an exchange, with or without the card for it."""

from sixtysix.v1 import bot_service_pb2 as pb
from sixtysix.v1 import deal_pb2
from tests.broken_bots.sound import Sound


class Bot(Sound):
    def hello(self) -> pb.Hello:
        hello = super().hello()
        hello.rule_sets.extend(["schnapsen", "sixty-six"])
        return hello

    def choose(self, decision: pb.Decision) -> deal_pb2.Action:
        if decision.stage == deal_pb2.STAGE_EXCHANGE_OFFER:
            return deal_pb2.Action(kind=deal_pb2.ACTION_KIND_EXCHANGE)
        return super().choose(decision)


Bot().run()
