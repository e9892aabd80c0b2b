"""Whatever happens to the process, to the disk or to the server: whole matches, and none twice."""

import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from arbiter import directory, hosting, tournament
from arbiter.config import TournamentConfig, parse
from arbiter.results import Scoreboard
from arbiter.schedule import round_robin
from arbiter.store import (
    MatchStateError,
    NotATournamentError,
    Store,
    StoreAwayError,
    StoredMatch,
    StoreError,
    StoreFullError,
    StoreLockedError,
)
from arbiter.tournament import TournamentError, run_tournament
from arbiter.verify import verify
from tests.arbiter import store_writer
from tests.arbiter.postgres import Server
from tests.arbiter.reporting import KeepingReporter
from tests.arbiter.stored import SCHEDULE, TOURNAMENT, result_of

WRITER = [sys.executable, "-m", store_writer.__name__]


@pytest.fixture
def server(postgres: Server) -> Iterator[Server]:
    """A server that may be killed or frozen: it runs again afterwards."""
    yield postgres
    if not postgres.running:
        postgres.start()
    postgres.thaw()


def check_whole(store: Store) -> Counter[str]:
    """Every match that has ended is there with all that belongs to it, and nothing else is."""
    expected = {match.match_id: match for match in store_writer.SCHEDULE}
    states = store.states()
    fixed = list(store.attempts())
    assert [match.result.match_id for match in fixed] == sorted(key for key in states if states[key] == "fixed")
    for match in fixed:
        result = result_of(expected[match.result.match_id])
        assert match == StoredMatch(1, result, result.digest(1))
    assert sum(1 for _ in store.deals()) == 3 * len(fixed)
    return Counter(states.values())


def test_a_killed_writer_leaves_whole_matches(place: str) -> None:
    rng = random.Random(66)
    with Store.create(place, TOURNAMENT) as store:
        for _ in range(4):
            before = len(store.states())
            more = rng.randint(1, 30)
            writer = subprocess.Popen([*WRITER, place], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            assert writer.stdout is not None
            assert writer.stdout.readline() == "ready\n"
            while len(store.states()) < before + more and writer.poll() is None:
                pass
            time.sleep(rng.random() * 0.01)
            writer.kill()
            _, errors = writer.communicate()
            assert writer.returncode == -signal.SIGKILL, errors
            check_whole(store)
        with Store.open(place) as again:
            assert check_whole(again)["fixed"] > 0


def test_a_process_killed_within_a_transaction_leaves_nothing_of_it(place: str) -> None:
    with Store.create(place, TOURNAMENT) as store:
        store.issue(store_writer.SCHEDULE[:10])
        # After the first match is written, within the second, before the commit; and never.
        for statement, fixed in ((4, 0), (7, 0), (8, 0), (99, 2)):
            died = subprocess.run([*WRITER, place, str(statement)], check=False, capture_output=True, text=True)
            assert died.returncode == (0 if fixed else -signal.SIGKILL), died.stderr
            assert check_whole(store)["fixed"] == fixed


SQLSTATES: list[tuple[str, type[StoreError]]] = [
    ("08006", StoreAwayError),
    ("40001", StoreLockedError),
    ("40P01", StoreLockedError),
    ("55P03", StoreLockedError),
    ("53100", StoreFullError),
    ("53200", StoreAwayError),
    ("53300", StoreAwayError),
    ("57014", StoreAwayError),
    ("57P01", StoreAwayError),
    ("58030", StoreAwayError),
    ("25006", StoreAwayError),
    ("42P01", NotATournamentError),
    ("42501", StoreError),
    ("23514", StoreError),
    ("XX001", StoreError),
]


@pytest.mark.parametrize(("state", "kind"), SQLSTATES)
def test_errors_of_a_server_by_what_can_be_done(postgres: Server, state: str, kind: type[StoreError]) -> None:
    url = postgres.new_database()
    with Store.create(url, TOURNAMENT) as store:
        store.issue(SCHEDULE)
        postgres.execute(
            url,
            "CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS "
            f"$$ BEGIN RAISE EXCEPTION 'no luck' USING ERRCODE = '{state}', DETAIL = 'hidden'; END $$",
            "CREATE TRIGGER fail BEFORE INSERT ON deals EXECUTE FUNCTION fail()",
        )
        with pytest.raises(StoreError, match="no luck") as caught:
            store.fix(result_of(SCHEDULE[0]))
        assert type(caught.value) is kind
        assert "hidden" not in str(caught.value)
        postgres.execute(url, "DROP TRIGGER fail ON deals")
        assert store.states()[SCHEDULE[0].match_id] == "issued"
        store.fix(result_of(SCHEDULE[0]))
        assert store.match(SCHEDULE[0].match_id) == result_of(SCHEDULE[0])


def test_a_locked_table_is_waited_for_and_then_reported(postgres: Server) -> None:
    url = postgres.new_database()
    with Store.create(url, TOURNAMENT, busy_us=50_000) as store:
        store.issue(SCHEDULE)
        engine = sa.create_engine(url, poolclass=sa.NullPool)
        with engine.begin() as connection:
            connection.exec_driver_sql("LOCK TABLE results")
            with pytest.raises(StoreLockedError, match="held by another process"):
                store.fix(result_of(SCHEDULE[0]))
        store.fix(result_of(SCHEDULE[0]))


def test_a_server_that_comes_back(server: Server) -> None:
    url = server.new_database()
    with Store.create(url, TOURNAMENT) as store, Store.open(url) as reader:
        store.issue(SCHEDULE)
        store.fix(result_of(SCHEDULE[0]))
        deals = reader.deals()
        next(deals)
        server.kill()
        with pytest.raises(StoreAwayError):
            list(deals)
        uses: list[Callable[[], Any]] = [
            lambda: store.fix(result_of(SCHEDULE[1])),
            lambda: store.issue(SCHEDULE[2]),
            store.states,
            lambda: list(reader.summaries()),
            lambda: Store.open(url),
            lambda: Store.create(url, TOURNAMENT),
        ]
        for use in uses:
            with pytest.raises(StoreAwayError):
                use()
        server.start()
        assert store.match(SCHEDULE[0].match_id) == result_of(SCHEDULE[0])
        store.fix(result_of(SCHEDULE[1]))
        assert len(list(reader.summaries())) == 2


def test_a_server_that_ends_within_a_transaction(server: Server) -> None:
    url = server.new_database()
    with Store.create(url, TOURNAMENT) as store:
        store.issue(SCHEDULE)
        results = [result_of(match) for match in SCHEDULE]

        def kill(_: object, __: object, statement: str, *___: object) -> None:
            if statement.startswith("INSERT INTO deals") and server.running:
                server.kill()

        sa.event.listen(sa.Engine, "before_cursor_execute", kill)
        try:
            with pytest.raises(StoreAwayError):
                store.fix(results)
        finally:
            sa.event.remove(sa.Engine, "before_cursor_execute", kill)
        server.start()
        assert set(store.states().values()) == {"issued"}
        assert list(store.attempts()) == []
        store.fix(results)
        assert len(list(store.attempts())) == len(SCHEDULE)


@contextmanager
def frozen_at(server: Server, statement: str) -> Iterator[None]:
    """Freeze a server just before it gets a statement; it runs again afterwards."""
    frozen: list[str] = []

    def freeze(_: object, __: object, text: str, *___: object) -> None:
        if text.startswith(statement) and not frozen:
            frozen.append(text)
            server.freeze()

    sa.event.listen(sa.Engine, "before_cursor_execute", freeze)
    try:
        yield
    finally:
        sa.event.remove(sa.Engine, "before_cursor_execute", freeze)
        server.thaw()
    assert frozen


@pytest.mark.parametrize("statement", ["SELECT 1", "INSERT INTO deals"])
def test_a_server_that_freezes_does_not_stop_the_arbiter_for_ever(server: Server, statement: str) -> None:
    url = server.new_database()
    Store.create(url, TOURNAMENT).close()
    # Whatever it says to it, a silence of 1 s or a connection of 2 s is the end.
    with Store.take(url, TOURNAMENT.id, busy_us=300_000) as store, Store.open(url, busy_us=300_000) as reader:
        store.issue(SCHEDULE)
        with frozen_at(server, statement):
            uses: list[Callable[[], Any]] = [
                lambda: store.fix([result_of(match) for match in SCHEDULE]),
                lambda: store.issue(SCHEDULE[0]),
                lambda: list(reader.summaries()),
                lambda: Store.open(url, busy_us=300_000),
            ]
            for use in uses:
                started = time.monotonic()
                with pytest.raises(StoreAwayError):
                    use()
                assert time.monotonic() - started < 15
        until = time.monotonic() + 30
        while True:
            try:
                # What was under way is undone, and the lock of the lost connection goes with it.
                store.fix([result_of(match) for match in SCHEDULE])
                break
            except StoreAwayError:
                assert time.monotonic() < until
        expected = sorted((result_of(match) for match in SCHEDULE), key=lambda result: result.match_id)
        assert [match.result for match in reader.attempts()] == expected


def test_a_commit_that_a_server_makes_when_it_goes_on_counts_once(server: Server) -> None:
    """The arbiter has given up waiting for it."""
    url = server.new_database()
    with Store.create(url, TOURNAMENT, busy_us=300_000) as store:
        store.issue(SCHEDULE)
        commit = store._engine.dialect.do_commit

        def freeze(connection: Any) -> None:
            server.freeze()
            commit(connection)

        store._engine.dialect.do_commit = freeze  # type: ignore[method-assign,assignment]
        with pytest.raises(StoreAwayError, match="the server has not answered for 1 s"):
            store.fix(result_of(SCHEDULE[0]))
        store._engine.dialect.do_commit = commit  # type: ignore[method-assign]
        server.thaw()
        store.fix(result_of(SCHEDULE[0]))
        assert [match.result for match in store.attempts()] == [result_of(SCHEDULE[0])]


@pytest.fixture
def lost_answer(place: str) -> Iterator[Callable[[Store], None]]:
    """Make the next commit of a store succeed, but its answer get lost."""
    undo: list[Callable[[], None]] = []

    def prepare(store: Store) -> None:
        dialect = store._engine.dialect
        commit = dialect.do_commit

        def lose(connection: Any) -> None:
            commit(connection)
            dialect.do_commit = commit  # type: ignore[method-assign]
            raise dialect.loaded_dbapi.OperationalError("the connection was lost")

        dialect.do_commit = lose  # type: ignore[method-assign,assignment]
        undo.append(lambda: setattr(dialect, "do_commit", commit))

    yield prepare
    for each in undo:
        each()


def test_a_commit_whose_answer_was_lost_counts_once(place: str, lost_answer: Callable[[Store], None]) -> None:
    match, other, *_ = SCHEDULE
    with Store.create(place, TOURNAMENT) as store:
        store.issue(other)
        for calls in (1, 2):
            lost_answer(store)
            with pytest.raises(StoreError, match="the connection was lost"):
                store.issue([match, other])
            assert store.issue([match, other]) == {match.match_id: calls, other.match_id: calls + 1}
            result = result_of(match, "void" if calls == 1 else "target")
            lost_answer(store)
            with pytest.raises(StoreError, match="the connection was lost"):
                store.fix(result)
            store.fix(result)
            with pytest.raises(MatchStateError):
                store.fix(result_of(match, deals=2))
        assert [(each.attempt, each.result.void) for each in store.attempts()] == [(1, True), (2, False)]


def club(server: Server, out: Path) -> TournamentConfig:
    return parse(
        {
            "tournament": {"name": "club", "matches_per_pair": 20, "concurrency": 4, "out": str(out)},
            "store": {"url": server.new_database()},
            "bots": [
                {"name": name, "command": ["{python}", "-m", "example_bots.random_bot"]}
                for name in ("ada", "bob", "cy")
            ],
        },
        "club",
    )


def check_club(out: Path, board: Scoreboard) -> None:
    """Every match of the schedule counts once, and nothing else does."""
    with directory.open_store(out) as store:
        results = [match.result for match in store.attempts() if not match.result.void]
    assert sorted(result.match_id for result in results) == sorted(
        match.match_id for match in round_robin(["ada", "bob", "cy"], 20)
    )
    again = Scoreboard(["ada", "bob", "cy"])
    for result in results:
        again.add(result)
    assert (board.played, board.standings()) == (60, again.standings())
    assert verify(out).error is None


def test_a_tournament_goes_on_when_its_server_is_back(server: Server, tmp_path: Path) -> None:
    """The server is killed twice in the middle; nobody has to do anything, and nothing is missing."""
    config = club(server, tmp_path)

    class Reporter(KeepingReporter):
        def match_ended(self, *arguments: Any) -> None:
            super().match_ended(*arguments)
            if len(self.ended) in (10, 30):
                server.kill()
                server.start()

    board: Scoreboard = hosting.run(run_tournament, config, tmp_path, Reporter())
    assert board.void == 0
    check_club(tmp_path, board)
    resumed: Scoreboard = hosting.run(partial(run_tournament, config, tmp_path, KeepingReporter(), resume=True))
    assert resumed.standings() == board.standings()


def test_a_tournament_stops_when_its_server_stays_frozen(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = club(server, tmp_path)
    monkeypatch.setattr(Store, "take", partial(Store.take, busy_us=300_000))
    monkeypatch.setattr(tournament, "_STORE_PATIENCE_S", 6.0)

    class Reporter(KeepingReporter):
        def match_ended(self, *arguments: Any) -> None:
            super().match_ended(*arguments)
            if len(self.ended) == 10:
                server.freeze()

    reporter = Reporter()
    with pytest.raises(TournamentError, match=r"connection timeout expired|has not answered for 1 s"):
        hosting.run(run_tournament, config, tmp_path, reporter)
    assert any(note.startswith("the store is away, trying again for ") for note in reporter.notes)
    server.thaw()
    with directory.open_store(tmp_path) as store:
        kept = {match.result.match_id for match in store.attempts()}
    # What was on its way when the arbiter gave up may be there too.
    assert {summary.match_id for summary in reporter.ended} <= kept
    resumed: Scoreboard = hosting.run(partial(run_tournament, config, tmp_path, KeepingReporter(), resume=True))
    check_club(tmp_path, resumed)
