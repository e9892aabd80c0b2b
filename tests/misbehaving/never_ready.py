"""Says hello, but is never ready."""

from tests.misbehaving.raw import HELLO, RawStream

stream = RawStream()
stream.send(HELLO)
for _ in stream.updates():
    pass
