"""Says hello again in the middle of a match."""

from tests.misbehaving.raw import HELLO, RawStream, wait_for_ever

stream = RawStream()
try:
    for _ in stream.decisions():
        stream.send(HELLO)
except Exception as error:
    print(error, flush=True)
wait_for_ever()
