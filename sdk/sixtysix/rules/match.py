"""A match: deals until a player has enough game points."""

from sixtysix.rules.ruleset import NextDealer, RuleSet
from sixtysix.rules.scoring import Outcome

DEAL_LIMIT = 100
"""Deals after which a match is drawn, since two players who never claim could play for ever."""


class Match:
    """Score, dealer and carry between deals.

    Attributes:
        rules: the rule set.
        deal_limit: deals after which the match is drawn.
        score: match score by seat; in zero-sum rule sets a balance that may be negative.
        dealer: seat that deals the next deal.
        carry: game points that the next deal's winner gets on top.
        deals: deals finished.
    """

    def __init__(self, rules: RuleSet, first_dealer: int, deal_limit: int = DEAL_LIMIT) -> None:
        self.rules = rules
        self.deal_limit = deal_limit
        self.score = [0, 0]
        self.dealer = first_dealer
        self.carry = 0
        self.deals = 0

    @property
    def winner(self) -> int | None:
        """Seat that has reached the target, or None."""
        for seat in (0, 1):
            if self.score[seat] >= self.rules.target:
                return seat
        return None

    @property
    def over(self) -> bool:
        """True once a seat has reached the target or the deal limit is reached."""
        return self.winner is not None or self.deals >= self.deal_limit

    def add(self, outcome: Outcome) -> None:
        """Count a finished deal and pass on the deal."""
        for seat in (0, 1):
            self.score[seat] += outcome.score_change[seat]
        self.carry = outcome.carry
        self.deals += 1
        if self.rules.next_dealer is NextDealer.ALTERNATE:
            self.dealer = 1 - self.dealer
        elif outcome.winner is not None:
            self.dealer = outcome.winner
