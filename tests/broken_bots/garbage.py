"""Sends bytes that are no message."""

from tests.broken_bots.sound import Sound


class Bot(Sound):
    def begin(self) -> None:
        self.stream.send_bytes(b"hello?")


Bot().run()
