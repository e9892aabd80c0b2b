"""The form of the tables of a database, and how an older form becomes the present one."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import sqlalchemy as sa

from arbiter import database
from arbiter.store_errors import NotATournamentError, StoreError

FORMS = ("0001", "0002")
"""All forms there ever were, as the revisions in `arbiter/migrations` name them; the last is the present one."""
VERSION_TABLE = "arbiter_version"

# Of our own choice: two processes that begin in the same database take turns.
_ADVISORY_LOCK = 66_666


def form_of(connection: sa.Connection) -> str | None:
    """Return the form of the tables; None if there are none of ours."""
    inspector = sa.inspect(connection)
    if inspector.has_table(VERSION_TABLE):
        version = sa.table(VERSION_TABLE, sa.column("version_num", sa.Text))
        form: str | None = connection.scalar(sa.select(version.c.version_num))
        return form
    if inspector.has_table("tournament"):
        # The first form was written before there was a table of versions.
        columns = {column["name"] for column in inspector.get_columns("tournament")}
        return FORMS[0] if "schema_version" in columns else None
    return None


def upgrade(connection: sa.Connection, form: str = FORMS[-1]) -> None:
    """Make the tables, or bring them to a later form, within the transaction of the connection."""
    # Nearly every start finds the present form: the import would be for nothing.
    from alembic import command
    from alembic.config import Config

    if connection.dialect.name == "postgresql":
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_ADVISORY_LOCK)))
    before = form_of(connection)
    if before == form:
        return
    config = Config()
    config.set_main_option("script_location", "arbiter:migrations")
    config.attributes["connection"] = connection
    if before == FORMS[0] and not sa.inspect(connection).has_table(VERSION_TABLE):
        command.stamp(config, before)
    command.upgrade(config, form)


@contextmanager
def present_form(url: sa.URL, busy_us: int, *, migrate: bool) -> Iterator[sa.Engine]:
    """Give an engine for a database of tournaments in the present form.

    Args:
        url: as `arbiter.database.address` gives it.
        busy_us: how long to wait, in microseconds, while another process holds the database.
        migrate: bring an earlier form up to date; a copy of a SQLite file is kept, with the form in its name.
            Otherwise the engine is for a temporary copy that can only be read.

    Raises:
        NotATournamentError: it holds no tournaments, or in a form that is not known.
        StoreError: it is on a server, in an earlier form, and not to be migrated.
    """
    name, path = database.name_of(url), database.file_of(url)
    engine = database.make_engine(url, busy_us)
    try:
        with engine.connect() as connection:
            form = form_of(connection)
        if form is None:
            raise NotATournamentError(f"{name}: not a tournament database")
        if form not in FORMS:
            raise NotATournamentError(f"{name}: has the form {form} of a later version; this program reads {FORMS[-1]}")
        if form == FORMS[-1]:
            yield engine
            return
        if not migrate:
            if path is None:
                raise StoreError(f"{name}: of an earlier version; `arbiter run --resume` brings it up to date")
            with _migrated_copy(path, busy_us) as copy:
                yield copy
            return
        if path is not None:
            database.copy_file(path, path.with_name(f"{path.name}.bak-{form}"))
        patient = database.make_engine(url, busy_us, patient=True)
        try:
            with database.writing(patient) as connection:
                upgrade(connection)
        finally:
            patient.dispose()
        yield engine
    finally:
        engine.dispose()


@contextmanager
def _migrated_copy(path: Path, busy_us: int) -> Iterator[sa.Engine]:
    with tempfile.TemporaryDirectory(prefix="arbiter-") as directory:
        copy = Path(directory) / path.name
        database.copy_file(path, copy)
        url = database.address(copy)
        engine = database.make_engine(url, busy_us)
        with database.writing(engine) as connection:
            upgrade(connection)
        engine.dispose()
        engine = database.make_engine(url, busy_us, query_only=True)
        try:
            yield engine
        finally:
            engine.dispose()
