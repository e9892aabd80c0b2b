import re
from dataclasses import fields, replace
from typing import Any

import pytest
from rich.console import RenderableType

from arbiter import rules_report
from arbiter.match_report import match_report, tricks_of
from arbiter.report import (
    cross_table,
    duration_text,
    match_lines,
    printable,
    progress_text,
    render,
    rules_text,
    standings_table,
)
from arbiter.results import Forfeit, MatchResult, MatchSummary, Scoreboard, SeatStats
from sixtysix.rules import RULE_SETS, RuleSet, parse_record, rule_set
from tests.arbiter import played
from tests.arbiter.played import IDLE, summary

SCHEDULED = played.schedule(played.config())[0]


def board(*matches: MatchSummary, names: tuple[str, ...] = ("ada", "bob", "cy")) -> Scoreboard:
    result = Scoreboard(names)
    for match in matches:
        result.add(match)
    return result


def cells(*parts: RenderableType) -> list[list[str]]:
    return [line.split() for line in render(parts).splitlines() if line.strip(" ─")]


def test_every_figure_of_the_standings() -> None:
    seats = (SeatStats(10, 5_000, 900, 2), SeatStats(8, 16_000, 4_500, 1))
    table = standings_table(
        board(summary(("ada", "bob"), (7, 2), 0, seats=seats), summary(("cy", "ada"), (3, 3), None, "deal_limit"))
    )
    first, second, ada, cy, bob = cells(table)
    assert " ".join(first) == "won-lost game per mean worst"
    assert " ".join(second) == "# bot -drawn points deals deal faults ms ms"
    assert ada == ["1", "ada", "1-0-1", "10:5", "8", "+0.625", "2", "0.50", "0.9"]
    assert cy == ["2", "cy", "0-0-1", "3:3", "4", "+0.000", "0", "0.00", "0.0"]
    assert bob == ["3", "bob", "0-1-0", "2:7", "4", "-1.250", "1", "2.00", "4.5"]


def test_before_the_first_deal_there_is_nothing_per_deal() -> None:
    assert cells(standings_table(board()))[2] == ["1", "ada", "0-0-0", "0:0", "0", "0", "0.00", "0.0"]


def test_the_standings_fit_a_terminal_of_80_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    matches = [summary(("counting", "rollout"), (7, 0), 0) for _ in range(200)]
    text = render([standings_table(board(*matches, names=("counting", "rollout")))], width=80)
    lines = text.splitlines()
    assert len(lines) == 5
    assert max(len(re.sub(r"\x1b\[[0-9;]*m", "", line)) for line in lines) <= 80


def test_the_cross_table_reads_by_rows_in_the_order_of_the_standings() -> None:
    table = cross_table(
        board(
            summary(("bob", "ada"), (7, 0), 0),
            summary(("bob", "ada"), (7, 0), 0),
            summary(("ada", "bob"), (7, 0), 0),
            summary(("ada", "cy"), (3, 3), None),
        )
    )
    assert cells(table) == [
        ["#", "bot", "1", "2", "3"],
        ["1", "bob", "–", "2-1-0", "0-0-0"],
        ["2", "ada", "1-2-0", "–", "0-0-1"],
        ["3", "cy", "0-0-0", "0-0-1", "–"],
    ]


def test_colours_are_for_terminals_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    table = cross_table(board())
    assert "\x1b" not in render([table])
    assert "\x1b" in render([table], width=80)


@pytest.mark.parametrize("width", [None, 20, 80])
@pytest.mark.parametrize("term", ["xterm", "dumb"])
def test_no_figure_is_lost_for_want_of_room(width: int | None, term: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", term)
    names = tuple(f"bot-{number:02}" for number in range(30))
    lines = render([cross_table(board(names=names))], width=width).splitlines()
    assert len(lines) == 32
    assert all(line.count("0-0-0") == 29 for line in lines[2:])


def test_the_list_of_matches() -> None:
    heading, *lines = match_lines(
        [
            summary(("ada", "bob"), (7, 2), 0),
            summary(("bob", "ada"), (3, 3), None, "deal_limit"),
            summary(("ada", "bob"), (1, 0), 1, "forfeit", detail="ada: late", seats=(SeatStats(0, 0, 0, 3), IDLE)),
            summary(("ada", "bob"), (0, 0), None, "void", detail="both\x1b[2J\ngone"),
        ],
        ["ada", "bob"],
    )
    assert heading.split() == ["match", "seat", "0", "seat", "1", "score", "winner", "deals", "faults", "end"]
    assert [line.split(maxsplit=7) for line in lines] == [
        ["001-01", "ada", "bob", "7:2", "ada", "4", "0:0", "target reached"],
        ["001-01", "bob", "ada", "3:3", "–", "4", "0:0", "deal limit reached"],
        ["001-01", "ada", "bob", "1:0", "bob", "4", "3:0", "forfeited (ada: late)"],
        ["001-01", "ada", "bob", "0:0", "–", "4", "0:0", "void, does not count (both [2J gone)"],
    ]
    assert lines[0].index("target reached") == heading.index("end")


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.04, "0.0 s"), (59.4, "59.4 s"), (59.6, "1:00"), (185, "3:05"), (3785, "1:03:05")],
)
def test_durations(seconds: float, text: str) -> None:
    assert duration_text(seconds) == text


def test_small_texts() -> None:
    assert rules_text("schnapsen") == "schnapsen"
    assert rules_text(rule_set({"base": "schnapsen", "target": 5, "exchange": False}).spec()) == (
        "schnapsen, exchange no, target 5"
    )
    assert progress_text(4, board(summary(("ada", "bob"), (7, 0), 0))) == "1 of 4 matches played"
    assert progress_text(4, board(summary(("ada", "bob"), (0, 0), None, "void"))) == "0 of 4 matches played, 1 void"
    assert printable("A\x1b[31mé\r\n♥") == "A [31mé  ♥"


def test_tricks_of_schnapsen() -> None:
    record = parse_record(
        {
            "rules": "schnapsen",
            "dealer": 1,
            "hands": [["JS", "KH", "QH", "AH", "TD"], ["AS", "JH", "JC", "KD", "QD"]],
            "talon": ["KC", "QC", "AC", "TC", "TH", "AD", "JD", "QS", "TS"],
            "turn_up": "KS",
            "actions": ["exchange", "marriage H", "KH", "JC", "close", "AH", "JH", "claim"],
        }
    )
    first, second, third = tricks_of(record, {"2": "now", "5": "high\x1b"})
    assert first.actions == (["exchange J♠ for K♠", "marriage ♥ (20)", "K♥ “now”"], ["J♣"])
    assert (first.leader, first.winner, first.points) == (0, 0, (26, 0))
    assert [card.text for card in first.drawn] == ["KC", "QC"]
    assert second.actions == (["close", "A♥ “high ”"], ["J♥"])
    assert (second.winner, second.points, second.drawn) == (0, (39, 0), ())
    assert third.actions == (["claim"], [])
    assert third.winner is None


def test_tricks_of_sixty_six_show_drawing_with_the_trick_before() -> None:
    record = parse_record(
        {
            "rules": "sixty-six",
            "dealer": 0,
            "hands": [["AS", "AC", "TC", "KC", "QC", "JC"], ["9S", "9C", "AH", "TH", "KH", "QH"]],
            "talon": ["JH", "9H", "AD", "TD", "KD", "QD", "JD", "9D", "TS", "QS", "JS"],
            "turn_up": "KS",
            "actions": ["9C", "AC", "draw", "TC", "AH", "close", "exchange", "KC"],
        }
    )
    first, second, third = tricks_of(record)
    assert (first.actions, first.winner) == ((["A♣"], ["9♣"]), 0)
    assert [card.text for card in first.drawn] == ["JH", "9H"]
    assert (second.actions, second.drawn) == ((["10♣"], ["A♥"]), ())
    assert third.actions == (["close", "K♣"], ["exchange 9♠ for K♠"])


def test_tricks_of_trump_change() -> None:
    record = parse_record(
        {
            "rules": "trump-change",
            "dealer": 0,
            "hands": [["9S", "AC", "TC", "KC", "QC", "JC"], ["AS", "9C", "AH", "TH", "KH", "QH"]],
            "talon": ["KS", "9H", "AD", "TD", "KD", "QD", "JD", "9D", "TS", "QS", "JS", "JH"],
            "turn_up": "KS",
            "actions": ["AC", "9C", "draw", "trump C", "marriage C", "KC", "AH"],
        }
    )
    first, second = tricks_of(record)
    assert [card.text for card in first.drawn] == ["KS", "9H"]
    assert second.actions == (["trump ♣", "marriage ♣ (40)", "K♣"], ["A♥"])
    assert (second.points, second.winner) == ((66, 0), 0)


def report_of(match: MatchResult, rules: RuleSet) -> str:
    return render(match_report(match, rules))


@pytest.mark.parametrize("name", RULE_SETS)
def test_a_match_from_its_heading_to_its_last_score(name: str) -> None:
    rules = RULE_SETS[name]
    match = played.play_match(SCHEDULED, rules)
    text = report_of(match, rules)
    first, second = match.bots
    assert text.startswith(f"Match {match.match_id}: {first} – {second}, {name}\n")
    assert text.count("\nDeal ") == text.count("\nScore ") == len(match.deals)
    assert f"\nScore {match.score[0]} : {match.score[1]}" in text[text.rindex("\nScore ") :]
    assert ("to go" in text) == rules.score_down
    winner = match.winner
    assert winner is not None
    assert f"{match.bots[winner]} (seat {winner}) wins, score {match.score[0]} : {match.score[1]}" in text
    for deal in match.deals:
        record = parse_record(deal.record)
        for cards in (*record.hands, record.talon):
            assert " ".join(card.pretty for card in cards) in text
        assert f"{record.turn_up.pretty} (trump {record.turn_up.suit.symbol})" in text


def deal_report(**changes: Any) -> list[str]:
    rules = RULE_SETS["schnapsen"]
    deal = played.play_deal(rules, **changes)
    lines = report_of(played.void(SCHEDULED, [deal]), rules).splitlines()
    return lines[next(number for number, line in enumerate(lines) if line.startswith("Deal ")) :]


def test_a_forfeited_deal_says_who_and_why() -> None:
    *_, why, result, score = deal_report(actions=4, forfeit=Forfeit(1, "late", "no answer\x1b within 1 s"))
    assert why == f"{SCHEDULED.bots[1]} forfeits the deal (late): no answer  within 1 s"
    assert result.startswith(f"{SCHEDULED.bots[0]} wins 3 by a forfeit; card points ")
    assert score == "Score 3 : 0, to go 4 : 7"


def test_a_deal_that_was_broken_off() -> None:
    heading, *_, result, score = deal_report(actions=4, dealer=1)
    assert heading == f"Deal 1: {SCHEDULED.bots[1]} deals, {SCHEDULED.bots[0]} leads"
    assert result.startswith("Broken off: the match ended before the deal did; card points ")
    assert score == "Score 0 : 0, to go 7 : 7"


@pytest.mark.parametrize(
    ("result", "text"),
    [
        (
            {"winner": 1, "game_points": 1, "score_change": [0, 3], "carry": 0, "reason": "claim"},
            "bob wins 1 and 2 carried over by a correct claim; card points 30 : 70, tricks 2 : 3",
        ),
        (
            {"winner": None, "game_points": 0, "score_change": [0, 0], "carry": 3, "reason": "tie"},
            "Nobody scores: tie, carry 3; card points 30 : 70, tricks 2 : 3",
        ),
    ],
)
def test_a_carry_is_shown(result: dict[str, Any], text: str) -> None:
    rules = RULE_SETS["mariage"]
    deal = played.play_deal(rules, carry=2)
    whole = {"over": True, "card_points": [30, 70], "tricks": [2, 3], **result}
    match = replace(played.void(SCHEDULED), bots=("ada", "bob"), deals=(replace(deal, result=whole),))
    shown = report_of(match, rules)
    assert f"\n{text}\n" in shown
    assert "leads, carry 2\n" in shown


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({}, "Void at 0 : 0, void, does not count, 0 deals\nboth bots are gone\n"),
        ({"reason": "deal_limit", "detail": ""}, "Drawn at 0 : 0, deal limit reached, 0 deals\nStarted "),
        (
            {"reason": "forfeit", "winner": 0, "detail": "bob: left\x1b"},
            "ada (seat 0) wins, score 0 : 0, forfeited, 0 deals\nbob: left \n",
        ),
    ],
)
def test_how_a_match_ended(change: dict[str, Any], text: str) -> None:
    match = replace(played.void(SCHEDULED), bots=("ada", "bob"), **change)
    assert text.replace(" \n", "\n") in report_of(match, RULE_SETS["schnapsen"])


def test_every_field_of_a_rule_set_has_a_meaning() -> None:
    meanings = rules_report.meanings()
    assert list(meanings) == [field.name for field in fields(RuleSet)]
    assert all(meanings.values())
    assert meanings["target"] == "match score that wins the match."


@pytest.mark.parametrize("name", RULE_SETS)
def test_a_rule_set_field_by_field(name: str) -> None:
    rules = RULE_SETS[name]
    text = render(rules_report.rule_set_report(rules))
    rows = {line.split()[0]: line for line in text.splitlines() if line.strip()}
    for field in fields(RuleSet):
        if field.name in ("name", "title", "source"):
            assert getattr(rules, field.name) in text
            continue
        assert rows[field.name].endswith(rules_report.meanings()[field.name])
    assert rows["target"].split()[1] == str(rules.target)
    shown = rows["score_down"].split()[1:3]
    assert shown == (["yes", "no"] if rules.score_down else ["no", "people"])


def test_the_overview_lists_each_difference_from_sixty_six_once() -> None:
    text = render(rules_report.rule_sets_report())
    rows = [line.split(maxsplit=1) for line in text.splitlines() if line.strip(" ─")]
    names = [row[0] for row in rows]
    base = RULE_SETS["sixty-six"]
    differing = [
        field.name
        for field in fields(RuleSet)
        if field.name not in ("name", "title", "source")
        and any(getattr(rules, field.name) != getattr(base, field.name) for rules in RULE_SETS.values())
    ]
    assert names[1 : len(RULE_SETS) + 1] == list(RULE_SETS)
    assert names[len(RULE_SETS) + 2 :] == differing
    by_name = {row[0]: row[1] for row in rows}
    assert by_name["target"].split(maxsplit=1) == ["7", "5: schnapsen-short"]
    assert by_name["zero_sum"].split(maxsplit=1) == ["no", "yes: trump-change"]
    assert by_name["exchange_min_face_down"].endswith("2: schnapsen, schnapsen-short; 0: schnapsen-vienna")


def test_a_rule_set_as_json_can_be_compared_by_its_hash() -> None:
    values = rules_report.rule_set_json(RULE_SETS["schnapsen"])
    assert list(values) == [*(field.name for field in fields(RuleSet)), "hash"]
    assert values["hash"] == RULE_SETS["schnapsen"].hash
