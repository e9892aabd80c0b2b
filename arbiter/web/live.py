"""What the viewers are told: figures while matches end, and once a second what is being played."""

import json
import sys
from dataclasses import asdict

import trio

from arbiter.store import StoreError
from arbiter.views import Json
from arbiter.web.figures import Figures, Snapshot
from arbiter.web.news import News
from arbiter.web.pace import Pace
from arbiter.web.viewers import Viewers

_EVERY_S = 2.0
_SHARE = 0.1
"""Of the time that new figures may take; with many matches they come less often."""
_LOOK_S, _LAST_LOOK_S = 0.5, 3.0
_LAST_S = 3.0


class Live:
    """The figures and the news of a tournament on their way to the viewers.

    The events are `figures` (see `arbiter.web.figures`), `now`, which is {state, playing, tables, per_second,
    seconds_left} with the members of `arbiter.web.news.Table`, and in the end one `end`.

    Args:
        figures: of the tournament.
        viewers: who look.
        news: what the arbiter said first.
    """

    def __init__(self, figures: Figures, viewers: Viewers, news: News) -> None:
        self._figures, self._viewers, self._news = figures, viewers, news
        self._pace = Pace(trio.current_time())
        self._snapshot: Snapshot | None = None
        self._outdated = True
        # One snapshot after another.
        self._taking = trio.Lock()

    def first(self) -> tuple[bytes, ...]:
        """Return the events that a viewer begins with."""
        now = event("now", self._now())
        return (now,) if self._snapshot is None else (event("figures", self._snapshot.whole), now)

    def hear(self, news: News) -> None:
        """Pass on what the arbiter says."""
        self._news = news
        self._pace.add(trio.current_time(), len(news.ended))
        if news.ended:
            self._figures.ended(news.ended)
            self._outdated = True
        self._viewers.send(event("now", self._now()))

    async def keep(self) -> None:
        """Bring the figures up to date again and again, as long as somebody looks and matches end."""
        while True:
            await self._viewers.wait_for_one()
            began = trio.current_time()
            if self._outdated:
                await self._renew(_LOOK_S)
            await trio.sleep(max(_EVERY_S, (trio.current_time() - began) / _SHARE))

    async def finish(self) -> None:
        """Tell the viewers how it ended, and wait some seconds at most until they know."""
        if len(self._viewers):
            await self._renew(_LAST_LOOK_S)
            self._viewers.send(event("end", self._now()))
        with trio.move_on_after(_LAST_S):
            await self._viewers.close()

    async def _renew(self, seconds: float) -> None:
        async with self._taking:
            self._outdated = False
            try:
                snapshot = await trio.to_thread.run_sync(self._figures.snapshot, seconds)
            except StoreError as error:
                self._outdated = True
                print(f"the store cannot be read, trying again: {error}", file=sys.stderr, flush=True)
                return
            self._snapshot = snapshot
            self._outdated |= snapshot.behind > 0
            self._viewers.send(event("figures", snapshot.change))

    def _now(self) -> str:
        left = None if self._snapshot is None else self._snapshot.scheduled - self._snapshot.played
        now: Json = {
            "state": self._news.state,
            "playing": self._news.playing,
            "tables": [asdict(table) for table in self._news.tables],
            "per_second": self._pace.per_second,
            "seconds_left": None if left is None else self._pace.seconds_for(left),
        }
        return json.dumps(now, separators=(",", ":"))


def event(kind: str, data: str) -> bytes:
    """Return a server-sent event; the data are one line."""
    return f"event: {kind}\ndata: {data}\n\n".encode()
