"""The first form: one tournament in a SQLite file."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "tournament",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("config", sa.JSON, nullable=False),
        sa.Column("secret", sa.Text, nullable=False),
        sa.Column("created", sa.Text, nullable=False),
        sa.Column("schema_version", sa.Integer, nullable=False),
    )
    op.create_table(
        "matches",
        sa.Column("match_id", sa.Text, primary_key=True),
        sa.Column("pairing", sa.Text, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("bot0", sa.Text, nullable=False),
        sa.Column("bot1", sa.Text, nullable=False),
        sa.Column("first_dealer", sa.Integer, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("attempt", sa.Integer, nullable=False),
    )
    op.create_table(
        "results",
        sa.Column("match_id", sa.Text, sa.ForeignKey("matches.match_id"), primary_key=True),
        sa.Column("attempt", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("winner", sa.Integer),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("detail", sa.Text, nullable=False),
        sa.Column("score0", sa.Integer, nullable=False),
        sa.Column("score1", sa.Integer, nullable=False),
        sa.Column("deals", sa.Integer, nullable=False),
        sa.Column("started", sa.Text, nullable=False),
        sa.Column("seconds", sa.Float(53), nullable=False),
        *(
            sa.Column(f"{name}{seat}", sa.BigInteger, nullable=False)
            for seat in (0, 1)
            for name in ("decisions", "total_us", "worst_us", "faults")
        ),
    )
    op.create_table(
        "deals",
        sa.Column("match_id", sa.Text, primary_key=True),
        sa.Column("attempt", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("record", sa.JSON, nullable=False),
        sa.Column("result", sa.JSON, nullable=False),
        sa.Column("clock", sa.JSON, nullable=False),
        sa.Column("salt", sa.Text, nullable=False),
        sa.Column("commitment", sa.Text, nullable=False),
        sa.Column("forfeit_seat", sa.Integer),
        sa.Column("forfeit_fault", sa.Text),
        sa.Column("forfeit_detail", sa.Text),
        sa.ForeignKeyConstraint(["match_id", "attempt"], ["results.match_id", "results.attempt"]),
    )
