"""Files of decisions for tests, made without the arbiter."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from sixtysix.data import observe, schema
from sixtysix.rules import RULE_SETS, Deal, RuleSet, View
from tests.rules.playouts import pick

Row = tuple[Any, ...]


def rows_of(
    match: str, cards: str = "", rules: RuleSet = RULE_SETS["schnapsen"], tournament: str = "7e57"
) -> list[Row]:
    """The decisions of a match of one deal; who plays at random wins at random."""
    random = Random(f"{tournament} {match}")
    deck = list(rules.deck)
    random.shuffle(deck)
    deal = Deal.from_deck(rules, deck, 0)
    done = []
    while not deal.over:
        seat, action = deal.turn, pick(deal, random)
        done.append((seat, observe(View.of(deal, seat)), action))
        deal.apply(action)
    assert deal.outcome is not None
    change = deal.outcome.score_change
    rows = []
    for number, (seat, seen, action) in enumerate(done):
        points = change[seat] - change[1 - seat]
        result = (points > 0) - (points < 0)
        which = (tournament, rules.name, match, cards or match, 1, number, seat, f"bot{seat}", f"bot{1 - seat}")
        rows.append((*which, *seen, action, 900 + number, result, points, deal.outcome.reason.value, result))
    return rows


def write(path: Path, rows: Iterable[Row], group: int = 100) -> Path:
    """A file of these decisions, in row groups of some size."""
    form = schema()
    columns: Sequence[Sequence[Any]] = list(zip(*rows, strict=True)) or [()] * len(form)
    arrays = [pa.array(column, field.type) for column, field in zip(columns, form, strict=True)]
    pq.write_table(pa.Table.from_arrays(arrays, schema=form), path, row_group_size=group)
    return path
