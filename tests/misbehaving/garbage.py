"""Sends bytes that are no message."""

from tests.misbehaving.raw import RawStream, wait_for_ever

stream = RawStream()
next(stream.decisions())
stream.send_bytes(b"\xff\xfe garbage \x00" * 20)
try:
    for update in stream.updates():
        print(update)
except Exception as error:
    print(error, flush=True)
wait_for_ever()
