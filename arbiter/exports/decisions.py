"""Decisions in Parquet, one row each, for machine learning; the columns are those of `sixtysix.data`."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any, BinaryIO, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from arbiter.exports.matches import rules_text
from arbiter.records import attempt_id
from arbiter.results import DealResult, was_asked
from arbiter.reveal import Reveal
from arbiter.store import Store
from arbiter.stored import StoredMatch
from arbiter.views import Json, rules_spec
from sixtysix.data import observe, schema
from sixtysix.rules import RuleSet, View, parse_action, parse_record, rule_set

ROWS_AT_ONCE = 65_536
"""Rows of a row group; what the export and its readers hold in memory follows from it."""

Row = tuple[Any, ...]
"""One decision: a value for each of `sixtysix.data.COLUMNS`."""


class _Source(NamedTuple):
    """What the rows of one match have in common."""

    tournament: str
    rules_text: str
    rules: RuleSet
    cards: str


def write(stores: Iterable[Store], file: BinaryIO) -> int:
    """Write the decisions of all matches that count, and may be shown with their cards, and return their number.

    Memory holds one row group, whatever the size of the tournaments.

    Raises:
        OSError: the file cannot be written.
    """
    form = schema()
    count = 0
    with pq.ParquetWriter(file, form, compression="zstd") as writer:
        rows: list[Row] = []
        for row in (row for store in stores for row in decision_rows(store)):
            rows.append(row)
            if len(rows) == ROWS_AT_ONCE:
                writer.write_batch(_batch(rows, form))
                count += len(rows)
                rows.clear()
        if rows:
            writer.write_batch(_batch(rows, form))
    return count + len(rows)


def decision_rows(store: Store) -> Iterator[Row]:
    """Yield the decisions of a tournament, by match id, deal and number.

    An answer that was late or wrong is no action, and a draw that a bot was not asked for is not its decision: neither
    is a row.
    """
    tournament = store.tournament
    text, rules = rules_text(tournament), rule_set(rules_spec(tournament))
    reveal = Reveal(store)
    for stored in store.attempts():
        if stored.result.void or not reveal.shows(stored):
            continue
        cards = attempt_id(reveal.cards(stored.result.match_id), stored.attempt)
        yield from _match_rows(stored, _Source(tournament.id, text, rules, cards))


def _match_rows(stored: StoredMatch, source: _Source) -> Iterator[Row]:
    match = stored.result
    results = (0, 0) if match.winner is None else _signs(match.winner)
    score = (0, 0)
    for deal in match.deals:
        outcome: Json = deal.result
        changes = outcome["score_change"]
        winner = outcome["winner"]
        won = (0, 0) if winner is None else _signs(winner)
        for number, seat, seen, action in _decisions(deal, source.rules, score):
            yield (
                source.tournament,
                source.rules_text,
                match.match_id,
                source.cards,
                deal.number,
                number,
                seat,
                match.bots[seat],
                match.bots[1 - seat],
                *seen,
                action,
                deal.clock[number][3],
                won[seat],
                changes[seat] - changes[1 - seat],
                outcome["reason"],
                results[seat],
            )
        score = (score[0] + changes[0], score[1] + changes[1])


def _decisions(
    deal: DealResult, rules: RuleSet, score: tuple[int, int]
) -> Iterator[tuple[int, int, tuple[int, ...], int]]:
    """Replay a deal; yields index of the action, seat, observation and action of each decision."""
    # The rule set of the tournament has its tables made already; without a log nothing is kept that no row needs.
    record = replace(parse_record(deal.record), rules=rules)
    state = record.deal().copy()
    for number, token in enumerate(record.actions):
        action, seat = parse_action(token), state.turn
        if was_asked(token, deal.clock[number]):
            yield number, seat, observe(View.of(state, seat, score, deal.number)), action
        state.apply(action)


def _signs(winner: int) -> tuple[int, int]:
    return (1, -1) if winner == 0 else (-1, 1)


def _batch(rows: list[Row], form: pa.Schema) -> pa.RecordBatch:
    arrays = [pa.array(column, field.type) for column, field in zip(zip(*rows, strict=True), form, strict=True)]
    return pa.record_batch(arrays, schema=form)
