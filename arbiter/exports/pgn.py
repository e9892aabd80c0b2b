"""Matches as games in PGN, the notation of chess programs, for their rating programs.

Of the PGN standard (S. J. Edwards, 1994) this uses the tags and the game termination marker: sections 8.1 and 8.2.6.
There are no moves in it, since they would not be those of chess.
"""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime

from arbiter.exports.matches import MatchRow
from arbiter.policy import Fault
from arbiter.report import printable

# White is the second bot of a row.
_RESULTS = {0.0: "1-0", 0.5: "1/2-1/2", 1.0: "0-1"}
# The values are those of section 9.8.1.
_TERMINATIONS = {
    Fault.ILLEGAL.value: "rules infraction",
    Fault.MALFORMED.value: "rules infraction",
    Fault.PROTOCOL.value: "rules infraction",
    Fault.LATE.value: "time forfeit",
    Fault.DISCONNECTED.value: "abandoned",
    Fault.LEFT.value: "abandoned",
    Fault.NOT_READY.value: "abandoned",
}
_ESCAPES = str.maketrans({"\\": "\\\\", '"': '\\"'})


def pgn_lines(rows: Iterable[MatchRow]) -> Iterator[str]:
    """Yield each match as a game: one tag a line, an empty line, the result, an empty line; each with its newline.

    White is the bot that did not deal first, so a rating program's advantage of White is that of the forehand in the
    first deal.
    """
    for row in rows:
        for name, value in _tags(row):
            yield f'[{name} "{_string(value)}"]\n'
        yield f"\n{_RESULTS[row.score]}\n\n"


def _tags(row: MatchRow) -> Iterator[tuple[str, str]]:
    """Yield the seven tags that every game has in their order, then the others by name, as the standard asks."""
    started = datetime.fromisoformat(row.started).astimezone(UTC)
    date = f"{started:%Y.%m.%d}"
    yield "Event", row.tournament
    yield "Site", "?"
    yield "Date", date
    yield "Round", f"{int(row.pairing)}.{row.number}"
    yield "White", row.second
    yield "Black", row.first
    yield "Result", _RESULTS[row.score]
    others = {
        "BlackGamePoints": str(row.first_game_points),
        "Cards": row.cards,
        "Deals": str(row.deals),
        "FirstDealer": row.first,
        "MatchId": row.match,
        "RuleSet": row.rules,
        "Termination": _termination(row),
        "TournamentId": row.tournament_id,
        "UTCDate": date,
        "UTCTime": f"{started:%H:%M:%S}",
        "WhiteGamePoints": str(row.second_game_points),
    }
    if row.fault:
        others["Fault"] = row.fault
    yield from sorted(others.items())


def _termination(row: MatchRow) -> str:
    if row.reason == "target":
        return "normal"
    # The deal limit, and what somebody else has decided, is a judgement of the arbiter.
    return _TERMINATIONS.get(row.fault, "adjudication")


def _string(text: str) -> str:
    """The inside of a string token: printing characters only, quotes and backslashes escaped."""
    return printable(text).translate(_ESCAPES)
