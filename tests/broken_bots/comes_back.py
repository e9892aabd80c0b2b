"""Has not had enough when the tournament is over."""

from tests.broken_bots.sound import Sound


class Bot(Sound):
    def comes_back(self) -> bool:
        return True


Bot().run()
