"""Tournaments for tests of what reads a store: real deals, made without bots."""

import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from arbiter.config import TournamentConfig, parse
from arbiter.dealing import Dealer, commitment
from arbiter.results import DealResult, Forfeit, MatchResult, MatchSummary, Reason, SeatStats
from arbiter.schedule import ScheduledMatch, round_robin
from arbiter.store import FILE_NAME, Store, TournamentRow
from sixtysix.rules import CLAIM, CLOSE, Action, Deal, DealRecord, Match, RuleSet
from sixtysix.rules.record import outcome_json

SECRET = bytes(range(32))
TOURNAMENT_ID = "7e57"
BOTS = ("ada", "bob", "cy")


IDLE = SeatStats(decisions=0, total_us=0, worst_us=0, faults=0)


def summary(
    bots: tuple[str, str],
    score: tuple[int, int],
    winner: int | None,
    reason: Reason = "target",
    deals: int = 4,
    **changes: Any,
) -> MatchSummary:
    """A match that somebody has played."""
    match = MatchSummary(
        match_id="001-01",
        pairing="001",
        number=1,
        bots=bots,
        first_dealer=0,
        winner=winner,
        reason=reason,
        detail="",
        score=score,
        seats=(IDLE, IDLE),
        started="",
        seconds=0.5,
        deals=deals,
    )
    return replace(match, **changes)


def config(rules: object = "schnapsen", bots: Sequence[str] = BOTS, matches_per_pair: int = 2) -> TournamentConfig:
    data: dict[str, Any] = {
        "tournament": {"name": "club", "rules": rules, "matches_per_pair": matches_per_pair},
        "bots": [{"name": name, "command": ["{python}", "-m", name]} for name in bots],
    }
    return parse(data, "club.toml")


def tournament(of: TournamentConfig) -> TournamentRow:
    name = of.tournament.name
    return TournamentRow(TOURNAMENT_ID, name, of.to_toml_dict(), SECRET.hex(), "2026-01-02T03:04:05+00:00")


def schedule(of: TournamentConfig) -> list[ScheduledMatch]:
    return round_robin([bot.name for bot in of.bots], of.tournament.matches_per_pair)


def choose(deal: Deal, rng: random.Random) -> Action:
    """Claims what it has, seldom closes, and else plays anything."""
    legal = deal.legal_actions()
    if CLAIM in legal and deal.card_points(deal.turn) >= deal.rules.claim_points:
        return CLAIM
    usual = [action for action in legal if action not in (CLAIM, CLOSE)]
    return rng.choice(usual) if usual and rng.random() < 0.98 else rng.choice(legal)


def play_deal(
    rules: RuleSet,
    key: str = "001-01",
    number: int = 1,
    dealer: int = 0,
    carry: int = 0,
    *,
    actions: int | None = None,
    forfeit: Forfeit | None = None,
) -> DealResult:
    """A deal of random actions, broken off after some of them, or forfeited then."""
    return _play(rules, key, number, dealer, carry, actions, forfeit)[0]


def _play(
    rules: RuleSet,
    key: str,
    number: int,
    dealer: int,
    carry: int,
    actions: int | None = None,
    forfeit: Forfeit | None = None,
) -> tuple[DealResult, Deal]:
    shuffles = Dealer(SECRET)
    deck, salt = shuffles.deck(key, number, rules.deck), shuffles.salt(key, number)
    deal = Deal.from_deck(rules, deck, dealer, carry)
    start, rng = DealRecord.of(deal), random.Random(f"{key}/{number}")
    done: list[Action] = []
    while not deal.over and len(done) != actions:
        done.append(choose(deal, rng))
        deal.apply(done[-1])
    if forfeit is not None:
        deal.forfeit(forfeit.seat)
    result = DealResult(
        number=number,
        record=replace(start, actions=tuple(action.text for action in done)).to_json(),
        result=outcome_json(deal),
        clock=tuple((1000 + index, 100, index % 2, 900 + index - index % 2) for index in range(len(done))),
        salt=salt.hex(),
        commitment=commitment(TOURNAMENT_ID, key, number, salt, deck).hex(),
        forfeit=forfeit,
    )
    return result, deal


def play_match(scheduled: ScheduledMatch, rules: RuleSet, key: str | None = None) -> MatchResult:
    """A match of random actions; `key` decides the cards, by default the match id."""
    match = Match(rules, scheduled.first_dealer)
    deals: list[DealResult] = []
    while not match.over:
        played, deal = _play(rules, key or scheduled.match_id, len(deals) + 1, match.dealer, match.carry)
        deals.append(played)
        assert deal.outcome is not None
        match.add(deal.outcome)
    return MatchResult(
        match_id=scheduled.match_id,
        pairing=scheduled.pairing,
        number=scheduled.number,
        bots=scheduled.bots,
        first_dealer=scheduled.first_dealer,
        winner=match.winner,
        reason="deal_limit" if match.winner is None else "target",
        detail="",
        score=(match.score[0], match.score[1]),
        deals=tuple(deals),
        seats=(SeatStats(20, 20_500, 4_000, 0), SeatStats(10, 3_000, 900, 1)),
        started="2026-01-02T03:04:06.250+00:00",
        seconds=0.125,
    )


def void(scheduled: ScheduledMatch, deals: Sequence[DealResult] = ()) -> MatchResult:
    """A match that does not count."""
    return MatchResult(
        match_id=scheduled.match_id,
        pairing=scheduled.pairing,
        number=scheduled.number,
        bots=scheduled.bots,
        first_dealer=scheduled.first_dealer,
        winner=None,
        reason="void",
        detail="both bots are gone",
        score=(0, 0),
        deals=tuple(deals),
        seats=(SeatStats(1, 1_000, 1_000, 1), SeatStats(0, 0, 0, 1)),
        started="2026-01-02T03:04:05.000+00:00",
        seconds=0.5,
    )


def create(directory: Path, of: TournamentConfig) -> Store:
    """A store with the whole schedule issued and nothing played."""
    store = Store.create(directory / FILE_NAME, tournament(of))
    store.issue(schedule(of))
    return store
