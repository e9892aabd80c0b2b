"""Reads nothing any more after its third decision."""

from tests.misbehaving.raw import RawStream, wait_for_ever

stream = RawStream()
for number, decision in enumerate(stream.decisions(), start=1):
    if number == 3:
        wait_for_ever()
    stream.send(stream.answer(decision))
