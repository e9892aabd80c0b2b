"""Several tournaments in one database; the key of a match's cards; the digest of a result.

Results from before have no digest: one made now would prove nothing about the time until now.
"""

from collections.abc import Iterable

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0002"
down_revision = "0001"

_KEY = sa.Text().with_variant(postgresql.TEXT(collation="C"), "postgresql")
_FREE_TEXT = sa.Text().with_variant(sa.JSON(none_as_null=True), "postgresql")

_MATCH = ("match_id", "pairing", "number", "bot0", "bot1", "first_dealer", "state", "attempt")
_STATS = tuple(f"{name}{seat}" for seat in (0, 1) for name in ("decisions", "total_us", "worst_us", "faults"))
_RESULT = (
    *("match_id", "attempt", "winner", "reason", "detail", "score0", "score1", "deals", "started", "seconds"),
    *_STATS,
)
_DEAL = (
    *("match_id", "attempt", "number", "record", "result", "clock", "salt", "commitment"),
    *("forfeit_seat", "forfeit_fault", "forfeit_detail"),
)


def upgrade() -> None:
    """Build the tables anew around what the old ones hold."""
    for name in ("matches", "results", "deals"):
        op.rename_table(name, f"old_{name}")
    _create()
    # The first form was only ever written to SQLite files.
    if op.get_bind().dialect.name == "sqlite":
        _copy("matches", _MATCH, {"cards": "match_id"})
        _copy("results", _RESULT, {})
        _copy("deals", _DEAL, {})
        _share_cards()
    for name in ("deals", "results", "matches"):
        op.drop_table(f"old_{name}")
    op.drop_column("tournament", "schema_version")


def _create() -> None:
    op.create_table(
        "matches",
        sa.Column("tournament_id", sa.Text, sa.ForeignKey("tournament.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("match_id", _KEY, primary_key=True),
        sa.Column("pairing", sa.Text, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("bot0", sa.Text, nullable=False),
        sa.Column("bot1", sa.Text, nullable=False),
        sa.Column("first_dealer", sa.Integer, nullable=False),
        sa.Column("cards", sa.Text, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("attempt", sa.Integer, nullable=False),
    )
    op.create_table(
        "results",
        sa.Column("tournament_id", sa.Text, primary_key=True),
        sa.Column("match_id", _KEY, primary_key=True),
        sa.Column("attempt", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("winner", sa.Integer),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("detail", _FREE_TEXT, nullable=False),
        sa.Column("score0", sa.Integer, nullable=False),
        sa.Column("score1", sa.Integer, nullable=False),
        sa.Column("deals", sa.Integer, nullable=False),
        sa.Column("started", sa.Text, nullable=False),
        sa.Column("seconds", sa.Float(53), nullable=False),
        *(sa.Column(name, sa.BigInteger, nullable=False) for name in _STATS),
        sa.Column("digest", sa.Text),
        sa.ForeignKeyConstraint(
            ["tournament_id", "match_id"], ["matches.tournament_id", "matches.match_id"], ondelete="CASCADE"
        ),
    )
    op.create_table(
        "deals",
        sa.Column("tournament_id", sa.Text, primary_key=True),
        sa.Column("match_id", _KEY, primary_key=True),
        sa.Column("attempt", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("record", sa.JSON, nullable=False),
        sa.Column("result", sa.JSON, nullable=False),
        sa.Column("clock", sa.JSON, nullable=False),
        sa.Column("salt", sa.Text, nullable=False),
        sa.Column("commitment", sa.Text, nullable=False),
        sa.Column("forfeit_seat", sa.Integer),
        sa.Column("forfeit_fault", sa.Text),
        sa.Column("forfeit_detail", _FREE_TEXT),
        sa.ForeignKeyConstraint(
            ["tournament_id", "match_id", "attempt"],
            ["results.tournament_id", "results.match_id", "results.attempt"],
            ondelete="CASCADE",
        ),
    )


def _copy(table: str, columns: Iterable[str], more: dict[str, str]) -> None:
    old = sa.table(f"old_{table}", *(sa.column(name) for name in columns))
    new = sa.table(table, *(sa.column(name) for name in ("tournament_id", *columns, *more)))
    tournament = sa.select(sa.table("tournament", sa.column("id")).c.id).scalar_subquery()
    values = [*old.c, *(old.c[source] for source in more.values())]
    op.execute(new.insert().from_select(list(new.c.keys()), sa.select(tournament, *values)))


def _share_cards() -> None:
    """Give second halves of duplicates, the even numbers of a pair, the cards of the match before."""
    tournament = sa.table("tournament", sa.column("config", sa.JSON))
    matches = sa.table("matches", *(sa.column(name) for name in ("match_id", "number", "cards")))
    connection = op.get_bind()
    config = connection.scalar(sa.select(tournament.c.config)) or {}
    if not config.get("tournament", {}).get("duplicate", False):
        return
    for match_id, number in connection.execute(sa.select(matches.c.match_id, matches.c.number)).all():
        if number % 2 == 0:
            pairing, _, digits = match_id.rpartition("-")
            first = f"{pairing}-{number - 1:0{len(digits)}}"
            connection.execute(matches.update().where(matches.c.match_id == match_id).values(cards=first))
