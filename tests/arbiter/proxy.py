"""A TCP proxy whose connections can be cut."""

from contextlib import suppress

import trio


class Proxy:
    """Forwards every connection to a target; `cut` breaks all of them off.

    Attributes:
        holds: forward half of what comes next from those who connect, and then nothing more.
    """

    def __init__(self) -> None:
        self.holds = False
        self.address = ""
        self.connections = 0
        self._target = ("", 0)
        self._streams: set[trio.SocketStream] = set()

    async def serve(self, target: str, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        host, _, port = target.rpartition(":")
        self._target = (host, int(port))
        listeners = await trio.open_tcp_listeners(0, host=host)
        bound = listeners[0].socket.getsockname()
        self.address = f"{bound[0]}:{bound[1]}"
        task_status.started()
        await trio.serve_listeners(self._forward, listeners)

    async def _forward(self, near: trio.SocketStream) -> None:
        self.connections += 1
        far = await trio.open_tcp_stream(*self._target)
        self._streams |= {near, far}
        async with near, far, trio.open_nursery() as nursery:
            for source, sink in ((near, far), (far, near)):
                nursery.start_soon(self._pump, source, sink, nursery)
        self._streams -= {near, far}

    async def _pump(self, source: trio.SocketStream, sink: trio.SocketStream, nursery: trio.Nursery) -> None:
        with suppress(trio.BrokenResourceError, trio.ClosedResourceError):
            async for data in source:
                if self.holds and sink.socket.getpeername()[:2] == self._target:
                    await sink.send_all(data[: len(data) // 2])
                    await trio.sleep_forever()
                await sink.send_all(data)
        nursery.cancel_scope.cancel()

    def cut(self) -> int:
        """Break off all connections; how many streams there were."""
        cut = len(self._streams)
        for stream in list(self._streams):
            stream.socket.close()
        return cut
