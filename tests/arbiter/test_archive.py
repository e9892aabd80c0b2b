import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from arbiter import archive
from arbiter.archive import export
from arbiter.records import attempt_id, records
from arbiter.reveal import Reveal, is_finished
from arbiter.store import FILE_NAME, MatchStateError, Store
from arbiter.verify import verify
from arbiter.views import scoreboard
from tests.arbiter import played, recorded

DUPLICATE = recorded.config_of({"base": "schnapsen", "target": 3}, ("ada", "bob"), duplicate=True)
FIRST, SECOND = recorded.schedule_of(DUPLICATE)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with recorded.with_faults(tmp_path_factory.mktemp("finished") / "out") as store:
        yield store


def lines_of(store: Store) -> list[dict[str, Any]]:
    return [json.loads(line) for line in export(store)]


def test_the_first_line_tells_all_that_a_check_needs(store: Store) -> None:
    first, *_ = lines_of(store)
    tournament = first["tournament"]
    assert list(tournament) == sorted(["id", "name", "rules", "config", "created", "scheduled", "secret"])
    assert (tournament["id"], tournament["name"], tournament["scheduled"]) == (played.TOURNAMENT_ID, "club", 6)
    assert tournament["secret"] == played.SECRET.hex()
    assert tournament["rules"]["spec"] == "schnapsen"
    assert tournament["config"]["time"]["lag"] == "20ms"
    assert tournament["config"]["faults"]["limit"] == 3


def test_what_may_be_secret_stays_at_home(store: Store) -> None:
    text = "".join(export(store))
    assert "confidential" not in text
    config = json.loads(text.split("\n", 1)[0])["tournament"]["config"]
    assert config.keys() == {"tournament", "time", "faults", "bots"}
    assert "out" not in config["tournament"]
    assert all(bot.keys() <= {"name", "command", "vouched"} for bot in config["bots"])


def test_a_line_for_each_attempt_with_the_records_of_its_deals(store: Store) -> None:
    matches = [line["match"] for line in lines_of(store)[1:-1]]
    summaries = list(store.summaries())
    assert [match["match_id"] for match in matches] == [match.match_id for match in summaries]
    assert [(match["attempt"], match["void"]) for match in matches[:3]] == [(1, True), (2, True), (3, False)]
    assert [record for match in matches for record in match["deals"]] == list(records(store))
    for match, stored in zip(matches, store.attempts(), strict=True):
        assert match["digest"] == stored.digest == stored.result.digest(stored.attempt)
        assert match["score"] == list(stored.result.score)


def test_the_last_line_has_the_standings(store: Store) -> None:
    *_, last = lines_of(store)
    board = scoreboard(store)
    assert [line["name"] for line in last["standings"]] == [line.name for line in board.standings()]
    assert last["matches"] == board.played + board.void == 8


def test_the_chain_as_it_is_described(store: Store) -> None:
    chain = ""
    for text in export(store):
        line = json.loads(text)
        found = line.pop("chain")
        content = json.dumps(line, sort_keys=True, separators=(",", ":"))
        chain = hashlib.sha256((chain + content).encode()).hexdigest()
        assert found == chain
        assert json.dumps({**line, "chain": found}, sort_keys=True, separators=(",", ":")) + "\n" == text


def test_the_secret_is_kept_until_every_match_is_fixed(tmp_path: Path) -> None:
    config = recorded.config_of(bots=("ada", "bob"))
    first, second = recorded.schedule_of(config)
    with Store.create(tmp_path / FILE_NAME, played.tournament(config)) as store:
        store.issue(first)
        store.fix(recorded.play(config, first, recorded.honest_seats(first)))
        for result in (played.void(second), recorded.play(config, second, recorded.honest_seats(second), 2)):
            assert not is_finished(store)
            text = "".join(export(store))
            assert played.SECRET.hex() not in text
            assert json.loads(text.split("\n", 1)[0])["tournament"]["secret"] is None
            store.issue(second)
            store.fix(result)
        assert is_finished(store)
        assert played.SECRET.hex() in "".join(export(store))


def test_an_export_is_whole_or_not_there(tmp_path: Path, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "club.jsonl"
    archive.write(store, path)
    text = path.read_text()
    assert text == "".join(export(store))

    def broken(store: Store) -> Iterator[str]:
        yield "half a tournament"
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(archive, "export", broken)
    with pytest.raises(OSError, match="No space left"):
        archive.write(store, path)
    assert path.read_text() == text
    assert [file.name for file in tmp_path.iterdir()] == ["club.jsonl"]


@pytest.fixture
def duplicate(tmp_path: Path) -> Iterator[Store]:
    with Store.create(tmp_path / FILE_NAME, played.tournament(DUPLICATE)) as store:
        yield store


def shown(store: Store) -> list[tuple[str, int]]:
    ids = list(dict.fromkeys(record["id"].split("/")[0] for record in records(store)))
    exported = [line["match"] for line in lines_of(store) if "match" in line]
    assert ids == [attempt_id(match["match_id"], match["attempt"]) for match in exported if match["deals"]]
    return [(match["match_id"], match["attempt"]) for match in exported]


def test_a_half_is_hidden_until_the_other_has_ended(duplicate: Store) -> None:
    duplicate.issue([FIRST, SECOND])
    duplicate.fix(recorded.play(DUPLICATE, FIRST, recorded.honest_seats(FIRST)))
    assert shown(duplicate) == []
    with pytest.raises(MatchStateError, match="match 001-01 has the cards of 001-02, and is shown when that has ended"):
        list(records(duplicate, FIRST.match_id))
    duplicate.fix(recorded.play(DUPLICATE, SECOND, recorded.honest_seats(SECOND)))
    assert shown(duplicate) == [("001-01", 1), ("001-02", 1)]
    assert {record["cards"] for record in records(duplicate, SECOND.match_id)} == {"001-01"}


def test_each_attempt_waits_for_the_one_with_its_cards(duplicate: Store) -> None:
    def void(match: Any, attempt: int) -> None:
        first, second = recorded.honest_seats(match, [None, recorded.GONE])
        second.gone = True
        duplicate.issue(match)
        duplicate.fix(recorded.play(DUPLICATE, match, (first, second), attempt))

    void(FIRST, 1)
    assert shown(duplicate) == []
    void(SECOND, 1)
    assert shown(duplicate) == [("001-01", 1), ("001-02", 1)]
    duplicate.issue([FIRST, SECOND])
    duplicate.fix(recorded.play(DUPLICATE, FIRST, recorded.honest_seats(FIRST), 2))
    assert shown(duplicate) == [("001-01", 1), ("001-02", 1)]
    with pytest.raises(MatchStateError, match="match 001-01 has the cards of 001-02"):
        Reveal(duplicate).match(duplicate, FIRST.match_id)
    duplicate.fix(played.void(SECOND))
    assert shown(duplicate) == [("001-01", 1), ("001-01", 2), ("001-02", 1), ("001-02", 2)]


def test_a_third_attempt_need_not_wait_for_a_match_that_is_fixed(duplicate: Store) -> None:
    duplicate.issue(FIRST)
    duplicate.fix(recorded.play(DUPLICATE, FIRST, recorded.honest_seats(FIRST)))
    for result in (
        played.void(SECOND),
        played.void(SECOND),
        recorded.play(DUPLICATE, SECOND, recorded.honest_seats(SECOND), 3),
    ):
        duplicate.issue(SECOND)
        duplicate.fix(result)
    assert Reveal(duplicate).match(duplicate, SECOND.match_id).attempt == 3
    assert {record["cards"] for record in records(duplicate, SECOND.match_id)} == {"001-01#3"}


def test_the_standings_of_an_archive_are_those_of_its_matches(duplicate: Store, tmp_path: Path) -> None:
    duplicate.issue([FIRST, SECOND])
    duplicate.fix(recorded.play(DUPLICATE, FIRST, recorded.honest_seats(FIRST)))
    *_, last = lines_of(duplicate)
    assert (last["matches"], [line["matches"] for line in last["standings"]]) == (0, [0, 0])
    archive.write(duplicate, tmp_path / "club.jsonl")
    assert verify(tmp_path / "club.jsonl").error is None
    assert verify(tmp_path).matches == 1
