"""Stops at its third decision, like a process under a debugger."""

import os
import signal

from tests.misbehaving.raw import RawStream

stream = RawStream()
for number, decision in enumerate(stream.decisions(), start=1):
    if number == 3:
        os.kill(os.getpid(), signal.SIGSTOP)
    stream.send(stream.answer(decision))
