"""Results for tests of the store: of every form that a result can have, without cards that make sense."""

from arbiter.results import DealResult, Forfeit, MatchResult, Reason, SeatStats
from arbiter.schedule import ScheduledMatch, round_robin
from arbiter.store import TournamentRow

SECRET = "5ec2e7" * 10
BOTS = ("a", "b", "ü")
TOURNAMENT = TournamentRow(
    "t-1",
    "club",
    {"tournament": {"matches_per_pair": 2}, "bots": [{"name": name} for name in BOTS]},
    SECRET,
    "2026-01-02T03:04:05Z",
)
SCHEDULE = round_robin(BOTS, 2)


def deal_of(number: int, forfeit: Forfeit | None = None) -> DealResult:
    return DealResult(
        number=number,
        record={
            "id": None,
            "rules": "schnapsen",
            "dealer": 0,
            "hands": [["AS"], ["TS"]],
            "actions": ["AS", "TS"],
        },
        result={"over": True, "winner": 1, "score_change": [0, 2]},
        clock=((1_000, 200, 0, 800), (5_000_000_000, 0, 7, 0)),
        salt="ab" * 16,
        commitment="cd" * 32,
        forfeit=forfeit,
    )


def result_of(match: ScheduledMatch, reason: Reason = "target", deals: int = 3) -> MatchResult:
    return MatchResult(
        match_id=match.match_id,
        pairing=match.pairing,
        number=match.number,
        bots=match.bots,
        first_dealer=match.first_dealer,
        winner=None if reason == "void" else 1,
        reason=reason,
        detail="",
        score=(3, 7),
        deals=tuple(deal_of(number) for number in range(1, deals + 1)),
        seats=(SeatStats(20, 5_000_000_000, 900, 0), SeatStats(21, 60, 6, 2)),
        started="2026-01-02T03:04:06Z",
        seconds=0.1,
    )
