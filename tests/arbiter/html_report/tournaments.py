"""Tournaments for tests of the page."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from arbiter.results import Forfeit, MatchResult, SeatStats
from arbiter.store import Store
from sixtysix.rules import Match
from tests.arbiter import played

ENDS = [
    "claimed",
    "given",
    "unclaimed",
    "won_by_forfeit",
    "nobody",
    "lost_to_claim",
    "false_claims",
    "failed_closes",
    "lost_unclaimed",
    "forfeits",
    "unfinished",
]
"""How a deal can end, as the report counts it for one seat."""

HOSTILE = '</script><script>window.hacked = 1</script><img src="x" onerror="window.hacked = 2">&amp;\u2028'


def complete(
    directory: Path, rules: object = "schnapsen", matches_per_pair: int = 4, bots: Sequence[str] = played.BOTS
) -> Store:
    """Everything was played; the first match was void once."""
    directory.mkdir(exist_ok=True)
    config = played.config(rules, bots, matches_per_pair)
    store = played.create(directory, config)
    schedule = played.schedule(config)
    store.fix(played.void(schedule[0], [played.play_deal(config.rule_set(), schedule[0].match_id, actions=3)]))
    store.issue(schedule[0])
    for index, match in enumerate(schedule):
        result = played.play_match(match, config.rule_set())
        started = f"2026-01-02T03:{index // 60:02}:{index % 60:02}.000+00:00"
        store.fix(replace(result, started=started))
    return store


def forfeited(directory: Path, detail: str = "bye", remark: str = "") -> Store:
    """Two matches of six: one lost by forfeit in its second deal, one before its first."""
    config = played.config()
    store = played.create(directory, config)
    first, second, *_ = played.schedule(config)
    rules = config.rule_set()
    opening = played.play_deal(rules, first.match_id, dealer=first.first_dealer)
    match = Match(rules, first.first_dealer)
    change: Any = opening.result["score_change"]
    dealer = 1 - match.dealer
    last = played.play_deal(
        rules, first.match_id, 2, dealer, actions=3, forfeit=Forfeit(1, "left", f"{first.bots[1]} left: {detail}")
    )
    last = replace(last, record={**last.record, "comments": {"0": remark}} if remark else last.record)
    gain: Any = last.result["score_change"]
    store.fix(
        _forfeit(
            played.void(first, [opening, last]),
            0,
            f"{first.bots[1]}: left: {detail}",
            (change[0] + gain[0], change[1] + gain[1]),
        )
    )
    store.fix(_forfeit(played.void(second), 1, f"{second.bots[0]}: not_ready: {detail}", (0, 0)))
    return store


def _forfeit(match: MatchResult, winner: int, detail: str, score: tuple[int, int]) -> MatchResult:
    seats = (SeatStats(4, 4000, 1500, int(winner == 1)), SeatStats(4, 4000, 1500, int(winner == 0)))
    return replace(match, reason="forfeit", winner=winner, detail=detail, score=score, seats=seats)
