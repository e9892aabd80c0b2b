"""Speaks a version of the protocol that does not exist yet."""

from sixtysix.v1 import bot_service_pb2 as pb
from tests.broken_bots.sound import Sound


class Bot(Sound):
    def hello(self) -> pb.Hello:
        hello = super().hello()
        hello.protocol_major = 2
        return hello


Bot().run()
