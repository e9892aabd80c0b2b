"""The database of one tournament: what is to be played, and everything that was.

A match is *issued*, then *fixed* in one transaction together with its deals. A void result is kept too, but
the match may be issued again: it counts only when it is fixed. So whatever happens to the process, no fixed
match is lost and none is counted twice. The tables are described in `arbiter.schema`.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

import sqlalchemy as sa

from arbiter import schema
from arbiter.results import DealResult, MatchResult, MatchSummary
from arbiter.schedule import ScheduledMatch

FILE_NAME = "results.sqlite"

_ISSUED, _FIXED, _VOID = "issued", "fixed", "void"
_ROWS_AT_ONCE = 100
_BUSY_US = 10_000_000


class StoreError(Exception):
    """The store cannot do what was asked; the message names the file or the match."""


class StoreNotFoundError(StoreError):
    """There is no such file."""


class StoreExistsError(StoreError):
    """There is a file already where a new store should be made."""


class NotATournamentError(StoreError):
    """The file is no tournament database, or of another version."""


class StoreAwayError(StoreError):
    """The store cannot be used now, but perhaps in a moment."""


class StoreLockedError(StoreAwayError):
    """Another process held the database for too long."""


class StoreFullError(StoreAwayError):
    """The disk is full."""


class MatchStateError(StoreError):
    """The match is unknown, or not in a state for this: not issued, fixed already, or not ended."""


@dataclass(frozen=True, slots=True)
class TournamentRow:
    """What is known of the tournament itself.

    Attributes:
        id: unique for ever.
        name: as configured.
        config: the effective configuration, JSON values only.
        secret: of the dealer, in hexadecimal; not shown by `repr`.
        created: UTC, ISO 8601.
    """

    id: str
    name: str
    config: dict[str, Any]
    secret: str = field(repr=False)
    created: str


@dataclass(frozen=True, slots=True)
class StoredDeal:
    """A deal together with the match it belongs to.

    Attributes:
        match_id: of the match.
        attempt: how often the match had been issued when it was played.
        bots: the names in seat 0 and seat 1.
        void: the match does not count.
        deal: the deal itself.
    """

    match_id: str
    attempt: int
    bots: tuple[str, str]
    void: bool
    deal: DealResult


class Store:
    """The database of one tournament. Blocking; may be used from several threads.

    Attributes:
        tournament: the tournament's own row.
    """

    def __init__(self, engine: sa.Engine, name: str, tournament: TournamentRow) -> None:
        self._engine = engine
        self._name = name
        self.tournament = tournament

    @classmethod
    def create(cls, path_or_url: str | Path, tournament: TournamentRow, busy_us: int = _BUSY_US) -> Self:
        """Make a new store in a file that does not exist yet, readable by its owner only.

        Args:
            path_or_url: a path, or an SQLAlchemy URL of a SQLite file.
            tournament: goes into the store as it is.
            busy_us: how long to wait, in microseconds, while another process holds the database.

        Raises:
            StoreExistsError: the file exists.
            StoreError: it cannot be made.
        """
        path = _path(path_or_url)
        try:
            path.touch(mode=0o600, exist_ok=False)
        except FileExistsError as error:
            raise StoreExistsError(f"{path}: exists already") from error
        except OSError as error:
            raise StoreError(f"{path}: cannot be made: {error.strerror}") from error
        engine = _engine(path, busy_us)
        try:
            with _errors(str(path)), engine.connect() as connection:
                # Kept in the file, hence only here: opening must not change a file that is not ours.
                connection.exec_driver_sql("PRAGMA journal_mode = WAL")
                connection.commit()
                schema.metadata.create_all(connection)
                connection.execute(
                    schema.tournament.insert(),
                    {
                        "id": tournament.id,
                        "name": tournament.name,
                        "config": tournament.config,
                        "secret": tournament.secret,
                        "created": tournament.created,
                        "schema_version": schema.VERSION,
                    },
                )
                connection.commit()
        except BaseException:
            engine.dispose()
            path.unlink()
            raise
        return cls(engine, str(path), tournament)

    @classmethod
    def open(cls, path_or_url: str | Path, busy_us: int = _BUSY_US) -> Self:
        """Open a store, also while another process writes to it.

        Args:
            path_or_url: a path, or an SQLAlchemy URL of a SQLite file.
            busy_us: how long to wait, in microseconds, while another process holds the database.

        Raises:
            StoreNotFoundError: there is no such file.
            NotATournamentError: the file is something else.
            StoreError: it cannot be read.
        """
        path = _path(path_or_url)
        if not path.is_file():
            raise StoreNotFoundError(f"{path}: there is no such file")
        engine = _engine(path, busy_us)
        try:
            with _errors(str(path)), engine.connect() as connection:
                row = connection.execute(sa.select(schema.tournament)).one_or_none()
            if row is None:
                raise NotATournamentError(f"{path}: holds no tournament")
            if row.schema_version != schema.VERSION:
                raise NotATournamentError(
                    f"{path}: has schema version {row.schema_version}; this program reads {schema.VERSION}"
                )
        except BaseException:
            engine.dispose()
            raise
        return cls(engine, str(path), TournamentRow(row.id, row.name, row.config, row.secret, row.created))

    def __repr__(self) -> str:
        return f"Store({self._name!r})"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close all connections."""
        self._engine.dispose()

    @property
    def scheduled(self) -> int:
        """How many matches the tournament has in all."""
        bots, per_pair = len(self.tournament.config["bots"]), self.tournament.config["tournament"]["matches_per_pair"]
        return bots * (bots - 1) // 2 * int(per_pair)

    def states(self) -> dict[str, str]:
        """Return the state of every match that was ever issued: ``issued``, ``fixed`` or ``void``."""
        with self._reading() as connection:
            rows = connection.execute(sa.select(schema.matches.c.match_id, schema.matches.c.state))
            return {row.match_id: row.state for row in rows}

    def issued(self) -> list[tuple[ScheduledMatch, int]]:
        """Return the matches that were issued and have not ended, each with its attempt."""
        query = sa.select(schema.matches).where(schema.matches.c.state == _ISSUED).order_by(schema.matches.c.match_id)
        with self._reading() as connection:
            return [(schema.to_scheduled(row), row.attempt) for row in connection.execute(query)]

    def issue(self, matches: ScheduledMatch | Iterable[ScheduledMatch]) -> dict[str, int]:
        """Note that matches are to be played: new ones, or once more those that are not fixed.

        Returns:
            For each match id, how often it has been issued, this time included.

        Raises:
            MatchStateError: a match is fixed already, or was issued with other bots, seats or dealer. Then no
                match of this call is issued.
        """
        wanted = [matches] if isinstance(matches, ScheduledMatch) else list(matches)
        attempts: dict[str, int] = {}
        with self._writing() as connection:
            known = {row.match_id: row for row in _rows_of(connection, [match.match_id for match in wanted])}
            fresh, again = [], []
            for match in wanted:
                values = {**schema.scheduled_values(match), "state": _ISSUED}
                row = known.get(match.match_id)
                if row is None:
                    attempts[match.match_id] = 1
                    fresh.append({**values, "attempt": 1})
                    continue
                if row.state == _FIXED:
                    raise MatchStateError(f"match {match.match_id} is fixed already")
                _check_same(row, match)
                attempts[match.match_id] = row.attempt + 1
                again.append({"issued_id": match.match_id, "next_attempt": row.attempt + 1})
            if fresh:
                connection.execute(schema.matches.insert(), fresh)
            if again:
                statement = schema.matches.update().where(schema.matches.c.match_id == sa.bindparam("issued_id"))
                connection.execute(statement.values(state=_ISSUED, attempt=sa.bindparam("next_attempt")), again)
        return attempts

    def fix(self, results: MatchResult | Sequence[MatchResult]) -> None:
        """Store matches that ended with all their deals, in one transaction. A void one may be issued again.

        Raises:
            MatchStateError: one is not issued, fixed already, or was issued with other bots, seats or dealer. Then
                nothing is stored.
        """
        with self._writing() as connection:
            for result in [results] if isinstance(results, MatchResult) else results:
                _fix(connection, result)

    def summaries(self) -> Iterator[MatchSummary]:
        """Yield every match that ended, void ones included, by match id and attempt."""
        with self._reading() as connection:
            for row in connection.execution_options(yield_per=_ROWS_AT_ONCE).execute(schema.ended):
                yield schema.to_summary(row)

    def match(self, match_id: str) -> MatchResult:
        """Return a match that ended: as fixed or, if it only ever was void, the last attempt.

        Raises:
            MatchStateError: there is no such match, or it has not ended.
        """
        query = schema.ended.where(schema.results.c.match_id == match_id)
        with self._reading() as connection:
            rows = connection.execute(query).all()
            if not rows:
                known = _rows_of(connection, [match_id])
                raise MatchStateError(f"match {match_id} " + ("has not ended" if known else "does not exist"))
            attempt = schema.deals.c.attempt == rows[-1].attempt
            deals = connection.execute(
                sa.select(schema.deals)
                .where(schema.deals.c.match_id == match_id, attempt)
                .order_by(schema.deals.c.number)
            ).all()
        return schema.to_summary(rows[-1]).result(tuple(schema.to_deal(row) for row in deals))

    def deals(self, match_id: str | None = None) -> Iterator[StoredDeal]:
        """Yield the deals of all matches that ended, or of one, by match id, attempt and number.

        Memory is bounded whatever the size of the tournament.
        """
        query = (
            sa.select(schema.deals, schema.matches.c.bot0, schema.matches.c.bot1, schema.results.c.reason)
            .join_from(schema.deals, schema.results)
            .join(schema.matches, schema.matches.c.match_id == schema.deals.c.match_id)
            .order_by(schema.deals.c.match_id, schema.deals.c.attempt, schema.deals.c.number)
        )
        if match_id is not None:
            query = query.where(schema.deals.c.match_id == match_id)
        with self._reading() as connection:
            for row in connection.execution_options(yield_per=_ROWS_AT_ONCE).execute(query):
                yield StoredDeal(
                    row.match_id, row.attempt, (row.bot0, row.bot1), row.reason == "void", schema.to_deal(row)
                )

    @contextmanager
    def _reading(self) -> Iterator[sa.Connection]:
        with _errors(self._name), self._engine.connect() as connection:
            yield connection

    @contextmanager
    def _writing(self) -> Iterator[sa.Connection]:
        with _errors(self._name), self._engine.begin() as connection:
            yield connection


def _path(path_or_url: str | Path) -> Path:
    if isinstance(path_or_url, Path) or "://" not in path_or_url:
        return Path(path_or_url)
    try:
        url = sa.make_url(path_or_url)
    except sa.exc.ArgumentError as error:
        raise StoreError("not the URL of a database (expected sqlite:///PATH)") from error
    if url.get_backend_name() != "sqlite" or not url.database or url.database == ":memory:":
        raise StoreError(f"{url.render_as_string()}: only SQLite files are supported (sqlite:///PATH)")
    return Path(url.database)


def _engine(path: Path, busy_us: int) -> sa.Engine:
    # Without hide_parameters an error message would quote what was being stored, the secret too.
    engine = sa.create_engine(
        sa.URL.create("sqlite", database=str(path)),
        hide_parameters=True,
        connect_args={"timeout": busy_us / 1_000_000},
    )

    def set_up(connection: sqlite3.Connection, _: object) -> None:
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA synchronous = NORMAL")

    sa.event.listen(engine, "connect", set_up)
    return engine


@contextmanager
def _errors(name: str) -> Iterator[None]:
    try:
        yield
    except (sa.exc.DBAPIError, sqlite3.Error) as error:
        cause = error.orig if isinstance(error, sa.exc.DBAPIError) else error
        raise _store_error(name, cause) from error


def _store_error(name: str, cause: BaseException | None) -> StoreError:
    # Extended codes such as SQLITE_BUSY_SNAPSHOT begin with the name of the code they refine.
    code = str(getattr(cause, "sqlite_errorname", ""))
    if code.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return StoreLockedError(f"{name}: held by another process")
    if code.startswith("SQLITE_FULL"):
        return StoreFullError(f"{name}: the disk is full")
    if code in ("SQLITE_ERROR", "SQLITE_NOTADB"):
        return NotATournamentError(f"{name}: not a tournament database ({cause})")
    return StoreError(f"{name}: {cause}")


def _fix(connection: sa.Connection, result: MatchResult) -> None:
    issued = (schema.matches.c.match_id == result.match_id) & (schema.matches.c.state == _ISSUED)
    state = _VOID if result.void else _FIXED
    if connection.execute(schema.matches.update().where(issued).values(state=state)).rowcount != 1:
        rows = _rows_of(connection, [result.match_id])
        raise MatchStateError(
            f"match {result.match_id} " + (f"has ended already ({rows[0].state})" if rows else "was never issued")
        )
    (row,) = _rows_of(connection, [result.match_id])
    _check_same(row, result)
    connection.execute(schema.results.insert(), schema.result_values(result, row.attempt))
    if result.deals:
        values = [schema.deal_values(result.match_id, row.attempt, deal) for deal in result.deals]
        connection.execute(schema.deals.insert(), values)


def _rows_of(connection: sa.Connection, match_ids: Sequence[str]) -> list[sa.Row[Any]]:
    rows: list[sa.Row[Any]] = []
    # Databases limit the number of values in one statement.
    for start in range(0, len(match_ids), 500):
        some = match_ids[start : start + 500]
        rows += connection.execute(sa.select(schema.matches).where(schema.matches.c.match_id.in_(some)))
    return rows


def _check_same(row: sa.Row[Any], match: ScheduledMatch | MatchResult) -> None:
    for key, value in schema.scheduled_values(match).items():
        if row._mapping[key] != value:
            raise MatchStateError(f"match {match.match_id} was issued with {key} {row._mapping[key]!r}, not {value!r}")
