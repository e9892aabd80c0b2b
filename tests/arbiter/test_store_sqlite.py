"""What is special to a store in a file."""

import dataclasses
import resource
import sqlite3
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from arbiter.results import MatchResult
from arbiter.schedule import round_robin
from arbiter.store import (
    FILE_NAME,
    NotATournamentError,
    Store,
    StoreAwayError,
    StoreError,
    StoreExistsError,
    StoreFullError,
    StoreLockedError,
    StoreNotFoundError,
)
from tests.arbiter.stored import SCHEDULE, SECRET, TOURNAMENT, deal_of, result_of


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / FILE_NAME


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    with Store.create(path, TOURNAMENT) as store:
        yield store


def test_only_the_owner_reads_the_file(store: Store, path: Path) -> None:
    store.issue(SCHEDULE)
    assert sorted(file.name for file in path.parent.iterdir()) == [FILE_NAME, f"{FILE_NAME}-shm", f"{FILE_NAME}-wal"]
    assert {stat.S_IMODE(file.stat().st_mode) for file in path.parent.iterdir()} == {0o600}


def test_a_url_will_do_for_a_path(path: Path) -> None:
    Store.create(f"sqlite:///{path}", TOURNAMENT).close()
    with Store.open(f"sqlite:///{path}") as store:
        assert store.tournament == TOURNAMENT


def test_a_name_with_signs_that_mean_something_in_a_url(tmp_path: Path) -> None:
    path = tmp_path / "50% of ü? #1.sqlite"
    Store.create(path, TOURNAMENT).close()
    Store.open(str(path)).close()
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


def test_each_commit_survives_a_power_cut(store: Store) -> None:
    settings = {}
    with store._reading() as connection:
        for name in ("journal_mode", "synchronous"):
            settings[name] = connection.exec_driver_sql(f"PRAGMA {name}").scalar_one()
    full = 2
    assert settings == {"journal_mode": "wal", "synchronous": full}


def test_reading_while_another_process_writes(store: Store, path: Path) -> None:
    store.issue(SCHEDULE)
    store.fix(result_of(SCHEDULE[0]))
    with Store.open(path, busy_us=0) as reader:
        other = sqlite3.connect(path)
        other.execute("BEGIN IMMEDIATE")
        assert len(list(reader.summaries())) == 1
        for attempt in (lambda: reader.fix(result_of(SCHEDULE[2])), lambda: reader.issue(SCHEDULE[2])):
            with pytest.raises(StoreLockedError, match=f"{FILE_NAME}: held by another process"):
                attempt()
        other.close()
        reader.fix(result_of(SCHEDULE[2]))
        assert len(list(store.summaries())) == 2


def test_a_store_waits_for_another_process(store: Store, path: Path) -> None:
    store.issue(SCHEDULE)
    with Store.open(path) as reader:
        deals = reader.deals()
        for match in SCHEDULE:
            # Two writers that take turns: neither sees a snapshot that the other has overtaken.
            (store if match.number == 1 else reader).fix(result_of(match))
        assert len(list(deals)) == 3 * len(SCHEDULE)


def test_an_existing_file_is_never_overwritten(store: Store, path: Path) -> None:
    before = path.read_bytes()
    with pytest.raises(StoreExistsError, match=f"{FILE_NAME}: exists already"):
        Store.create(path, TOURNAMENT)
    assert path.read_bytes() == before


def test_a_directory_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="nowhere/x: cannot be made"):
        Store.create(tmp_path / "nowhere" / "x", TOURNAMENT)
    with pytest.raises(StoreNotFoundError, match="nowhere/x: there is no such file"):
        Store.open(tmp_path / "nowhere" / "x")
    with pytest.raises(StoreNotFoundError):
        Store.open(tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("content", [b"", b"not a database, but long enough to have a header" * 100])
def test_a_file_that_is_no_tournament(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    with pytest.raises(NotATournamentError, match=f"{FILE_NAME}: not a tournament database"):
        Store.open(path, migrate=True)
    assert path.read_bytes() == content


@pytest.mark.parametrize("statement", ["CREATE TABLE tournament (id)", "CREATE TABLE other (id)"])
def test_a_database_of_something_else_is_left_alone(path: Path, statement: str) -> None:
    other = sqlite3.connect(path)
    other.execute(statement)
    other.close()
    before = path.read_bytes()
    with pytest.raises(NotATournamentError, match="not a tournament database"):
        Store.open(path, migrate=True)
    assert path.read_bytes() == before


def test_a_store_without_its_tournament(store: Store, path: Path) -> None:
    store.close()
    with sqlite3.connect(path) as other:
        other.execute("DELETE FROM tournament")
    other.close()
    with pytest.raises(NotATournamentError, match="holds no tournament"):
        Store.open(path)


@pytest.fixture
def small_disk() -> Iterator[None]:
    def limit(connection: sqlite3.Connection, _: object) -> None:
        connection.execute("PRAGMA max_page_count = 20")

    sa.event.listen(sa.Engine, "connect", limit)
    yield
    sa.event.remove(sa.Engine, "connect", limit)


@pytest.mark.usefixtures("small_disk")
def test_a_full_disk(path: Path) -> None:
    matches = round_robin(["a", "b"], 2000)
    with Store.create(path, TOURNAMENT) as store:
        store.issue(matches[0])
        with pytest.raises(StoreFullError, match=f"{FILE_NAME}: the disk is full"):
            store.issue(matches[1:])
        assert list(store.states()) == [matches[0].match_id]


@pytest.mark.usefixtures("small_disk")
def test_a_store_that_cannot_be_made_leaves_nothing_behind(path: Path) -> None:
    large = dataclasses.replace(TOURNAMENT, config={"x": "x" * 200_000})
    with pytest.raises(StoreFullError) as caught:
        Store.create(path, large)
    assert SECRET not in f"{caught.value} {caught.value.__cause__}"
    assert list(path.parent.iterdir()) == []


def large_result(number: int) -> MatchResult:
    deals = [dataclasses.replace(deal_of(each), record={"id": "x" * 5_000}) for each in range(1, 21)]
    return dataclasses.replace(result_of(SCHEDULE[number]), deals=tuple(deals))


def test_an_error_of_the_disk_is_over_when_it_is_over(store: Store, path: Path) -> None:
    store.issue(SCHEDULE)
    store.fix(large_result(0))
    limit = resource.getrlimit(resource.RLIMIT_FSIZE)
    most = max(file.stat().st_size for file in path.parent.iterdir()) + 10_000
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, limit[1]))
    try:
        for _ in range(2):
            with pytest.raises(StoreAwayError, match="disk I/O error"):
                store.fix([large_result(1), large_result(2)])
        assert store.match(SCHEDULE[0].match_id) == large_result(0)
        assert store.states()[SCHEDULE[1].match_id] == "issued"
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limit)
    store.fix([large_result(1), large_result(2)])
    with Store.open(path) as again:
        assert [again.match(SCHEDULE[number].match_id) for number in (0, 1, 2)] == [
            large_result(number) for number in (0, 1, 2)
        ]


def test_a_file_that_has_vanished_is_not_replaced_by_an_empty_one(path: Path) -> None:
    with Store.create(path, TOURNAMENT) as store:
        store.issue(SCHEDULE)
        store._engine.dispose()
        moved = path.rename(path.with_name("elsewhere"))
        with pytest.raises(StoreAwayError, match="unable to open"):
            store.states()
        assert not path.exists()
        moved.rename(path)
        assert len(store.states()) == len(SCHEDULE)
