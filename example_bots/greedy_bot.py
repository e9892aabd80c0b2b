"""Teaches the textbook tips: count, exchange, declare, close with sure points, win cheaply, throw away little."""

from collections.abc import Sequence

from sixtysix import CLAIM, CLOSE, DRAW, EXCHANGE, PASS, Action, Bot, Card, Rank, Suit, View, run
from sixtysix.rules import MARRIAGES, TRUMPS, Stage

WORTH_A_TRUMP = 10
"""Least points of a card led for which a trump is spent."""
USUAL_LOSS = 3
"""Points that the other player adds to a trick that he loses, as a rule."""


class GreedyBot(Bot):
    """Plays by rules of thumb, without looking ahead."""

    def choose(self, view: View) -> Action:
        legal = view.legal_actions
        if len(legal) == 1:
            return legal[0]
        if view.can_claim:
            return CLAIM
        if EXCHANGE in legal:
            return EXCHANGE
        match view.stage:
            case Stage.BEFORE_DRAW:
                return DRAW
            case Stage.EXCHANGE_OFFER | Stage.LAST_CLAIM:
                return PASS
            case Stage.FOLLOW:
                return self.follow(view)
        return self.announcement(view) or self.lead(view)

    def announcement(self, view: View) -> Action | None:
        """What to do before leading a card, if anything."""
        legal = view.legal_actions
        marriages = [suit for suit in Suit if MARRIAGES[suit] in legal]
        if marriages:
            return MARRIAGES[view.trump if view.trump in marriages else marriages[0]]
        longest = max(Suit, key=lambda suit: suit_worth(view, suit))
        if TRUMPS[longest] in legal and suit_worth(view, longest) > suit_worth(view, view.trump):
            return TRUMPS[longest]
        if CLOSE in legal and self.should_close(view):
            return CLOSE
        return None

    def should_close(self, view: View) -> bool:
        """True if the highest trumps in the hand alone are enough."""
        return sum(view.points(card) + USUAL_LOSS for card in top_trumps(view)) >= view.points_needed

    def lead(self, view: View) -> Card:
        """A sure winner where suit must be followed, otherwise the card that is missed least."""
        cards = playable(view)
        if not view.talon_open:
            winners = [card for card in cards if view.would_win(card)]
            if winners:
                return max(winners, key=view.points)
        return min(cards, key=lambda card: keep_value(view, card))

    def follow(self, view: View) -> Card:
        """Win with the plain suit if possible, with a trump if it pays, otherwise throw away the least."""
        led, cards = view.led, playable(view)
        assert led is not None
        winners = [card for card in cards if view.would_win(card)]
        plain = [card for card in winners if card.suit is led.suit and not in_marriage(view, card)]
        if plain:
            return max(plain, key=view.points) if led.suit is not view.trump else min(plain, key=view.points)
        if winners and (view.points(led) >= WORTH_A_TRUMP or len(winners) == len(cards)):
            return min(winners, key=lambda card: keep_value(view, card))
        return min([card for card in cards if card not in winners] or cards, key=lambda card: keep_value(view, card))


def playable(view: View) -> list[Card]:
    """The cards among the legal actions."""
    return [action for action in view.legal_actions if isinstance(action, Card)]


def in_marriage(view: View, card: Card) -> bool:
    """Is the card half of a marriage in the hand that may still be declared?"""
    if card.rank not in (Rank.KING, Rank.QUEEN) or not (view.talon_open or view.rules.marriage_any_lead):
        return False
    partner = Card.of(Rank.QUEEN if card.rank is Rank.KING else Rank.KING, card.suit)
    return partner in view.hand


def keep_value(view: View, card: Card) -> int:
    """How much the card would be missed: its points, more for trumps and marriages."""
    value = 2 * view.points(card)
    if card.suit is view.trump:
        value += 25
    if in_marriage(view, card):
        value += 40 if card.suit is view.trump else 20
    return value


def top_trumps(view: View) -> Sequence[Card]:
    """Own trumps that no card of the other player can beat, in any order of play."""
    strength = view.rules.tables.strength
    against = [strength[card] for card in (*view.unseen, *view.opponent_known) if card.suit is view.trump]
    highest = max(against, default=-1)
    return [card for card in view.hand if card.suit is view.trump and strength[card] > highest]


def suit_worth(view: View, suit: Suit) -> int:
    """How good the suit is as trump: its cards in the hand, ten each, and their points."""
    return sum(10 + view.points(card) for card in view.hand if card.suit is suit)


if __name__ == "__main__":
    run(GreedyBot())
