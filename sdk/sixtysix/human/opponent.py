"""The opponent where none is named."""

from sixtysix.bot import Bot
from sixtysix.rules import CLAIM, CLOSE, EXCHANGE, MARRIAGES, Action, Card, View

_HEAVY = 10


class Sparring(Bot):
    """Claims, exchanges and declares what it can; takes tens and aces, and otherwise spares its good cards."""

    def choose(self, view: View) -> Action:
        """Return one of ``view.legal_actions``."""
        if view.can_claim:
            return CLAIM
        for wish in (EXCHANGE, MARRIAGES[view.trump], *MARRIAGES):
            if wish in view.legal_actions:
                return wish
        cards = [action for action in view.legal_actions if isinstance(action, Card)]
        if not cards:
            return next(action for action in view.legal_actions if action not in (CLAIM, CLOSE))
        winners = [card for card in cards if view.would_win(card)]
        if view.led is None:
            # While cards are drawn, a sure trick waits; it is worth more once suit has to be followed.
            if winners and not view.talon_open:
                return max(winners, key=view.points)
        elif winners and view.points(view.led) >= _HEAVY:
            return min(winners, key=view.points)
        return min(cards, key=lambda card: (card.suit == view.trump, view.points(card)))
