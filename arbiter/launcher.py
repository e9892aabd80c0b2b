"""Bots that the arbiter starts: one process each, in a process group of its own, watched until it ends."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

import structlog
import trio

from arbiter.config import BotSection

_log = structlog.get_logger()
_TERM_GRACE_S = 1.0


class LaunchError(Exception):
    """A bot's command cannot be started; the message names the bot and the command."""


class _Process:
    def __init__(self, popen: "subprocess.Popen[bytes]", log_file: Path) -> None:
        self.popen = popen
        self.log_file = log_file
        self.ended = trio.Event()


class Launcher:
    """Starts the processes of local bots, and ends them.

    Args:
        bots: the local bots by name.
        tokens: bearer token by name.
        address: what bots connect to.
        logs: directory for one log file a process.
        on_exit: called with the name and a sentence whenever a process has ended by itself.
        nursery: watches the processes.
    """

    def __init__(
        self,
        bots: Mapping[str, BotSection],
        tokens: Mapping[str, str],
        address: str,
        logs: Path,
        on_exit: Callable[[str, str], None],
        nursery: trio.Nursery,
    ) -> None:
        self._bots = bots
        self._tokens = tokens
        self._address = address
        self._logs = logs
        self._on_exit = on_exit
        self._nursery = nursery
        self._running: dict[str, _Process] = {}
        self._dismissed: list[_Process] = []
        self._starts: dict[str, int] = {}
        self._ending = False

    def ensure_running(self, name: str) -> None:
        """Start the bot's process unless it runs already; a remote bot is left alone. Raises LaunchError."""
        bot = self._bots.get(name)
        if bot is None or name in self._running or self._ending:
            return
        number = self._starts[name] = self._starts.get(name, 0) + 1
        log_file = self._logs / f"{name}-{number}.log"
        assert bot.command is not None
        command = [part.replace("{python}", sys.executable) for part in bot.command]
        env = {
            **os.environ,
            **bot.env,
            "SIXTYSIX_ADDRESS": self._address,
            "SIXTYSIX_TOKEN": self._tokens[name],
            "SIXTYSIX_BOT_NAME": bot.name,
        }
        try:
            with log_file.open("wb") as log:
                popen = subprocess.Popen(
                    command,
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                    env=env,
                    cwd=bot.cwd,
                    start_new_session=True,
                )
        except OSError as error:
            raise LaunchError(f"bot {name}: cannot start {command[0]!r}: {error.strerror}") from None
        process = self._running[name] = _Process(popen, log_file)
        _log.info("bot started", bot=name, pid=popen.pid, log=str(log_file))
        self._nursery.start_soon(self._watch, name, process)

    def is_running(self, name: str) -> bool:
        """Does the bot have a process of ours now?"""
        return name in self._running

    async def _watch(self, name: str, process: _Process) -> None:
        await _wait(process.popen)
        _kill_group(process.popen.pid, signal.SIGKILL)
        process.ended.set()
        if self._running.get(name) is not process:
            return
        del self._running[name]
        if not self._ending:
            self._on_exit(name, f"the process of {name} {_describe(process.popen.returncode)}, see {process.log_file}")

    def dismiss(self, name: str) -> None:
        """End the bot's process, which is of no more use; `ensure_running` starts a new one."""
        process = self._running.pop(name, None)
        if process is not None:
            self._dismissed = [old for old in self._dismissed if not old.ended.is_set()] + [process]
            # Time to read and to log why it was dismissed.
            self._nursery.start_soon(self._end, [process], _TERM_GRACE_S)

    async def end_all(self, polite_s: float) -> None:
        """Wait a little for the processes to end by themselves, then end what is left of their groups."""
        self._ending = True
        await self._end([*self._running.values(), *self._dismissed], polite_s)

    async def _end(self, processes: list[_Process], polite_s: float) -> None:
        for number, seconds in ((None, polite_s), (signal.SIGTERM, _TERM_GRACE_S), (signal.SIGKILL, _TERM_GRACE_S)):
            left = [process for process in processes if not process.ended.is_set()]
            if number is not None:
                for process in left:
                    _kill_group(process.popen.pid, number)
            with trio.move_on_after(seconds):
                for process in left:
                    await process.ended.wait()


async def _wait(popen: "subprocess.Popen[bytes]") -> None:
    # A pidfd becomes readable when the process ends: no thread and no polling.
    descriptor = os.pidfd_open(popen.pid)
    try:
        await trio.lowlevel.wait_readable(descriptor)
    finally:
        os.close(descriptor)
    popen.wait()


def _kill_group(group: int, number: signal.Signals) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)


def _describe(returncode: int) -> str:
    if returncode < 0:
        with suppress(ValueError):
            return f"was killed by {signal.Signals(-returncode).name}"
    return f"exited with status {returncode}"
