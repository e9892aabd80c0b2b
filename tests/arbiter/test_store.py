import dataclasses
import gc
import sys
import tracemalloc
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from arbiter.results import Forfeit, MatchSummary, Reason, Scoreboard, SeatStats
from arbiter.schedule import ScheduledMatch, round_robin
from arbiter.store import (
    MatchStateError,
    NotATournamentError,
    Store,
    StoredMatch,
    StoreError,
    StoreExistsError,
    StoreNotFoundError,
)
from tests.arbiter.postgres import Server
from tests.arbiter.stored import BOTS, SCHEDULE, SECRET, TOURNAMENT, deal_of, result_of


@pytest.fixture
def store(place: str) -> Iterator[Store]:
    with Store.create(place, TOURNAMENT) as store:
        yield store


def test_a_match_comes_back_as_it_was_stored(store: Store, place: str) -> None:
    forfeited = dataclasses.replace(
        result_of(SCHEDULE[0], "forfeit", deals=2),
        winner=0,
        detail="3 faults\0\n\\u0000 'quoted' ♥",
        deals=(deal_of(1), deal_of(2, Forfeit(1, "late", "über 1 s\0"))),
    )
    store.issue(SCHEDULE)
    store.fix(forfeited)
    store.fix(result_of(SCHEDULE[1], deals=0))
    with Store.open(place) as again:
        assert again.match(SCHEDULE[0].match_id) == forfeited
        assert again.match(SCHEDULE[1].match_id) == result_of(SCHEDULE[1], deals=0)
        assert list(again.summaries()) == [
            result.summary()
            for result in sorted((forfeited, result_of(SCHEDULE[1], deals=0)), key=lambda result: result.match_id)
        ]


def test_the_tournament_comes_back_and_its_secret_is_not_shown(store: Store, place: str) -> None:
    with Store.open(place) as again:
        assert again.tournament == TOURNAMENT
        for shown in (repr(again), repr(again.tournament), str(again.tournament)):
            assert SECRET not in shown


def test_issuing_counts_attempts(store: Store) -> None:
    assert store.issue(SCHEDULE) == {match.match_id: 1 for match in SCHEDULE}
    assert store.issue(SCHEDULE[0]) == {SCHEDULE[0].match_id: 2}
    assert list(store.summaries()) == []


def test_the_schedule_follows_from_the_configuration(store: Store) -> None:
    assert store.scheduled == len(SCHEDULE)
    store.issue(SCHEDULE[0])
    assert store.scheduled == len(SCHEDULE)


def test_what_was_issued_and_what_became_of_it(store: Store) -> None:
    first, second, third, *_ = sorted(SCHEDULE, key=lambda match: match.match_id)
    store.issue([third, second, first])
    store.issue(third)
    assert store.issued() == [(first, 1), (second, 1), (third, 2)]
    store.fix([result_of(first), result_of(second, "void", deals=1)])
    assert store.issued() == [(third, 2)]
    assert store.states() == {first.match_id: "fixed", second.match_id: "void", third.match_id: "issued"}
    assert store.progress()[third.match_id] == ("issued", 2)


def test_the_second_half_of_a_duplicate_keeps_its_cards(store: Store) -> None:
    duplicates = round_robin(["a", "b"], 4, duplicate=True)
    store.issue(duplicates)
    assert [match for match, _ in store.issued()] == duplicates
    own = dataclasses.replace(duplicates[1], cards=duplicates[1].match_id)
    with pytest.raises(MatchStateError, match="issued with cards '001-01', not '001-02'"):
        store.issue(own)


def test_a_large_schedule_is_issued_at_once(store: Store) -> None:
    matches = round_robin(["a", "b"], 2000)
    store.issue(matches)
    assert set(store.issue(matches).values()) == {2}
    assert len(store.states()) == 2000


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
    stored = [StoredMatch(1, void, void.digest(1)), StoredMatch(2, fixed, fixed.digest(2))]
    assert list(store.attempts()) == list(store.attempts(match.match_id)) == stored
    assert store.attempt(match.match_id) == stored[1]
    assert list(store.attempts(SCHEDULE[1].match_id)) == []


def test_a_match_is_fixed_once(store: Store) -> None:
    match = SCHEDULE[0]
    store.issue(match)
    store.fix(result_of(match))
    with pytest.raises(MatchStateError, match=r"has ended already \(fixed\)"):
        store.fix(result_of(match, deals=1))
    with pytest.raises(MatchStateError, match="is fixed already"):
        store.issue([SCHEDULE[1], match])
    assert store.states() == {match.match_id: "fixed"}
    assert store.match(match.match_id) == result_of(match)


def test_what_is_fixed_twice_is_stored_once(store: Store) -> None:
    first, second, *_ = SCHEDULE
    store.issue([first, second])
    store.fix(result_of(first))
    store.fix([result_of(first), result_of(second, "void")])
    store.fix(result_of(second, "void"))
    assert sorted(match.result.match_id for match in store.attempts()) == sorted([first.match_id, second.match_id])


def test_results_of_one_call_are_stored_together_or_not_at_all(store: Store) -> None:
    store.issue(SCHEDULE[:2])
    with pytest.raises(MatchStateError, match="was never issued"):
        store.fix([result_of(match) for match in SCHEDULE[:3]])
    assert set(store.states().values()) == {"issued"}
    assert list(store.attempts()) == []
    store.fix([result_of(match) for match in SCHEDULE[:2]])
    assert set(store.states().values()) == {"fixed"}


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
    with pytest.raises(StoreError, match=r"(?i)unique"):
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
    store.fix([dataclasses.replace(result_of(match), deals=deals) for match in matches])
    tracemalloc.start()
    try:
        assert sum(1 for _ in store.deals()) == 600
        assert sum(len(match.result.deals) for match in store.attempts()) == 600
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 600 * 20_000 / 2


def test_one_reads_what_the_other_has_written(store: Store, place: str) -> None:
    store.issue(SCHEDULE)
    store.fix(result_of(SCHEDULE[0]))
    with Store.open(place) as reader:
        deals = reader.deals()
        next(deals)
        store.fix(result_of(SCHEDULE[1]))
        assert len(list(deals)) == 2
        assert len(list(reader.deals())) == 6
        reader.fix(result_of(SCHEDULE[2]))
    assert len(list(store.summaries())) == 3


def test_nobody_has_to_read_to_the_end(store: Store) -> None:
    store.issue(SCHEDULE)
    store.fix([result_of(match) for match in SCHEDULE])
    for rows in (store.summaries(), store.attempts(), store.deals()):
        next(rows)
        del rows
    gc.collect()
    assert len(list(store.summaries())) == len(SCHEDULE)


def test_a_store_is_made_once(store: Store, place: str) -> None:
    with pytest.raises(StoreExistsError, match="already"):
        Store.create(place, TOURNAMENT)
    assert store.states() == {}


def test_a_tournament_that_is_not_there(store: Store, place: str) -> None:
    for name in ("t-1", "club", None):
        Store.open(place, name).close()
    with pytest.raises(StoreNotFoundError, match="holds no tournament t-2"):
        Store.open(place, "t-2")


@pytest.mark.parametrize("url", ["sqlite://", "sqlite:///:memory:", "mysql://me@host/db", "no scheme://x"])
def test_urls_that_are_not_supported(url: str) -> None:
    for use in (Store.open, lambda url: Store.create(url, TOURNAMENT)):
        with pytest.raises(StoreError, match=r"expected sqlite:///PATH or postgresql\+psycopg://USER@HOST/DATABASE"):
            use(url)


@pytest.mark.parametrize(
    "url", ["postgresql+psycopg://me:hidden@host/db", "postgresql://host/db?password=hidden", "mysql://me:hidden@h/d"]
)
def test_a_password_does_not_belong_in_a_url(url: str) -> None:
    with pytest.raises(StoreError, match="a password does not belong in the URL") as caught:
        Store.open(url)
    assert "hidden" not in str(caught.value)


def test_the_package_for_postgresql_is_an_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(StoreError, match=r"pip install 'sixtysix-arbiter\[postgres\]'"):
        Store.open("postgresql+psycopg://me@host/db")


def test_a_database_that_holds_something_else(postgres: Server) -> None:
    url = postgres.new_database()
    with pytest.raises(NotATournamentError, match="not a tournament database"):
        Store.open(url)
    postgres.execute(url, "CREATE TABLE matches (id text)")
    with pytest.raises(NotATournamentError, match="not a tournament database"):
        Store.create(url, TOURNAMENT)
    assert [
        tuple(row) for row in postgres.execute(url, "SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
    ] == [("matches",)]


def test_several_tournaments_in_one_database_do_not_see_each_other(postgres: Server) -> None:
    url = postgres.new_database()
    again = dataclasses.replace(TOURNAMENT, id="t-2")
    other = dataclasses.replace(TOURNAMENT, id="t-3", name="league", config={**TOURNAMENT.config, "x": 1})
    with (
        Store.create(url, TOURNAMENT) as first,
        Store.create(url, again) as second,
        Store.create(url, other) as third,
    ):
        match = SCHEDULE[0]
        results = [result_of(match, deals=number) for number in (1, 2, 3)]
        for store, result in zip((first, second, third), results, strict=True):
            store.issue(SCHEDULE)
            store.issue(match)
            store.fix(result)
        for store, result in zip((first, second, third), results, strict=True):
            assert store.match(match.match_id) == result
            assert list(store.summaries()) == [result.summary()]
            assert [deal.deal for deal in store.deals()] == list(result.deals)
            assert list(store.attempts()) == [StoredMatch(2, result, result.digest(2))]
            assert len(store.states()) == len(SCHEDULE)
            assert len(store.issued()) == len(SCHEDULE) - 1
    with Store.open(url, "league") as store:
        assert store.tournament == other
    with Store.open(url, "t-2") as store:
        assert store.tournament == again
    for name in (None, "club"):
        with pytest.raises(StoreError, match=r"several tournaments.*: t-1 \(club\), t-2 \(club\)"):
            Store.open(url, name)


def test_whoever_deletes_a_tournament_deletes_what_belongs_to_it(postgres: Server) -> None:
    url = postgres.new_database()
    other = dataclasses.replace(TOURNAMENT, id="t-2")
    for tournament in (TOURNAMENT, other):
        with Store.create(url, tournament) as store:
            store.issue(SCHEDULE)
            store.fix(result_of(SCHEDULE[0]))
    postgres.execute(url, "DELETE FROM tournament WHERE id = 't-1'")
    for table in ("matches", "results", "deals"):
        assert {row[0] for row in postgres.execute(url, f"SELECT tournament_id FROM {table}")} == {"t-2"}


def test_two_that_begin_at_once_in_an_empty_database_take_turns(postgres: Server) -> None:
    url = postgres.new_database()
    tournaments = [dataclasses.replace(TOURNAMENT, id=f"t-{number}") for number in range(4)]
    with ThreadPoolExecutor(len(tournaments)) as pool:
        for store in pool.map(lambda tournament: Store.create(url, tournament), tournaments):
            store.issue(SCHEDULE)
            store.close()


def test_order_is_that_of_the_characters(store: Store) -> None:
    def match(match_id: str) -> ScheduledMatch:
        return dataclasses.replace(SCHEDULE[0], match_id=match_id, cards=match_id)

    ids = ["001-10", "0011-1", "B", "a", "é"]
    store.issue([match(match_id) for match_id in reversed(ids)])
    assert [match.match_id for match, _ in store.issued()] == sorted(ids)


def test_what_the_database_adds_up_is_what_the_matches_add_up_to(place: str) -> None:
    with Store.create(place, TOURNAMENT) as store:
        assert store.tallies() == []
        store.issue(SCHEDULE)
        ends: list[tuple[Reason, int | None, int, int]] = [
            ("target", 0, 3, 1),
            ("target", 1, 2, 0),
            ("forfeit", 1, 0, 0),
            ("forfeit", 1, 0, 1),
            ("deal_limit", None, 4, 2),
            ("void", None, 1, 0),
        ]
        for number, (match, (reason, winner, deals, faults)) in enumerate(zip(SCHEDULE, ends, strict=True)):
            stats = SeatStats(number, 10**15 + number, 7 * number, faults)
            seats = (stats, dataclasses.replace(stats, faults=0))
            result = dataclasses.replace(result_of(match, reason, deals), winner=winner, seats=seats)
            store.fix(dataclasses.replace(result, score=(number, 3)))
        store.issue(SCHEDULE[5])
        store.fix(result_of(SCHEDULE[5]))
        added, one_by_one = Scoreboard(BOTS), Scoreboard(BOTS)
        for tally in store.tallies():
            added.add_tally(tally)
        for summary in store.summaries():
            one_by_one.add(summary)
    assert added.standings() == one_by_one.standings()
    assert added.cross_table() == one_by_one.cross_table()
    assert (added.played, added.void) == (one_by_one.played, one_by_one.void) == (6, 1)
    assert added.walkovers == one_by_one.walkovers
    assert added.walkovers.total() == 1


def test_matches_that_are_alike_are_one_tally(place: str) -> None:
    alike = [match for match in round_robin(BOTS[:2], 200) if match.number % 2]
    with Store.create(place, TOURNAMENT) as store:
        store.issue(alike)
        store.fix([result_of(match) for match in alike])
        (tally,) = store.tallies()
    result = result_of(alike[0]).summary()
    assert (tally.matches, tally.deals, tally.score) == (100, 300, (300, 700))
    assert tally.seats[0] == SeatStats(2_000, 100 * 5_000_000_000, 900, 0)
    assert (tally.bots, tally.winner, tally.void, tally.walkover) == (result.bots, 1, False, False)


def test_pages(place: str) -> None:
    with Store.create(place, TOURNAMENT) as store:
        store.issue(SCHEDULE)
        store.fix([result_of(match, "void") for match in SCHEDULE])
        store.issue(SCHEDULE[1])
        store.fix(result_of(SCHEDULE[1]))
        expected = list(store.summaries())
        found: list[MatchSummary] = []
        after: tuple[str, int] | None = None
        while page := store.page(after, 2):
            assert len(page) <= 2
            found += [summary for _, summary in page]
            after = page[-1][1].match_id, page[-1][0]
        assert found == expected
        assert [attempt for attempt, match in store.page(None, 100) if match.match_id == SCHEDULE[1].match_id] == [1, 2]
        for nowhere in (("001-01", 9), ("x", 1)):
            with pytest.raises(MatchStateError, match=f"match {nowhere[0]} has no attempt {nowhere[1]} that has ended"):
                store.page(nowhere, 2)
