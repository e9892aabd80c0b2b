"""Ends its process at its third decision."""

import os

from tests.misbehaving.raw import RawStream

stream = RawStream()
for number, decision in enumerate(stream.decisions(), start=1):
    if number == 3:
        os._exit(3)
    stream.send(stream.answer(decision))
