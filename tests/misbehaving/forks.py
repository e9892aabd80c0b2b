"""Leaves processes behind: in another session, without its environment, ignoring signals, and orphans."""

import subprocess
import sys

from tests.misbehaving.raw import RawStream
from tests.misbehaving.sleeper import START_SLEEPER, start_sleeper

stream = RawStream()
for number, decision in enumerate(stream.decisions()):
    if number == 0:
        start_sleeper()
        subprocess.run([sys.executable, "-c", START_SLEEPER], check=True)
    stream.send(stream.answer(decision))
