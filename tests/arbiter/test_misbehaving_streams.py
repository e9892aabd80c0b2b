"""Bots that misuse their connection: floods, large messages, what is not read, second and stolen connections."""

from pathlib import Path
from typing import Any

import pytest

from tests.arbiter.misbehaviour import HONEST, bad, check_records, faults, log_of, play, summaries

# Slow enough for every answer, and soon over for a bot that was lost.
AWAY: dict[str, Any] = {"faults": {"reconnect": "1s"}, "time": {"ready": "3s"}}


def play_among_honest(out: Path, name: str, **sections: Any) -> list[tuple[str, str]]:
    """A round-robin with two honest bots, which are unharmed; returns the faults of the bad one."""
    board, _ = play(out, {"bad": bad(name), "ada": HONEST, "bob": HONEST}, **{**AWAY, **sections})
    for standing in board.standings():
        assert standing.matches == 4
        if standing.name != "bad":
            assert standing.faults == 0
            assert not faults(out, standing.name)
    assert [match.reason for match in summaries(out) if "bad" not in match.bots] == ["target", "target"]
    check_records(out)
    return faults(out, "bad")


def test_a_message_of_1_mib_ends_the_stream(tmp_path: Path) -> None:
    found = play_among_honest(tmp_path, "huge_message")
    assert {kind for kind, _ in found} <= {"disconnected", "not_ready"}
    # When the grace is over its process is given up: no match waits for it in vain.
    assert not any("did not connect" in detail for _, detail in found)
    assert "RESOURCE_EXHAUSTED" in log_of(tmp_path, "bad")


@pytest.mark.parametrize("name", ["many_commands", "floods"])
def test_floods_end_the_stream(tmp_path: Path, name: str) -> None:
    found = play_among_honest(tmp_path, name)
    assert ("protocol", "bad broke the protocol: more commands than a bot may send") in found
    assert {kind for kind, _ in found} <= {"protocol", "not_ready"}
    assert "RATE_EXCEEDED" in log_of(tmp_path, "bad")


def test_a_bot_that_stops_reading_gains_no_time(tmp_path: Path) -> None:
    found = play_among_honest(tmp_path, "stops_reading", time={"ready": "3s", "decision": "300ms"})
    assert any("no answer within 0.300 s" in detail for _, detail in found)
    assert {kind for kind, _ in found} <= {"late", "disconnected", "not_ready"}


def test_what_is_not_read_does_not_pile_up(tmp_path: Path) -> None:
    many = {"commands_per_second": 1_000_000, "burst": 1_000_000}
    found = play_among_honest(tmp_path, "never_reads", server=many)
    assert ("disconnected", "bad lost its connection for 1 s: updates are not read") in found
    assert {kind for kind, _ in found} <= {"disconnected", "not_ready", "late"}


def test_a_bot_that_reconnects_in_the_middle_of_decisions_plays_on(tmp_path: Path) -> None:
    assert (
        play_among_honest(tmp_path, "reconnects", **{"faults": {"reconnect": "20s"}, "time": {"decision": "20s"}}) == []
    )
    assert {match.reason for match in summaries(tmp_path)} == {"target"}
    log = log_of(tmp_path, "bad")
    assert log.count("a new session") == 1
    assert log.count("resumed") >= 5
    assert log.count("the same decision") >= 5
    assert "another decision" not in log


def test_the_newest_of_two_connections_wins_and_the_matches_of_the_first_are_lost(tmp_path: Path) -> None:
    found = play_among_honest(tmp_path, "connects_twice")
    assert {kind for kind, _ in found} == {"disconnected"}
    assert any("came back with a new session, without its matches" in detail for _, detail in found)
    assert "REPLACED_BY_NEWER_CONNECTION" in log_of(tmp_path, "bad")


def test_a_token_is_the_bot_whoever_has_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The thief plays as the guest, and nobody plays as the thief; who is not told the token does not find it."""
    token = "the token of the guest"
    monkeypatch.setenv("GUEST_TOKEN", token)
    look_around = ["{python}", "-c", "import os; print(*os.environ.items(), sep='\\n')"]
    commands = {"thief": bad("anothers_token"), "curious": look_around, "honest": HONEST}
    guest = {"name": "guest", "token_env": "GUEST_TOKEN"}
    play(tmp_path, commands, {"thief": {"env": {"FOUND": token}}}, (guest,), time={"ready": "2s"})
    ended = summaries(tmp_path)
    assert [match.reason for match in ended if set(match.bots) == {"guest", "honest"}] == ["target", "target"]
    assert not faults(tmp_path, "guest")
    assert not faults(tmp_path, "honest")
    assert all(match.winner == match.bots.index("honest") for match in ended if set(match.bots) == {"thief", "honest"})
    assert any("thief did not connect within 2 s" in match.detail for match in ended)
    assert "SIXTYSIX_TOKEN" in log_of(tmp_path, "curious")
    assert token not in log_of(tmp_path, "curious")


def test_the_name_of_a_session_may_be_any_text(tmp_path: Path) -> None:
    play_among_honest(tmp_path, "odd_session")
    ended = [match for match in summaries(tmp_path) if "bad" in match.bots]
    assert len(ended) == 4
    assert any(match.reason == "target" for match in ended)
