"""Connects again as if it were new."""

from sixtysix.v1 import bot_service_pb2 as pb
from tests.broken_bots.sound import Sound


class Bot(Sound):
    def welcome(self, welcome: pb.Welcome) -> None:
        """Nothing is kept."""


Bot().run()
