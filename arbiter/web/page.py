"""The arbiter's side of the live page: the address, the process, and what it is told."""

import os
import socket
import subprocess
import sys
from collections.abc import Callable, Collection, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from itertools import islice
from pathlib import Path
from typing import Protocol

import structlog
import trio

from arbiter import directory
from arbiter.config import WebSection
from arbiter.results import MatchResult
from arbiter.schedule import ScheduledMatch
from arbiter.web.news import News, State, Table

_log = structlog.get_logger()
LOG_FILE = "web.log"
"""Of the process, beside the logs of the bots."""
MOST_TABLES = 50
"""Matches in play that are shown."""
_EVERY_S = 1.0
_LAST_S = 8.0


class Playing(Protocol):
    """A match that is being played, as `arbiter.match_runner.MatchRunner`."""

    @property
    def so_far(self) -> tuple[int, tuple[int, int]]:
        """The number of the deal in play, or of the last one, and the game points of both seats so far."""


class Page:
    """No page; what one is told of a tournament."""

    @property
    def address(self) -> str | None:
        """Where the page is, if there is one."""
        return None

    async def run(self) -> None:
        """Serve the page until `end`."""

    async def begin(self) -> None:
        """The store holds all that was played before, and play begins; returns when the page can be seen."""

    def issued(self, match: ScheduledMatch, attempt: int) -> None:
        """A match has been issued."""

    def playing(self, match: ScheduledMatch, runner: Playing) -> AbstractContextManager[None]:
        """It is being played as long as the block runs."""
        return nullcontext()

    def stored(self, result: MatchResult) -> None:
        """Its result is in the store."""

    async def end(self, state: State) -> None:
        """Nothing will be played any more; returns when the viewers have been told."""


class LivePage(Page):
    """The page of one run of a tournament.

    Args:
        web: its settings.
        listener: the socket that listens.
        out: directory of the tournament.
        hidden: variables of the arbiter's environment that the process does not get.
        note: tells the organiser of trouble.
    """

    def __init__(
        self,
        web: WebSection,
        listener: socket.socket,
        out: Path,
        hidden: Collection[str],
        note: Callable[[str], None],
    ) -> None:
        self._web, self._listener, self._out, self._hidden, self._note = web, listener, out, hidden, note
        self._attempts: dict[str, int] = {}
        self._playing: dict[str, tuple[ScheduledMatch, Playing, float]] = {}
        self._ended: list[tuple[str, int]] = []
        self._state: State = "running"
        self._begun, self._ready, self._ending, self._gone = (trio.Event() for _ in range(4))

    @property
    def address(self) -> str:
        """See `Page.address`."""
        host, port = self._web.listen.rpartition(":")[0], self._listener.getsockname()[1]
        return f"http://{host}:{port}/"

    async def run(self) -> None:
        """See `Page.run`; what goes wrong ends the page and not the tournament."""
        log_file = self._out / directory.BOT_LOGS / LOG_FILE
        try:
            with log_file.open("wb") as log:
                process = await self._start(log.fileno())
        except OSError as error:
            self._failed(f"cannot be started: {error.strerror}")
            return
        assert process.stdin is not None
        assert process.stdout is not None
        _log.info("live page started", pid=process.pid, address=self.address)
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._tell, process.stdin)
                async for _ in process.stdout:
                    self._ready.set()
                status = await process.wait()
                nursery.cancel_scope.cancel()
        finally:
            # The tournament is given up, or the last viewers take too long.
            if process.returncode is None:
                process.kill()
                with trio.CancelScope(shield=True):
                    await process.wait()
        if status or self._state == "running":
            self._failed(f"has ended with status {status}, see {log_file}")
        self._ready.set()
        self._gone.set()

    async def _start(self, log: int) -> trio.Process:
        environment = {
            key: value
            for key, value in os.environ.items()
            if key not in self._hidden and not key.startswith("SIXTYSIX_")
        }
        arguments = [str(self._out), str(self._listener.fileno()), str(self._web.viewers)]
        return await trio.lowlevel.open_process(
            # -P: nothing that happens to lie in the present directory.
            [sys.executable, "-P", "-m", "arbiter.web", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            pass_fds=[self._listener.fileno()],
            env=environment,
            # Ctrl-C is for the arbiter alone.
            start_new_session=True,
        )

    async def _tell(self, stdin: trio.abc.SendStream) -> None:
        with suppress(trio.BrokenResourceError):
            await self._begun.wait()
            while True:
                news = self._news()
                await stdin.send_all(news.to_line())
                if news.state != "running":
                    break
                with trio.move_on_after(_EVERY_S):
                    await self._ending.wait()

    def _news(self) -> News:
        now = trio.current_time()
        tables = []
        for match, runner, began in islice(self._playing.values(), MOST_TABLES):
            deal, score = runner.so_far
            tables.append(Table(match.match_id, match.bots, deal, score, round(now - began, 1)))
        ended, self._ended = self._ended, []
        return News(self._state, len(self._playing), tuple(tables), tuple(ended))

    def _failed(self, what: str) -> None:
        _log.error("live page failed", detail=what)
        self._note(f"the live page {what}; the tournament goes on")
        self._ready.set()
        self._gone.set()

    async def begin(self) -> None:
        """See `Page.begin`."""
        self._begun.set()
        await self._ready.wait()

    def issued(self, match: ScheduledMatch, attempt: int) -> None:
        """See `Page.issued`."""
        self._attempts[match.match_id] = attempt

    @contextmanager
    def playing(self, match: ScheduledMatch, runner: Playing) -> Iterator[None]:
        """See `Page.playing`."""
        self._playing[match.match_id] = match, runner, trio.current_time()
        try:
            yield
        finally:
            del self._playing[match.match_id]

    def stored(self, result: MatchResult) -> None:
        """See `Page.stored`."""
        attempt = self._attempts.pop(result.match_id)
        if not self._gone.is_set():
            self._ended.append((result.match_id, attempt))

    async def end(self, state: State) -> None:
        """See `Page.end`; waits some seconds at most."""
        self._state = state
        self._begun.set()
        self._ending.set()
        with trio.move_on_after(_LAST_S):
            await self._gone.wait()
