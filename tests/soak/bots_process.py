"""Many bots in one process, each on a connection of its own: python -m tests.soak.bots_process ADDRESS NAME..."""

import asyncio
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from random import Random

import grpc.aio

from sixtysix.rules import CLAIM, CLOSE
from sixtysix.v1 import bot_service_pb2 as pb
from sixtysix.wire import action_message

PLAY = "/sixtysix.v1.BotService/Play"
_RARE = (action_message(CLAIM), action_message(CLOSE))


async def play(address: str, name: str) -> None:
    """Play by chance until the arbiter ends the stream."""
    rng = Random(name)
    options = (("grpc.use_local_subchannel_pool", 1), ("grpc.enable_http_proxy", 0))
    async with grpc.aio.insecure_channel(address, options) as channel:
        call = channel.stream_stream(
            PLAY,
            request_serializer=pb.PlayRequest.SerializeToString,
            response_deserializer=pb.PlayResponse.FromString,
        )(metadata=(("authorization", f"Bearer token-of-{name}"),))
        hello = pb.Hello(protocol_major=1, max_concurrent_matches=1, max_decisions_per_message=64)
        await call.write(pb.PlayRequest(commands=[pb.Command(hello=hello)]))
        with suppress(grpc.RpcError):  # the arbiter says itself what was wrong
            while isinstance(response := await call.read(), pb.PlayResponse):
                commands = list(answers(response.updates, rng))
                if commands:
                    await call.write(pb.PlayRequest(commands=commands))


def answers(updates: Iterable[pb.Update], rng: Random) -> Iterator[pb.Command]:
    """What is to be said to updates."""
    for update in updates:
        match update.WhichOneof("update"):
            case "match_offered":
                yield pb.Command(ready=pb.Ready(match_id=update.match_offered.match_id))
            case "ping":
                yield pb.Command(pong=pb.Pong(nonce=update.ping.nonce))
            case "decision":
                decision = update.decision
                usual = [action for action in decision.legal_actions if action not in _RARE]
                action = rng.choice(usual or list(decision.legal_actions))
                answer = pb.ActionCommand(match_id=decision.match_id, decision_id=decision.decision_id, action=action)
                yield pb.Command(action=answer)


async def main(address: str, names: list[str]) -> None:
    await asyncio.gather(*(play(address, name) for name in names))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2:]))
