"""The terminal itself: pipes, deadlines, colours, and the real program on a pseudo-terminal."""

import io
import os
import pty
import signal
import subprocess
import sys
from collections.abc import Iterator
from typing import TextIO

import pytest

from sixtysix.human.terminal import Console, Look, look_for, now_us
from sixtysix.rules import MARRIAGES, Card, Suit

WAIT_S = 30


class Pipe:
    """A source of lines under the control of the test."""

    def __init__(self) -> None:
        self.reader, self.writer = os.pipe()
        self.out = io.StringIO()
        self.console = Console(self.reader, self.out)

    def type(self, data: bytes) -> None:
        os.write(self.writer, data)

    def end(self) -> None:
        os.close(self.writer)


@pytest.fixture
def pipe() -> Iterator[Pipe]:
    made = Pipe()
    yield made
    os.close(made.reader)


def test_lines_are_read_one_by_one_and_shown_where_nobody_sees_them_typed(pipe: Pipe) -> None:
    pipe.type("1\n10♥ \nlast".encode())
    pipe.end()
    assert [pipe.console.ask("? ") for _ in range(3)] == ["1", "10♥ ", "last"]
    with pytest.raises(EOFError):
        pipe.console.ask("? ")
    assert pipe.out.getvalue() == "? 1\n? 10♥ \n? last\n? \n"


def test_what_is_not_utf_8_breaks_nothing(pipe: Pipe) -> None:
    pipe.type(b"\xff1\n")
    assert pipe.console.ask("? ") == "\ufffd1"


def test_a_line_that_is_there_is_read_even_after_the_deadline(pipe: Pipe) -> None:
    pipe.type(b"1\n2\n")
    assert [pipe.console.ask("? ", now_us() - 1) for _ in range(2)] == ["1", "2"]


def test_a_deadline_passes_and_half_a_line_is_kept(pipe: Pipe) -> None:
    pipe.type(b"10")
    assert pipe.console.ask("? ", now_us() + 1_000) is None
    pipe.type(b"h\n")
    assert pipe.console.ask("? ", now_us() + WAIT_S * 1_000_000) == "10h"
    pipe.end()


class Screen(io.StringIO):
    """Writes to a terminal of this encoding, if it is one."""

    def __init__(self, encoding: str, *, tty: bool) -> None:
        super().__init__()
        self._named, self._tty = encoding, tty

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return self._named

    def isatty(self) -> bool:
        return self._tty


TEN, ACE = Card.parse("TH"), Card.parse("AS")
RED_TEN = "\x1b[31m10♥\x1b[0m"


@pytest.mark.parametrize(
    ("out", "environment", "ten", "ace"),
    [
        (Screen("utf-8", tty=True), {"TERM": "xterm"}, RED_TEN, "A♠"),
        (Screen("utf-8", tty=True), {"TERM": "xterm", "NO_COLOR": ""}, RED_TEN, "A♠"),
        (Screen("utf-8", tty=True), {"TERM": "xterm", "NO_COLOR": "1"}, "10♥", "A♠"),
        (Screen("utf-8", tty=True), {"TERM": "dumb"}, "10♥", "A♠"),
        (Screen("utf-8", tty=True), {}, "10♥", "A♠"),
        (Screen("utf-8", tty=False), {"TERM": "xterm"}, "10♥", "A♠"),
        (Screen("ascii", tty=False), {}, "10H", "AS"),
        (Screen("latin-1", tty=True), {"TERM": "xterm"}, "\x1b[31m10H\x1b[0m", "AS"),
    ],
)
def test_the_look_fits_the_terminal(out: TextIO, environment: dict[str, str], ten: str, ace: str) -> None:
    look = look_for(out, environment)
    assert (look.card(TEN), look.card(ACE)) == (ten, ace)


def test_suits_and_headings() -> None:
    plain, fine = Look(symbols=False), Look(color=True)
    assert (plain.suit(Suit.HEARTS), fine.suit(Suit.SPADES)) == ("hearts", "♠")
    assert plain.action(MARRIAGES[Suit.HEARTS]) == "marriage hearts"
    assert (plain.heading("Deal 1"), fine.heading("Deal 1")) == ("-- Deal 1 --", "\x1b[1m── Deal 1 ──\x1b[0m")


class Program:
    """`python -m sixtysix human` on a pseudo-terminal.

    Attributes:
        seen: everything that it has written.
    """

    def __init__(self, *arguments: str, **environment: str) -> None:
        self._terminal, child = pty.openpty()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "sixtysix", "human", *arguments],
            stdin=child,
            stdout=child,
            stderr=child,
            env={**os.environ, "TERM": "xterm", "PYTHONUTF8": "1", **environment},
            start_new_session=True,
            preexec_fn=_takes_the_terminal,
        )
        os.close(child)
        self.seen = ""

    def until(self, text: str) -> str:
        """What it writes up to this text."""
        start = len(self.seen)
        while text not in self.seen[start:]:
            self.seen += os.read(self._terminal, 65536).decode()
        return self.seen[start:]

    def type(self, text: str) -> None:
        os.write(self._terminal, text.encode())

    def rest(self) -> str:
        """What it writes to its end."""
        start = len(self.seen)
        while True:
            try:
                data = os.read(self._terminal, 65536)
            except OSError:  # how Linux tells that the other side is closed
                break
            if not data:
                break
            self.seen += data.decode()
        return self.seen[start:]

    def ends(self) -> int:
        """The exit status."""
        return self.process.wait(WAIT_S)

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()
        os.close(self._terminal)


def _takes_the_terminal() -> None:
    import fcntl
    import termios

    fcntl.ioctl(0, termios.TIOCSCTTY, 0)  # so that Ctrl-C reaches it as a signal


@pytest.fixture
def program(request: pytest.FixtureRequest) -> Iterator[Program]:
    environment: dict[str, str] = getattr(request, "param", {})
    made = Program("--seed", "5", **environment)
    yield made
    made.close()


PROMPT = "your move: "


def test_a_person_plays_on_a_real_terminal(program: Program) -> None:
    first = program.until(PROMPT)
    assert "Schnapsen, Austrian rules: you against Sparring" in first
    assert "1 \x1b[31m10♥\x1b[0m" in first
    program.type("?\r")
    assert "q  leave" in program.until(PROMPT)
    program.type("1\r")
    answered = program.until(PROMPT)
    assert "You answer with \x1b[31m10♥\x1b[0m." in answered
    program.type("q\r")
    program.until("(y/n) ")
    program.type("n\r")
    program.until(PROMPT)
    program.type("q\r")
    program.until("(y/n) ")
    program.type("y\r")
    assert program.rest().split() == ["y"]
    assert program.ends() == 3


@pytest.mark.parametrize("program", [{"NO_COLOR": "1"}], indirect=True)
def test_no_color_is_respected(program: Program) -> None:
    assert "\x1b" not in program.until(PROMPT)


@pytest.mark.parametrize("program", [{"PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"}], indirect=True)
def test_a_terminal_without_symbols_gets_letters(program: Program) -> None:
    shown = program.until(PROMPT)
    assert shown.isascii()
    assert "10H" in shown


@pytest.mark.parametrize(("key", "said"), [("\x03", ["^C", "interrupted"]), ("\x04", [])])
def test_ctrl_c_and_ctrl_d_leave_without_a_traceback(program: Program, key: str, said: list[str]) -> None:
    program.until(PROMPT)
    program.type(key)
    assert program.rest().split() == said
    assert program.ends() == 3
