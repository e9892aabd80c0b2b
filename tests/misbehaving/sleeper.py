"""Processes that outlive their parent if they are let."""

import os
import signal
import subprocess

START_SLEEPER = "from tests.misbehaving.sleeper import start_sleeper; start_sleeper()"


def start_sleeper() -> None:
    """Start one, as far from its parent as it can be; its command line has $TMPDIR, by which it is found."""
    name = f"sleeper of {os.environ['TMPDIR']}"
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    try:
        subprocess.Popen([name, "1000000"], executable="/bin/sleep", start_new_session=True, env={})
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
