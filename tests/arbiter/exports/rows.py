"""A row of a match for tests."""

from dataclasses import replace
from typing import Any

from arbiter.exports.matches import MatchRow

ROW = MatchRow(
    tournament_id="7e57",
    tournament="club",
    rules="schnapsen",
    match="001-02",
    pairing="001",
    number=2,
    cards="001-02",
    started="2026-01-02T23:04:06.250+00:00",
    seconds=0.125,
    first="bob",
    second="ada",
    score=0.0,
    reason="target",
    fault="",
    deals=4,
    first_game_points=3,
    second_game_points=7,
    first_seat=0,
    first_faults=0,
    second_faults=1,
    first_decisions=10,
    second_decisions=20,
    first_total_us=3_000,
    second_total_us=20_500,
    first_worst_us=900,
    second_worst_us=4_000,
)


def row(**changes: Any) -> MatchRow:
    return replace(ROW, **changes)
