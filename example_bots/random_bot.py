"""Teaches the least that a bot needs: pick any legal action, but claim only with enough points."""

from sixtysix import CLAIM, Action, Bot, View, run


class RandomBot(Bot):
    """Plays at random; claims as soon as that is correct and never otherwise."""

    def choose(self, view: View) -> Action:
        if view.can_claim:
            return CLAIM
        return self.rng.choice([action for action in view.legal_actions if action is not CLAIM])


if __name__ == "__main__":
    run(RandomBot())
