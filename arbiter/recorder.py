"""Writes results behind the back of the matches: they never wait for the store, as long as it is not too far behind."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import TypeVar

import structlog
import trio

from arbiter.results import MatchResult
from arbiter.schedule import ScheduledMatch
from arbiter.store import StoreAwayError

_A = TypeVar("_A")
_R = TypeVar("_R")
_log = structlog.get_logger()
QUEUE = 256
"""Results that may wait for the store; beyond, matches wait."""
_AT_ONCE = 64
_FIRST_PAUSE_S, _LONGEST_PAUSE_S, _LAST_WRITE_S = 0.1, 5.0, 5.0


class Recorder:
    """The only writer of results.

    Args:
        fix: writes results in one transaction; blocking.
        fixed: told of each result once it is written.
        note: tells the organiser of trouble.
        patience_s: how long a store that is away is tried again; then its StoreAwayError ends the tournament.
    """

    def __init__(
        self,
        fix: Callable[[Sequence[MatchResult]], None],
        fixed: Callable[[MatchResult], None],
        note: Callable[[str], None],
        patience_s: float,
    ) -> None:
        self._fix, self._fixed, self._note, self._patience_s = fix, fixed, note, patience_s
        self._away = False
        # One call at a time: the store has one writer.
        self._limiter = trio.CapacityLimiter(1)
        self._issuing = trio.Lock()
        self._to_issue: dict[str, ScheduledMatch] = {}
        self._attempts: dict[str, int] = {}
        self._send, self._receive = trio.open_memory_channel[tuple[MatchResult, trio.Event]](QUEUE)

    async def issue(self, match: ScheduledMatch, issue: Callable[[Sequence[ScheduledMatch]], Mapping[str, int]]) -> int:
        """Note that a match is to be played, together with others that wait for the same; returns its attempt.

        Args:
            match: which one.
            issue: notes several in one transaction and returns their attempts; blocking.
        """
        self._to_issue[match.match_id] = match
        async with self._issuing:
            if match.match_id in self._to_issue:
                waiting = dict(self._to_issue)
                self._attempts.update(await self.call(issue, list(waiting.values())))
                for match_id in waiting:
                    del self._to_issue[match_id]
        return self._attempts.pop(match.match_id)

    async def put(self, result: MatchResult) -> trio.Event:
        """Hand over a result; the event is set once it is written."""
        written = trio.Event()
        await self._send.send((result, written))
        return written

    def close(self) -> None:
        """No more results will come: `run` ends when all are written."""
        self._send.close()

    async def run(self) -> None:
        """Write until closed; raises the StoreError of a store that cannot be written."""
        async with self._receive:
            try:
                async for first in self._receive:
                    await self._write([first, *self._waiting(_AT_ONCE - 1)])
            except trio.Cancelled:
                # The organiser stops the tournament: matches that have ended are kept.
                with trio.move_on_after(_LAST_WRITE_S, shield=True):
                    await self._write(self._waiting(QUEUE))
                raise

    def _waiting(self, most: int) -> list[tuple[MatchResult, trio.Event]]:
        waiting: list[tuple[MatchResult, trio.Event]] = []
        with suppress(trio.WouldBlock, trio.EndOfChannel):
            while len(waiting) < most:
                waiting.append(self._receive.receive_nowait())
        return waiting

    async def _write(self, waiting: list[tuple[MatchResult, trio.Event]]) -> None:
        if not waiting:
            return
        await self.call(self._fix, [result for result, _ in waiting])
        for result, written in waiting:
            self._fixed(result)
            written.set()

    async def call(self, function: Callable[[_A], _R], argument: _A) -> _R:
        """Use the store in a worker thread, and again while it is away and the patience lasts."""
        give_up = trio.current_time() + self._patience_s
        pause = _FIRST_PAUSE_S
        while True:
            try:
                # Not abandoned on cancellation: what is being written gets written.
                result = await trio.to_thread.run_sync(function, argument, limiter=self._limiter)
                self._away = False
                return result
            except StoreAwayError as error:
                left = give_up - trio.current_time()
                if left <= 0:
                    raise
                _log.warning("store is away", detail=str(error), tries_left_s=round(left, 1))
                if not self._away:
                    # All that use the store find out, and to be told once is enough.
                    self._away = True
                    self._note(f"the store is away, trying again for {left:.0f} s: {error}")
            await trio.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE_S)
