"""A strict reader of games in PGN, by the grammar of the standard (S. J. Edwards, 1994), sections 7, 8.1 and 18."""

import re
from dataclasses import dataclass

ROSTER = ("Event", "Site", "Date", "Round", "White", "Black", "Result")
RESULTS = ("1-0", "0-1", "1/2-1/2", "*")
_TOKEN = re.compile(
    r"""
    (?P<space>[ \n]+)
    | (?P<string>"(?:[^"\\]|\\["\\])*")
    | (?P<result>1-0|0-1|1/2-1/2|\*)
    | (?P<symbol>[A-Za-z0-9][A-Za-z0-9_+\#=:-]*)
    | (?P<bracket>[\[\]])
    """,
    re.VERBOSE,
)
_LONGEST_STRING = 255


@dataclass(frozen=True)
class Game:
    tags: dict[str, str]
    result: str


def read_games(text: str) -> list[Game]:
    """Read a file of games without moves; raises ValueError where it breaks the grammar."""
    tokens = _tokens(text)
    games: list[Game] = []
    while tokens:
        tags: dict[str, str] = {}
        while tokens[0] == ("bracket", "["):
            (_, _), (kind, name), (value_kind, value), closed, *tokens = tokens
            if (kind, value_kind, closed) != ("symbol", "string", ("bracket", "]")):
                raise ValueError(f"not a tag: {name} {value} {closed}")
            if name in tags:
                raise ValueError(f"tag {name} twice")
            tags[name] = _unescaped(value)
        (kind, result), *tokens = tokens
        if kind != "result":
            raise ValueError(f"a game without moves goes on with its result, not {result}")
        _check(tags, result)
        games.append(Game(tags, result))
    return games


def _tokens(text: str) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    place = 0
    while place < len(text):
        match = _TOKEN.match(text, place)
        if match is None:
            raise ValueError(f"no token at {text[place : place + 20]!r}")
        assert match.lastgroup is not None
        if match.lastgroup != "space":
            found.append((match.lastgroup, match[0]))
        place = match.end()
    return found


def _unescaped(string: str) -> str:
    inside = string[1:-1]
    if not inside.isprintable():
        raise ValueError(f"a string of printing characters only: {string!r}")
    if len(inside) > _LONGEST_STRING:
        raise ValueError(f"a string of at most {_LONGEST_STRING} characters: {string!r}")
    return re.sub(r"\\(.)", r"\1", inside)


def _check(tags: dict[str, str], result: str) -> None:
    names = list(tags)
    if tuple(names[:7]) != ROSTER:
        raise ValueError(f"the seven tags of the roster come first: {names[:7]}")
    if names[7:] != sorted(names[7:]):
        raise ValueError(f"the other tags come in the order of their names: {names[7:]}")
    if tags["Result"] != result or result not in RESULTS:
        raise ValueError(f"result {result}, but tag {tags['Result']}")
    if not re.fullmatch(r"\d{4}\.\d\d\.\d\d", tags["Date"]):
        raise ValueError(f"date {tags['Date']}")
    if not re.fullmatch(r"\d+(\.\d+)*", tags["Round"]):
        raise ValueError(f"round {tags['Round']}")
