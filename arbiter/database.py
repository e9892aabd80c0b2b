"""The databases that can hold tournaments: their addresses, how they are reached, and what their errors mean."""

import math
import os
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import sqlalchemy as sa

from arbiter.store_errors import (
    NotATournamentError,
    StoreAwayError,
    StoreError,
    StoreExistsError,
    StoreFullError,
    StoreLockedError,
)

EXPECTED = "sqlite:///PATH or postgresql+psycopg://USER@HOST/DATABASE"
"""The URLs that there are, for people."""

_WRITING = "arbiter_writing"

_PSYCOPG = "postgresql+psycopg"
# What an arbiter holds whose machine has lost its power, others get after half a minute, and not after hours.
_GONE_AFTER = "-c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=4"
_SQLITE_AWAY = ("SQLITE_IOERR", "SQLITE_CANTOPEN", "SQLITE_NOMEM", "SQLITE_PROTOCOL")
# Lost connections, resources that have run out, restarts and cancelled statements, I/O errors, a standby that does
# not write yet.
_POSTGRESQL_AWAY = ("08", "53", "57", "58", "25006")
_POSTGRESQL_LOCKED = ("55P03", "40")
_POSTGRESQL_FULL = "53100"
_POSTGRESQL_NO_TABLE = ("42P01", "42703", "42P07")


def address(path_or_url: str | Path) -> sa.URL:
    """Return the URL of a store that is given as a path of a SQLite file or as the URL of a database.

    Raises:
        StoreError: it is no such URL, or it has a password in it, which would end up in files and lists of processes.
    """
    if isinstance(path_or_url, Path) or "://" not in path_or_url:
        return sa.URL.create("sqlite", database=str(path_or_url))
    try:
        url = sa.make_url(path_or_url)
    except (sa.exc.ArgumentError, ValueError) as error:
        raise StoreError(f"not the URL of a database (expected {EXPECTED})") from error
    if url.password is not None or "password" in url.query:
        raise StoreError(
            f"{url.difference_update_query(['password']).render_as_string()}: a password does not belong in the URL; "
            "put it into ~/.pgpass or the environment variable PGPASSWORD"
        )
    if url.drivername == "postgresql":
        url = url.set(drivername=_PSYCOPG)
    if url.drivername == _PSYCOPG or (url.drivername == "sqlite" and url.database and url.database != ":memory:"):
        return url
    raise StoreError(f"{url.render_as_string()}: not a database that can hold a tournament (expected {EXPECTED})")


def file_of(url: sa.URL) -> Path | None:
    """Return the path of a SQLite file; None for a database on a server."""
    return Path(url.database or "") if url.drivername == "sqlite" else None


def name_of(url: sa.URL) -> str:
    """Return what to call a store in messages: the path of its file, or the URL of its database."""
    return str(file_of(url) or url.render_as_string())


def make_engine(url: sa.URL, busy_us: int, *, query_only: bool = False, patient: bool = False) -> sa.Engine:
    """Return an engine for a database that exists. It connects when it is used.

    Args:
        url: as `address` gives it.
        busy_us: how long to wait, in microseconds, while another process holds the database. A server that is silent
            for twice as long (at least 1 s) is away.
        query_only: refuse to write (SQLite).
        patient: let a server be silent, since it has a lot to do.
    """
    path = file_of(url)
    if path is not None:
        return _sqlite_engine(url, path, busy_us, query_only)
    return _postgresql_engine(url, busy_us, patient)


@contextmanager
def writing(engine: sa.Engine) -> Iterator[sa.Connection]:
    """Give a connection for one transaction that writes; it is committed at the end, or rolled back."""
    with engine.execution_options(**{_WRITING: True}).begin() as connection:
        yield connection


@contextmanager
def new_file(path: Path) -> Iterator[Path]:
    """Give the path of an empty SQLite file that gets its name when it is complete, and is removed if it fails.

    So a file with this name is a whole one, whenever the process is killed. Only its owner can read it.

    Raises:
        StoreExistsError: there is such a file.
        StoreError: it cannot be made.
    """
    if path.exists():
        raise StoreExistsError(f"{path}: exists already")
    try:
        handle, name = tempfile.mkstemp(prefix=f"{path.name}.new-", dir=path.parent)
    except OSError as error:
        raise StoreError(f"{path}: cannot be made: {error.strerror}") from error
    os.close(handle)
    draft = Path(name)
    try:
        with errors(str(path)), closing(sqlite3.connect(draft)) as connection:
            # Kept in the file, hence only here: opening must not change a file that is not ours.
            connection.execute("PRAGMA journal_mode = WAL")
        yield draft
        draft.rename(path)
        _sync_directory(path.parent)
    except BaseException:
        for left in draft.parent.glob(f"{draft.name}*"):
            left.unlink()
        raise


def copy_file(path: Path, target: Path) -> None:
    """Copy a SQLite file as it is at one moment, also while it is written; a file named `target` is replaced.

    Raises:
        StoreError: the copy cannot be made.
    """
    target.unlink(missing_ok=True)
    with (
        new_file(target) as draft,
        errors(str(target)),
        closing(sqlite3.connect(_file_uri(path), uri=True)) as source,
        closing(sqlite3.connect(draft)) as copy,
    ):
        source.backup(copy)


@contextmanager
def errors(name: str) -> Iterator[None]:
    """Turn errors of a database into a StoreError that names the store."""
    try:
        yield
    except sa.exc.DBAPIError as error:
        lost = error.connection_invalidated or isinstance(error, sa.exc.OperationalError)
        raise _store_error(name, error.orig, lost) from error
    except sqlite3.Error as error:
        raise _store_error(name, error, False) from error


def _file_uri(path: Path) -> str:
    # A file that has vanished is not to be replaced by an empty one.
    return f"{path.absolute().as_uri()}?mode=rw"


def _sync_directory(path: Path) -> None:
    directory = os.open(path, os.O_RDONLY)
    try:
        os.fsync(directory)
    finally:
        os.close(directory)


def _sqlite_engine(url: sa.URL, path: Path, busy_us: int, query_only: bool) -> sa.Engine:
    def connect() -> sqlite3.Connection:
        connection = sqlite3.connect(
            _file_uri(path),
            uri=True,
            timeout=busy_us / 1_000_000,
            # Transactions begin where we say so: changes of tables are part of them then.
            isolation_level=None,
            check_same_thread=False,
        )
        connection.execute("PRAGMA foreign_keys = ON")
        # With WAL, only FULL keeps the last transactions in a power cut.
        connection.execute("PRAGMA synchronous = FULL")
        if query_only:
            connection.execute("PRAGMA query_only = ON")
        return connection

    def begin(connection: sa.Connection) -> None:
        # A transaction that reads before it writes cannot wait for another writer any more.
        writing = connection.get_execution_options().get(_WRITING)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")

    # Without hide_parameters an error message would quote what was being stored, the secret too.
    engine = sa.create_engine(url, creator=connect, hide_parameters=True)
    sa.event.listen(engine, "begin", begin)
    return engine


def _postgresql_engine(url: sa.URL, busy_us: int, patient: bool) -> sa.Engine:
    busy_ms = max(1, busy_us // 1000)
    settings: dict[str, int | str] = {
        "application_name": "arbiter",
        "connect_timeout": max(2, math.ceil(busy_us / 1_000_000)),
        "tcp_user_timeout": busy_ms,
        "options": f"-c lock_timeout={busy_ms} {_GONE_AFTER}",
    }
    try:
        from arbiter import postgresql

        engine = sa.create_engine(
            url,
            connect_args={key: value for key, value in settings.items() if key not in url.query},
            hide_parameters=True,
            # A connection that was lost while nobody used it is no error.
            pool_pre_ping=True,
        )
    except ModuleNotFoundError as error:
        raise StoreError(
            f"{name_of(url)}: the package for PostgreSQL is missing: pip install 'sixtysix-arbiter[postgres]'"
        ) from error
    # The server's own word on a lock comes first.
    postgresql.connect_by(engine, None if patient else max(1.0, 2 * busy_us / 1_000_000))
    return engine


def _store_error(name: str, cause: BaseException | None, lost: bool) -> StoreError:
    state = getattr(cause, "sqlstate", None)
    if state is not None:
        return _postgresql_error(name, cause, state)
    # Extended codes such as SQLITE_BUSY_SNAPSHOT begin with the name of the code they refine.
    code = getattr(cause, "sqlite_errorname", None)
    if code is None:
        text = " ".join(str(cause).split())
        return StoreAwayError(f"{name}: {text}") if lost else StoreError(f"{name}: {text}")
    if code.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return StoreLockedError(f"{name}: held by another process")
    if code.startswith("SQLITE_FULL"):
        return StoreFullError(f"{name}: the disk is full")
    if code.startswith(_SQLITE_AWAY):
        return StoreAwayError(f"{name}: {cause}")
    if code in ("SQLITE_ERROR", "SQLITE_NOTADB"):
        return NotATournamentError(f"{name}: not a tournament database ({cause})")
    return StoreError(f"{name}: {cause}")


def _postgresql_error(name: str, cause: BaseException | None, state: str) -> StoreError:
    # The details that follow the first line may quote what was being stored.
    text = getattr(getattr(cause, "diag", None), "message_primary", None) or state
    if state == _POSTGRESQL_FULL:
        return StoreFullError(f"{name}: the disk is full ({text})")
    if state.startswith(_POSTGRESQL_LOCKED):
        return StoreLockedError(f"{name}: held by another process ({text})")
    if state.startswith(_POSTGRESQL_AWAY):
        return StoreAwayError(f"{name}: {text}")
    if state in _POSTGRESQL_NO_TABLE:
        return NotATournamentError(f"{name}: not a tournament database ({text})")
    return StoreError(f"{name}: {text}")
