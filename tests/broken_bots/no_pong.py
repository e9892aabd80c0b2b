"""Takes a ping for something to ignore."""

from tests.broken_bots.sound import Sound


class Bot(Sound):
    answers_pings = False


Bot().run()
