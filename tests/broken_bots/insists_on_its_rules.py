"""Takes a refusal of its rule sets for a lost connection."""

import grpc

from tests.broken_bots.sound import Sound


class Bot(Sound):
    def is_lost(self, error: grpc.RpcError) -> bool:
        return super().is_lost(error) or "RULE_SET" in str(error.details())


Bot().run()
