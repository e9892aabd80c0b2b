"""Matches as rows, one for each that counts and was played, in CSV and in JSON Lines."""

import csv
import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, fields

from arbiter import views
from arbiter.policy import Fault
from arbiter.records import attempt_id
from arbiter.results import MatchSummary, Reason, is_walkover
from arbiter.reveal import Reveal
from arbiter.store import Store, TournamentRow

_FAULTS = frozenset(fault.value for fault in Fault)


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchRow:
    """A match that counts and was played; the fields are the columns, in their order.

    Attributes:
        tournament_id: of the tournament.
        tournament: its name.
        rules: name of the rule set or, if fields are changed, the table with `base` as JSON.
        match: id of the match in its tournament.
        pairing: id of the pair of bots in its tournament.
        number: of the match within its pair, from 1.
        cards: what its decks follow from: in one tournament equal for the two halves of a duplicate, else different.
        started: UTC, ISO 8601.
        seconds: how long it took.
        first: the bot that dealt first.
        second: the other one.
        score: 1 if `first` has won, 0 if `second` has, 0.5 for a draw.
        reason: why it ended: ``target``, ``deal_limit`` or ``forfeit``.
        fault: the fault by which the loser has forfeited the match; empty if nobody has.
        deals: deals played.
        first_game_points: match score.
        second_game_points: match score.
        first_seat: the seat of `first`, 0 or 1.
        first_faults: faults of any kind.
        second_faults: faults of any kind.
        first_decisions: decisions with more than one legal action.
        second_decisions: the same.
        first_total_us: their time in all, in microseconds, network allowance taken off.
        second_total_us: the same.
        first_worst_us: the longest of them.
        second_worst_us: the same.
    """

    tournament_id: str
    tournament: str
    rules: str
    match: str
    pairing: str
    number: int
    cards: str
    started: str
    seconds: float
    first: str
    second: str
    score: float
    reason: Reason
    fault: str
    deals: int
    first_game_points: int
    second_game_points: int
    first_seat: int
    first_faults: int
    second_faults: int
    first_decisions: int
    second_decisions: int
    first_total_us: int
    second_total_us: int
    first_worst_us: int
    second_worst_us: int


COLUMNS = tuple(field.name for field in fields(MatchRow))


def match_rows(store: Store) -> Iterator[MatchRow]:
    """Yield the matches of a store that count and were played, by match id; memory does not grow with their deals.

    What a bot has lost because it was withdrawn counts in the standings, but says nothing of how it plays.
    """
    # Attempts are asked for first: of what is fixed now the attempt is final.
    attempts = {match_id: attempt for match_id, (state, attempt) in store.progress().items() if state == "fixed"}
    reveal = Reveal(store)
    for match in store.summaries():
        faults = sum(seat.faults for seat in match.seats)
        if match.match_id in attempts and not match.void and not is_walkover(match.reason, match.deals, faults):
            cards = attempt_id(reveal.cards(match.match_id), attempts[match.match_id])
            yield _row(store.tournament, match, cards)


def rules_text(tournament: TournamentRow) -> str:
    """Return the rules of a tournament as one text: a name, or JSON."""
    spec = views.rules_spec(tournament)
    return spec if isinstance(spec, str) else json.dumps(spec, sort_keys=True)


def csv_lines(rows: Iterable[MatchRow]) -> Iterator[str]:
    """Yield a heading and a line for each row, each with its newline; quoted as in RFC 4180 where needed."""
    writer = csv.writer(_Echo(), lineterminator="\n")
    # The writer returns what the file returns, which is the line.
    yield writer.writerow(COLUMNS)
    for row in rows:
        yield writer.writerow({**asdict(row), "score": f"{row.score:g}"}.values())


def json_lines(rows: Iterable[MatchRow]) -> Iterator[str]:
    """Yield a line for each row, each with its newline."""
    for row in rows:
        yield f"{json.dumps(asdict(row), ensure_ascii=False)}\n"


class _Echo:
    """A file that hands back what is written to it."""

    def write(self, text: str) -> str:
        return text


def _row(tournament: TournamentRow, match: MatchSummary, cards: str) -> MatchRow:
    first, second = match.first_dealer, 1 - match.first_dealer
    one, other = match.seats[first], match.seats[second]
    return MatchRow(
        tournament_id=tournament.id,
        tournament=tournament.name,
        rules=rules_text(tournament),
        match=match.match_id,
        pairing=match.pairing,
        number=match.number,
        cards=cards,
        started=match.started,
        seconds=match.seconds,
        first=match.bots[first],
        second=match.bots[second],
        score=0.5 if match.winner is None else float(match.winner == first),
        reason=match.reason,
        fault=_fault_of(match),
        deals=match.deals,
        first_game_points=match.score[first],
        second_game_points=match.score[second],
        first_seat=first,
        first_faults=one.faults,
        second_faults=other.faults,
        first_decisions=one.decisions,
        second_decisions=other.decisions,
        first_total_us=one.total_us,
        second_total_us=other.total_us,
        first_worst_us=one.worst_us,
        second_worst_us=other.worst_us,
    )


def _fault_of(match: MatchSummary) -> str:
    if match.reason != "forfeit" or match.winner is None:
        return ""
    # The detail of a forfeit starts with the loser and the fault.
    fault = match.detail.removeprefix(f"{match.bots[1 - match.winner]}: ").partition(":")[0]
    return fault if fault in _FAULTS else ""
