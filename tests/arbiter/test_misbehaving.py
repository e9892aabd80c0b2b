"""One tiny bot per misbehaviour, in its own process, against honest bots."""

import os
from pathlib import Path
from typing import Any

import pytest
import trio

from arbiter.config import parse
from arbiter.results import MatchSummary, Scoreboard
from arbiter.store import FILE_NAME, Store
from arbiter.tournament import run_tournament
from tests.arbiter.reporting import KeepingReporter

HONEST = ["{python}", "-m", "example_bots.random_bot"]


def bad(name: str) -> list[str]:
    return ["{python}", "-m", f"tests.misbehaving.{name}"]


def play(out: Path, commands: dict[str, list[str]], **sections: Any) -> tuple[Scoreboard, KeepingReporter]:
    data = {
        "tournament": {"name": "test", "matches_per_pair": 2, "concurrency": 4, "out": str(out)},
        "time": {"ready": "20s", "decision": "5s", "bank": "60s"},
        "bots": [{"name": name, "command": command} for name, command in commands.items()],
    }
    for section, values in sections.items():
        data[section] = {**data.get(section, {}), **values}  # type: ignore[dict-item]
    reporter = KeepingReporter()
    board = trio.run(run_tournament, parse(data, "test"), out, reporter)
    return board, reporter


def summaries(out: Path) -> list[MatchSummary]:
    with Store.open(out / FILE_NAME) as store:
        return list(store.summaries())


def log_of(out: Path, name: str) -> str:
    return "".join(path.read_text() for path in sorted((out / "logs").glob(f"{name}-*.log")))


LATE = {"time": {"decision": "200ms"}}
NEVER = {"time": {"ready": "3s"}}


@pytest.mark.parametrize(
    ("name", "sections", "fault", "detail", "told"),
    [
        ("illegal", {}, "illegal", "is not in the hand", "ACTION_STATUS_ILLEGAL"),
        ("unset_action", {}, "malformed", "action.kind: 0", "ACTION_STATUS_MALFORMED"),
        ("silent", LATE, "late", "no answer within 0.200 s", "ACTION_STATUS_TOO_LATE"),
        ("exits", {}, "disconnected", "exited with status 3", ""),
        ("segfaults", {}, "disconnected", "was killed by SIGSEGV", ""),
        ("raises", {}, "left", "bad left", "a bug in the bot"),
        ("exits_at_start", {}, "not_ready", "exited with status 1", "a missing library"),
        ("never_connects", NEVER, "not_ready", "did not connect within 3 s", ""),
        ("never_ready", NEVER, "not_ready", "did not get ready within 3 s", ""),
        ("garbage", {}, "protocol", "a message that is not a PlayRequest", "MALFORMED_MESSAGE"),
        ("says_hello_twice", {}, "protocol", "hello is said once", "HELLO_REPEATED"),
        ("leaves", {}, "left", "no time any more", ""),
        ("wrong_version", {}, "not_ready", "this arbiter speaks version 1.0", "PROTOCOL_VERSION_UNSUPPORTED"),
        ("no_hello", {}, "not_ready", "the first command must be hello", "HELLO_EXPECTED"),
        ("other_rules", {}, "not_ready", "which the bot does not list", "RULE_SET_UNSUPPORTED"),
        ("wrong_token", {}, "not_ready", "exited with status 0", "TOKEN_UNKNOWN"),
    ],
)
def test_what_a_misbehaving_bot_brings_about(
    tmp_path: Path, name: str, sections: dict[str, Any], fault: str, detail: str, told: str
) -> None:
    board, _ = play(tmp_path, {"bad": bad(name), "honest": HONEST}, **sections)
    first, second = board.standings()
    assert (first.name, first.won, first.faults) == ("honest", 2, 0)
    assert (second.name, second.lost) == ("bad", 2)
    assert second.faults >= 2
    ended = summaries(tmp_path)
    assert [match.reason for match in ended] == ["forfeit", "forfeit"] or fault in ("illegal", "malformed", "late")
    with Store.open(tmp_path / FILE_NAME) as store:
        forfeits = [deal.deal.forfeit for deal in store.deals() if deal.deal.forfeit is not None]
    reasons = [(one.fault, one.detail) for one in forfeits] + [("", match.detail) for match in ended]
    assert any(fault in (found, text.split(": ")[1] if ": " in text else "") for found, text in reasons), reasons
    assert any(detail in text for _, text in reasons), reasons
    assert told in log_of(tmp_path, "bad")


def test_others_are_unharmed_while_bots_misbehave(tmp_path: Path) -> None:
    commands = {"ada": HONEST, "bob": HONEST, "exits": bad("exits"), "garbage": bad("garbage"), "silent": bad("silent")}
    board, reporter = play(tmp_path, commands, tournament={"concurrency": 6}, **LATE)
    between = [match for match in summaries(tmp_path) if set(match.bots) == {"ada", "bob"}]
    assert [match.reason for match in between] == ["target", "target"]
    by_name = {standing.name: standing for standing in board.standings()}
    for honest in ("ada", "bob"):
        assert by_name[honest].faults == 0
        assert by_name[honest].matches == 8
    assert board.played + board.void == 20 + sum(match.void for match in summaries(tmp_path)) - _left_void(tmp_path)
    assert any("exited with status 3" in note for note in reporter.notes)


def _left_void(out: Path) -> int:
    fixed = {match.match_id for match in summaries(out) if not match.void}
    return len({match.match_id for match in summaries(out)} - fixed)


def test_answering_too_often_harms_nobody(tmp_path: Path) -> None:
    board, _ = play(tmp_path, {"eager": bad("answers_twice"), "honest": HONEST})
    assert [standing.faults for standing in board.standings()] == [0, 0]
    assert all(match.reason == "target" for match in summaries(tmp_path))
    log = log_of(tmp_path, "eager")
    for status in ("STALE", "DUPLICATE", "UNKNOWN_MATCH"):
        assert f"ACTION_STATUS_{status}" in log


def test_two_bots_that_never_come_leave_the_match_void(tmp_path: Path) -> None:
    board, _ = play(tmp_path, {"ada": bad("exits_at_start"), "bob": bad("exits_at_start")})
    assert (board.played, board.void) == (0, 6)
    assert [standing.matches for standing in board.standings()] == [0, 0]


def test_no_process_is_left(tmp_path: Path) -> None:
    before = _processes()
    board, _ = play(tmp_path, {"stubborn": bad("ignores_sigterm"), "honest": HONEST})
    assert board.played == 2
    assert _processes() <= before


def _processes() -> set[str]:
    """Process ids of bots that run now."""
    found = set()
    for path in Path("/proc").glob("[0-9]*"):
        try:
            command = (path / "cmdline").read_bytes()
        except OSError:
            continue
        if b"tests.misbehaving" in command and int(path.name) != os.getpid():
            found.add(path.name)
    return found
