"""Fails at what it does not know."""

from tests.broken_bots.sound import Sound


class Bot(Sound):
    def unknown(self) -> None:
        raise NotImplementedError("an update of which nothing is known")


Bot().run()
