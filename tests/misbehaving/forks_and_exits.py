"""Counts the processes that earlier ones of it have left, leaves one itself, and ends at its first decision."""

import os
from pathlib import Path

from tests.misbehaving.raw import RawStream
from tests.misbehaving.sleeper import start_sleeper

next(RawStream().decisions())
name = f"sleeper of {os.environ['TMPDIR']}".encode()
found = 0
for path in Path("/proc").glob("[0-9]*/cmdline"):
    try:
        found += name in path.read_bytes()
    except OSError:
        continue
print(f"found {found}", flush=True)
start_sleeper()
os._exit(5)
