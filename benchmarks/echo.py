"""A bare echo with `grpc.aio`: the most that decisions over gRPC could reach here, without a game.

Each stream has one small request on its way or one response; nothing is parsed.
"""

import asyncio
import time
from contextlib import suppress
from multiprocessing.connection import Connection
from queue import SimpleQueue
from typing import Any

import grpc
import grpc.aio

from benchmarks.lean import OPTIONS
from benchmarks.message_sizes import Sizes
from benchmarks.processes import pipe, processes, receive
from benchmarks.threads import on_threads

_SERVICE, _METHOD = "benchmarks.Echo", "Play"
_WARM_UP_S = 1.0


def echo_rate(streams: int, client_processes: int, sizes: Sizes, seconds: float, lean: bool = False) -> float:
    """Round trips per second.

    Args:
        streams: each on a connection of its own.
        client_processes: among which the streams are shared out.
        sizes: a request is as long as an answer, a response as long as a decision.
        seconds: how long to count.
        lean: the clients use `grpc.aio` too, all streams of a process on one loop; otherwise the synchronous client,
            as the SDK does.
    """
    with processes() as start:
        reader, writer = pipe()
        server = start(_serve, streams, sizes.decision, seconds, writer)
        writer.close()
        address = receive(reader, [server])
        needed = [server]
        for number in range(client_processes):
            share = len(range(number, streams, client_processes))
            needed.append(start(_ask_lean if lean else _ask, address, share, sizes.answer))
        rate: float = receive(reader, needed)
        return rate


def _serve(streams: int, response_bytes: int, seconds: float, writer: "Connection[Any, Any]") -> None:
    asyncio.run(_serve_echo(streams, response_bytes, seconds, writer))


async def _serve_echo(streams: int, response_bytes: int, seconds: float, writer: "Connection[Any, Any]") -> None:
    response = bytes(response_bytes)
    answered = connected = 0
    all_connected = asyncio.Event()

    async def play(_: object, context: "grpc.aio.ServicerContext[bytes, bytes]") -> None:
        nonlocal answered, connected
        connected += 1
        if connected == streams:
            all_connected.set()
        while isinstance(await context.read(), bytes):
            await context.write(response)
            answered += 1

    server = grpc.aio.server()
    handlers: dict[str, Any] = {_METHOD: grpc.stream_stream_rpc_method_handler(play)}
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(_SERVICE, handlers),))
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    writer.send(f"127.0.0.1:{port}")
    await all_connected.wait()
    await asyncio.sleep(_WARM_UP_S)
    begun, before = time.monotonic(), answered
    await asyncio.sleep(seconds)
    writer.send((answered - before) / (time.monotonic() - begun))
    await server.stop(grace=None)


def _ask(address: str, streams: int, request_bytes: int) -> None:
    request = bytes(request_bytes)

    def ask(_: int) -> None:
        # As the client of the SDK: requests from a queue.
        outgoing: SimpleQueue[bytes | None] = SimpleQueue()
        with grpc.insecure_channel(address, OPTIONS) as channel, suppress(grpc.RpcError):
            play: Any = channel.stream_stream(f"/{_SERVICE}/{_METHOD}")
            call = play(iter(outgoing.get, None))
            outgoing.put(request)
            for _response in call:
                outgoing.put(request)

    on_threads(ask, range(streams))


def _ask_lean(address: str, streams: int, request_bytes: int) -> None:
    asyncio.run(_ask_all(address, streams, request_bytes))


async def _ask_all(address: str, streams: int, request_bytes: int) -> None:
    request = bytes(request_bytes)

    async def ask() -> None:
        async with grpc.aio.insecure_channel(address, OPTIONS) as channel:
            play: Any = channel.stream_stream(f"/{_SERVICE}/{_METHOD}")
            call = play()
            with suppress(grpc.RpcError, asyncio.InvalidStateError):
                await call.write(request)
                while isinstance(await call.read(), bytes):
                    await call.write(request)

    await asyncio.gather(*(ask() for _ in range(streams)))
