import io
import math
import os
import re
from collections.abc import Iterator
from pathlib import Path
from statistics import NormalDist
from typing import Any

import pytest

from arbiter.progress import LineReporter, LiveReporter, QuietReporter, Reporter, reporter_for
from arbiter.results import Scoreboard
from sixtysix.rules import rule_set
from tests.arbiter import played

RULES = rule_set({"base": "schnapsen", "target": 5})
TOKENS = {"guest": "GUEST_TOKEN", "host": "HOST_TOKEN"}


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


class Time:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


class Run:
    """A tournament of two bots that a reporter is told of."""

    def __init__(self, reporter: Reporter, time: Time) -> None:
        self.reporter, self.time, self.board = reporter, time, Scoreboard(["ada", "bob"])

    def start(self, scheduled: int = 10) -> None:
        self.reporter.started("club", RULES, scheduled, ["ada", "bob"], "127.0.0.1:4711")

    def end_match(self, after: float, winner: int | None = 0, reason: Any = "target") -> None:
        self.time.now += after
        match = played.summary(("ada", "bob"), (7, 0), winner, reason)
        self.board.add(match)
        self.reporter.match_ended(match, self.board)


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def stream() -> io.StringIO:
    return io.StringIO()


@pytest.fixture
def lines(stream: io.StringIO, time: Time) -> Run:
    return Run(LineReporter(stream, TOKENS, now=time, every=5.0), time)


def test_plain_lines_from_the_first_to_the_last(lines: Run, stream: io.StringIO) -> None:
    lines.start()
    lines.end_match(2.0)
    lines.end_match(2.0)
    lines.end_match(2.0, winner=1)
    lines.end_match(4.9)
    lines.end_match(0.1, winner=None, reason="void")
    lines.reporter.finished(lines.board, 12.5)
    assert stream.getvalue().splitlines() == [
        "club: schnapsen, target 5, 2 bots (ada, bob), 10 matches, at 127.0.0.1:4711",
        "3 of 10 matches played, 0.5 a second, 14.0 s left, leader ada 2-1-0",
        "4 of 10 matches played, 1 void, 0.4 a second, 16.5 s left, leader ada 3-1-0",
        "4 of 10 matches played, 1 void in 12.5 s, 0.3 a second",
    ]


def test_before_anything_counts_there_is_no_rate(lines: Run, stream: io.StringIO) -> None:
    lines.start()
    lines.end_match(6.0, winner=None, reason="void")
    assert stream.getvalue().splitlines()[1:] == ["0 of 10 matches played, 1 void, leader ada 0-0-0"]


def test_many_bots_are_not_all_named(lines: Run, stream: io.StringIO) -> None:
    lines.reporter.started("club", RULES, 10, [f"b{number}" for number in range(9)], "[::1]:1")
    assert "9 bots (b0, b1, b2, b3, b4, b5, b6, b7, …)" in stream.getvalue()


def test_waiting_says_where_to_connect_and_which_variable_holds_the_token(lines: Run, stream: io.StringIO) -> None:
    lines.reporter.waiting(["guest", "host"], "127.0.0.1:4711")
    for name in ("ada", "guest", "guest", "host"):
        lines.reporter.bot_connected(name)
    assert stream.getvalue().splitlines() == [
        "waiting at 127.0.0.1:4711 for:",
        "  guest, with the token in $GUEST_TOKEN",
        "  host, with the token in $HOST_TOKEN",
        "guest has connected, waiting for host",
        "host has connected",
    ]


def test_waiting_for_a_bot_whose_token_is_nowhere(stream: io.StringIO) -> None:
    QuietReporter(stream, {}).waiting(["guest"], "127.0.0.1:4711")
    assert stream.getvalue().splitlines()[1:] == ["  guest, with its token, of which only the hash is known"]


def test_waiting_does_not_count_as_playing(lines: Run, stream: io.StringIO) -> None:
    lines.start()
    lines.reporter.waiting(["guest"], "127.0.0.1:4711")
    lines.time.now += 1000.0
    lines.reporter.bot_connected("guest")
    lines.end_match(10.0)
    assert stream.getvalue().splitlines()[-1].startswith("1 of 10 matches played, 0.1 a second, 1:30 left")


def test_a_connection_in_the_middle_does_not_restart_the_clock(lines: Run, stream: io.StringIO) -> None:
    lines.start()
    lines.time.now += 10.0
    lines.reporter.bot_connected("ada")
    lines.end_match(0.0)
    assert "0.1 a second" in stream.getvalue()


def test_notes_cannot_move_the_cursor(lines: Run, stream: io.StringIO) -> None:
    lines.reporter.note("ada exited\x1b[2J with status 3")
    assert stream.getvalue() == "note: ada exited [2J with status 3\n"


def test_quiet_says_only_what_needs_somebody(stream: io.StringIO, time: Time) -> None:
    run = Run(QuietReporter(stream, TOKENS), time)
    run.start()
    run.end_match(100.0)
    run.reporter.finished(run.board, 100.0)
    assert stream.getvalue() == ""
    run.reporter.waiting(["guest"], "127.0.0.1:4711")
    run.reporter.note("look")
    assert stream.getvalue().splitlines()[1:] == ["  guest, with the token in $GUEST_TOKEN", "note: look"]


@pytest.fixture
def live(time: Time, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Run, Terminal]]:
    monkeypatch.setenv("TERM", "xterm")
    screen = Terminal()
    with LiveReporter(screen, TOKENS, now=time, every=0.5, width=100) as reporter:
        yield Run(reporter, time), screen


def shown(screen: Terminal) -> str:
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", screen.getvalue())


def test_the_live_bar(live: tuple[Run, Terminal]) -> None:
    run, screen = live
    run.start()
    assert "0/10 matches" in shown(screen)
    run.end_match(0.4)
    assert "1/10" not in shown(screen)
    run.end_match(0.6)
    assert "2/10 2.0 a second, 4.0 s left, leader ada 2-0-0" in shown(screen)
    run.end_match(1.0, winner=None, reason="void")
    assert "2/10 1 void, 1.0 a second, 8.0 s left, leader ada 2-0-0" in shown(screen)
    run.reporter.note("bob exited with status 3")
    assert "note: bob exited with status 3" in shown(screen)
    run.reporter.finished(run.board, 2.0)
    assert shown(screen).rstrip().endswith("2 of 10 matches played, 1 void in 2.0 s, 1.0 a second")


def rows(screen: Terminal) -> list[list[str]]:
    """The cells of the last table that was drawn."""
    table = shown(screen).rpartition("#  bot")[2]
    return [re.split(r" {2,}", line.strip()) for line in table.splitlines()[2:] if "/" not in line]


def test_the_live_view_shows_standings_with_ratings(live: tuple[Run, Terminal]) -> None:
    run, screen = live
    run.start()
    for winner in (0, 1, 0, 1):
        run.end_match(0.6, winner)
    ada, bob = rows(screen)
    assert (ada[:3], bob[:3]) == (["1", "ada", "2-2-0"], ["2", "bob", "2-2-0"])
    # Ratings are made anew every two seconds; these are of the first match.
    assert int(ada[3]) > 100
    run.end_match(0.6, 0)
    ada, bob = rows(screen)
    elo, error = 200 * math.log10(3 / 2), 1.96 * 200 / math.log(10) / math.sqrt(5 * 0.6 * 0.4)
    assert ada[:5] == ["1", "ada", "3-2-0", f"{elo:+.0f}", f"{error:.0f}"]
    assert bob == ["2", "bob", "2-3-0", f"{-elo:+.0f}", f"{error:.0f}"]
    surely = NormalDist().cdf(1.96 * elo / error)
    assert int(ada[5].removeprefix("with ").removesuffix(" %")) == pytest.approx(100 * surely, abs=4)


def test_a_large_field_is_shown_in_part_and_not_rated(live: tuple[Run, Terminal]) -> None:
    run, screen = live
    run.board = Scoreboard([f"b{number:02}" for number in range(33)] + ["ada", "bob"])
    run.start()
    run.end_match(0.6, 1)
    assert "won-lost-drawn\n" in re.sub(r" +\n", "\n", shown(screen))
    assert rows(screen)[:2] == [["1", "bob", "1-0-0"], ["2", "ada", "0-1-0"]]
    assert "and 25 more" in shown(screen)


def test_the_cursor_comes_back_whatever_happens(time: Time, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    screen = Terminal()

    def fail() -> None:
        with LiveReporter(screen, TOKENS, now=time, width=100) as reporter:
            Run(reporter, time).start()
            raise LookupError

    with pytest.raises(LookupError):
        fail()
    assert screen.getvalue().rindex("\x1b[?25h") > screen.getvalue().rindex("\x1b[?25l")


@pytest.mark.parametrize(
    ("stream", "term", "quiet", "kind"),
    [
        (Terminal(), "xterm", False, LiveReporter),
        (Terminal(), "dumb", False, LineReporter),
        (io.StringIO(), "xterm", False, LineReporter),
        (Terminal(), "xterm", True, QuietReporter),
    ],
)
def test_the_reporter_suits_the_stream(
    stream: io.StringIO, term: str, quiet: bool, kind: type, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", term)
    reporter = reporter_for(stream, TOKENS, quiet=quiet)
    assert type(reporter) is kind


def test_a_stream_that_cannot_be_written_stops_nobody() -> None:
    with Path("/dev/full").open("w") as stream:
        reporter = QuietReporter(stream, {})
        with pytest.raises(OSError, match="No space left"):
            print("first", file=stream, flush=True)
        reporter.note("second")
        # What is left in the stream would be written when it is closed.
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
