"""Connects with a token that it has found in its environment, again and again until it stays connected."""

import os

from tests.misbehaving.raw import RawStream

while True:
    stream = RawStream(token=os.environ["FOUND"])
    try:
        for decision in stream.decisions():
            stream.send(stream.answer(decision))
        break
    except Exception as error:
        print(error, flush=True)
