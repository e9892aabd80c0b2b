"""Every form that a store ever had becomes the present one, and reads the same."""

import dataclasses
import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

from arbiter import database, migration, schema
from arbiter.results import Forfeit
from arbiter.schedule import ScheduledMatch, round_robin
from arbiter.store import FILE_NAME, NotATournamentError, Store, StoredMatch, StoreError
from tests.arbiter.stored import SCHEDULE, TOURNAMENT, deal_of, result_of

BACKUP = f"{FILE_NAME}.bak-0001"
FIXED, VOID, ISSUED, *_ = sorted(SCHEDULE, key=lambda match: match.match_id)
FORFEITED = dataclasses.replace(
    result_of(FIXED, "forfeit", deals=2), detail="über\0", deals=(deal_of(1), deal_of(2, Forfeit(1, "late", "♥")))
)
ENDED = [(FORFEITED, 1), (result_of(VOID, "void", deals=1), 1), (result_of(VOID, "void", deals=0), 2)]
MATCHES = [(FIXED, "fixed", 1), (VOID, "void", 2), (ISSUED, "issued", 3)]


def first_form(
    path: Path, matches: list[tuple[ScheduledMatch, str, int]] = MATCHES, config: Any = TOURNAMENT.config
) -> Path:
    """A store as the first version wrote it."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
    engine = database.make_engine(database.address(path), 0)
    with database.writing(engine) as connection:
        migration.upgrade(connection, "0001")
        # There was no table of versions then.
        connection.exec_driver_sql(f"DROP TABLE {migration.VERSION_TABLE}")
        tables = sa.MetaData()
        tables.reflect(connection)
        row = {name: getattr(TOURNAMENT, name) for name in ("id", "name", "secret", "created")}
        connection.execute(tables.tables["tournament"].insert(), {**row, "config": config, "schema_version": 1})
        for match, state, attempt in matches:
            values = {**schema.match_values(match), "state": state, "attempt": attempt}
            connection.execute(tables.tables["matches"].insert(), values)
        for result, attempt in ENDED if matches is MATCHES else []:
            values = schema.result_values(result, attempt)
            del values["digest"]
            connection.execute(tables.tables["results"].insert(), values)
            for deal in result.deals:
                values = schema.deal_values(result.match_id, attempt, deal)
                connection.execute(tables.tables["deals"].insert(), values)
    engine.dispose()
    return path


def contents(path: Path) -> dict[str, list[tuple[Any, ...]]]:
    with closing(sqlite3.connect(path)) as connection:
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {table: connection.execute(f"SELECT * FROM {table} ORDER BY 1, 2, 3").fetchall() for table in tables}


def check_reads_the_same(store: Store) -> None:
    assert store.tournament == TOURNAMENT
    assert store.states() == {match.match_id: state for match, state, _ in MATCHES}
    assert store.issued() == [(ISSUED, 3)]
    assert list(store.attempts()) == [StoredMatch(attempt, result, None) for result, attempt in ENDED]
    assert list(store.summaries()) == [result.summary() for result, _ in ENDED]
    assert store.match(FIXED.match_id) == FORFEITED
    assert len(list(store.deals())) == 3


def test_an_old_store_goes_on(tmp_path: Path) -> None:
    path = first_form(tmp_path / FILE_NAME)
    before = contents(path)
    with Store.open(path, migrate=True) as store:
        check_reads_the_same(store)
        store.fix(result_of(ISSUED))
        assert store.issue(VOID) == {VOID.match_id: 3}
    with Store.open(path, migrate=True) as store:
        assert store.attempt(ISSUED.match_id) == StoredMatch(3, result_of(ISSUED), result_of(ISSUED).digest(3))
    assert sorted(file.name for file in tmp_path.iterdir()) == [FILE_NAME, BACKUP]
    assert contents(tmp_path / BACKUP) == before
    with Store.open(tmp_path / BACKUP) as backup:
        check_reads_the_same(backup)


def test_an_old_store_is_read_as_it_is(tmp_path: Path) -> None:
    path = first_form(tmp_path / FILE_NAME)
    before = path.read_bytes()
    with Store.open(path) as store:
        check_reads_the_same(store)
        for attempt in (lambda: store.fix(result_of(ISSUED)), lambda: store.issue(VOID)):
            with pytest.raises(StoreError, match=f"{FILE_NAME}: attempt to write a readonly database"):
                attempt()
    assert path.read_bytes() == before
    assert sorted(file.name for file in tmp_path.iterdir()) == [FILE_NAME]


def test_second_halves_of_duplicates_get_the_cards_of_the_first(tmp_path: Path) -> None:
    schedule = round_robin(["a", "b", "ü"], 4, duplicate=True)
    config = {**TOURNAMENT.config, "tournament": {"matches_per_pair": 4, "duplicate": True}}
    path = first_form(tmp_path / FILE_NAME, [(match, "issued", 1) for match in schedule], config)
    with Store.open(path, migrate=True) as store:
        assert [match for match, _ in store.issued()] == sorted(schedule, key=lambda match: match.match_id)


def test_a_migration_that_fails_changes_nothing(tmp_path: Path) -> None:
    path = first_form(tmp_path / FILE_NAME)
    before = contents(path)

    def fail(_: object, __: object, statement: str, *___: object) -> None:
        if "DROP TABLE old_results" in statement:
            raise sqlite3.OperationalError("the power is cut")

    sa.event.listen(sa.Engine, "before_cursor_execute", fail)
    try:
        with pytest.raises(StoreError, match="the power is cut"):
            Store.open(path, migrate=True)
    finally:
        sa.event.remove(sa.Engine, "before_cursor_execute", fail)
    assert contents(path) == before
    with Store.open(path, migrate=True) as store:
        check_reads_the_same(store)


def test_a_store_of_a_later_version(tmp_path: Path) -> None:
    path = tmp_path / FILE_NAME
    Store.create(path, TOURNAMENT).close()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"UPDATE {migration.VERSION_TABLE} SET version_num = '9999'")
        connection.commit()
    with pytest.raises(NotATournamentError, match="has the form 9999 of a later version; this program reads 0002"):
        Store.open(path, migrate=True)


def test_an_old_database_on_a_server_has_to_be_migrated(postgres: Any) -> None:
    url = postgres.new_database()
    engine = database.make_engine(database.address(url), 1_000_000)
    with database.writing(engine) as connection:
        migration.upgrade(connection, "0001")
    engine.dispose()
    row = TOURNAMENT
    config = json.dumps(row.config)
    values = f"'{row.id}', '{row.name}', '{config}', '{row.secret}', '{row.created}', 1"
    postgres.execute(url, f"INSERT INTO tournament VALUES ({values})")
    with pytest.raises(StoreError, match="`arbiter run --resume` brings it up to date"):
        Store.open(url)
    with Store.open(url, migrate=True) as store:
        assert store.tournament == TOURNAMENT
        store.issue(SCHEDULE)


def test_the_revisions_are_the_forms() -> None:
    config = Config()
    config.set_main_option("script_location", "arbiter:migrations")
    revisions = [script.revision for script in ScriptDirectory.from_config(config).walk_revisions()]
    assert tuple(reversed(revisions)) == migration.FORMS


def test_the_migrations_make_the_tables_of_the_schema(place: str) -> None:
    Store.create(place, TOURNAMENT).close()
    engine = database.make_engine(database.address(place), 1_000_000)
    with engine.connect() as connection:
        options = {"version_table": migration.VERSION_TABLE, "compare_type": True}
        assert compare_metadata(MigrationContext.configure(connection, opts=options), schema.metadata) == []
    engine.dispose()
