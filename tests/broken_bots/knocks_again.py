"""Connects again whatever it is told."""

import grpc

from tests.broken_bots.sound import Sound


class Bot(Sound):
    def is_lost(self, error: grpc.RpcError) -> bool:
        return True


Bot().run()
