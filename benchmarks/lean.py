"""The leanest client that real bots can have: all of them on one loop of `grpc.aio`, as the bare echo has it.

It never reconnects and answers no ping while a bot thinks, so it is of no use but to measure the arbiter.
"""

import asyncio
from collections.abc import Sequence
from contextlib import suppress

import grpc
import grpc.aio

from sixtysix import Bot
from sixtysix.client import hello_of
from sixtysix.link import monotonic_us
from sixtysix.player import Player
from sixtysix.session import Session
from sixtysix.v1 import bot_service_pb2 as pb
from sixtysix.v1 import bot_service_pb2_grpc

# A connection for each stream.
OPTIONS = (("grpc.use_local_subchannel_pool", 1), ("grpc.enable_http_proxy", 0))


def host_lean_bots(bot: type[Bot], address: str, tokens: Sequence[str]) -> None:
    """Run the bots of one process, with the SDK's own way from updates to commands."""
    asyncio.run(_host(bot, address, tokens))


async def _host(bot: type[Bot], address: str, tokens: Sequence[str]) -> None:
    await asyncio.gather(*(_play(bot(), address, token) for token in tokens))


async def _play(bot: Bot, address: str, token: str) -> None:
    player, session = Player(bot, 0, monotonic_us), Session()
    async with grpc.aio.insecure_channel(address, OPTIONS) as channel:
        call = bot_service_pb2_grpc.BotServiceStub(channel).Play(metadata=(("authorization", f"Bearer {token}"),))

        async def say(commands: list[pb.Command]) -> None:
            for command in commands:
                session.command(command)
            if commands:
                await call.write(pb.PlayRequest(commands=commands))

        with suppress(grpc.RpcError, asyncio.InvalidStateError):  # the benchmark is over
            await say([pb.Command(hello=hello_of(bot))])
            while isinstance(message := await call.read(), pb.PlayResponse):
                pongs, updates = [], []
                for update in message.updates:
                    session.update(update)
                    if update.HasField("ping"):
                        pongs.append(pb.Command(pong=pb.Pong(nonce=update.ping.nonce)))
                    else:
                        updates.append(update)
                await say(pongs + player.take(updates, monotonic_us()))
                await say(player.decide())
