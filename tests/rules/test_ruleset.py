import json
import subprocess
import sys
from dataclasses import FrozenInstanceError, fields, replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sixtysix.rules import RULE_SETS, RuleSet, RuleSetError, rule_set
from sixtysix.rules.ruleset import Duty, Measure

EVERY = pytest.mark.parametrize("rules", RULE_SETS.values(), ids=RULE_SETS)


def test_the_rule_sets_that_ship() -> None:
    assert list(RULE_SETS) == [
        "sixty-six",
        "mariage",
        "sechsundsechzig",
        "trump-change",
        "schnapsen",
        "schnapsen-short",
        "schnapsen-vienna",
    ]
    assert all(rules.name == name and rules.title and rules.source for name, rules in RULE_SETS.items())


@EVERY
def test_a_preset_is_found_by_its_name(rules: RuleSet) -> None:
    assert rule_set(rules.name) is rules
    assert rules.spec() == rules.name
    assert rule_set({"base": rules.name}) == rules


@EVERY
def test_the_pack(rules: RuleSet) -> None:
    schnapsen = rules.name.startswith("schnapsen")
    assert len(rules.deck) == len(set(rules.deck)) == (20 if schnapsen else 24)
    assert sum(rules.tables.points[card] for card in rules.deck) == 120
    assert [card.text for card in rules.tables.lowest] == (
        ["JC", "JD", "JH", "JS"] if schnapsen else ["9C", "9D", "9H", "9S"]
    )


@EVERY
def test_a_rule_set_cannot_be_changed(rules: RuleSet) -> None:
    with pytest.raises(FrozenInstanceError):
        rules.target = 5  # type: ignore[misc]  # that is the point


DERIVED: list[dict[str, Any]] = [
    {"base": "schnapsen", "target": 5},
    {"base": "schnapsen", "closed_duty": "follow", "closer_measure": "at-close"},
    {
        "base": "sixty-six",
        "ranks": "ATKQJ",
        "card_points": [11, 10, 4, 3, 2],
        "hand_size": 5,
        "packets": [5],
        "turn_up_after": 1,
    },
    {"base": "sixty-six", "turn_up_after": 0},
    {"base": "mariage", "exchange": False, "exchange_before_following": False},
    {"base": "trump-change", "zero_sum": False, "false_claim": 2},
    {"base": "sechsundsechzig", "closer_fails": "closer-trickless"},
]


@pytest.mark.parametrize("spec", DERIVED, ids=str)
def test_a_derived_rule_set_survives_its_written_form(spec: dict[str, Any]) -> None:
    rules = rule_set(spec)
    assert rules.spec() == spec
    assert rule_set(json.loads(json.dumps(rules.spec()))) == rules
    assert rules.name == spec["base"]


def test_values_of_a_derived_rule_set_have_the_types_of_the_fields() -> None:
    rules = rule_set(DERIVED[1])
    assert rules.closed_duty is Duty.FOLLOW
    assert rules.closer_measure is Measure.AT_CLOSE
    assert rule_set(DERIVED[2]).packets == (5,)


def test_naming_a_value_that_the_base_has_changes_nothing() -> None:
    assert rule_set({"base": "schnapsen", "target": 7}).spec() == "schnapsen"


@given(st.sampled_from(sorted(RULE_SETS)), st.integers(1, 20), st.booleans(), st.sampled_from(list(Duty)))
def test_every_derivation_is_read_back(base: str, target: int, zero_sum: bool, duty: Duty) -> None:
    rules = replace(RULE_SETS[base], target=target, zero_sum=zero_sum, open_duty=duty)
    assert rule_set(json.loads(json.dumps(rules.spec()))) == rules
    assert (rules.hash == RULE_SETS[base].hash) == (rules == RULE_SETS[base])


@pytest.mark.parametrize(
    ("spec", "problem"),
    [
        ("shnapsen", "unknown rule set 'shnapsen', did you mean 'schnapsen'? (known: sixty-six,"),
        ("", "unknown rule set ''"),
        ("Schnapsen", "did you mean 'schnapsen'?"),
        (7, "rules must be a name or a table with 'base', not 7"),
        (None, "rules must be a name"),
        (["schnapsen"], "rules must be a name"),
        ({}, "need 'base'"),
        ({"target": 5}, "need 'base'"),
        ({"base": 5}, "need 'base'"),
        ({"base": "bridge"}, "unknown rule set 'bridge'"),
        ({"base": "schnapsen", "targt": 5}, "unknown field 'targt' of a rule set, did you mean 'target'?"),
        ({"base": "schnapsen", "name": "mine"}, "unknown field 'name'"),
        ({"base": "schnapsen", "title": "mine"}, "unknown field 'title'"),
        ({"base": "schnapsen", "target": "5"}, "target must be a whole number, not '5'"),
        ({"base": "schnapsen", "target": 5.0}, "target must be a whole number, not 5.0"),
        ({"base": "schnapsen", "target": True}, "target must be a whole number, not True"),
        ({"base": "schnapsen", "target": None}, "target must be a whole number, not None"),
        ({"base": "schnapsen", "zero_sum": 1}, "zero_sum must be true or false, not 1"),
        ({"base": "schnapsen", "ranks": ["A"]}, "ranks must be text"),
        ({"base": "schnapsen", "packets": 5}, "packets must be a list of whole numbers"),
        ({"base": "schnapsen", "packets": [3, "2"]}, "packets must be a list of whole numbers"),
        ({"base": "schnapsen", "packets": [True, 4]}, "packets must be a list of whole numbers"),
        ({"base": "schnapsen", "open_duty": "heads"}, "open_duty must be one of none, follow, head, not 'heads'"),
        ({"base": "schnapsen", "open_duty": ["head"]}, "open_duty must be one of none, follow, head"),
        ({"base": "schnapsen", "open_duty": None}, "open_duty must be one of none, follow, head"),
    ],
)  # fmt: skip
def test_what_cannot_be_read(spec: Any, problem: str) -> None:
    with pytest.raises(RuleSetError) as caught:
        rule_set(spec)
    assert problem in str(caught.value)


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"ranks": "ATKQX"}, "ranks must be different letters"),
        ({"ranks": "AAKQJ"}, "ranks must be different letters"),
        ({"ranks": "atkqj"}, "ranks must be different letters"),
        ({"ranks": "ATKJ9"}, "ranks must contain K and Q"),
        ({"ranks": ""}, "ranks must contain K and Q"),
        ({"card_points": [11, 10, 4, 3]}, "card_points must give 5 numbers"),
        ({"card_points": []}, "card_points must give 5 numbers"),
        ({"card_points": [11, 10, 4, 3, -1]}, "card_points must give 5 numbers in 0..1000000"),
        ({"hand_size": 0}, "hand_size leaves no talon"),
        ({"hand_size": 10, "packets": [10]}, "hand_size leaves no talon"),
        ({"packets": [3, 3]}, "packets must add up to the hand size 5"),
        ({"packets": []}, "packets must add up to the hand size 5"),
        ({"packets": [5, 0]}, "packets must add up"),
        ({"packets": [6, -1]}, "packets must add up"),
        ({"turn_up_after": 3}, "turn_up_after must lie in 0..2"),
        ({"turn_up_after": -1}, "turn_up_after must lie in 0..2"),
        ({"turn_up_on_top": True}, "exchange needs a turn-up under the talon"),
        ({"trump_change": True}, "exchange needs a turn-up under the talon and a trump that stays"),
        ({"exchange": False, "exchange_after_close": True}, "exchange must be true for"),
        ({"exchange": False, "exchange_before_following": True}, "exchange must be true for"),
        ({"exchange_min_face_down": -1}, "exchange_min_face_down must be 0 or more, not -1"),
        ({"marriage_points": -20}, "marriage_points must be 0 or more"),
        ({"trump_marriage_points": -1}, "trump_marriage_points must be 0 or more"),
        ({"last_trick_points": -10}, "last_trick_points must be 0 or more"),
        ({"claim_points": 0}, "claim_points must be 1 or more"),
        ({"schneider_points": -1}, "schneider_points must be 0 or more"),
        ({"false_claim": -1}, "false_claim must be 0 or more"),
        ({"false_claim_trickless": -1}, "false_claim_trickless must be 0 or more"),
        ({"forfeit": 0}, "forfeit must be 1 or more"),
        ({"target": 0}, "target must be 1 or more"),
        ({"target": 1_000_001}, "target must be 1000000 or less"),
        ({"marriage_points": 10**30}, "marriage_points must be 1000000 or less"),
        ({"card_points": [11, 10, 4, 3, 10**30]}, "card_points must give 5 numbers"),
    ],
    ids=str,
)  # fmt: skip
def test_what_cannot_be_played(changes: dict[str, Any], problem: str) -> None:
    with pytest.raises(RuleSetError) as caught:
        rule_set({"base": "schnapsen", **changes})
    assert str(caught.value).startswith(f"rule set 'schnapsen': {problem}")


def test_a_rule_set_that_is_not_derived_from_a_preset_has_no_short_form() -> None:
    with pytest.raises(RuleSetError, match="'house' is not derived from a preset"):
        replace(RULE_SETS["schnapsen"], name="house").spec()


HASHES = {
    "sixty-six": "81a44f3aad4b512eca7b5d8ccbbd4c8fe619f354d419ac244a71dbd54302dca3",
    "mariage": "807d5a668161840b4705f8e58ef0658badff4ad02ec562842c32a523734220f5",
    "sechsundsechzig": "682d0c1868bf974b749892b03fc6ffc4e320f646eec87e5ec3ad93411df4951d",
    "trump-change": "fc48051f0575523f9a7259b1c410da31ee16792c7e41745f7da70b67f6d1765b",
    "schnapsen": "871107c36896c594f73e47655c446bfcf5b1d6cc310e48ac0d1d2ced407f810d",
    "schnapsen-short": "446bf1407057bcdf63f4093a6eacd3595d096949c5c9ebcdc7ec2ba686cd61d7",
    "schnapsen-vienna": "9634e284106c585e1d0167200c30cb8c0fd8969540c657c2950b5c5995e5d4c1",
}


@EVERY
def test_hashes_do_not_change(rules: RuleSet) -> None:
    assert rules.hash == HASHES[rules.name]


def test_hashes_do_not_depend_on_the_process() -> None:
    code = "from sixtysix.rules import RULE_SETS; print(*[rules.hash for rules in RULE_SETS.values()])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == [rules.hash for rules in RULE_SETS.values()]


def test_equal_rules_have_equal_hashes() -> None:
    spelled_out = rule_set({"base": "schnapsen", "target": 5})
    assert spelled_out.hash == rule_set({"base": "schnapsen", "target": 5, "zero_sum": False}).hash
    assert len({rules.hash for rules in RULE_SETS.values()}) == len(RULE_SETS)


@pytest.mark.parametrize("field", [field.name for field in fields(RuleSet)])
def test_the_hash_covers_every_field_that_is_a_rule(field: str) -> None:
    rules = RULE_SETS["schnapsen"]
    changed = replace(rules)
    object.__setattr__(changed, field, "something else")
    assert (changed.hash == rules.hash) == (field in ("title", "source"))
