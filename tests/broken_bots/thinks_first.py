"""Reads where it thinks: no pong before it has thought, for a fourth of what the clock allows."""

import threading

from sixtysix.v1 import bot_service_pb2 as pb
from tests.broken_bots.sound import Sound


class Bot(Sound):
    def decide(self, decision: pb.Decision) -> None:
        if decision.clock.cap_us > 5_000_000 and decision.clock.bank_us > 5_000_000:
            threading.Event().wait(decision.clock.cap_us / 4e6)
        super().decide(decision)


Bot().run()
