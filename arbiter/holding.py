"""One arbiter at a time for each tournament.

A directory, and a SQLite file elsewhere, is held by a lock on a file; a tournament on a server by a lock of the server,
so that arbiters on different machines exclude each other too. Both vanish with the process that has them, however it
ends. Whoever only reads needs none of it.
"""

import fcntl
import hashlib
import os
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn, Protocol

import sqlalchemy as sa

from arbiter import database
from arbiter.store_errors import HeldError, StoreAwayError, StoreError

# To a server, an arbiter that was killed a moment ago may still be there.
_PATIENCE_S, _PAUSE_S = 1.0, 0.1
# What `pg_locks` has of the one number of an advisory lock.
_HOLDER = sa.text(
    "SELECT application_name FROM pg_locks JOIN pg_stat_activity USING (pid) "
    "WHERE locktype = 'advisory' AND objsubid = 1 AND granted AND ((classid::bigint << 32) | objid::bigint) = :key "
    "AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
)


class Hold(Protocol):
    """The right to write a tournament."""

    def check(self) -> None:
        """Make sure that nobody else has it, before something is written.

        Raises:
            HeldError: it was lost, and another arbiter has it now.
            StoreAwayError: that cannot be found out at the moment.
        """


@contextmanager
def hold_file(path: Path, what: str) -> Iterator[Hold]:
    """Hold the lock of a file, which is made, tells the process and the machine, and is removed at the end.

    Args:
        path: the file.
        what: is held by it, for messages.

    Raises:
        HeldError: another process holds it.
        StoreError: it cannot be made.
    """
    try:
        file = _lock(path, what)
    except OSError as error:
        raise StoreError(f"{path}: cannot be locked: {error.strerror}") from error
    try:
        yield _FileHold()
    finally:
        path.unlink(missing_ok=True)
        os.close(file)


@contextmanager
def hold_tournament(url: sa.URL, tournament_id: str, busy_us: int) -> Iterator[Hold]:
    """Hold a tournament in a database.

    Args:
        url: of the database, as `arbiter.database.address` gives it.
        tournament_id: of the tournament.
        busy_us: as for `arbiter.database.make_engine`.

    Raises:
        HeldError: another arbiter holds it.
        StoreError: it cannot be held.
    """
    path = database.file_of(url)
    if path is not None:
        with hold_file(path.with_name(f"{path.name}.lock"), str(path)) as hold:
            yield hold
        return
    server_hold = _ServerHold(url, tournament_id, busy_us)
    try:
        server_hold.take()
        yield server_hold
    finally:
        server_hold.release()


class _FileHold:
    def check(self) -> None:
        """The lock lasts as long as the process."""


class _ServerHold:
    """A lock that lasts as long as a connection does."""

    def __init__(self, url: sa.URL, tournament_id: str, busy_us: int) -> None:
        self._name = f"{database.name_of(url)}: tournament {tournament_id}"
        self._engine = database.make_engine(url, busy_us)
        self._key = int.from_bytes(hashlib.sha256(tournament_id.encode()).digest()[:8], signed=True)
        self._connection: sa.Connection | None = None
        self._mutex = threading.Lock()

    def take(self) -> None:
        give_up = time.monotonic() + _PATIENCE_S
        with database.errors(self._name):
            connection = self._engine.connect().execution_options(isolation_level="AUTOCOMMIT")
            try:
                connection.execute(sa.select(sa.func.set_config("application_name", _application_name(), False)))
                while not connection.scalar(sa.select(sa.func.pg_try_advisory_lock(self._key))):
                    if time.monotonic() > give_up:
                        self._refuse(connection)
                    time.sleep(_PAUSE_S)
            except BaseException:
                connection.close()
                raise
        self._connection = connection

    def check(self) -> None:
        with self._mutex:
            if not self._lasts():
                self._drop()
                self.take()

    def release(self) -> None:
        with self._mutex:
            self._drop()
            self._engine.dispose()

    def _lasts(self) -> bool:
        if self._connection is None:
            return False
        try:
            with database.errors(self._name):
                self._connection.execute(sa.select(1))
        except StoreAwayError:
            return False
        return True

    def _drop(self) -> None:
        if self._connection is not None:
            # Ends the session and, with it, the lock.
            self._connection.invalidate()
            self._connection.close()
            self._connection = None

    def _refuse(self, connection: sa.Connection) -> NoReturn:
        holder: str | None = connection.scalar(_HOLDER, {"key": self._key})
        if holder is None or holder == _application_name():
            # A session of our own, of which the server does not know yet that it is over.
            raise StoreAwayError(f"{self._name}: was held by a connection that is lost")
        raise HeldError(f"{self._name}: held by another arbiter, {holder.removeprefix(_PREFIX)}")


_PREFIX = "arbiter, "


def _application_name() -> str:
    # PostgreSQL would cut it off at 63 bytes, and other than ASCII characters are replaced.
    return f"{_PREFIX}{_me()}"[:63].encode("ascii", "replace").decode()


def _me() -> str:
    return f"process {os.getpid()} on {socket.gethostname()}"


def _lock(path: Path, what: str) -> int:
    while True:
        file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if _is_at(file, path):
                os.ftruncate(file, 0)
                os.write(file, f"{_me()}\n".encode())
                return file
        except BlockingIOError as error:
            holder = os.pread(file, 1000, 0).decode(errors="replace").strip()
            os.close(file)
            raise HeldError(f"{what}: held by another arbiter{holder and ', '}{holder}") from error
        except BaseException:
            os.close(file)
            raise
        # Its holder has removed it since it was opened.
        os.close(file)


def _is_at(file: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(file), path.stat())
    except FileNotFoundError:
        return False
