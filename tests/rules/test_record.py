import json
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest

from sixtysix.rules import RULE_SETS, Deal, DealRecord, RecordError, parse_action, parse_record, replay, replay_text
from tests.rules.positions import POSITIONS

RECORD: dict[str, Any] = {
    "id": "D1",
    "rules": "schnapsen",
    "dealer": 1,
    "carry": 0,
    "hands": [["AH", "TH", "KS", "QS", "JD"], ["AS", "TS", "KH", "QH", "AC"]],
    "talon": ["TC", "KC", "QC", "JC", "AD", "TD", "KD", "QD", "JH"],
    "turn_up": "JS",
    "actions": ["AH", "QH", "claim"],
}
WITH_TURN_UP_ON_TOP: dict[str, Any] = {
    "rules": "trump-change",
    "dealer": 0,
    "hands": [["AH", "TH", "KS", "QS", "JD", "9D"], ["AS", "TS", "KH", "QH", "AC", "9H"]],
    "talon": ["JS", "TC", "KC", "QC", "JC", "9C", "AD", "TD", "KD", "QD", "JH", "9S"],
    "turn_up": "JS",
    "actions": [],
}


def without(member: str) -> dict[str, Any]:
    return {name: value for name, value in RECORD.items() if name != member}


def with_member(member: str, value: object) -> dict[str, Any]:
    return {**RECORD, member: value}


def changed(change: Callable[[dict[str, Any]], object], record: dict[str, Any] = RECORD) -> dict[str, Any]:
    copy = deepcopy(record)
    change(copy)
    return copy


def results(text: str) -> list[dict[str, Any]]:
    return list(replay_text(text))


def error(index: int | None, action: str | None, reason: str, id: str | None = "D1") -> dict[str, Any]:
    return {"id": id, "error": {"index": index, "action": action, "reason": reason}}


def test_the_records_of_these_tests_are_good() -> None:
    parse_record(RECORD)
    parse_record(WITH_TURN_UP_ON_TOP)


@pytest.mark.parametrize("position", POSITIONS, ids=lambda position: position["id"])
def test_a_record_survives_its_written_form(position: dict[str, Any]) -> None:
    record = parse_record(position)
    written = json.loads(json.dumps(record.to_json()))
    assert parse_record(written) == record
    assert list(written) == ["id", "rules", "dealer", "carry", "hands", "talon", "turn_up", "actions"]


def test_the_record_of_a_deal_starts_from_the_cards_as_dealt() -> None:
    rules = RULE_SETS["sixty-six"]
    deal = Deal.from_deck(rules, rules.deck, dealer=0, carry=2)
    record = DealRecord.of(deal, [parse_action("AD"), parse_action("9C")], id="x")
    assert parse_record(record.to_json()) == record
    assert (record.deal().hands, record.deal().talon, record.carry) == (deal.hands, deal.talon, 2)
    assert record.actions == ("AD", "9C")


def test_id_and_carry_may_be_missing_and_other_members_are_ignored() -> None:
    record = parse_record({**without("id"), "title": 7, "expect": [], "bots": {}})
    assert record.id is None
    assert parse_record(without("carry")).carry == 0
    assert parse_record(with_member("id", None)).id is None


MALFORMED: list[tuple[object, str]] = [
    (7, "a record is a JSON object"),
    (None, "a record is a JSON object"),
    ([], "a record is a JSON object"),
    ("AS", "a record is a JSON object"),
    ({}, "member 'rules' is missing"),
    *((without(member), f"member '{member}' is missing")
      for member in ("rules", "dealer", "hands", "talon", "turn_up", "actions")),
    (with_member("id", 7), "id: must be a text, not 7"),
    (with_member("id", ["a"]), "id: must be a text"),
    (with_member("rules", "skat"), "rules: unknown rule set 'skat'"),
    (with_member("rules", 66), "rules: rules must be a name or a table"),
    (with_member("rules", {"base": "schnapsen", "targt": 5}), "rules: unknown field 'targt'"),
    (with_member("rules", {"base": "schnapsen", "hand_size": 12}), "rules: rule set 'schnapsen': hand_size leaves"),
    (with_member("dealer", 2), "dealer: must be a whole number in 0..1, not 2"),
    (with_member("dealer", -1), "dealer: must be"),
    (with_member("dealer", "1"), "dealer: must be a whole number in 0..1, not '1'"),
    (with_member("dealer", True), "dealer: must be a whole number in 0..1, not True"),
    (with_member("dealer", 1.0), "dealer: must be"),
    (with_member("dealer", None), "dealer: must be"),
    (with_member("carry", -1), "carry: must be a whole number in 0..1000000, not -1"),
    (with_member("carry", 10**7), "carry: must be"),
    (with_member("carry", None), "carry: must be"),
    (with_member("carry", float("nan")), "carry: must be"),
    (with_member("hands", {}), "hands: must be a list of two hands"),
    (with_member("hands", []), "hands: must be a list of two hands"),
    (with_member("hands", [*RECORD["hands"], []]), "hands: must be a list of two hands"),
    (with_member("hands", ["AH TH KS QS JD", "AS TS KH QH AC"]), "hands[0]: must be written as card texts"),
    (with_member("hands", [RECORD["hands"][0], [1, 2, 3, 4, 5]]), "hands[1]: must be written as card texts"),
    (changed(lambda record: record["hands"][0].pop()), "hands[0]: 4 cards, schnapsen deals 5"),
    (changed(lambda record: record["hands"][1].append("JH")), "hands[1]: 6 cards, schnapsen deals 5"),
    (changed(lambda record: record["hands"][1].__setitem__(0, "1S")), "hands[1]: not a card: '1S'"),
    (changed(lambda record: record["hands"][1].__setitem__(0, "")), "hands[1]: not a card: ''"),
    (changed(lambda record: record["hands"][0].__setitem__(0, "AS")), "AS occurs twice"),
    (changed(lambda record: record["hands"][0].__setitem__(0, "9H")), "9H is not in the pack of schnapsen"),
    (with_member("talon", None), "talon: must be written as card texts"),
    (changed(lambda record: record["talon"].pop()), "talon: 8 cards, 1 missing from the pack"),
    (changed(lambda record: record["talon"].clear()), "talon: 0 cards, 9 missing from the pack"),
    (changed(lambda record: record["talon"].append("JS")), "JS occurs twice"),
    (changed(lambda record: record["talon"].__setitem__(8, "XX")), "talon: not a card: 'XX'"),
    (with_member("turn_up", "AC"), "AC occurs twice"),
    (with_member("turn_up", None), "turn_up: must be written as card texts"),
    (with_member("turn_up", ["JS"]), "turn_up: must be written as card texts"),
    (with_member("turn_up", "J"), "turn_up: not a card: 'J'"),
    (with_member("actions", "AH"), "actions: must be a list of texts"),
    (with_member("actions", None), "actions: must be a list of texts"),
    (with_member("actions", ["AH", 7]), "actions: must be a list of texts"),
    ({**WITH_TURN_UP_ON_TOP, "turn_up": "TC"}, "talon: must start with the turn-up"),
    ({**WITH_TURN_UP_ON_TOP, "talon": []}, "talon: must start with the turn-up"),
    ({**WITH_TURN_UP_ON_TOP, "talon": WITH_TURN_UP_ON_TOP["talon"][1:]}, "talon: must start with the turn-up"),
    ({**WITH_TURN_UP_ON_TOP, "talon": WITH_TURN_UP_ON_TOP["talon"][:-1]}, "talon: 11 cards, 1 missing"),
]  # fmt: skip


@pytest.mark.parametrize(("data", "problem"), MALFORMED)
def test_malformed_records_name_the_member(data: object, problem: str) -> None:
    with pytest.raises(RecordError) as caught:
        parse_record(data)
    assert str(caught.value).startswith(problem)
    (result,) = results(json.dumps(data))
    readable = data.get("id") if isinstance(data, dict) else None
    assert result["id"] == (readable if isinstance(readable, str) else None)
    assert (result["error"]["index"], result["error"]["action"]) == (None, None)
    assert result["error"]["reason"].startswith(f"line 1: {problem}")


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("AS KS", "not JSON"),
        ("{", "not JSON"),
        ("{'id': 1}", "not JSON"),
        (json.dumps(RECORD) + ",", "not JSON: Extra data"),
        (json.dumps(RECORD)[:-1], "not JSON"),
        ("[" * 5000, "not JSON"),
        ("[" * 5000 + "]" * 5000, "not JSON: nested too deeply"),
        ('{"carry": ' + "9" * 5000 + "}", "not JSON"),
        ("NaN", "a record is a JSON object"),
        ("[" + json.dumps(RECORD) + "]", "a record is a JSON object"),
    ],
)
def test_a_bad_line_is_an_error_and_the_others_are_replayed(line: str, problem: str) -> None:
    good = json.dumps(RECORD)
    before, bad, after = results(f"{good}\n{line}\n{good}\n")
    assert bad["id"] is None
    assert (bad["error"]["index"], bad["error"]["action"]) == (None, None)
    assert bad["error"]["reason"].startswith(f"line 2: {problem}")
    assert before == after == replay(parse_record(RECORD))


@pytest.mark.parametrize("depth", range(900, 1000, 9))
@pytest.mark.parametrize("member", ["dealer", "carry", "id", "turn_up", "rules"])
def test_values_nested_to_the_limit_of_the_reader_are_an_error(member: str, depth: int) -> None:
    text = json.dumps(with_member(member, "@")).replace('"@"', "[" * depth + "]" * depth)
    (result,) = results(text)
    assert result["error"]["index"] is None


@pytest.mark.parametrize(
    ("actions", "expected"),
    [
        (["AH", "QH", "fold"], (2, "fold", "not an action: 'fold'")),
        (["AH", ""], (1, "", "not an action: ''")),
        (["AH", "QH", "marriage X"], (2, "marriage X", "not a suit: 'X'")),
        (["AS"], (0, "AS", "A♠ is not in the hand")),
        (["AH", "claim"], (1, "claim", "no claim with a card on the table")),
        (["AH", "QH", "claim", "AC"], (3, "AC", "the deal is over")),
        (["claim", "claim"], (1, "claim", "the deal is over")),
        (["fold", "AS"], (0, "fold", "not an action")),
    ],
)
def test_actions_that_cannot_be_played(actions: list[str], expected: tuple[int, str, str]) -> None:
    index, action, reason = expected
    for trace in (False, True):
        result = replay(parse_record(with_member("actions", actions)), trace=trace)
        assert set(result) == {"id", "error"}
        assert (result["error"]["index"], result["error"]["action"]) == (index, action)
        assert result["error"]["reason"].startswith(reason)


def test_a_deal_that_is_not_over() -> None:
    assert replay(parse_record(with_member("actions", ["AH"]))) == {
        "id": "D1",
        "over": False,
        "seat": 1,
        "stage": "follow",
        "legal": ["AS", "TS", "KH", "QH", "AC"],
        "card_points": [0, 0],
        "tricks": [0, 0],
    }


def test_trace_of_a_deal_that_is_over() -> None:
    result = replay(parse_record(RECORD), trace=True)
    assert result.pop("trace") == [
        {"seat": 0, "stage": "lead", "legal": ["AH", "TH", "KS", "QS", "JD", "claim", "marriage S", "close"]},
        {"seat": 1, "stage": "follow", "legal": ["AS", "TS", "KH", "QH", "AC"]},
        {"seat": 0, "stage": "lead", "legal": ["TH", "KS", "QS", "JD", "TC", "claim", "marriage S", "close"]},
    ]
    assert result == replay(parse_record(RECORD))


def test_trace_of_a_deal_that_is_not_over_ends_with_the_open_decision() -> None:
    result = replay(parse_record(with_member("actions", ["AH"])), trace=True)
    assert [step["stage"] for step in result["trace"]] == ["lead", "follow"]
    assert result["trace"][-1]["legal"] == result["legal"]
    (only,) = replay(parse_record(with_member("actions", [])), trace=True)["trace"]
    assert (only["seat"], only["stage"]) == (0, "lead")


def respell(text: str) -> str:
    word, space, suit = text.partition(" ")
    if space:
        return f"{word} {suit.lower()}"
    if len(text) == 2:
        return text.replace("T", "10").replace("S", "♠").replace("H", "♥").lower()
    return text


@pytest.mark.parametrize("position", POSITIONS, ids=lambda position: position["id"])
def test_other_spellings_are_read_and_output_is_canonical(position: dict[str, Any]) -> None:
    respelled = {
        **position,
        "hands": [[respell(card) for card in hand] for hand in position["hands"]],
        "talon": [respell(card) for card in position["talon"]],
        "turn_up": respell(position["turn_up"]),
        "actions": [respell(action) for action in position["actions"]],
    }
    canonical = parse_record(position)
    assert replay(parse_record(respelled), trace=True) == replay(canonical, trace=True)
    written = parse_record(respelled).to_json()
    assert (written["hands"], written["talon"]) == (canonical.to_json()["hands"], canonical.to_json()["talon"])


ONE = replay(parse_record(RECORD))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("\n \n\t\n", []),
        (json.dumps(RECORD), [ONE]),
        (json.dumps(RECORD) + "\n", [ONE]),
        (json.dumps(RECORD) + "\r\n" + json.dumps(RECORD) + "\r\n", [ONE, ONE]),
        ("\n\n" + json.dumps(RECORD) + "\n\n\n" + json.dumps(RECORD), [ONE, ONE]),
        (json.dumps(RECORD, indent=2), [ONE]),
        ("\n" + json.dumps(RECORD, indent=2) + "\n\n", [ONE]),
        (json.dumps(RECORD, indent=2).replace("\n", "\r\n"), [ONE]),
    ],
)
def test_one_record_a_line_or_one_object_over_several_lines(text: str, expected: list[dict[str, Any]]) -> None:
    assert results(text) == expected


def test_line_numbers_count_blank_lines() -> None:
    _, bad = results("\n" + json.dumps(RECORD) + "\n\n\nnonsense\n")
    assert bad["error"]["reason"].startswith("line 5: not JSON")


def test_one_malformed_object_over_several_lines_is_one_error() -> None:
    (bad,) = results(json.dumps(with_member("dealer", 2), indent=2))
    assert bad == error(None, None, "line 1: dealer: must be a whole number in 0..1, not 2")


def test_characters_that_only_look_like_line_ends_stay_inside_a_text() -> None:
    line = json.dumps(with_member("id", "a\u2028b\x85c"), ensure_ascii=False)
    assert results(f"{line}\n{line}\n") == [{**ONE, "id": "a\u2028b\x85c"}] * 2


def test_any_text_is_echoed_in_a_form_that_every_output_can_take() -> None:
    actions = ["\ud800", "\x00", "♥"]
    (result,) = results(json.dumps({**with_member("actions", actions), "id": "\udfff"}))
    assert result["error"]["action"] == "\ud800"
    json.dumps(result).encode("ascii")


def test_derived_rules_in_a_record() -> None:
    record = parse_record(with_member("rules", {"base": "schnapsen", "false_claim": 5}))
    assert replay(record)["score_change"] == [0, 3]
    record = parse_record(with_member("rules", {"base": "schnapsen", "false_claim_trickless": 5}))
    assert replay(record)["score_change"] == [0, 5]
