"""Run by alembic: the migrations go into the transaction of the connection that `arbiter.migration` gives."""

from alembic import context

from arbiter.migration import VERSION_TABLE

context.configure(connection=context.config.attributes["connection"], version_table=VERSION_TABLE)
with context.begin_transaction():
    context.run_migrations()
