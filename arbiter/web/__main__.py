"""The process of the live page; see `arbiter.web`. It ends when the tournament does, or the arbiter."""

import os
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import trio

from arbiter.html_report import live_page
from arbiter.web.figures import Figures
from arbiter.web.live import Live
from arbiter.web.news import News
from arbiter.web.server import application, serve
from arbiter.web.viewers import Viewers

_NICENESS = 10


async def _run(out: Path, listener: int, most_viewers: int) -> None:
    lines = _news(trio.lowlevel.FdStream(os.dup(sys.stdin.fileno())))
    first = await anext(lines, None)
    if first is None or first.state != "running":
        return
    figures, viewers = Figures(out), Viewers(most_viewers)
    print("ready", flush=True)
    live, stop = Live(figures, viewers, first), trio.Event()
    app = application(live_page(figures.name), figures.deals, viewers, live.first)
    async with trio.open_nursery() as nursery:

        async def serve_until_stopped() -> None:
            await serve(app, listener, stop)
            nursery.cancel_scope.cancel()

        nursery.start_soon(serve_until_stopped)
        nursery.start_soon(live.keep)
        async for news in lines:
            live.hear(news)
            if news.state != "running":
                await live.finish()
                break
        # Or without a word: the arbiter is gone, and browsers try again until the tournament goes on.
        stop.set()


async def _news(stream: trio.abc.ReceiveStream) -> AsyncIterator[News]:
    buffer = b""
    async for data in stream:
        *lines, buffer = (buffer + data).split(b"\n")
        for line in lines:
            yield News.from_line(line)


if __name__ == "__main__":
    # The matches come first.
    os.nice(_NICENESS)
    trio.run(_run, Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
