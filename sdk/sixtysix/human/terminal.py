"""Where the person reads and types: lines out, lines in, and a look that the terminal can show."""

import os
import select
import time
from collections.abc import Mapping
from typing import Protocol, TextIO

from sixtysix.rules import Action, Card, Suit

_READ = 4096
_RED, _BOLD, _PLAIN = "\x1b[31m", "\x1b[1m", "\x1b[0m"
_RED_SUITS = (Suit.DIAMONDS, Suit.HEARTS)


def now_us() -> int:
    """The monotonic clock in microseconds."""
    return time.monotonic_ns() // 1000


class Terminal(Protocol):
    """What a person needs of a terminal."""

    def show(self, text: str = "") -> None:
        """Write a line."""

    def ask(self, prompt: str, deadline_us: int | None = None) -> str | None:
        """Wait for a line; None if it has not come when `now_us` reaches the deadline.

        Raises EOFError when there is nothing more to read.
        """


class Console:
    """The real terminal, or whatever stands in for it.

    Args:
        source: file descriptor to read from. It is read without the buffers of `sys.stdin`, so that waiting for a
            line until a deadline misses none.
        out: where to write.
    """

    def __init__(self, source: int, out: TextIO) -> None:
        self._source = source
        self._out = out
        self._pending = b""
        self._echoes = os.isatty(source)

    def show(self, text: str = "") -> None:
        """Write a line."""
        print(text, file=self._out, flush=True)

    def ask(self, prompt: str, deadline_us: int | None = None) -> str | None:
        """Wait for a line, as `Terminal.ask`."""
        self._out.write(prompt)
        self._out.flush()
        try:
            line = self._line(deadline_us)
        except (KeyboardInterrupt, EOFError):
            self.show()
            raise
        if line is None or not self._echoes:
            self.show(line or "")
        return line

    def _line(self, deadline_us: int | None) -> str | None:
        while b"\n" not in self._pending:
            if deadline_us is not None:
                left_s = max(0, deadline_us - now_us()) / 1e6
                if not select.select([self._source], [], [], left_s)[0]:
                    return None
            data = os.read(self._source, _READ)
            if not data:
                if not self._pending:
                    raise EOFError
                data = b"\n"
            self._pending += data
        line, _, self._pending = self._pending.partition(b"\n")
        return line.decode(errors="replace")


class Look:
    """How cards and suits are written.

    Args:
        color: red suits in red, with the escape sequences that nearly all terminals know.
        symbols: ``10♥``; without, ``10H``.
    """

    def __init__(self, *, color: bool = False, symbols: bool = True) -> None:
        self._color = color
        self._symbols = symbols

    def card(self, card: Card) -> str:
        """A card, such as ``10♥``."""
        return self._painted(card.pretty if self._symbols else card.pretty[:-1] + card.suit.letter, card.suit)

    def suit(self, suit: Suit) -> str:
        """A suit, such as ``♥`` or ``hearts``."""
        return self._painted(suit.symbol if self._symbols else suit.name.lower(), suit)

    def action(self, action: Action) -> str:
        """An action, such as ``10♥``, ``close`` or ``marriage ♥``."""
        if isinstance(action, Card):
            return self.card(action)
        return action.word if action.suit is None else f"{action.word} {self.suit(action.suit)}"

    def heading(self, text: str) -> str:
        """A line that stands out."""
        line = "──" if self._symbols else "--"
        text = f"{line} {text} {line}"
        return f"{_BOLD}{text}{_PLAIN}" if self._color else text

    def _painted(self, text: str, suit: Suit) -> str:
        return f"{_RED}{text}{_PLAIN}" if self._color and suit in _RED_SUITS else text


def look_for(out: TextIO, environment: Mapping[str, str]) -> Look:
    """The look that `out` can show; NO_COLOR (https://no-color.org) takes the colours away."""
    color = out.isatty() and not environment.get("NO_COLOR") and environment.get("TERM", "dumb") != "dumb"
    try:
        "♣♦♥♠─".encode(out.encoding)
    except UnicodeEncodeError:
        return Look(color=color, symbols=False)
    return Look(color=color)


def printable(text: str) -> str:
    """A text from elsewhere without what could move the cursor or worse."""
    return "".join(letter for letter in text if letter.isprintable())
