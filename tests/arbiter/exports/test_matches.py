import csv
import json
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from arbiter.exports.matches import COLUMNS, csv_lines, json_lines, match_rows
from arbiter.store import FILE_NAME, Store
from tests.arbiter import played, recorded
from tests.arbiter.exports.rows import row

DUPLICATE = recorded.config_of({"base": "schnapsen", "target": 3}, ("ada", "bob"), duplicate=True)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with recorded.with_faults(tmp_path_factory.mktemp("finished") / "out") as store:
        yield store


def test_a_row_for_each_match_that_counts(store: Store) -> None:
    rows = {row.match: row for row in match_rows(store)}
    counted = {match.match_id: match for match in store.summaries() if not match.void}
    assert len(rows) == 6
    assert list(rows) == list(counted)
    for match_id, found in rows.items():
        match = counted[match_id]
        dealer, other = match.first_dealer, 1 - match.first_dealer
        assert (found.first, found.second) == (match.bots[dealer], match.bots[other])
        assert found.first_seat == dealer
        assert found.score == (1.0 if match.winner == dealer else 0.0)
        assert (found.first_game_points, found.second_game_points) == (match.score[dealer], match.score[other])
        assert (found.reason, found.deals, found.started) == (match.reason, match.deals, match.started)
        assert (found.first_total_us, found.second_total_us) == tuple(
            match.seats[seat].total_us for seat in (dealer, other)
        )
        assert (found.first_faults, found.second_faults) == tuple(match.seats[seat].faults for seat in (dealer, other))


def test_the_fault_that_has_ended_a_match_is_that_of_its_record(store: Store) -> None:
    for found in match_rows(store):
        match = store.match(found.match)
        last = match.deals[-1].forfeit if match.deals else None
        if match.reason != "forfeit":
            assert found.fault == ""
        elif last is not None:
            assert found.fault == last.fault
    faults = {row.match: row.fault for row in match_rows(store)}
    assert faults == {
        "001-01": "",
        "001-02": "",
        "002-01": "",
        "002-02": "not_ready",
        "003-01": "disconnected",
        "003-02": "late",
    }


def test_a_match_that_was_played_again_names_the_cards_of_the_attempt_that_counts(store: Store) -> None:
    assert {row.match: row.cards for row in match_rows(store)}["001-01"] == "001-01#3"


def test_the_halves_of_a_duplicate_have_the_same_cards(tmp_path: Path) -> None:
    with recorded.make(tmp_path / "out", DUPLICATE) as store:
        first, second = match_rows(store)
    assert first.cards == second.cards == "001-01"
    assert json.loads(first.rules) == {"base": "schnapsen", "target": 3}


def test_a_draw(tmp_path: Path) -> None:
    config = recorded.config_of(bots=("ada", "bob"), deal_limit=1)
    with recorded.make(tmp_path / "out", config) as store:
        rows = list(match_rows(store))
    assert [(row.score, row.reason, row.deals) for row in rows] == [(0.5, "deal_limit", 1)] * 2


def test_what_has_not_ended_is_no_row(tmp_path: Path) -> None:
    config = recorded.config_of(bots=("ada", "bob"))
    with Store.create(tmp_path / FILE_NAME, played.tournament(config)) as store:
        assert list(match_rows(store)) == []
        first, _ = recorded.schedule_of(config)
        store.issue(first)
        assert list(match_rows(store)) == []
        store.fix(played.void(first))
        assert list(match_rows(store)) == []


def test_what_a_withdrawn_bot_has_lost_was_not_played(tmp_path: Path) -> None:
    config = recorded.config_of(bots=("ada", "bob"))
    first, second = recorded.schedule_of(config)
    with Store.create(tmp_path / FILE_NAME, played.tournament(config)) as store:
        store.issue([first, second])
        store.fix(recorded.play(config, first, recorded.honest_seats(first)))
        store.fix(replace(played.void(second), reason="forfeit", winner=1, seats=(played.IDLE, played.IDLE)))
        assert [row.match for row in match_rows(store)] == [first.match_id]


def test_csv_is_read_as_it_was_written() -> None:
    rows = [
        row(score=1.0),
        row(first='a "b", c', score=0.5, rules='{"base": "schnapsen"}'),
        row(first="two\nlines", score=0.0),
    ]
    text = "".join(csv_lines(rows))
    found = list(csv.DictReader(text.splitlines(keepends=True)))
    assert [each["score"] for each in found] == ["1", "0.5", "0"]
    for each, expected in zip(found, rows, strict=True):
        assert list(each) == list(COLUMNS)
        assert {name: value for name, value in each.items() if name != "score"} == {
            name: str(value) for name, value in asdict(expected).items() if name != "score"
        }


def test_csv_of_nothing_is_its_heading() -> None:
    assert list(csv_lines([])) == [",".join(COLUMNS) + "\n"]


def test_json_lines_are_read_as_they_were_written() -> None:
    rows = [row(first="Žofie"), row(score=0.5)]
    lines = list(json_lines(rows))
    assert [json.loads(line) for line in lines] == [asdict(one) for one in rows]
    assert all(line.endswith("\n") and line.count("\n") == 1 for line in lines)
