import json
import subprocess
import sys
from typing import Any

import pytest

from sixtysix.rules import RULE_SETS, IllegalActionError, View, parse_action, parse_record, replay
from sixtysix.rules.record import outcome_json
from tests.rules.positions import DATA, POSITIONS


def with_member(name: str) -> list[Any]:
    return [pytest.param(position, id=position["id"]) for position in POSITIONS if name in position]


def test_every_rule_set_has_worked_positions() -> None:
    assert {position["rules"] for position in POSITIONS} == set(RULE_SETS)
    assert len({position["id"] for position in POSITIONS}) == len(POSITIONS)


@pytest.mark.parametrize("position", with_member("expect"))
def test_where_the_deal_ends(position: dict[str, Any]) -> None:
    assert replay(parse_record(position)) == {"id": position["id"], **position["expect"]}


@pytest.mark.parametrize("position", with_member("illegal"))
def test_illegal_actions_are_refused(position: dict[str, Any]) -> None:
    record = parse_record(position)
    for case in position["illegal"]:
        deal = record.deal()
        for token in record.actions[: case["at"]]:
            deal.apply(parse_action(token))
        action = parse_action(case["action"])
        assert action not in View.of(deal, case["seat"]).legal_actions
        if case["seat"] == deal.turn:
            before = outcome_json(deal)
            with pytest.raises(IllegalActionError):
                deal.apply(action)
            assert outcome_json(deal) == before


@pytest.mark.parametrize("position", with_member("forfeit"))
def test_forfeits(position: dict[str, Any]) -> None:
    record = parse_record(position)
    deal = record.deal()
    for token in record.actions:
        deal.apply(parse_action(token))
    deal.forfeit(position["forfeit"]["seat"])
    assert outcome_json(deal) == position["forfeit"]["expect"]


def test_the_replay_command_prints_the_same() -> None:
    command = [sys.executable, "-m", "sixtysix", "replay", str(DATA / "deals.jsonl")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    printed = [json.loads(line) for line in done.stdout.splitlines()]
    assert printed == [{"id": position["id"], **position["expect"]} for position in POSITIONS]
