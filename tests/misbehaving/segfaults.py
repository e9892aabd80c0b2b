"""Is killed by a signal at its third decision."""

import os
import signal

from tests.misbehaving.raw import RawStream

stream = RawStream()
for number, decision in enumerate(stream.decisions(), start=1):
    if number == 3:
        os.kill(os.getpid(), signal.SIGSEGV)
    stream.send(stream.answer(decision))
