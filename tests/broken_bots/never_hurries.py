"""Thinks for a second, whatever is left."""

import threading

from sixtysix.v1 import bot_service_pb2 as pb
from tests.broken_bots.sound import Sound


class Bot(Sound):
    def decide(self, decision: pb.Decision) -> None:
        if decision.clock.bank_us < 1_000_000:
            threading.Event().wait(1)
        super().decide(decision)


Bot().run()
