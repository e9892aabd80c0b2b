"""Has a bug in its `choose`."""

from sixtysix import Action, Bot, View, run


class Raises(Bot):
    def choose(self, view: View) -> Action:
        raise RuntimeError("a bug in the bot")


if __name__ == "__main__":
    run(Raises())
