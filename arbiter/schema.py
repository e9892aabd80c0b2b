"""The tables of a database of tournaments, and the rows of their results.

Portable SQL (SQLAlchemy Core); every table but the first is keyed by `tournament_id` too:

* `tournament`: one row for each; name, effective configuration, the secret behind all shuffles
* `matches`: one row for each match that was ever issued; `state` is issued, fixed or void; `attempt` counts how
  often it was issued; `cards` is the key of its decks
* `results`: one row for each attempt that ended, void ones included; `digest` is that of `MatchResult.digest`,
  null where the result was stored before there were digests
* `deals`: one row for each deal of a result; `record`, `result` and `clock` are JSON

Whoever deletes a row of `tournament` deletes all that belongs to it. What changes here needs a revision in
`arbiter/migrations`.
"""

from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql

from arbiter.results import DealResult, Forfeit, MatchResult, MatchSummary, SeatStats, Tally
from arbiter.schedule import ScheduledMatch

# The order of match ids is that of their characters, whatever the language of the server.
_KEY = sa.Text().with_variant(postgresql.TEXT(collation="C"), "postgresql")
# What bots have a hand in may have a NUL character, which PostgreSQL takes in JSON only.
_FREE_TEXT = sa.Text().with_variant(sa.JSON(none_as_null=True), "postgresql")

metadata = sa.MetaData()

tournament = sa.Table(
    "tournament",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("config", sa.JSON, nullable=False),
    sa.Column("secret", sa.Text, nullable=False),
    sa.Column("created", sa.Text, nullable=False),
)

matches = sa.Table(
    "matches",
    metadata,
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

results = sa.Table(
    "results",
    metadata,
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
    *(
        sa.Column(f"{name}{seat}", sa.BigInteger, nullable=False)
        for seat in (0, 1)
        for name in ("decisions", "total_us", "worst_us", "faults")
    ),
    sa.Column("digest", sa.Text),
    sa.ForeignKeyConstraint(
        ["tournament_id", "match_id"], ["matches.tournament_id", "matches.match_id"], ondelete="CASCADE"
    ),
)

deals = sa.Table(
    "deals",
    metadata,
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


def ended(tournament_id: str) -> sa.Select[Any]:
    """Return the query for every attempt that ended, together with its match, by match id and attempt."""
    return (
        sa.select(results, *matches.c["pairing", "number", "bot0", "bot1", "first_dealer"])
        .join_from(results, matches)
        .where(results.c.tournament_id == tournament_id)
        .order_by(results.c.match_id, results.c.attempt)
    )


def outcomes(tournament_id: str) -> sa.Select[Any]:
    """Return the query for the rows of `arbiter.stored.Outcome`, by match id and attempt."""
    return (
        sa.select(
            matches.c.cards,
            results.c.attempt,
            *matches.c["bot0", "bot1", "first_dealer"],
            *results.c["winner", "reason", "score0", "score1", "deals"],
            (results.c.faults0 + results.c.faults1).label("faults"),
        )
        .join_from(results, matches)
        .where(results.c.tournament_id == tournament_id)
        .order_by(results.c.match_id, results.c.attempt)
    )


def tallies(tournament_id: str) -> sa.Select[Any]:
    """Return the query for the rows of `to_tally`, one for all matches that differ in nothing but their figures."""
    columns = results.c
    groups = (
        *matches.c["bot0", "bot1"],
        columns.winner,
        (columns.reason == "void").label("void"),
        # As `arbiter.results.is_walkover`.
        ((columns.reason == "forfeit") & (columns.deals == 0) & (columns.faults0 + columns.faults1 == 0)).label(
            "walkover"
        ),
    )
    both = [f"{name}{seat}" for name in ("score", "decisions", "total_us", "faults") for seat in (0, 1)]
    sums = [sa.func.sum(columns[name]).label(name) for name in ("deals", *both)]
    worst = [sa.func.max(columns[name]).label(name) for name in ("worst_us0", "worst_us1")]
    return (
        sa.select(*groups, sa.func.count().label("matches"), *sums, *worst)
        .join_from(results, matches)
        .where(columns.tournament_id == tournament_id)
        .group_by(*groups)
    )


def to_tally(row: sa.Row[Any]) -> Tally:
    """Return the tally of a row of `tallies`."""
    first, second = (
        # PostgreSQL adds up integers as decimals.
        SeatStats(*(int(row._mapping[f"{name}{seat}"]) for name in ("decisions", "total_us", "worst_us", "faults")))
        for seat in (0, 1)
    )
    return Tally(
        bots=(row.bot0, row.bot1),
        winner=row.winner,
        void=bool(row.void),
        walkover=bool(row.walkover),
        matches=row.matches,
        score=(int(row.score0), int(row.score1)),
        deals=int(row.deals),
        seats=(first, second),
    )


def deals_of(tournament_id: str) -> sa.Select[Any]:
    """Return the query for the deals of every attempt that ended, by match id, attempt and number."""
    return (
        sa.select(deals, *matches.c["bot0", "bot1"], results.c.reason)
        .join_from(deals, results)
        .join(matches, (matches.c.tournament_id == deals.c.tournament_id) & (matches.c.match_id == deals.c.match_id))
        .where(deals.c.tournament_id == tournament_id)
        .order_by(deals.c.match_id, deals.c.attempt, deals.c.number)
    )


def match_values(match: ScheduledMatch | MatchResult) -> dict[str, object]:
    """Return what the row of `matches` that a match belongs to says of it, as far as a result tells it too."""
    return {
        "match_id": match.match_id,
        "pairing": match.pairing,
        "number": match.number,
        "bot0": match.bots[0],
        "bot1": match.bots[1],
        "first_dealer": match.first_dealer,
    }


def scheduled_values(match: ScheduledMatch) -> dict[str, object]:
    """Return the row of `matches` for a match, without tournament, state and attempt."""
    return {**match_values(match), "cards": match.cards}


def to_scheduled(row: sa.Row[Any]) -> ScheduledMatch:
    """Return the match of a row of `matches`."""
    return ScheduledMatch(row.match_id, row.pairing, row.number, (row.bot0, row.bot1), row.first_dealer, row.cards)


def result_values(result: MatchResult, attempt: int) -> dict[str, object]:
    """Return the row of `results` for a match that ended, without tournament."""
    values: dict[str, object] = {
        "match_id": result.match_id,
        "attempt": attempt,
        "winner": result.winner,
        "reason": result.reason,
        "detail": result.detail,
        "score0": result.score[0],
        "score1": result.score[1],
        "deals": len(result.deals),
        "started": result.started,
        "seconds": result.seconds,
        "digest": result.digest(attempt),
    }
    for seat, stats in enumerate(result.seats):
        values[f"decisions{seat}"] = stats.decisions
        values[f"total_us{seat}"] = stats.total_us
        values[f"worst_us{seat}"] = stats.worst_us
        values[f"faults{seat}"] = stats.faults
    return values


def to_summary(row: sa.Row[Any]) -> MatchSummary:
    """Return the match of a row of `ended`."""
    return MatchSummary(
        match_id=row.match_id,
        pairing=row.pairing,
        number=row.number,
        bots=(row.bot0, row.bot1),
        first_dealer=row.first_dealer,
        winner=row.winner,
        reason=row.reason,
        detail=row.detail,
        score=(row.score0, row.score1),
        deals=row.deals,
        seats=(
            SeatStats(row.decisions0, row.total_us0, row.worst_us0, row.faults0),
            SeatStats(row.decisions1, row.total_us1, row.worst_us1, row.faults1),
        ),
        started=row.started,
        seconds=row.seconds,
    )


def deal_values(match_id: str, attempt: int, deal: DealResult) -> dict[str, object]:
    """Return the row of `deals` for a deal, without tournament."""
    forfeit = deal.forfeit
    return {
        "match_id": match_id,
        "attempt": attempt,
        "number": deal.number,
        "record": deal.record,
        "result": deal.result,
        "clock": deal.clock,
        "salt": deal.salt,
        "commitment": deal.commitment,
        "forfeit_seat": forfeit.seat if forfeit else None,
        "forfeit_fault": forfeit.fault if forfeit else None,
        "forfeit_detail": forfeit.detail if forfeit else None,
    }


def to_deal(row: sa.Row[Any]) -> DealResult:
    """Return the deal of a row of `deals`."""
    forfeit = None
    if row.forfeit_seat is not None:
        forfeit = Forfeit(row.forfeit_seat, row.forfeit_fault, row.forfeit_detail)
    clock = tuple((elapsed, allowance, stall, charged) for elapsed, allowance, stall, charged in row.clock)
    return DealResult(row.number, row.record, row.result, clock, row.salt, row.commitment, forfeit)
