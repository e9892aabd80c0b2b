"""Writes 1 MB to standard error at each of its first 30 decisions, and plays."""

import sys

from tests.misbehaving.raw import RawStream

stream = RawStream()
for number, decision in enumerate(stream.decisions()):
    if number < 30:
        sys.stderr.write(f"{number:99}\n" * 10_000)
    if number == 30:
        sys.stderr.write("the last line\n")
    stream.send(stream.answer(decision))
