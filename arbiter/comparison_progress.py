"""What a comparison tells while it lasts: a live line on a terminal, plain lines elsewhere."""

import time
from collections.abc import Callable
from typing import TextIO

from rich.console import Console

from arbiter.comparison import Comparison
from arbiter.comparison_report import live_text
from arbiter.progress import LineReporter, LiveReporter, QuietReporter
from arbiter.results import Scoreboard

_LINES_EVERY_S = 5.0
_LIVE_EVERY_S = 0.2


class _ComparisonLines(LineReporter):
    def __init__(self, stream: TextIO, comparison: Comparison) -> None:
        super().__init__(stream, {})
        self._comparison = comparison

    def _pace(self, board: Scoreboard, seconds: float) -> str:
        rate = f"{board.played / seconds:.1f} a second, " if board.played and seconds > 0 else ""
        return rate + live_text(self._comparison)


class _ComparisonBar(_ComparisonLines, LiveReporter):
    def _show(self, board: Scoreboard, seconds: float) -> None:
        # Ratings would take the matches of a pair as independent.
        assert self._task is not None, "a tournament starts before its matches end"
        self._bar.update(self._task, completed=board.played, description=self._pace(board, seconds))
        self._live.update(self._bar, refresh=True)


def reporter_for(stream: TextIO, comparison: Comparison, *, quiet: bool) -> QuietReporter:
    """Return the reporter of a comparison that suits a stream, as `arbiter.progress.reporter_for` does."""
    if quiet:
        return QuietReporter(stream, {})
    return _ComparisonBar(stream, comparison) if _is_live(stream) else _ComparisonLines(stream, comparison)


class LocalProgress:
    """Reports a comparison in which the SDK plays.

    Args:
        stream: where to write; None to say nothing.
        matches: planned in all.
        now: a monotonic clock in seconds.
    """

    def __init__(self, stream: TextIO | None, matches: int, now: Callable[[], float] = time.monotonic) -> None:
        self._stream = stream
        self._matches = matches
        self._now = now
        self._live = stream is not None and _is_live(stream)
        self._begun = self._reported = now()

    def match_ended(self, played: int, comparison: Comparison) -> None:
        """Report how it stands after so many matches, unless the last report is recent."""
        now = self._now()
        if self._stream is None or now - self._reported < (_LIVE_EVERY_S if self._live else _LINES_EVERY_S):
            return
        self._reported = now
        text = f"{played} of {self._matches} matches, {played / (now - self._begun):.0f} a second, "
        text += live_text(comparison)
        if self._live:
            # Carriage return, then erase to the end of the line; a line that is folded could not be erased.
            width = Console(file=self._stream).width
            print(f"\r\x1b[K{text[: width - 1]}", end="", file=self._stream, flush=True)
        else:
            print(text, file=self._stream, flush=True)

    def close(self) -> None:
        """Leave the screen as it was found."""
        if self._live:
            print("\r\x1b[K", end="", file=self._stream, flush=True)


def _is_live(stream: TextIO) -> bool:
    return stream.isatty() and not Console(file=stream).is_dumb_terminal
