"""Closes its standard streams, and plays."""

import os

for descriptor in range(3):
    os.close(descriptor)

from tests.misbehaving.raw import RawStream  # noqa: E402

stream = RawStream()
for decision in stream.decisions():
    stream.send(stream.answer(decision))
