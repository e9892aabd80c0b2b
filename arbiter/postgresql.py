"""Connections to PostgreSQL that do not wait for ever. Needs the optional package psycopg."""

import time
from collections.abc import Generator
from typing import Any, TypeVar

import psycopg
import sqlalchemy as sa

_R = TypeVar("_R")


class WatchedConnection(psycopg.Connection[Any]):
    """A connection that is closed when the server is silent for too long while an answer is due.

    libpq has no such limit, and the network has none either: the kernel of a machine on which the server hangs still
    acknowledges what it is sent.

    Attributes:
        silence_s: the longest silence in seconds; None for no limit.
    """

    silence_s: float | None = None

    def wait(self, gen: Generator[Any, Any, _R], *args: Any, **kwargs: Any) -> _R:
        """Consume a generator of psycopg, as `psycopg.Connection.wait` does.

        Raises:
            psycopg.OperationalError: the server was silent for too long.
        """
        if self.silence_s is None:
            return super().wait(gen, *args, **kwargs)
        try:
            return super().wait(_watched(gen, self.silence_s), *args, **kwargs)
        except _SilenceError:
            # Nobody knows what of it was done: an answer that still comes would be taken for that of the next question.
            self.close()
            raise


def connect_by(engine: sa.Engine, silence_s: float | None) -> None:
    """Let an engine for PostgreSQL connect by `WatchedConnection`."""

    def connect(_: object, __: object, arguments: Any, settings: Any) -> WatchedConnection:
        connection = WatchedConnection.connect(*arguments, **settings)
        connection.silence_s = silence_s
        return connection

    sa.event.listen(engine, "do_connect", connect)


class _SilenceError(psycopg.OperationalError):
    pass


def _watched(gen: Generator[Any, Any, _R], silence_s: float) -> Generator[Any, Any, _R]:
    try:
        wanted = next(gen)
        heard = time.monotonic()
        while True:
            ready = yield wanted
            now = time.monotonic()
            if ready:
                heard = now
            elif now - heard > silence_s:
                raise _SilenceError(f"the server has not answered for {silence_s:g} s")
            wanted = gen.send(ready)
    except StopIteration as end:
        result: _R = end.value
        return result
