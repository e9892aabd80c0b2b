"""What the arbiter tells the process of the live page, one line of JSON at a time. No I/O."""

import json
from dataclasses import asdict, dataclass
from typing import Literal

State = Literal["running", "finished", "stopped"]
"""Of the tournament; after another one than ``running`` there is no more news."""


@dataclass(frozen=True, slots=True)
class Table:
    """A match that is being played, as far as everybody may know.

    Attributes:
        match_id: of the match.
        bots: the names in seat 0 and seat 1.
        deal: number of the deal in play.
        score: game points of seat 0 and seat 1 in the deals before.
        seconds: since the match began.
    """

    match_id: str
    bots: tuple[str, str]
    deal: int
    score: tuple[int, int]
    seconds: float


@dataclass(frozen=True, slots=True)
class News:
    """One line.

    Attributes:
        state: of the tournament.
        playing: how many matches are being played.
        tables: the first of them.
        ended: matches that have ended, and are stored, since the line before; each with its attempt.
    """

    state: State
    playing: int = 0
    tables: tuple[Table, ...] = ()
    ended: tuple[tuple[str, int], ...] = ()

    def to_line(self) -> bytes:
        """Return the line."""
        return json.dumps(asdict(self), separators=(",", ":")).encode() + b"\n"

    @classmethod
    def from_line(cls, line: bytes) -> "News":
        """Return what `to_line` has written."""
        data = json.loads(line)
        tables = tuple(
            Table(**{**table, "bots": tuple(table["bots"]), "score": tuple(table["score"])}) for table in data["tables"]
        )
        ended = tuple((match_id, attempt) for match_id, attempt in data["ended"])
        return cls(data["state"], data["playing"], tables, ended)
