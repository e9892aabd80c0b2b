"""Teaches search by sampling: deal out the unseen cards in many ways, play each one to the end, compare.

Where a clock runs, a decision takes `budget_us` at most and a small share of what the clock allows; without a clock
the number of samples alone counts, so that the play depends on nothing but the seed.
"""

from collections.abc import Sequence
from time import monotonic_ns

from example_bots.counting_bot import CountingBot
from example_bots.greedy_bot import WORTH_A_TRUMP
from example_bots.search import Endgame
from sixtysix import CLAIM, CLOSE, DRAW, EXCHANGE, PASS, Action, Card, Deal, Rank, View, run
from sixtysix.rules import MARRIAGES, Closing, Sampler, Stage
from sixtysix.rules.cards import CARD_COUNT

CAP_SHARE, BANK_SHARE = 4, 100
"""The parts of the clock that a decision may take: a fourth of its cap, a hundredth of the bank."""
MARRIED = (Rank.KING, Rank.QUEEN)
TRUST = 5
"""Game points, over all samples, by which another action has to be better than the counting bot's choice."""
CLOSING_RISK = 0.4
"""Game points by which a sample makes closing look too good: in it, the closer sees the cards to be played against."""


class RolloutBot(CountingBot):
    """Tries each action in sampled deals, and departs from the counting bot's choice where another is clearly better.

    Attributes:
        samples: most sampled deals for a decision.
        budget_us: most time for a decision where a clock runs.
    """

    samples: int = 10
    budget_us: int = 10_000
    ask_before_draw = True
    max_concurrent_matches = 4  # more would wait for each other while their clocks run

    def choose(self, view: View) -> Action:
        deadline_us = self.deadline_us(view)
        choice = super().choose(view)
        actions = [action for action in view.legal_actions if action != CLAIM]
        if len(actions) == 1 or choice in (CLAIM, EXCHANGE) or not is_uncertain(view):
            return choice
        samples = self.try_out(view, actions, deadline_us)
        if not samples:
            return choice
        totals: dict[Action, float] = dict(zip(actions, map(sum, zip(*samples, strict=True)), strict=True))
        if CLOSE in totals:
            totals[CLOSE] -= CLOSING_RISK * len(samples)
        totals[choice] += TRUST
        return max(totals, key=totals.__getitem__)

    def now_us(self) -> int:
        """Time of a monotonic clock, in microseconds."""
        return monotonic_ns() // 1000

    def deadline_us(self, view: View) -> int | None:
        """When the decision has to be made, or None if no clock runs."""
        clock = view.clock
        if clock is None:
            return None
        return self.now_us() + min(self.budget_us, clock.cap_us // CAP_SHARE, clock.bank_us // BANK_SHARE)

    def try_out(self, view: View, actions: Sequence[Action], deadline_us: int | None) -> list[list[int]]:
        """For each sampled deal, what it comes to after each of `actions`; a sample cut short does not count."""
        sampler = Sampler(view)
        endgames: dict[Closing | None, Endgame] = {}
        samples: list[list[int]] = []
        for _ in range(self.samples):
            deal = sampler.sample(self.rng)
            values: list[int] = []
            for action in actions:
                if deadline_us is not None and self.now_us() >= deadline_us:
                    return samples
                after = deal.copy()
                after.apply(action)
                play_out(after)
                if after.closing not in endgames:
                    endgames[after.closing] = Endgame(view.rules, after.closing, view.carry)
                values.append(endgames[after.closing].value(after, view.seat))
            samples.append(values)
        return samples


def is_uncertain(view: View) -> bool:
    """Is a card to be played, or the talon to be closed or not, while cards are hidden?"""
    stages = (Stage.BEFORE_DRAW, Stage.LEAD, Stage.FOLLOW)
    return view.stage in stages and (view.talon_open or view.closing is not None)


def play_out(deal: Deal) -> None:
    """Play by rules of thumb until no more cards are drawn: from there on the value is exact."""
    while deal.outcome is None and (deal.talon_open or deal.stage is Stage.EXCHANGE_OFFER):
        deal.apply(quick_action(deal))


def quick_action(deal: Deal) -> Action:
    """What the greedy bot would do, roughly, without a view: playing out has to be fast."""
    legal, stage = deal.legal_actions(), deal.stage
    if len(legal) == 1:
        return legal[0]
    if CLAIM in legal and deal.card_points(deal.turn) >= deal.rules.claim_points:
        return CLAIM
    if EXCHANGE in legal:
        return EXCHANGE
    if stage is Stage.BEFORE_DRAW:
        return DRAW
    if stage is Stage.EXCHANGE_OFFER:
        return PASS
    cards = [action for action in legal if isinstance(action, Card)]
    points, trump, led = deal.rules.tables.points, deal.trump, deal.led
    if led is None:
        marriages = [action for action in MARRIAGES if action in legal]
        if marriages:
            return MARRIAGES[trump] if MARRIAGES[trump] in marriages else marriages[0]
    else:
        beats, row = deal.rules.tables.beats, (trump * CARD_COUNT + led) * CARD_COUNT
        winners = [card for card in cards if beats[row + card]]
        plain = [card for card in winners if card.suit is led.suit]
        if plain:
            return max(plain, key=points.__getitem__)
        if winners and points[led] >= WORTH_A_TRUMP:
            return min(winners, key=points.__getitem__)
    return min(cards, key=lambda card: points[card] + 12 * (card.suit is trump) + 6 * (card.rank in MARRIED))


if __name__ == "__main__":
    run(RolloutBot())
