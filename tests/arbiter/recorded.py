"""Tournaments as the arbiter records them: the real match runner with real shuffles, bots in virtual time."""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import trio
import trio.testing

from arbiter.config import TournamentConfig, parse
from arbiter.dealing import Dealer, commitment
from arbiter.match_runner import MatchRunner, Terms
from arbiter.policy import Fault
from arbiter.records import attempt_id
from arbiter.results import MatchResult
from arbiter.schedule import ScheduledMatch, round_robin
from arbiter.seat import Reply, SeatGoneError
from arbiter.store import FILE_NAME, Store
from sixtysix.rules import CLOSE, DRAW, Deal
from tests.arbiter.fake_seats import Choice, FakeSeat, honest, scripted
from tests.arbiter.played import SECRET, TOURNAMENT_ID, tournament

GONE = SeatGoneError(Fault.DISCONNECTED, "the process exited with status 1")
LATE = Reply(CLOSE, 1_021_001)
SILENT = Reply(None, 1_021_000)
GARBAGE = Reply(None, 2_000, malformed="action.kind: 0 is not a kind of action")
ILLEGAL = Reply(DRAW, 3_000, comment="why not?")
Seats = tuple[FakeSeat, FakeSeat]
Cast = Callable[[ScheduledMatch], Seats]


class TrustedShoe:
    """The decks of one attempt at one match, as a tournament deals them."""

    def __init__(self, config: TournamentConfig, cards: str, attempt: int) -> None:
        self._rules = config.rule_set()
        self._key = attempt_id(cards, attempt)

    def deal(self, number: int, dealer: int, carry: int) -> tuple[Deal, bytes, bytes]:
        shuffles = Dealer(SECRET)
        deck, salt = shuffles.deck(self._key, number, self._rules.deck), shuffles.salt(self._key, number)
        bound = commitment(TOURNAMENT_ID, self._key, number, salt, deck)
        return Deal.from_deck(self._rules, deck, dealer, carry), salt, bound


def config_of(rules: object = "schnapsen", bots: Sequence[str] = ("ada", "bob", "cy"), **more: Any) -> TournamentConfig:
    data: dict[str, Any] = {
        "tournament": {"name": "club", "rules": rules, "matches_per_pair": 2, **more},
        "faults": {"limit": 3},
        "bots": [
            {"name": name, "command": ["{python}", "-m", name], "env": {"KEY": "confidential"}, "cwd": "here"}
            for name in bots
        ],
    }
    return parse(data, "club.toml")


def schedule_of(config: TournamentConfig) -> list[ScheduledMatch]:
    settings = config.tournament
    return round_robin([bot.name for bot in config.bots], settings.matches_per_pair, settings.duplicate)


def honest_seats(match: ScheduledMatch, *scripts: Sequence[Choice | None]) -> Seats:
    """Two bots that play well enough; each may have a script for its first decisions."""
    seed = int(match.match_id.replace("-", ""))
    first, second = (*scripts, (), ())[:2]
    return (
        FakeSeat(match.bots[0], scripted(first, honest(seed)), 1_500, 40, 300, ask_before_draw=True),
        FakeSeat(match.bots[1], scripted(second, honest(seed + 1)), 700, 0, None),
    )


def play(config: TournamentConfig, match: ScheduledMatch, seats: Seats, attempt: int = 1) -> MatchResult:
    terms = Terms(config.rule_set(), config.time_control(), config.fault_policy(), config.tournament.deal_limit)
    now = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    runner = MatchRunner(match, seats, terms, TrustedShoe(config, match.cards, attempt), lambda: now)

    async def main() -> MatchResult:
        return await runner.play()

    return trio.run(main, clock=trio.testing.MockClock(autojump_threshold=0))


def make(directory: Path, config: TournamentConfig, casts: Mapping[str, Sequence[Cast]] | None = None) -> Store:
    """A finished tournament.

    Args:
        directory: for the store.
        config: of the tournament.
        casts: by match id, who plays each attempt; honest bots one attempt in all other matches.
    """
    directory.mkdir(exist_ok=True)
    store = Store.create(directory / FILE_NAME, tournament(config))
    for match in schedule_of(config):
        for cast in (casts or {}).get(match.match_id, [honest_seats]):
            (attempt,) = store.issue(match).values()
            store.fix(play(config, match, cast(match), attempt))
    return store


def with_faults(directory: Path) -> Store:
    """A finished tournament of three bots in which every kind of fault happens."""

    def gone_in_play(match: ScheduledMatch) -> Seats:
        first, second = honest_seats(match, [None] * 9 + [GONE])
        second.gone = True
        return first, second

    def never_ready(match: ScheduledMatch) -> Seats:
        first, second = honest_seats(match)
        first.ready_fault = SeatGoneError(Fault.NOT_READY, f"{first.name} did not connect within 10 s")
        return first, second

    def neither_ready(match: ScheduledMatch) -> Seats:
        first, second = never_ready(match)
        second.ready_fault = SeatGoneError(Fault.NOT_READY, f"{second.name} did not connect within 10 s")
        return first, second

    casts: dict[str, list[Cast]] = {
        "001-01": [gone_in_play, neither_ready, honest_seats],
        "001-02": [lambda match: honest_seats(match, [None, LATE], [None] * 30 + [ILLEGAL])],
        "002-01": [lambda match: honest_seats(match, [GARBAGE], [None] * 20 + [SILENT])],
        "002-02": [never_ready],
        "003-01": [lambda match: honest_seats(match, [None] * 7 + [GONE])],
        "003-02": [lambda match: honest_seats(match, [ILLEGAL, GARBAGE, None, LATE])],
    }
    return make(directory, config_of(), casts)
