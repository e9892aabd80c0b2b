"""A whole tournament checked again, from its archive or from its store, match by match.

What is wrong is found in the order in which it is written down, and within a match in this order: the form, the chain
of the archive and the digest; the schedule; the cards, the replay, the match and the clocks (`arbiter.recheck`). The
standings and the counts come last.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, TypeVar

from pydantic import ValidationError

from arbiter import archive, directory
from arbiter.archive import MATCH, STANDINGS, TOURNAMENT, MatchPart, TournamentPart
from arbiter.config import ConfigError, parse
from arbiter.recheck import Discrepancy, MatchCheck, difference, expectation
from arbiter.records import attempt_id
from arbiter.results import MatchResult, Scoreboard
from arbiter.schedule import ScheduledMatch, round_robin
from arbiter.store import Store, StoreError
from arbiter.stored import StoredMatch
from arbiter.views import Json

_Part = TypeVar("_Part", MatchPart, TournamentPart)
_SQLITE = b"SQLite format 3\0"
_FIRST, _END = "line 1", "the end"


@dataclass(slots=True)
class Report:
    """What was checked.

    Attributes:
        tournament: its name; empty if not even that could be read.
        scheduled: matches of the whole tournament.
        matches: attempts at matches, void ones included.
        void: of these.
        deals: in them.
        decisions: in these, without the draws that nobody was asked for.
        shuffles: the secret was known, so that the shuffles themselves were checked.
        undigested: matches that were stored before there were digests.
        error: the first thing that is wrong, or None.
    """

    tournament: str = ""
    scheduled: int = 0
    matches: int = 0
    void: int = 0
    deals: int = 0
    decisions: int = 0
    shuffles: bool = False
    undigested: int = 0
    error: Discrepancy | None = None

    def to_json(self) -> Json:
        """Return ``{ok, checked, error}``; `checked` has the figures up to the error."""
        checked = ("scheduled", "matches", "void", "deals", "decisions", "shuffles", "undigested")
        return {
            "ok": self.error is None,
            "checked": {name: getattr(self, name) for name in checked},
            "error": None if self.error is None else {"where": self.error.where, "what": self.error.what},
        }

    def lines(self) -> Iterator[str]:
        """Yield what was found to be right, for people."""
        void = f" and {self.void} void" if self.void else ""
        played = f"{self.matches - self.void} of {self.scheduled} matches{void}"
        yield f"{self.tournament}: all is right: {played}, {self.deals} deals, {self.decisions} decisions"
        if not self.shuffles:
            yield "The secret is not revealed yet: the cards are those committed to, the shuffles were not checked."
        if self.undigested:
            yield f"{self.undigested} matches have no digest: an earlier version has stored them."


def verify(path: Path) -> Report:
    """Check an archive, or the store in the directory of a tournament or in a SQLite file.

    Raises:
        DirectoryError: a directory without a tournament.
        OSError: the file cannot be read.
    """
    if path.is_dir() or _is_database(path):
        return verify_store(path)
    with path.open("rb") as file:
        return verify_archive(file)


def verify_archive(file: BinaryIO) -> Report:
    """Check an archive; memory holds the schedule and one match at a time.

    Raises:
        OSError: it cannot be read.
    """
    report = Report()
    with _reported(report):
        _check_archive(file, report)
    return report


def verify_store(path: Path) -> Report:
    """Check the store in the directory of a tournament or in a SQLite file; memory as for an archive.

    Raises:
        DirectoryError: a directory without a tournament.
    """
    report = Report()
    with _reported(report):
        _check_store(path, report)
    return report


def _is_database(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(len(_SQLITE)) == _SQLITE


@contextmanager
def _reported(report: Report) -> Iterator[None]:
    try:
        yield
    except Discrepancy as error:
        report.error = error
    except StoreError as error:
        report.error = Discrepancy("store", str(error))


def _check_archive(file: BinaryIO, report: Report) -> None:
    lines = archive.read_lines(file)
    where, content = next(lines, (_FIRST, {}))
    with _placed(where):
        tournament = _Tournament(_only_member(content, TOURNAMENT), report)
    ended = False
    for where, content in lines:
        with _placed(where):
            if ended:
                raise Discrepancy("", "expected the end after the standings, found another line")
            ended = STANDINGS in content
            if ended:
                tournament.end(content)
            else:
                tournament.add(_only_member(content, MATCH))
    if not ended:
        raise Discrepancy(_END, "expected the standings, found nothing: the archive is not whole")


def _check_store(path: Path, report: Report) -> None:
    with _readable("tournament"):
        store = directory.open_store(path)
    with store:
        with _readable("tournament"), _placed("tournament"):
            # The organiser has the secret anyway.
            content = archive.tournament_json(store.tournament, store.scheduled, finished=True)
            tournament = _Tournament(content[TOURNAMENT], report)
        before = store.progress()
        for stored in _attempts(store):
            with _placed(""):
                tournament.add_stored(stored)
        with _readable("matches"):
            tournament.check_counts(store)
            # Matches may be played meanwhile: what had ended before is there, what is there has ended by now.
            tournament.check_states(before, store.progress())


def _attempts(store: Store) -> Iterator[StoredMatch]:
    attempts = store.attempts()
    after = "the first match"
    while True:
        with _readable(f"after {after}"):
            stored = next(attempts, None)
        if stored is None:
            return
        after = f"match {attempt_id(stored.result.match_id, stored.attempt)}"
        yield stored


@contextmanager
def _readable(where: str) -> Iterator[None]:
    """Name the place of a value in a database that is not even of its type."""
    try:
        yield
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError) as error:
        raise Discrepancy(where, f"cannot be read: {type(error).__name__}: {error}") from error


@contextmanager
def _placed(line: str) -> Iterator[None]:
    """Name the line in which something is wrong."""
    try:
        yield
    except Discrepancy as error:
        places = [place for place in (line, error.where) if place]
        raise Discrepancy(", ".join(places), error.what) from error
    except RecursionError as error:
        raise Discrepancy(line, "nested too deeply") from error


def _only_member(content: Json, name: str) -> object:
    if set(content) != {name}:
        found = ", ".join(sorted(content)) or "nothing"
        raise Discrepancy("", expectation("members", name, found))
    return content[name]


def _read(model: type[_Part], value: object, where: str = "") -> _Part:
    try:
        return model.model_validate(value)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in first["loc"])
        raise Discrepancy(where, f"{place.removeprefix('.') or 'line'}: {first['msg']}") from error


@dataclass(slots=True)
class _Seen:
    """What was seen of one match: the number of deals of each attempt, and whether the last of them counts."""

    deals: list[int] = field(default_factory=list)
    fixed: bool = False


class _Tournament:
    """Takes the parts of a tournament in their order; each call raises Discrepancy for the first that is wrong."""

    def __init__(self, content: object, report: Report) -> None:
        part = _read(TournamentPart, content)
        try:
            # How bots show who they are is not published: leave it open.
            config = parse({**part.config, "server": {"tokens": "unknown"}}, "config")
        except ConfigError as error:
            raise Discrepancy("", error.problems[0]) from error
        settings = config.tournament
        names = [bot.name for bot in config.bots]
        rules = {"spec": settings.rules, "hash": config.rule_set().hash}
        matches = len(names) * (len(names) - 1) // 2 * settings.matches_per_pair
        public = archive.public_config(part.config)
        expected = {"name": settings.name, "rules": rules, "scheduled": matches, "config": public}
        told = difference(expected, part.model_dump(include=set(expected)))
        if told:
            raise Discrepancy("", told)
        secret = None if part.secret is None else bytes.fromhex(part.secret)
        self._id = part.id
        self._report = report
        self._schedule = {
            match.match_id: match for match in round_robin(names, settings.matches_per_pair, settings.duplicate)
        }
        self._check = MatchCheck(config, part.id, secret)
        self._revealed = secret is not None
        self._seen: dict[str, _Seen] = {}
        self._board = Scoreboard(names)
        report.tournament, report.scheduled, report.shuffles = part.name, part.scheduled, self._revealed

    def add_stored(self, stored: StoredMatch) -> None:
        """Check an attempt as the store gives it."""
        scheduled = self._scheduled(stored)
        where = f"match {attempt_id(scheduled.match_id, stored.attempt)}"
        with _readable(where):
            content = archive.match_json(stored, self._id, scheduled.cards)[MATCH]
        self.add(content, where)

    def add(self, content: object, where: str = "") -> None:
        """Check an attempt as the archive has it; `where` is the place if it is not even of the right form."""
        stored = _read(MatchPart, content, where).to_stored()
        scheduled = self._scheduled(stored)
        match, name = stored.result, attempt_id(scheduled.match_id, stored.attempt)
        where = f"match {name}"
        told = difference(archive.match_json(stored, self._id, scheduled.cards)[MATCH], content)
        if told:
            raise Discrepancy(where, told)
        digest = match.digest(stored.attempt)
        if stored.digest not in (digest, None):
            raise Discrepancy(where, expectation("digest", digest, stored.digest))
        self._check_schedule(where, stored, scheduled)
        for number, deal in enumerate(match.deals, start=1):
            if deal.number != number:
                raise Discrepancy(where, expectation("number of a deal", number, deal.number))
        decisions = self._check.check(match, name, attempt_id(scheduled.cards, stored.attempt))
        self._count(match, decisions, stored.digest is None)

    def _scheduled(self, stored: StoredMatch) -> ScheduledMatch:
        match_id = stored.result.match_id
        if match_id not in self._schedule:
            raise Discrepancy(f"match {match_id}", "is not in the schedule")
        return self._schedule[match_id]

    def _check_schedule(self, where: str, stored: StoredMatch, scheduled: ScheduledMatch) -> None:
        for name in ("pairing", "number", "bots", "first_dealer"):
            expected, found = getattr(scheduled, name), getattr(stored.result, name)
            if expected != found:
                raise Discrepancy(where, expectation(name, expected, found))
        seen = self._seen.setdefault(scheduled.match_id, _Seen())
        if seen.fixed:
            raise Discrepancy(where, "the match was fixed before, and counts once only")
        if stored.attempt != len(seen.deals) + 1:
            raise Discrepancy(where, expectation("attempt", len(seen.deals) + 1, stored.attempt))
        seen.deals.append(len(stored.result.deals))
        seen.fixed = not stored.result.void

    def _count(self, match: MatchResult, decisions: int, undigested: bool) -> None:
        self._board.add(match)
        self._report.matches += 1
        self._report.void += match.void
        self._report.deals += len(match.deals)
        self._report.decisions += decisions
        self._report.undigested += undigested

    def end(self, content: Json) -> None:
        """Check the last line of an archive."""
        if self._revealed:
            for match_id in self._schedule:
                if match_id not in self._seen or not self._seen[match_id].fixed:
                    raise Discrepancy(f"match {match_id}", "is missing, although the tournament is finished")
        told = difference(archive.standings_json(self._board), content)
        if told:
            raise Discrepancy("", told)

    def check_counts(self, store: Store) -> None:
        """Check the number of deals that the summaries of a store tell."""
        attempts: Counter[str] = Counter()
        for summary in store.summaries():
            attempts[summary.match_id] += 1
            seen, attempt = self._seen.get(summary.match_id, _Seen()), attempts[summary.match_id]
            if attempt <= len(seen.deals) and summary.deals != seen.deals[attempt - 1]:
                where = f"match {attempt_id(summary.match_id, attempt)}"
                raise Discrepancy(where, expectation("deals", seen.deals[attempt - 1], summary.deals))

    def check_states(self, before: Mapping[str, tuple[str, int]], now: Mapping[str, tuple[str, int]]) -> None:
        """Check what a store tells of the state of its matches.

        Args:
            before: state and number of attempts of each match, before the matches were read.
            now: the same afterwards.
        """
        for match_id, (state, issued) in before.items():
            where = f"match {match_id}"
            seen = self._seen.get(match_id, _Seen())
            if match_id not in self._schedule:
                raise Discrepancy(where, "is not in the schedule")
            if state not in ("issued", "fixed", "void"):
                raise Discrepancy(where, f"unknown state {state!r}")
            if state == "fixed" and not seen.fixed:
                raise Discrepancy(where, "is fixed, but has no result that counts")
            ended = issued - (state == "issued")
            if len(seen.deals) < ended:
                raise Discrepancy(where, expectation("attempts that have ended", ended, len(seen.deals)))
        for match_id, seen in self._seen.items():
            state, issued = now.get(match_id, ("", 0))
            where = f"match {match_id}"
            if seen.fixed and (state, issued) != ("fixed", len(seen.deals)):
                raise Discrepancy(where, expectation("state and attempts", ("fixed", len(seen.deals)), (state, issued)))
            if issued < len(seen.deals):
                raise Discrepancy(where, expectation("attempts that were issued", len(seen.deals), issued))
