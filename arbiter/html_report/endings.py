"""How the deals of each bot ended. No I/O."""

from dataclasses import dataclass, field

from arbiter.html_report.replay import PlayedDeal

_GRADED = ("claim", "last_trick")
"""Ends in which the worth of the deal says how little the loser had."""
_LOSERS_FAULT = ("false_claim", "failed_close")
_UNCLAIMED = ("last_trick", "higher_total")


@dataclass(slots=True)
class Endings:
    """The deals of one bot, counted by their end.

    The first eleven are disjoint: their sum is the number of deals.

    Attributes:
        claimed: won by a correct claim.
        given: won since the other claimed falsely or failed after closing.
        unclaimed: won by the last trick or the higher total.
        won_by_forfeit: won since the other forfeited the deal.
        nobody: without a winner.
        lost_to_claim: the other claimed correctly, before or after this bot had closed.
        false_claims: lost by a false claim without having closed.
        failed_closes: lost since it had closed and did not claim correctly.
        lost_unclaimed: lost by the last trick or the higher total.
        forfeits: lost by a fault of its own.
        unfinished: neither over nor forfeited.
        claims: claims made, correct or not.
        closings: deals in which it closed the talon.
        closings_won: of these, deals won.
        closings_lost: of these, deals lost, by whatever.
        schneider: deals won by a claim or the last trick that were worth 2: the other had fewer than 33 points.
        schwarz: deals so won that were worth 3: the other had no trick.
        faults: of the forfeits, by the name of the fault.
    """

    claimed: int = 0
    given: int = 0
    unclaimed: int = 0
    won_by_forfeit: int = 0
    nobody: int = 0
    lost_to_claim: int = 0
    false_claims: int = 0
    failed_closes: int = 0
    lost_unclaimed: int = 0
    forfeits: int = 0
    unfinished: int = 0
    claims: int = 0
    closings: int = 0
    closings_won: int = 0
    closings_lost: int = 0
    schneider: int = 0
    schwarz: int = 0
    faults: dict[str, int] = field(default_factory=dict)

    def add(self, deal: PlayedDeal, seat: int) -> None:
        """Count a deal that this bot has played in `seat`."""
        result, forfeit = deal.result.result, deal.result.forfeit
        closing = deal.end.closing
        closed = closing is not None and closing.seat == seat
        self.claims += deal.claimant == seat
        self.closings += closed
        if not result["over"]:
            self.unfinished += 1
            return
        reason, winner = result["reason"], result["winner"]
        if winner is None:
            self.nobody += 1
            return
        if winner == seat:
            self.closings_won += closed
            if reason in _GRADED:
                self.schneider += result["game_points"] == 2
                self.schwarz += result["game_points"] == 3
            if reason == "forfeit":
                self.won_by_forfeit += 1
            elif reason in _LOSERS_FAULT:
                self.given += 1
            elif reason in _UNCLAIMED:
                self.unclaimed += 1
            else:
                self.claimed += 1
            return
        self.closings_lost += closed
        if reason == "forfeit":
            self.forfeits += 1
            if forfeit is not None:
                self.faults[forfeit.fault] = self.faults.get(forfeit.fault, 0) + 1
        elif reason == "false_claim":
            self.false_claims += 1
        elif reason == "failed_close":
            self.failed_closes += 1
        elif reason in _UNCLAIMED:
            self.lost_unclaimed += 1
        else:
            self.lost_to_claim += 1
