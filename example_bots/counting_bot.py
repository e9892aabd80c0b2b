"""Teaches counting: know every card that is out, and play exactly once the talon is gone."""

from itertools import islice

from example_bots.greedy_bot import USUAL_LOSS, GreedyBot, keep_value, playable
from example_bots.search import Endgame
from sixtysix import Action, Card, View, run
from sixtysix.rules import Sampler, Stage

MOST_HANDS = 6
"""In a closed deal, most hands of the other player for which the search is worth its time."""


class CountingBot(GreedyBot):
    """Reckons with what the other player can hold, and searches to the end where that leaves little open."""

    def choose(self, view: View) -> Action:
        choice = super().choose(view)
        if len(view.legal_actions) == 1 or view.can_claim or view.talon_open:
            return choice
        if view.stage is Stage.EXCHANGE_OFFER:
            return choice
        values = self.exact_values(view)
        if not values or values.get(choice) == max(values.values()):
            return choice
        return max(values, key=values.__getitem__)

    def exact_values(self, view: View) -> dict[Action, int]:
        """By action, the sum of its values over all hands the other player can hold; empty if they are too many."""
        sampler = Sampler(view)
        hands = list(islice(sampler.hands(), MOST_HANDS + 1))
        total: dict[Action, int] = {}
        if len(hands) > MOST_HANDS:
            return total
        endgame = Endgame(view.rules, view.closing, view.carry)
        for hand in hands:
            for action, value in endgame.values(sampler.state(hand, self.rng)).items():
                total[action] = total.get(action, 0) + value
        return total

    def should_close(self, view: View) -> bool:
        """True if the tricks that nobody can take away are enough."""
        return sum(view.points(card) + USUAL_LOSS for card in sure_tricks(view)) >= view.points_needed

    def lead(self, view: View) -> Card:
        """A card that surely brings enough, otherwise as before."""
        for card in sorted(playable(view), key=lambda card: keep_value(view, card)):
            if view.would_win(card) and own_total(view) + view.points(card) >= view.rules.claim_points:
                return card
        return super().lead(view)

    def follow(self, view: View) -> Card:
        """Win if that is enough, or if the trick would be enough for the other player; otherwise as before."""
        led, cards = view.led, playable(view)
        assert led is not None
        enough = view.rules.claim_points
        winners = sorted((card for card in cards if view.would_win(card)), key=lambda card: keep_value(view, card))
        for card in winners:
            if own_total(view) + view.points(led) + view.points(card) >= enough:
                return card
        losers = [view.points(card) for card in cards if card not in winners]
        if winners and losers and opponent_total(view) + view.points(led) + min(losers) >= enough:
            return winners[0]
        return super().follow(view)


def own_total(view: View) -> int:
    """Own points once a trick is won."""
    return view.own_trick_points + view.own_marriage_points


def opponent_total(view: View) -> int:
    """The other player's points once it wins the trick that it has led."""
    return view.opponent_trick_points + view.opponent_marriage_points + view.pending_marriage


def sure_tricks(view: View) -> list[Card]:
    """Own cards that win, led one after another with the talon closed, whatever the other player holds."""
    strength = view.rules.tables.strength
    against = (*view.unseen, *view.opponent_known)
    highest = [
        card
        for card in view.hand
        if not any(other.suit is card.suit and strength[other] > strength[card] for other in against)
    ]
    trumps = [card for card in highest if card.suit is view.trump]
    most_trumps = min(sum(card.suit is view.trump for card in against), view.opponent_hand_size)
    return highest if len(trumps) >= most_trumps else trumps


if __name__ == "__main__":
    run(CountingBot())
