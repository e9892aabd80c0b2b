"""my_bot: plays Sixty-Six and Schnapsen."""

from sixtysix import CLAIM, CLOSE, EXCHANGE, Action, Bot, Card, View, run
from sixtysix.rules import MARRIAGES


class MyBot(Bot):
    """Claims, exchanges and declares what it can, and otherwise plays its lowest card."""

    name = "my_bot"
    version = "0.1.0"

    def choose(self, view: View) -> Action:
        """Return one of `view.legal_actions`; everything that the seat may know is in `view`."""
        if view.can_claim:
            return CLAIM
        for wish in (EXCHANGE, *MARRIAGES):
            if wish in view.legal_actions:
                return wish
        cards = [action for action in view.legal_actions if isinstance(action, Card)]
        if not cards:
            return next(action for action in view.legal_actions if action not in (CLAIM, CLOSE))
        return min(cards, key=lambda card: (card.suit == view.trump, view.points(card)))


if __name__ == "__main__":
    run(MyBot())
