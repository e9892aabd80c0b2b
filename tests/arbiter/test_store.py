import dataclasses
import sqlite3
import stat
import subprocess
import sys
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from arbiter.results import DealResult, Forfeit, MatchResult, Reason, SeatStats
from arbiter.schedule import ScheduledMatch, round_robin
from arbiter.store import (
    FILE_NAME,
    MatchStateError,
    NotATournamentError,
    Store,
    StoreError,
    StoreExistsError,
    StoreFullError,
    StoreLockedError,
    StoreNotFoundError,
    TournamentRow,
)

SECRET = "5ec2e7" * 10
TOURNAMENT = TournamentRow("t-1", "club", {"bots": [{"name": "a"}], "x": 1}, SECRET, "2026-01-02T03:04:05Z")
SCHEDULE = round_robin(["a", "b", "ü"], 2)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / FILE_NAME


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    with Store.create(path, TOURNAMENT) as store:
        yield store


def deal_of(number: int, forfeit: Forfeit | None = None) -> DealResult:
    return DealResult(
        number=number,
        record={
            "id": None,
            "rules": "schnapsen",
            "dealer": 0,
            "hands": [["AS"], ["TS"]],
            "actions": ["AS", "TS"],
        },
        result={"over": True, "winner": 1, "score_change": [0, 2]},
        clock=((1_000, 200, 0, 800), (5_000_000_000, 0, 7, 0)),
        salt="ab" * 16,
        commitment="cd" * 32,
        forfeit=forfeit,
    )


def result_of(match: ScheduledMatch, reason: Reason = "target", deals: int = 3) -> MatchResult:
    return MatchResult(
        match_id=match.match_id,
        pairing=match.pairing,
        number=match.number,
        bots=match.bots,
        first_dealer=match.first_dealer,
        winner=None if reason == "void" else 1,
        reason=reason,
        detail="",
        score=(3, 7),
        deals=tuple(deal_of(number) for number in range(1, deals + 1)),
        seats=(SeatStats(20, 5_000_000_000, 900, 0), SeatStats(21, 60, 6, 2)),
        started="2026-01-02T03:04:06Z",
        seconds=0.1,
    )


def test_a_match_comes_back_as_it_was_stored(store: Store, path: Path) -> None:
    forfeited = dataclasses.replace(
        result_of(SCHEDULE[0], "forfeit", deals=2),
        winner=0,
        detail="3 faults",
        deals=(deal_of(1), deal_of(2, Forfeit(1, "late", "über 1 s"))),
    )
    store.issue(SCHEDULE)
    store.fix(forfeited)
    store.fix(result_of(SCHEDULE[1], deals=0))
    with Store.open(path) as again:
        assert again.match(SCHEDULE[0].match_id) == forfeited
        assert again.match(SCHEDULE[1].match_id) == result_of(SCHEDULE[1], deals=0)
        assert list(again.summaries()) == [
            result.summary()
            for result in sorted((forfeited, result_of(SCHEDULE[1], deals=0)), key=lambda result: result.match_id)
        ]


def test_the_tournament_comes_back_and_its_secret_is_not_shown(store: Store, path: Path) -> None:
    with Store.open(path) as again:
        assert again.tournament == TOURNAMENT
        for shown in (repr(again), repr(again.tournament), str(again.tournament)):
            assert SECRET not in shown
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_url_will_do_for_a_path(path: Path) -> None:
    Store.create(f"sqlite:///{path}", TOURNAMENT).close()
    with Store.open(f"sqlite:///{path}") as store:
        assert store.tournament == TOURNAMENT


def test_issuing_counts_attempts_and_the_schedule(store: Store) -> None:
    assert store.scheduled == 0
    assert store.issue(SCHEDULE) == {match.match_id: 1 for match in SCHEDULE}
    assert store.issue(SCHEDULE[0]) == {SCHEDULE[0].match_id: 2}
    assert store.scheduled == len(SCHEDULE)
    assert list(store.summaries()) == []


def test_a_large_schedule_is_issued_at_once(store: Store) -> None:
    matches = round_robin(["a", "b"], 2000)
    store.issue(matches)
    assert set(store.issue(matches).values()) == {2}
    assert store.scheduled == 2000


def test_a_void_match_is_kept_and_may_be_issued_again(store: Store) -> None:
    match = SCHEDULE[0]
    void, fixed = result_of(match, "void", deals=1), result_of(match, deals=2)
    store.issue(match)
    store.fix(void)
    assert store.match(match.match_id) == void
    with pytest.raises(MatchStateError, match=f"match {match.match_id} has ended already \\(void\\)"):
        store.fix(fixed)
    assert store.issue(match) == {match.match_id: 2}
    store.fix(fixed)
    assert store.match(match.match_id) == fixed
    assert list(store.summaries()) == [void.summary(), fixed.summary()]
    assert [(deal.attempt, deal.void, deal.deal.number) for deal in store.deals()] == [
        (1, True, 1),
        (2, False, 1),
        (2, False, 2),
    ]
    assert store.scheduled == 1


def test_a_match_is_fixed_once(store: Store) -> None:
    match = SCHEDULE[0]
    store.issue(match)
    store.fix(result_of(match))
    with pytest.raises(MatchStateError, match=r"has ended already \(fixed\)"):
        store.fix(result_of(match, deals=1))
    with pytest.raises(MatchStateError, match="is fixed already"):
        store.issue([SCHEDULE[1], match])
    assert store.scheduled == 1
    assert store.match(match.match_id) == result_of(match)


def test_only_issued_matches_can_be_fixed(store: Store) -> None:
    with pytest.raises(MatchStateError, match="was never issued"):
        store.fix(result_of(SCHEDULE[0]))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"bots": ("b", "a")}, "issued with bot0 'a', not 'b'"),
        ({"first_dealer": 1}, "issued with first_dealer 0, not 1"),
        ({"number": 2}, "issued with number 1, not 2"),
    ],
)
def test_a_match_must_stay_what_it_was_issued_as(store: Store, change: dict[str, Any], message: str) -> None:
    match = round_robin(["a", "b"], 2)[0]
    store.issue(match)
    with pytest.raises(MatchStateError, match=message):
        store.issue(dataclasses.replace(match, **change))
    with pytest.raises(MatchStateError, match=message):
        store.fix(dataclasses.replace(result_of(match), **change))
    store.fix(result_of(match))


def test_matches_that_have_not_ended_are_told_from_unknown_ones(store: Store) -> None:
    store.issue(SCHEDULE[0])
    with pytest.raises(MatchStateError, match="has not ended"):
        store.match(SCHEDULE[0].match_id)
    with pytest.raises(MatchStateError, match="match 999-99 does not exist"):
        store.match("999-99")


def test_a_result_is_stored_whole_or_not_at_all(store: Store) -> None:
    match = SCHEDULE[0]
    store.issue(match)
    twice = dataclasses.replace(result_of(match), deals=(deal_of(1), deal_of(1)))
    with pytest.raises(StoreError, match="UNIQUE"):
        store.fix(twice)
    assert list(store.summaries()) == []
    assert list(store.deals()) == []
    store.fix(result_of(match))


def test_deals_come_in_the_order_of_matches_and_deals(store: Store) -> None:
    store.issue(SCHEDULE)
    for match in reversed(SCHEDULE):
        store.fix(result_of(match))
    deals = list(store.deals())
    assert [(deal.match_id, deal.deal.number) for deal in deals] == [
        (match_id, number) for match_id in sorted(match.match_id for match in SCHEDULE) for number in (1, 2, 3)
    ]
    assert {deal.match_id: deal.bots for deal in deals} == {match.match_id: match.bots for match in SCHEDULE}
    assert [deal.deal for deal in store.deals(SCHEDULE[2].match_id)] == list(result_of(SCHEDULE[2]).deals)
    assert list(store.deals("999-99")) == []


def test_deals_are_read_in_bounded_memory(store: Store) -> None:
    matches = round_robin(["a", "b"], 60)
    store.issue(matches)
    large = dataclasses.replace(deal_of(1), record={"id": "x" * 20_000})
    deals = tuple(dataclasses.replace(large, number=number) for number in range(1, 11))
    for match in matches:
        store.fix(dataclasses.replace(result_of(match), deals=deals))
    tracemalloc.start()
    try:
        assert sum(1 for _ in store.deals()) == 600
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 600 * 20_000 / 2


def test_reading_while_another_process_writes(store: Store, path: Path) -> None:
    store.issue(SCHEDULE)
    store.fix(result_of(SCHEDULE[0]))
    with Store.open(path, busy_us=0) as reader:
        deals = reader.deals()
        next(deals)
        store.fix(result_of(SCHEDULE[1]))
        assert len(list(deals)) == 2
        assert len(list(reader.deals())) == 6
        other = sqlite3.connect(path)
        other.execute("BEGIN IMMEDIATE")
        assert len(list(reader.summaries())) == 2
        with pytest.raises(StoreLockedError, match=f"{FILE_NAME}: held by another process"):
            reader.fix(result_of(SCHEDULE[2]))
        other.close()
        reader.fix(result_of(SCHEDULE[2]))
        assert len(list(store.summaries())) == 3


def test_a_killed_process_loses_no_fixed_match(store: Store, path: Path) -> None:
    store.issue(SCHEDULE[0])
    store.fix(result_of(SCHEDULE[0]))
    script = (
        "import os, signal, sqlite3, sys\n"
        "connection = sqlite3.connect(sys.argv[1])\n"
        "connection.execute('DELETE FROM deals')\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    killed = subprocess.run([sys.executable, "-c", script, str(path)], check=False)
    assert killed.returncode == -9
    with Store.open(path) as again:
        assert again.match(SCHEDULE[0].match_id) == result_of(SCHEDULE[0])


def test_an_existing_file_is_never_overwritten(store: Store, path: Path) -> None:
    with pytest.raises(StoreExistsError, match=f"{FILE_NAME}: exists already"):
        Store.create(path, TOURNAMENT)
    assert store.scheduled == 0


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
        Store.open(path)
    assert path.read_bytes() == content


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("CREATE TABLE tournament (id)", "not a tournament database"),
        ("CREATE TABLE other (id)", "not a tournament database"),
    ],
)
def test_a_database_of_something_else_is_left_alone(path: Path, statement: str, message: str) -> None:
    other = sqlite3.connect(path)
    other.execute(statement)
    other.close()
    before = path.read_bytes()
    with pytest.raises(NotATournamentError, match=message):
        Store.open(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("UPDATE tournament SET schema_version = 99", "has schema version 99; this program reads 1"),
        ("DELETE FROM tournament", "holds no tournament"),
    ],
)
def test_a_tournament_of_another_version(store: Store, path: Path, statement: str, message: str) -> None:
    store.close()
    other = sqlite3.connect(path)
    other.execute(statement)
    other.commit()
    other.close()
    with pytest.raises(NotATournamentError, match=message):
        Store.open(path)


@pytest.mark.parametrize("url", ["sqlite://", "sqlite:///:memory:", "postgresql://me:hidden@host/db", "no scheme://x"])
def test_urls_that_are_not_supported(url: str) -> None:
    with pytest.raises(StoreError) as caught:
        Store.open(url)
    assert "sqlite:///PATH" in str(caught.value)
    assert "hidden" not in str(caught.value)


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
        assert store.scheduled == 1


@pytest.mark.usefixtures("small_disk")
def test_a_store_that_cannot_be_made_leaves_nothing_behind(path: Path) -> None:
    large = dataclasses.replace(TOURNAMENT, config={"x": "x" * 200_000})
    with pytest.raises(StoreFullError) as caught:
        Store.create(path, large)
    assert SECRET not in f"{caught.value} {caught.value.__cause__}"
    assert list(path.parent.iterdir()) == []
