"""Plays well, but will not end when it is asked to, and leaves a child behind that will not either."""

import os

from tests.misbehaving.raw import RawStream, ignore_sigterm, wait_for_ever

ignore_sigterm()
if os.fork() == 0:
    wait_for_ever()
stream = RawStream()
for decision in stream.decisions():
    stream.send(stream.answer(decision))
wait_for_ever()
