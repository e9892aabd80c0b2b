"""Takes a result for a question."""

from sixtysix.v1 import bot_service_pb2 as pb
from tests.broken_bots.sound import Sound


class Bot(Sound):
    def decide(self, decision: pb.Decision) -> None:
        self.last = decision
        super().decide(decision)

    def told(self, kind: str, update: pb.Update) -> None:
        if kind == "action_result" and update.action_result.status == pb.ACTION_STATUS_STALE:
            super().decide(self.last)


Bot().run()
