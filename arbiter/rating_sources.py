"""Where ratings get their matches from: the stores of tournaments, and files of results from elsewhere."""

import csv
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from arbiter import directory, report, views
from arbiter.ratings.matches import Matches
from arbiter.store import Store
from sixtysix.rules import RuleSet, rule_set

COLUMNS = ("first", "second", "score")
"""What a file of results has: two names, and the score of the first."""

_HALF_POINTS = {1.0: 2, 0.5: 1, 0.0: 0}


class SourceError(Exception):
    """There is something wrong with what is to be rated; the message says what and where."""


def collect(directories: Sequence[Path], files: Sequence[Path], *, mixed_rules: bool = False) -> Matches:
    """Return the matches of tournaments and files, all together: players of the same name are the same player.

    Args:
        directories: of tournaments, or their results.
        files: CSV files, see `read_csv`.
        mixed_rules: allow tournaments with different rules.

    Raises:
        SourceError: a file cannot be read, a tournament is named twice, or the rules differ.
        DirectoryError: a directory without a tournament.
        StoreError: a store cannot be read.
    """
    matches = Matches()
    seen: dict[str, Path] = {}
    rules: tuple[Path, RuleSet] | None = None
    for path in directories:
        with directory.open_store(path) as store:
            before = seen.setdefault(store.tournament.id, path)
            if before is not path:
                raise SourceError(f"{path}: the same tournament as {before}")
            spec = views.rules_spec(store.tournament)
            played = _anonymous(rule_set(spec))
            if rules is None:
                rules = path, played
            elif rules[1] != played and not mixed_rules:
                raise SourceError(
                    f"{path}: is played by other rules ({report.rules_text(spec)}) than {rules[0]}; "
                    "--mixed-rules rates them together all the same"
                )
            add_tournament(matches, store)
    for path in files:
        try:
            with path.open(encoding="utf-8-sig", newline="") as file:
                read_csv(matches, file, str(path))
        except OSError as error:
            raise SourceError(f"{path}: cannot be read: {error.strerror}") from error
        except UnicodeDecodeError as error:
            raise SourceError(f"{path}: is not UTF-8 text") from error
    return matches


def _anonymous(rules: RuleSet) -> RuleSet:
    """Return the rules without what they are called."""
    return replace(rules, name="", title="", source="")


def add_tournament(matches: Matches, store: Store) -> None:
    """Add the bots of a tournament, and their matches that have ended.

    A match lost by forfeit counts, if it was tried; those of a withdrawn bot were not.
    """
    for name in views.bot_names(store.tournament):
        matches.player(name)
    duplicate = views.is_duplicate(store.tournament)
    for ended in store.outcomes():
        if ended.reason == "void":
            matches.void += 1
            continue
        bots, scores = (ended.bot0, ended.bot1), (ended.score0, ended.score1)
        if ended.winner is not None and ended.reason == "forfeit":
            loser = bots[1 - ended.winner]
            if ended.walkover:
                matches.walkovers[loser] += 1
                continue
            matches.forfeits[loser] += 1
        dealer = ended.first_dealer
        matches.add(
            bots[dealer],
            bots[1 - dealer],
            1 if ended.winner is None else 2 * int(ended.winner == dealer),
            margin=scores[dealer] - scores[1 - dealer],
            deals=ended.deals,
            shared=(store.tournament.id, ended.cards, ended.attempt) if duplicate else None,
        )


def read_csv(matches: Matches, lines: Iterable[str], name: str) -> None:
    """Add the matches of a CSV file.

    A line is ``first,second,score``: two names, and 1, 0.5 or 0 for a win, a draw or a loss of the first. If the first
    line names these columns, they may stand in any order, with others between them.

    Args:
        matches: to add to.
        lines: of the file.
        name: of the file, for messages.

    Raises:
        SourceError: a line has another form.
    """
    rows = _rows(lines, name)
    places: list[int] | None = None
    for line, row in rows:
        if places is None:
            header = [field.strip().lower() for field in row]
            if set(COLUMNS).issubset(header):
                places = [header.index(column) for column in COLUMNS]
                width = len(header)
                continue
            places, width = [0, 1, 2], len(COLUMNS)
        if len(row) != width:
            raise SourceError(f"{name} line {line}: has {len(row)} fields, not {width} ({','.join(COLUMNS)})")
        first, second, score = (row[place].strip() for place in places)
        if not first or not second:
            raise SourceError(f"{name} line {line}: a name is empty")
        if first == second:
            raise SourceError(f"{name} line {line}: {first} against itself")
        matches.add(first, second, _half_points(score, f"{name} line {line}"))


def _rows(lines: Iterable[str], name: str) -> Iterator[tuple[int, list[str]]]:
    reader = csv.reader(lines, strict=True)
    try:
        for row in reader:
            if row:
                yield reader.line_num, row
    except csv.Error as error:
        raise SourceError(f"{name} line {reader.line_num}: {error}") from error


def _half_points(score: str, where: str) -> int:
    try:
        return _HALF_POINTS[float(score)]
    except (KeyError, ValueError):
        raise SourceError(f"{where}: the score is {score!r}, not 1, 0.5 or 0") from None
