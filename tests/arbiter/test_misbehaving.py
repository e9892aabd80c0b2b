"""One tiny bot per misbehaviour, in its own process, against honest bots: what it answers, and when it comes and goes.

Every tournament here is also one after which nothing is left: no process, descriptor, thread or file.
"""

from pathlib import Path
from typing import Any

import pytest

from arbiter.store import FILE_NAME, Store
from sixtysix.rules import parse_action, parse_record
from tests.arbiter.misbehaviour import HONEST, bad, check_records, faults, log_of, play, summaries

SHORT: dict[str, Any] = {"time": {"decision": "200ms"}}
NEVER: dict[str, Any] = {"time": {"ready": "2s"}}


def lose_to_an_honest_bot(out: Path, name: str, fault: str, detail: str, told: str, **sections: Any) -> None:
    """The bot loses both matches by this fault alone; the other is as if nothing was."""
    board, _ = play(out, {"bad": bad(name), "honest": HONEST}, **sections)
    first, second = board.standings()
    assert (first.name, first.won, first.faults) == ("honest", 2, 0)
    assert (second.name, second.lost) == ("bad", 2)
    assert second.faults >= 2
    assert not faults(out, "honest")
    found = faults(out, "bad")
    assert {kind for kind, _ in found} == {fault}, found
    assert any(detail in text for _, text in found), found
    assert told in log_of(out, "bad")
    check_records(out)


@pytest.mark.parametrize(
    ("name", "fault", "detail"),
    [
        ("illegal", "illegal", "is not in the hand"),
        ("card_of_the_other", "illegal", "is not in the hand"),
        ("false_marriage", "illegal", "marriage"),
        ("unset_action", "malformed", "action.kind: 0"),
        ("unknown_enum", "malformed", "action.kind: 99"),
    ],
)
def test_actions_that_are_none_cost_deals_and_then_the_match(
    tmp_path: Path, name: str, fault: str, detail: str
) -> None:
    lose_to_an_honest_bot(tmp_path, name, fault, detail, f"ACTION_STATUS_{fault.upper()}")
    ended = summaries(tmp_path)
    assert [match.reason for match in ended] == ["forfeit", "forfeit"]
    assert [match.seats[match.bots.index("bad")].faults for match in ended] == [3, 3]
    assert 'consequence: "deal forfeited"' in log_of(tmp_path, "bad")
    assert 'consequence: "match forfeited"' in log_of(tmp_path, "bad")


def test_the_answer_to_a_card_of_the_other_does_not_tell_where_it_is(tmp_path: Path) -> None:
    play(tmp_path, {"bad": bad("illegal"), "honest": HONEST}, tournament={"matches_per_pair": 4})
    details = [detail for _, detail in faults(tmp_path, "bad")]
    assert len(details) >= 12
    assert all(detail.endswith(" is not in the hand") for detail in details), details


@pytest.mark.parametrize(
    ("name", "told"),
    [("silent", ""), ("answers_future", "ACTION_STATUS_STALE"), ("answers_old", "ACTION_STATUS_STALE")],
)
def test_no_answer_to_the_open_decision_is_late(tmp_path: Path, name: str, told: str) -> None:
    lose_to_an_honest_bot(tmp_path, name, "late", "no answer within 0.200 s", told, **SHORT)
    assert "ACTION_STATUS_TOO_LATE" in log_of(tmp_path, "bad")


@pytest.mark.parametrize(
    ("time", "cap"),
    [
        ({"decision": "200ms"}, "no answer within 0.200 s"),
        ({"decision": "2s", "bank": "900ms", "increment": "0s"}, "no answer within 0."),
    ],
    ids=["cap", "bank"],
)
def test_thinking_for_too_long(tmp_path: Path, time: dict[str, str], cap: str) -> None:
    bots = {"bad": {"env": {"SLEEP_MS": "250"}}}
    play(tmp_path, {"bad": bad("sleeps"), "honest": HONEST}, bots, time=time)
    found = faults(tmp_path, "bad")
    assert {kind for kind, _ in found} == {"late"}
    assert all(cap in detail for _, detail in found), found
    assert not faults(tmp_path, "honest")
    assert [match.winner is not None and match.bots[match.winner] for match in summaries(tmp_path)] == ["honest"] * 2
    if "bank" in time:
        with Store.open(tmp_path / FILE_NAME) as store:
            charged: dict[str, int] = {}
            for stored in store.deals():
                seat = stored.bots.index("bad")
                charged.setdefault(stored.match_id, 0)
                charged[stored.match_id] += sum(
                    times[3]
                    # The late decision has a time, and no action.
                    for times, mover in zip(stored.deal.clock, movers(stored.deal.record), strict=False)
                    if mover == seat
                )
        assert all(200_000 <= total_us <= 900_000 for total_us in charged.values()), charged


def movers(record: dict[str, Any]) -> list[int]:
    """Who was on turn, for each action of a deal."""
    parsed = parse_record(record)
    deal, found = parsed.deal(), []
    for action in parsed.actions:
        found.append(deal.turn)
        deal.apply(parse_action(action))
    return found


@pytest.mark.parametrize(
    ("name", "fault", "detail", "told"),
    [
        ("exits", "disconnected", "exited with status 3", ""),
        ("exits_between", "disconnected", "exited with status 4", ""),
        ("segfaults", "disconnected", "was killed by SIGSEGV", ""),
        ("raises", "left", "bad left", "a bug in the bot"),
        ("leaves", "left", "no time any more", ""),
        ("garbage", "protocol", "a message that is not a PlayRequest", "MALFORMED_MESSAGE"),
        ("says_hello_twice", "protocol", "hello is said once", "HELLO_REPEATED"),
    ],
)
def test_a_bot_that_ends_in_a_match_loses_it(tmp_path: Path, name: str, fault: str, detail: str, told: str) -> None:
    # One match at a time: another one might be offered at the very end, and never be ready.
    lose_to_an_honest_bot(tmp_path, name, fault, detail, told, tournament={"concurrency": 1})
    assert [match.reason for match in summaries(tmp_path)] == ["forfeit", "forfeit"]


@pytest.mark.parametrize(
    ("name", "sections", "detail", "told"),
    [
        ("exits_at_start", {}, "exited with status 1", "a missing library"),
        ("never_connects", NEVER, "did not connect within 2 s", ""),
        ("says_nothing", NEVER, "did not connect within 2 s", ""),
        ("never_ready", NEVER, "did not get ready within 2 s", ""),
        ("wrong_version", {}, "this arbiter speaks version 1.0", "PROTOCOL_VERSION_UNSUPPORTED"),
        ("no_hello", {}, "the first command must be hello", "HELLO_EXPECTED"),
        ("other_rules", {}, "which the bot does not list", "RULE_SET_UNSUPPORTED"),
        ("wrong_token", {}, "exited with status 0", "TOKEN_UNKNOWN"),
    ],
)
def test_a_bot_that_does_not_get_ready_loses_its_matches(
    tmp_path: Path, name: str, sections: dict[str, Any], detail: str, told: str
) -> None:
    lose_to_an_honest_bot(tmp_path, name, "not_ready", detail, told, **sections)
    assert [(match.reason, match.deals) for match in summaries(tmp_path)] == [("forfeit", 0), ("forfeit", 0)]


def test_others_are_unharmed_while_bots_misbehave(tmp_path: Path) -> None:
    names = ("exits", "garbage", "silent", "leaves", "illegal")
    commands = {"ada": HONEST, "bob": HONEST, **{name: bad(name) for name in names}}
    board, reporter = play(tmp_path, commands, tournament={"concurrency": 6}, **SHORT)
    ended = summaries(tmp_path)
    between = [match for match in ended if set(match.bots) == {"ada", "bob"}]
    assert [match.reason for match in between] == ["target", "target"]
    by_name = {standing.name: standing for standing in board.standings()}
    for honest in ("ada", "bob"):
        assert by_name[honest].faults == 0
        assert by_name[honest].matches == 12
        assert not faults(tmp_path, honest)
    fixed = {match.match_id for match in ended if not match.void}
    assert board.played == len(fixed)
    assert len({match.match_id for match in ended}) == 42
    assert any("exited with status 3" in note for note in reporter.notes)
    check_records(tmp_path)


def test_the_organiser_is_told_why_a_bot_left(tmp_path: Path) -> None:
    _, reporter = play(tmp_path, {"bad": bad("leaves"), "honest": HONEST}, tournament={"concurrency": 1})
    assert "bad left: no time any more" in reporter.notes


def test_answering_too_often_harms_nobody(tmp_path: Path) -> None:
    board, _ = play(tmp_path, {"eager": bad("answers_twice"), "honest": HONEST})
    assert [standing.faults for standing in board.standings()] == [0, 0]
    assert all(match.reason == "target" for match in summaries(tmp_path))
    log = log_of(tmp_path, "eager")
    for status in ("STALE", "DUPLICATE", "UNKNOWN_MATCH"):
        assert f"ACTION_STATUS_{status}" in log


def test_answers_in_the_matches_of_others_harm_nobody(tmp_path: Path) -> None:
    board, _ = play(tmp_path, {"bad": bad("answers_another_match"), "ada": HONEST, "bob": HONEST})
    assert {match.match_id for match in summaries(tmp_path) if "bad" not in match.bots} == {"003-01", "003-02"}
    assert [standing.faults for standing in board.standings()] == [0, 0, 0]
    assert {match.reason for match in summaries(tmp_path)} == {"target"}
    log = log_of(tmp_path, "bad")
    assert "ACTION_STATUS_UNKNOWN_MATCH" in log
    assert "ERROR_REASON_UNKNOWN_MATCH" in log
    assert "ACTION_STATUS_ACCEPTED" not in log
    check_records(tmp_path)


def test_two_bots_that_never_come_leave_the_match_void(tmp_path: Path) -> None:
    commands = {"ada": bad("exits_at_start"), "bob": bad("exits_at_start")}
    board, _ = play(tmp_path, commands, faults={"withdraw": 100})
    assert (board.played, board.void) == (0, 6)
    assert [standing.matches for standing in board.standings()] == [0, 0]


def test_a_bot_that_cannot_be_started_is_withdrawn(tmp_path: Path) -> None:
    commands = {"bad": bad("exits_at_start"), "ada": HONEST, "bob": HONEST}
    board, reporter = play(tmp_path, commands, tournament={"matches_per_pair": 4, "concurrency": 1})
    assert "bad is withdrawn: it was not ready 3 times in a row" in reporter.notes
    ended = summaries(tmp_path)
    details = [match.detail for match in ended if "bad" in match.bots]
    assert len([detail for detail in details if "exited with status 1" in detail]) == 3
    assert details.count("bad: withdrawn") == 5
    assert [match.reason for match in ended if "bad" not in match.bots] == ["target"] * 4
    by_name = {standing.name: standing for standing in board.standings()}
    assert (by_name["bad"].lost, by_name["ada"].matches, by_name["bob"].matches) == (8, 8, 8)
    assert len(list((tmp_path / "logs").glob("bad-*.log"))) <= 4
