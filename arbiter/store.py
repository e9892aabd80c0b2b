"""The store of one tournament: what is to be played, and everything that was.

A match is *issued*, then *fixed* in one transaction together with its deals. A void result is kept too, but
the match may be issued again: it counts only when it is fixed. So whatever happens to the process, no fixed
match is lost and none is counted twice. The tables are described in `arbiter.schema`, the databases in
`arbiter.database`.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from dataclasses import asdict
from pathlib import Path
from typing import Any, Self

import sqlalchemy as sa

from arbiter import database, holding, migration, schema
from arbiter.results import MatchResult, MatchSummary, Tally
from arbiter.schedule import ScheduledMatch
from arbiter.store_errors import (
    HeldError,
    MatchStateError,
    NotATournamentError,
    StoreAwayError,
    StoreError,
    StoreExistsError,
    StoreFullError,
    StoreLockedError,
    StoreNotFoundError,
)
from arbiter.stored import Outcome, StoredDeal, StoredMatch, TournamentRow

__all__ = [
    "FILE_NAME",
    "HeldError",
    "MatchStateError",
    "NotATournamentError",
    "Store",
    "StoreAwayError",
    "StoreError",
    "StoreExistsError",
    "StoreFullError",
    "StoreLockedError",
    "StoreNotFoundError",
    "StoredDeal",
    "StoredMatch",
    "TournamentRow",
]

FILE_NAME = "results.sqlite"

_ISSUED, _FIXED, _VOID = "issued", "fixed", "void"
_ROWS_AT_ONCE = 100
_BUSY_US = 10_000_000


class Store:
    """The store of one tournament. Blocking; may be used from several threads.

    Attributes:
        tournament: the tournament's own row.
    """

    def __init__(
        self,
        engine: sa.Engine,
        name: str,
        tournament: TournamentRow,
        closing: ExitStack,
        hold: holding.Hold | None,
    ) -> None:
        self._engine = engine
        self._name = name
        self._closing = closing
        self._hold = hold
        # Attempts that may have been issued although it was reported that the store is away.
        self._uncertain: dict[str, int] = {}
        # Attempts that were issued here and have not ended.
        self._playing: dict[str, int] = {}
        self.tournament = tournament
        # Made once: to make a statement takes longer than to run it, and these run for every match.
        wanted = self._is_match(sa.bindparam("wanted_id"))
        self._one_match = sa.select(schema.matches).where(wanted)
        issued = wanted & (schema.matches.c.state == _ISSUED)
        self._end_match = schema.matches.update().where(issued).values(state=sa.bindparam("ended_as"))

    @classmethod
    def create(cls, path_or_url: str | Path, tournament: TournamentRow, busy_us: int = _BUSY_US) -> Self:
        """Make a new store: in a file that does not exist yet, readable by its owner only, or in a database.

        A database on a server may hold other tournaments; the tables are made if it has none.

        Args:
            path_or_url: the path of a SQLite file, or the URL of a database (`arbiter.database.address`).
            tournament: goes into the store as it is.
            busy_us: how long to wait, in microseconds, while another process holds the database.

        Raises:
            StoreExistsError: the file exists, or the database has a tournament with this id.
            StoreError: it cannot be made.
        """
        url = database.address(path_or_url)
        path = database.file_of(url)
        name = database.name_of(url)
        if path is None:
            _add(url, name, tournament, busy_us)
        else:
            with database.new_file(path) as draft:
                _add(database.address(draft), name, tournament, busy_us)
        return cls.open(path_or_url, tournament.id, busy_us=busy_us)

    @classmethod
    def open(
        cls,
        path_or_url: str | Path,
        tournament: str | None = None,
        *,
        migrate: bool = False,
        busy_us: int = _BUSY_US,
    ) -> Self:
        """Open a store, also while another process writes to it.

        Args:
            path_or_url: the path of a SQLite file, or the URL of a database (`arbiter.database.address`).
            tournament: id or name; not needed if there is only one.
            migrate: bring a store of an earlier version up to date, keeping a copy of a file. Otherwise such a file
                is left as it is and can only be read.
            busy_us: how long to wait, in microseconds, while another process holds the database.

        Raises:
            StoreNotFoundError: there is no such file or tournament.
            NotATournamentError: the file is something else.
            StoreError: it cannot be read, or the tournament is not the only one of its name.
        """
        return cls._open(path_or_url, tournament, migrate, busy_us, nullcontext())

    @classmethod
    def take(cls, path_or_url: str | Path, tournament_id: str, *, busy_us: int = _BUSY_US) -> Self:
        """Open a store to go on with its tournament, as `open` with `migrate` does.

        Until it is closed, no other process can take it, and those that only read are not hindered.

        Raises:
            HeldError: another arbiter has taken it.
            StoreError: as `open`.
        """
        hold = holding.hold_tournament(database.address(path_or_url), tournament_id, busy_us)
        return cls._open(path_or_url, tournament_id, True, busy_us, hold)

    @classmethod
    def _open(
        cls,
        path_or_url: str | Path,
        tournament: str | None,
        migrate: bool,
        busy_us: int,
        hold: AbstractContextManager[holding.Hold | None],
    ) -> Self:
        url = database.address(path_or_url)
        name, path = database.name_of(url), database.file_of(url)
        if path is not None and not path.is_file():
            raise StoreNotFoundError(f"{name}: there is no such file")
        with ExitStack() as stack, database.errors(name):
            held = stack.enter_context(hold)
            engine = stack.enter_context(migration.present_form(url, busy_us, migrate=migrate))
            with engine.connect() as connection:
                row = _choose(connection, name, tournament)
            return cls(engine, name, row, stack.pop_all(), held)

    def __repr__(self) -> str:
        return f"Store({self._name!r})"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close all connections."""
        self._closing.close()

    @property
    def scheduled(self) -> int:
        """How many matches the tournament has in all."""
        bots, per_pair = len(self.tournament.config["bots"]), self.tournament.config["tournament"]["matches_per_pair"]
        return bots * (bots - 1) // 2 * int(per_pair)

    def states(self) -> dict[str, str]:
        """Return the state of every match that was ever issued: ``issued``, ``fixed`` or ``void``."""
        return {match_id: state for match_id, (state, _) in self.progress().items()}

    def progress(self) -> dict[str, tuple[str, int]]:
        """Return, for every match that was ever issued, its state and how often it was issued."""
        with self._reading() as connection:
            return {row.match_id: (row.state, row.attempt) for row in connection.execute(self._matches())}

    def issued(self) -> list[tuple[ScheduledMatch, int]]:
        """Return the matches that were issued and have not ended, each with its attempt."""
        query = self._matches().where(schema.matches.c.state == _ISSUED)
        with self._reading() as connection:
            return [(schema.to_scheduled(row), row.attempt) for row in connection.execute(query)]

    def issue(self, matches: ScheduledMatch | Iterable[ScheduledMatch]) -> dict[str, int]:
        """Note that matches are to be played: new ones, or once more those that are not fixed.

        After a StoreAwayError the same call may be made again: it counts once.

        Returns:
            For each match id, how often it has been issued, this time included.

        Raises:
            MatchStateError: a match is fixed already, or was issued with other bots, seats, dealer or cards. Then no
                match of this call is issued.
        """
        wanted = [matches] if isinstance(matches, ScheduledMatch) else list(matches)
        attempts: dict[str, int] = {}
        with self._writing() as connection:
            known = {row.match_id: row for row in self._rows_of(connection, [match.match_id for match in wanted])}
            fresh, again = [], []
            for match in wanted:
                row = known.get(match.match_id)
                if row is None:
                    attempts[match.match_id] = 1
                    key = {"tournament_id": self.tournament.id, "state": _ISSUED, "attempt": 1}
                    fresh.append({**key, **schema.scheduled_values(match)})
                    continue
                if row.state == _FIXED:
                    raise MatchStateError(f"match {match.match_id} is fixed already")
                _check_same(row, match.match_id, schema.scheduled_values(match))
                if row.state == _ISSUED and self._uncertain.get(match.match_id) == row.attempt:
                    attempts[match.match_id] = row.attempt
                    continue
                attempts[match.match_id] = row.attempt + 1
                again.append({"issued_id": match.match_id, "next_attempt": row.attempt + 1})
            if fresh:
                connection.execute(schema.matches.insert(), fresh)
            if again:
                statement = schema.matches.update().where(self._is_match(sa.bindparam("issued_id")))
                connection.execute(statement.values(state=_ISSUED, attempt=sa.bindparam("next_attempt")), again)
            # A connection that is lost during the commit does not tell whether it was done.
            self._uncertain.update(attempts)
        for match_id in attempts:
            del self._uncertain[match_id]
        self._playing.update(attempts)
        return attempts

    def fix(self, results: MatchResult | Sequence[MatchResult]) -> None:
        """Store matches that ended with all their deals, in one transaction. A void one may be issued again.

        A result that is stored already is left as it is, so after a StoreAwayError the same call may be made again.

        Raises:
            MatchStateError: one is not issued, has ended otherwise, or was issued with other bots, seats or dealer.
                Then nothing is stored.
        """
        with self._writing() as connection:
            ended = [results] if isinstance(results, MatchResult) else results
            for result in ended:
                self._fix(connection, result)
        for result in ended:
            self._playing.pop(result.match_id, None)

    def summaries(self) -> Iterator[MatchSummary]:
        """Yield every match that ended, void ones included, by match id and attempt."""
        with self._reading() as connection, _streamed(connection, schema.ended(self.tournament.id)) as rows:
            for row in rows:
                yield schema.to_summary(row)

    def outcomes(self) -> Iterator[Outcome]:
        """Yield what `summaries` does, as far as ratings need it: several times as fast."""
        with self._reading() as connection, _streamed(connection, schema.outcomes(self.tournament.id)) as rows:
            for row in rows:
                yield Outcome._make(row)

    def page(self, after: tuple[str, int] | None, size: int) -> list[tuple[int, MatchSummary]]:
        """Return some of what `summaries` yields, each with its attempt.

        Args:
            after: match id and attempt of the one before the first; None for the beginning.
            size: how many at most.

        Raises:
            MatchStateError: no such attempt has ended.
        """
        query = schema.ended(self.tournament.id)
        position = sa.tuple_(schema.results.c.match_id, schema.results.c.attempt)
        with self._reading() as connection:
            if after is not None:
                if connection.execute(query.where(position == after)).first() is None:
                    raise MatchStateError(f"match {after[0]} has no attempt {after[1]} that has ended")
                query = query.where(position > after)
            return [(row.attempt, schema.to_summary(row)) for row in connection.execute(query.limit(size))]

    def tallies(self) -> list[Tally]:
        """Return what `summaries` yields, added up by the database."""
        with self._reading() as connection:
            return [schema.to_tally(row) for row in connection.execute(schema.tallies(self.tournament.id))]

    def attempts(self, match_id: str | None = None) -> Iterator[StoredMatch]:
        """Yield every attempt that ended, of all matches or of one, with its deals, by match id and attempt.

        Memory is bounded whatever the size of the tournament.
        """
        query = schema.ended(self.tournament.id)
        if match_id is not None:
            query = query.where(schema.results.c.match_id == match_id)
        with self._reading() as connection, _streamed(connection, query) as rows:
            for row in rows:
                yield self._stored(connection, row)

    def attempt(self, match_id: str) -> StoredMatch:
        """Return the attempt of a match that counts or, if it only ever was void, the last one.

        Raises:
            MatchStateError: there is no such match, or it has not ended.
        """
        query = schema.ended(self.tournament.id).where(schema.results.c.match_id == match_id)
        with self._reading() as connection:
            rows = connection.execute(query).all()
            if not rows:
                known = self._rows_of(connection, [match_id])
                raise MatchStateError(f"match {match_id} " + ("has not ended" if known else "does not exist"))
            return self._stored(connection, rows[-1])

    def match(self, match_id: str) -> MatchResult:
        """Return a match that ended, as `attempt` does, without what was stored with it."""
        return self.attempt(match_id).result

    def deals(self, match_id: str | None = None) -> Iterator[StoredDeal]:
        """Yield the deals of all matches that ended, or of one, by match id, attempt and number.

        Memory is bounded whatever the size of the tournament.
        """
        query = schema.deals_of(self.tournament.id)
        if match_id is not None:
            query = query.where(schema.deals.c.match_id == match_id)
        with self._reading() as connection, _streamed(connection, query) as rows:
            for row in rows:
                yield StoredDeal(
                    row.match_id, row.attempt, (row.bot0, row.bot1), row.reason == "void", schema.to_deal(row)
                )

    def _matches(self) -> sa.Select[Any]:
        mine = schema.matches.c.tournament_id == self.tournament.id
        return sa.select(schema.matches).where(mine).order_by(schema.matches.c.match_id)

    def _is_match(self, match_id: str | sa.BindParameter[str]) -> sa.ColumnElement[bool]:
        return (schema.matches.c.tournament_id == self.tournament.id) & (schema.matches.c.match_id == match_id)

    def _rows_of(self, connection: sa.Connection, match_ids: Sequence[str]) -> list[sa.Row[Any]]:
        rows: list[sa.Row[Any]] = []
        # Databases limit the number of values in one statement.
        for start in range(0, len(match_ids), 500):
            some = match_ids[start : start + 500]
            rows += connection.execute(self._matches().where(schema.matches.c.match_id.in_(some)))
        return rows

    def _fix(self, connection: sa.Connection, result: MatchResult) -> None:
        values = {"wanted_id": result.match_id, "ended_as": _VOID if result.void else _FIXED}
        ended = connection.execute(self._end_match, values).rowcount == 1
        row = connection.execute(self._one_match, {"wanted_id": result.match_id}).first()
        if row is None:
            raise MatchStateError(f"match {result.match_id} was never issued")
        if self._playing.get(result.match_id, row.attempt) != row.attempt:
            raise MatchStateError(f"match {result.match_id} has been issued again elsewhere")
        if not ended:
            if result.digest(row.attempt) == self._digest(connection, result.match_id, row.attempt):
                return
            raise MatchStateError(f"match {result.match_id} has ended already ({row.state})")
        _check_same(row, result.match_id, schema.match_values(result))
        key = {"tournament_id": self.tournament.id}
        connection.execute(schema.results.insert(), {**key, **schema.result_values(result, row.attempt)})
        if result.deals:
            deals = [{**key, **schema.deal_values(result.match_id, row.attempt, deal)} for deal in result.deals]
            connection.execute(schema.deals.insert(), deals)

    def _digest(self, connection: sa.Connection, match_id: str, attempt: int) -> str | None:
        columns = schema.results.c
        digest: str | None = connection.scalar(
            sa.select(columns.digest).where(
                columns.tournament_id == self.tournament.id, columns.match_id == match_id, columns.attempt == attempt
            )
        )
        return digest

    def _stored(self, connection: sa.Connection, row: sa.Row[Any]) -> StoredMatch:
        columns = schema.deals.c
        query = sa.select(schema.deals).where(
            columns.tournament_id == self.tournament.id,
            columns.match_id == row.match_id,
            columns.attempt == row.attempt,
        )
        deals = connection.execute(query.order_by(columns.number)).all()
        result = schema.to_summary(row).result(tuple(schema.to_deal(deal) for deal in deals))
        return StoredMatch(row.attempt, result, row.digest)

    @contextmanager
    def _reading(self) -> Iterator[sa.Connection]:
        with database.errors(self._name), self._engine.connect() as connection:
            yield connection

    @contextmanager
    def _writing(self) -> Iterator[sa.Connection]:
        if self._hold is not None:
            self._hold.check()
        with database.errors(self._name), database.writing(self._engine) as connection:
            yield connection


def _add(url: sa.URL, name: str, tournament: TournamentRow, busy_us: int) -> None:
    engine = database.make_engine(url, busy_us)
    try:
        with database.errors(name), database.writing(engine) as connection:
            migration.upgrade(connection)
            same = sa.select(schema.tournament.c.id).where(schema.tournament.c.id == tournament.id)
            if connection.scalar(same) is not None:
                raise StoreExistsError(f"{name}: has a tournament with the id {tournament.id} already")
            connection.execute(schema.tournament.insert(), asdict(tournament))
    finally:
        engine.dispose()


def _choose(connection: sa.Connection, name: str, tournament: str | None) -> TournamentRow:
    columns = schema.tournament.c
    query = sa.select(schema.tournament).order_by(columns.id)
    rows = connection.execute(
        query if tournament is None else query.where((columns.id == tournament) | (columns.name == tournament))
    ).all()
    rows = [row for row in rows if row.id == tournament] or rows
    if len(rows) > 1:
        found = ", ".join(f"{row.id} ({row.name})" for row in rows)
        raise StoreError(f"{name}: holds several tournaments, and an id has to say which: {found}")
    if rows:
        return TournamentRow(*rows[0])
    if tournament is None:
        raise NotATournamentError(f"{name}: holds no tournament")
    raise StoreNotFoundError(f"{name}: holds no tournament {tournament}")


@contextmanager
def _streamed(connection: sa.Connection, query: sa.Select[Any]) -> Iterator[sa.CursorResult[Any]]:
    """Give the rows of a query, of which never more than some are in memory."""
    # Closed even if nobody reads to the end: a server keeps a cursor for them.
    with connection.execute(query, execution_options={"yield_per": _ROWS_AT_ONCE}) as rows:
        yield rows


def _check_same(row: sa.Row[Any], match_id: str, values: Mapping[str, object]) -> None:
    for key, value in values.items():
        if row._mapping[key] != value:
            raise MatchStateError(f"match {match_id} was issued with {key} {row._mapping[key]!r}, not {value!r}")
