"""Has a token of its own."""

from tests.broken_bots.sound import Sound


class Bot(Sound):
    token = "mine"


Bot().run()
