"""Connects with a token that is nobody's."""

from tests.misbehaving.raw import HELLO, RawStream

stream = RawStream(token="nobody's")
stream.send(HELLO)
try:
    for update in stream.updates():
        print(update)
except Exception as error:
    print(error, flush=True)
