"""A tournament in one file that anyone can check without its database: JSON Lines, made to be verified.

The first line is the tournament, the last one the standings, and each line between them an attempt at a match with
all its deals. Every line is canonical JSON: members sorted by name, no spaces, ASCII. Its member `chain` is the
SHA-256, in hexadecimal, of the chain of the line before (of the first line: nothing) followed by the line without
its chain. So no line can be changed, left out, added or moved without all that follow it.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any, BinaryIO, NoReturn

from pydantic import BaseModel, ConfigDict, Field, field_validator

from arbiter import views
from arbiter.recheck import Discrepancy, expectation
from arbiter.records import match_records
from arbiter.results import DealResult, Forfeit, MatchResult, Reason, Scoreboard, SeatStats
from arbiter.reveal import Reveal, is_finished
from arbiter.store import Store
from arbiter.stored import StoredMatch, TournamentRow
from arbiter.views import Json
from arbiter.whole_file import whole_file
from sixtysix.rules import rule_set

TOURNAMENT, MATCH, STANDINGS = "tournament", "match", "standings"
"""The member that tells what a line is."""

_LONGEST_LINE = 1 << 30
_PUBLIC = ("tournament", "time", "faults", "bots")
_PUBLIC_OF_BOTS = ("name", "command", "vouched")

Whole = Annotated[int, Field(ge=-(2**63), lt=2**63)]
Count = Annotated[int, Field(ge=0, lt=2**63)]
Seat = Annotated[int, Field(ge=0, le=1)]
Times = Annotated[list[Count], Field(min_length=4, max_length=4)]


def _hexadecimal(size: int) -> Any:
    return Field(pattern=f"^[0-9a-f]{{{2 * size}}}$")


class _Part(BaseModel):
    """A part of a line; checked strictly, unknown members are refused."""

    model_config = ConfigDict(strict=True, frozen=True, extra="forbid", allow_inf_nan=False)


class RulesPart(_Part):
    """The rule set: as `sixtysix.rules.rule_set` reads it, and its hash."""

    spec: str | dict[str, Any]
    hash: str


class TournamentPart(_Part):
    """The first line."""

    id: str
    name: str
    rules: RulesPart
    config: dict[str, Any]
    created: str
    scheduled: Count
    secret: Annotated[str, _hexadecimal(32)] | None

    @field_validator("id")
    @classmethod
    def _is_text(cls, value: str) -> str:
        # JSON can hold halves of characters, which have no bytes to commit to.
        value.encode()
        return value


class ForfeitPart(_Part):
    """The fault that ended a deal."""

    seat: Seat
    fault: str
    detail: str


class DealPart(_Part):
    """A deal; see `arbiter.records.record_json`."""

    id: str
    tournament: str
    match: str
    cards: str
    deal: Count
    bots: list[str]
    void: bool
    rules: str | dict[str, Any]
    dealer: Seat
    carry: Count
    hands: list[list[str]]
    talon: list[str]
    turn_up: str
    actions: list[str]
    comments: dict[str, str] = Field(default={})
    result: dict[str, Any]
    times: list[Count]
    clock: list[Times]
    salt: Annotated[str, _hexadecimal(16)]
    commitment: Annotated[str, _hexadecimal(32)]
    forfeit: ForfeitPart | None = None

    def to_result(self) -> DealResult:
        """Return the deal as the match runner gave it."""
        record: Json = {
            "id": None,
            "rules": self.rules,
            "dealer": self.dealer,
            "carry": self.carry,
            "hands": self.hands,
            "talon": self.talon,
            "turn_up": self.turn_up,
            "actions": self.actions,
        }
        if self.comments:
            record["comments"] = self.comments
        return DealResult(
            number=self.deal,
            record=record,
            result={name: value for name, value in self.result.items() if name != "id"},
            clock=tuple((elapsed, allowance, stall, charged) for elapsed, allowance, stall, charged in self.clock),
            salt=self.salt,
            commitment=self.commitment,
            forfeit=None if self.forfeit is None else Forfeit(**self.forfeit.model_dump()),
        )


class SeatPart(_Part):
    """See `arbiter.results.SeatStats`."""

    decisions: Count
    total_us: Count
    worst_us: Count
    faults: Count


class MatchPart(_Part):
    """An attempt at a match: the members of `arbiter.results.MatchSummary`, and the deals themselves."""

    match_id: str
    pairing: str
    number: Count
    bots: Annotated[list[str], Field(min_length=2, max_length=2)]
    first_dealer: Seat
    winner: Seat | None
    reason: Reason
    detail: str
    score: Annotated[list[Whole], Field(min_length=2, max_length=2)]
    seats: Annotated[list[SeatPart], Field(min_length=2, max_length=2)]
    started: str
    seconds: float
    attempt: Annotated[Count, Field(ge=1)]
    void: bool
    deals: list[DealPart]
    digest: Annotated[str, _hexadecimal(32)] | None

    def to_stored(self) -> StoredMatch:
        """Return the attempt as it was stored."""
        first, second = (SeatStats(**seat.model_dump()) for seat in self.seats)
        result = MatchResult(
            match_id=self.match_id,
            pairing=self.pairing,
            number=self.number,
            bots=(self.bots[0], self.bots[1]),
            first_dealer=self.first_dealer,
            winner=self.winner,
            reason=self.reason,
            detail=self.detail,
            score=(self.score[0], self.score[1]),
            seats=(first, second),
            started=self.started,
            seconds=self.seconds,
            deals=tuple(deal.to_result() for deal in self.deals),
        )
        return StoredMatch(self.attempt, result, self.digest)


class Chain:
    """What binds each line to all lines before it."""

    def __init__(self) -> None:
        self._last = ""

    def add(self, content: Mapping[str, Any]) -> str:
        """Return the chain of the next line, which has this content."""
        self._last = hashlib.sha256((self._last + canonical(content)).encode()).hexdigest()
        return self._last


def canonical(value: object) -> str:
    """Return the only spelling of a JSON value that an archive knows."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True)


def tournament_json(tournament: TournamentRow, scheduled: int, finished: bool) -> Json:
    """Return the first line of an archive, without its chain."""
    spec = views.rules_spec(tournament)
    return {
        TOURNAMENT: {
            "id": tournament.id,
            "name": tournament.name,
            "rules": {"spec": spec, "hash": rule_set(spec).hash},
            "config": public_config(tournament.config),
            "created": tournament.created,
            "scheduled": scheduled,
            "secret": tournament.secret if finished else None,
        }
    }


def public_config(config: Mapping[str, Any]) -> Json:
    """Return what bears on the results of an effective configuration.

    Neither what may be secret is in it (environments, tokens, their hashes), nor where things are on the organiser's
    machine.
    """
    public: Json = {name: config[name] for name in _PUBLIC if name in config}
    public["tournament"] = {name: value for name, value in config["tournament"].items() if name != "out"}
    public["bots"] = [{name: bot[name] for name in _PUBLIC_OF_BOTS if name in bot} for bot in config["bots"]]
    return public


def match_json(stored: StoredMatch, tournament_id: str, cards: str) -> Json:
    """Return the line of an attempt at a match, without its chain."""
    values = asdict(stored.result.summary())
    lists: Json = {name: list(values[name]) for name in ("bots", "score", "seats")}
    return {
        MATCH: {
            **values,
            **lists,
            "attempt": stored.attempt,
            "void": stored.result.void,
            "deals": match_records(stored, tournament_id, cards),
            "digest": stored.digest,
        }
    }


def standings_json(board: Scoreboard) -> Json:
    """Return the last line of an archive, without its chain."""
    return {STANDINGS: [asdict(line) for line in board.standings()], "matches": board.played + board.void}


def export(store: Store) -> Iterator[str]:
    """Yield the lines of the archive of a tournament, each with its newline; memory holds one match at a time.

    Matches that have not ended are left out, and so are those that share their cards with such a one.
    """
    chain = Chain()

    def line(content: Json) -> str:
        return canonical({**content, "chain": chain.add(content)}) + "\n"

    # Asked first: what is finished now still is when the matches are read.
    finished = is_finished(store)
    reveal = Reveal(store)
    board = Scoreboard(views.bot_names(store.tournament))
    yield line(tournament_json(store.tournament, store.scheduled, finished))
    for stored in store.attempts():
        if reveal.shows(stored):
            board.add(stored.result)
            yield line(match_json(stored, store.tournament.id, reveal.cards(stored.result.match_id)))
    yield line(standings_json(board))


def write(store: Store, path: Path) -> None:
    """Write the archive of a tournament to a file, which takes the place of another one only when it is whole.

    Raises:
        OSError: it cannot be written.
    """
    with whole_file(path) as file:
        file.writelines(line.encode("ascii") for line in export(store))


def read_lines(file: BinaryIO) -> Iterator[tuple[str, Json]]:
    """Yield the place and the content of each line, in canonical JSON and rightly chained; nothing more is checked.

    Raises:
        Discrepancy: the first line that is not as it must be.
        OSError: the file cannot be read.
    """
    chain = Chain()
    number = 0
    while raw := file.readline(_LONGEST_LINE):
        number += 1
        where = f"line {number}"
        content = _parse(where, raw)
        found = content.pop("chain", None)
        expected = chain.add(content)
        if found != expected:
            raise Discrepancy(
                where,
                f"{expectation('chain', expected, found)}: the line was changed, or the lines before it are not those "
                "that were written",
            )
        yield where, content


def _parse(where: str, raw: bytes) -> Json:
    if not raw.endswith(b"\n"):
        raise Discrepancy(where, "expected a newline at its end, found none: the line is not whole")
    try:
        text = raw[:-1].decode("ascii")
        content = json.loads(text, parse_constant=_refuse)
        whole = canonical(content) == text
    except RecursionError as error:
        raise Discrepancy(where, "nested too deeply") from error
    except UnicodeDecodeError as error:
        raise Discrepancy(where, f"expected ASCII, found byte {raw[error.start]:#04x} at {error.start}") from error
    except ValueError as error:
        raise Discrepancy(where, f"not JSON: {error}") from error
    if not isinstance(content, dict):
        raise Discrepancy(where, f"expected a JSON object, found {type(content).__name__}")
    if not whole:
        raise Discrepancy(where, "not in canonical form: members sorted by name and once each, no spaces, ASCII")
    return content


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON")
