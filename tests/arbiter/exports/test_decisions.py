from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from arbiter.exports import decisions
from arbiter.store import FILE_NAME, Store
from sixtysix.data import COLUMNS, batches, observe
from sixtysix.rules import ACTIONS, DRAW, Deal, Stage, parse_record
from sixtysix.rules.record import outcome_json
from tests.arbiter import played, recorded
from tests.arbiter.fake_seats import FakeSeat

Row = dict[str, Any]
DUPLICATE = recorded.config_of({"base": "schnapsen", "target": 3}, ("ada", "bob"), duplicate=True)
SEVERAL = ("schnapsen", "sixty-six", "mariage", "trump-change", {"base": "sixty-six", "target": 3, "claim_points": 50})


@pytest.fixture(scope="module")
def faulty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with recorded.with_faults(tmp_path_factory.mktemp("finished") / "out") as store:
        yield store


def rows_of(store: Store) -> list[Row]:
    return [dict(zip(COLUMNS, row, strict=True)) for row in decisions.decision_rows(store)]


def written(stores: list[Store], path: Path) -> list[Row]:
    with path.open("wb") as file:
        count = decisions.write(stores, file)
    rows: list[Row] = pq.read_table(path).to_pylist()
    assert len(rows) == count
    return rows


def by_deal(rows: list[Row]) -> dict[tuple[str, int], list[Row]]:
    deals: dict[tuple[str, int], list[Row]] = defaultdict(list)
    for row in rows:
        deals[row["match"], row["deal"]].append(row)
    return deals


def replay(deal: Deal, rows: list[Row]) -> list[str]:
    """Play the actions of the rows of one deal, and draw where one is left out; returns all that was done."""
    actions: list[str] = []
    for row in rows:
        while len(actions) < row["number"]:
            assert deal.stage is Stage.BEFORE_DRAW
            deal.apply(DRAW)
            actions.append(DRAW.text)
        assert deal.turn == row["seat"]
        action = ACTIONS[row["action"]]
        deal.apply(action)
        actions.append(action.text)
    return actions


@pytest.mark.parametrize("rules", SEVERAL, ids=str)
def test_what_is_read_replays_to_the_same_deals(tmp_path: Path, rules: Any) -> None:
    with recorded.make(tmp_path / "out", recorded.config_of(rules, ("ada", "bob"))) as store:
        deals = by_deal(written([store], tmp_path / "decisions.parquet"))
        stored = list(store.deals())
    assert len(deals) == len(stored) > 1
    for each in stored:
        rows = deals[each.match_id, each.deal.number]
        state = parse_record(each.deal.record).deal()
        assert replay(state, rows) == each.deal.record["actions"]
        assert outcome_json(state) == each.deal.result


@pytest.mark.parametrize("rules", SEVERAL, ids=str)
def test_a_row_shows_what_the_bot_was_shown(tmp_path: Path, rules: Any) -> None:
    config = recorded.config_of(rules, ("ada", "bob"))
    seats: dict[str, tuple[FakeSeat, FakeSeat]] = {}
    with Store.create(tmp_path / FILE_NAME, played.tournament(config)) as store:
        for match in recorded.schedule_of(config):
            seats[match.match_id] = recorded.honest_seats(match)
            store.issue(match)
            store.fix(recorded.play(config, match, seats[match.match_id]))
        found = list(decisions.decision_rows(store))
    first, size = list(COLUMNS).index("stage"), len(COLUMNS)
    last = size - len(("action", "charged_us", "deal_result", "game_points", "deal_reason", "match_result"))
    place = {name: index for index, name in enumerate(COLUMNS)}
    for match_id, pair in seats.items():
        for index, seat in enumerate(pair):
            mine = [row for row in found if (row[place["match"]], row[place["seat"]]) == (match_id, index)]
            assert [row[first:last] for row in mine] == [tuple(observe(asked.view)) for asked in seat.questions]
            assert [row[place["deal"]] for row in mine] == [asked.view.deal_number for asked in seat.questions]
            assert {row[place["bot"]] for row in mine} == {seat.name}
            assert {row[place["opponent"]] for row in mine} == {pair[1 - index].name}


def test_what_came_of_it(faulty: Store) -> None:
    rows = rows_of(faulty)
    matches = {row["match"] for row in rows}
    # Nobody has decided anything in a match to which a bot did not come.
    assert matches == {"001-01", "001-02", "002-01", "003-01", "003-02"}
    for (match_id, number), decided in by_deal(rows).items():
        match = faulty.match(match_id)
        deal = match.deals[number - 1]
        result: Any = deal.result
        for row in decided:
            seat = row["seat"]
            assert row["bot"] == match.bots[seat]
            assert (row["match_result"] == 1) == (match.winner == seat)
            assert (row["match_result"] == -1) == (match.winner == 1 - seat)
            assert (row["deal_result"] == 1) == (result["winner"] == seat)
            assert (row["deal_result"] == -1) == (result["winner"] == 1 - seat)
            assert row["game_points"] == result["score_change"][seat] - result["score_change"][1 - seat]
            assert row["deal_reason"] == result["reason"]
            assert row["charged_us"] == deal.clock[row["number"]][3]
            assert row["own_score"] == sum(each.result["score_change"][seat] for each in match.deals[: number - 1])  # type: ignore[index]  # JSON


def test_wrong_and_late_answers_are_no_rows(faulty: Store) -> None:
    for (match_id, number), decided in by_deal(rows_of(faulty)).items():
        record: Any = faulty.match(match_id).deals[number - 1].record
        assert len(decided) <= len(record["actions"])
        assert [ACTIONS[row["action"]].text for row in decided] == [record["actions"][row["number"]] for row in decided]


def test_a_match_that_was_played_again_counts_once(faulty: Store) -> None:
    again = [row for row in rows_of(faulty) if row["match"] == "001-01"]
    assert {row["cards"] for row in again} == {"001-01#3"}
    assert max(row["deal"] for row in again) == len(faulty.match("001-01").deals)


def test_draws_that_nobody_was_asked_for_are_no_decisions(tmp_path: Path) -> None:
    with recorded.make(tmp_path / "out", recorded.config_of("sixty-six", ("ada", "bob"))) as store:
        drawn = {row["seat"] for row in rows_of(store) if ACTIONS[row["action"]] == DRAW}
    # In these matches seat 0 wants to be asked before drawing, and seat 1 does not.
    assert drawn == {0}


def test_a_draw_has_no_winner(tmp_path: Path) -> None:
    config = recorded.config_of(bots=("ada", "bob"), deal_limit=1)
    with recorded.make(tmp_path / "out", config) as store:
        rows = rows_of(store)
    assert {row["match_result"] for row in rows} == {0}
    assert {row["deal_result"] for row in rows} == {1, -1}


def test_a_half_of_a_duplicate_waits_for_the_other(tmp_path: Path) -> None:
    first, second = recorded.schedule_of(DUPLICATE)
    with Store.create(tmp_path / FILE_NAME, played.tournament(DUPLICATE)) as store:
        store.issue([first, second])
        store.fix(recorded.play(DUPLICATE, first, recorded.honest_seats(first)))
        assert rows_of(store) == []
        store.fix(recorded.play(DUPLICATE, second, recorded.honest_seats(second)))
        rows = rows_of(store)
    assert {(row["match"], row["cards"]) for row in rows} == {("001-01", "001-01"), ("001-02", "001-01")}


def test_nothing_played_is_a_file_without_rows(tmp_path: Path) -> None:
    with Store.create(tmp_path / FILE_NAME, played.tournament(DUPLICATE)) as store:
        assert written([store], tmp_path / "none.parquet") == []
    assert list(batches(tmp_path / "none.parquet")) == []


def test_row_groups_are_of_bounded_size(tmp_path: Path, faulty: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = written([faulty], tmp_path / "whole.parquet")
    monkeypatch.setattr(decisions, "ROWS_AT_ONCE", 50)
    assert written([faulty], tmp_path / "parts.parquet") == whole
    parts = pq.ParquetFile(tmp_path / "parts.parquet").metadata
    sizes = [parts.row_group(index).num_rows for index in range(parts.num_row_groups)]
    full, rest = divmod(len(whole), 50)
    assert sizes == [50] * full + [rest] * bool(rest)


def test_several_tournaments_in_one_file(tmp_path: Path, faulty: Store) -> None:
    with recorded.make(tmp_path / "out", recorded.config_of("sixty-six", ("ada", "bob"))) as other:
        rows = written([faulty, other], tmp_path / "both.parquet")
        assert rows == rows_of(faulty) + rows_of(other)
    assert {row["rules"] for row in rows} == {"schnapsen", "sixty-six"}
