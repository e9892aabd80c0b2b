"""The process of a bot that is checked: started as the arbiter starts it, watched, and ended."""

import os
import signal
import subprocess
import tempfile
import threading
from collections.abc import Sequence
from contextlib import suppress

from sixtysix.client import ADDRESS_VARIABLE, NAME_VARIABLE, TOKEN_VARIABLE
from sixtysix.conformance.server import Exited, Happenings

TERM_GRACE_S = 1.0
"""From SIGTERM to SIGKILL, as the arbiter has it."""

_TAIL_BYTES = 4_000
_TAIL_LINES = 20


class StartError(Exception):
    """The command of a bot cannot be started; the message says why."""


class BotProcess:
    """A bot that runs.

    Args:
        command: program and arguments.
        address: where it is to connect.
        token: its token.
        name: its name in the tournament.
        happenings: is told when it has ended.
        on_terminal: leave it the terminal: a debugger needs it. Otherwise it has no input, its output is kept, and it
            has a process group of its own.

    Attributes:
        output_tail: the last lines that it has written, once it has ended.
    """

    def __init__(
        self,
        command: Sequence[str],
        address: str,
        token: str,
        name: str,
        happenings: Happenings,
        *,
        on_terminal: bool = False,
    ) -> None:
        environment = {key: value for key, value in os.environ.items() if not key.startswith("SIXTYSIX_")}
        environment |= {ADDRESS_VARIABLE: address, TOKEN_VARIABLE: token, NAME_VARIABLE: name}
        self.output_tail: list[str] = []
        self._own_group = not on_terminal
        self._output = None if on_terminal else tempfile.TemporaryFile()  # noqa: SIM115 # read when the process has ended
        try:
            self._process = subprocess.Popen(
                command,
                stdin=None if on_terminal else subprocess.DEVNULL,
                # Standard output is that of the report.
                stdout=2 if on_terminal else self._output,
                stderr=None if on_terminal else subprocess.STDOUT,
                env=environment,
                start_new_session=self._own_group,
            )
        except OSError as error:
            self._close_output()
            raise StartError(f"cannot start {command[0]!r}: {error.strerror}") from None
        self._happenings = happenings
        self._watch = threading.Thread(target=self._report_end, daemon=True)
        self._watch.start()

    def _report_end(self) -> None:
        self._happenings.put(Exited(self._process.wait()))

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to it, and to what it has started."""
        with suppress(ProcessLookupError):
            if self._own_group:
                os.killpg(self._process.pid, number)
            else:
                self._process.send_signal(number)

    def ask_to_end(self, polite_s: float) -> None:
        """Send it SIGTERM, unless it ends by itself in time."""
        self._watch.join(polite_s)
        if self._watch.is_alive():
            self.signal(signal.SIGTERM)

    def end(self) -> None:
        """Kill it, unless it ends in time, and what it has started; returns when it has ended."""
        self._watch.join(TERM_GRACE_S)
        self.signal(signal.SIGKILL)
        self._watch.join()
        self._close_output()

    def _close_output(self) -> None:
        if self._output is None:
            return
        size = self._output.seek(0, os.SEEK_END)
        self._output.seek(max(0, size - _TAIL_BYTES))
        self.output_tail = self._output.read().decode(errors="replace").splitlines()[-_TAIL_LINES:]
        self._output.close()
