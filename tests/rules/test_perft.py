"""Golden sizes of the tree of legal actions, as chess engines count theirs.

`vectors/perft.json` holds deal records with `counts`: how many sequences of 1, 2, 3, ... legal actions there are
from where the record ends. A change of the rules, wanted or not, changes them.
"""

import json
from itertools import takewhile
from typing import Any

import pytest

from sixtysix.rules import RULE_SETS, Deal, parse_action, parse_record
from tests.rules.positions import DATA
from tests.rules.slow_rules import Table
from tests.rules.slow_rules import count as slow_count
from vectors.generate import count

TREES: list[dict[str, Any]] = json.loads((DATA / "perft.json").read_text(encoding="utf-8"))
MOST_COUNTED_TWICE = 1500
EVERY = pytest.mark.parametrize("tree", TREES, ids=lambda tree: tree["id"])


def start(tree: dict[str, Any]) -> tuple[Deal, Table]:
    record = parse_record(tree)
    deal = record.deal()
    table = Table.of(deal)
    for token in record.actions:
        deal.apply(parse_action(token))
        table.do(token)
    return deal, table


def test_there_are_trees_of_every_rule_set() -> None:
    assert {tree["rules"] for tree in TREES} == set(RULE_SETS)


@EVERY
def test_the_engine_counts_the_golden_numbers(tree: dict[str, Any]) -> None:
    deal, _ = start(tree)
    assert [count(deal, depth) for depth in range(1, len(tree["counts"]) + 1)] == tree["counts"]


@EVERY
def test_a_second_reading_of_the_rules_counts_the_same(tree: dict[str, Any]) -> None:
    _, table = start(tree)
    small = list(takewhile(lambda number: number <= MOST_COUNTED_TWICE, tree["counts"]))
    assert len(small) >= 3
    assert [slow_count(table, depth) for depth in range(1, len(small) + 1)] == small


def test_open_play_without_duties_is_counted_by_hand() -> None:
    """The first lead of schnapsen with neither marriage nor exchange: five cards, a claim, a close."""
    (tree,) = (tree for tree in TREES if tree["id"] == "schnapsen-plain")
    after_a_card, after_the_close, after_the_claim = 5, 5 + 1, 0
    assert tree["counts"][:2] == [5 + 1 + 1, 5 * after_a_card + after_the_close + after_the_claim]
