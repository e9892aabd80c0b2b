"""Bots that the arbiter starts: each under a keeper of its own (see `arbiter.keeper`), watched until it ends."""

import errno
import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Collection, Mapping
from contextlib import suppress
from pathlib import Path

import structlog
import trio

from arbiter.config import BotSection

_log = structlog.get_logger()
MOST_LOG_BYTES = 10_000_000
"""What is kept of the output of a process, but for its end."""
_KEEPER = str(Path(__file__).with_name("keeper.py"))
_TERM_GRACE_S = 1.0
# Longer than a keeper tries.
_KILL_GRACE_S = 6.0


class LaunchError(Exception):
    """A bot's command cannot be started; the message names the bot and the command."""


class _Process:
    """A keeper and the bot that it keeps."""

    def __init__(self, arguments: list[str], env: dict[str, str], log_file: Path) -> None:
        self.log_file = log_file
        self.ended = trio.Event()
        self._control, keepers_end = socket.socketpair()
        self._control.setblocking(False)
        with keepers_end, log_file.open("wb") as log:
            self._keeper = subprocess.Popen(
                [sys.executable, "-I", "-S", _KEEPER, *arguments],
                stdin=keepers_end.fileno(),
                stdout=subprocess.DEVNULL,
                stderr=log,
                env=env,
                # Ctrl-C is for the arbiter alone.
                start_new_session=True,
            )

    async def reports(self) -> AsyncIterator[tuple[str, str]]:
        """What the keeper says, until it has ended: the kind of event and what belongs to it."""
        buffer = b""
        with self._control as control:
            while True:
                await trio.lowlevel.wait_readable(control)
                data = b""
                with suppress(ConnectionResetError):
                    data = control.recv(4096)
                *lines, buffer = (buffer + data).split(b"\n")
                for line in lines:
                    kind, _, rest = line.decode(errors="replace").partition(" ")
                    yield kind, rest
                if not data:
                    break
        # Its end of the socket is closed: it is about to be gone.
        self._keeper.wait()

    def ask_to_end(self) -> None:
        """Send the bot SIGTERM."""
        with suppress(OSError):
            self._control.send(b"end\n")

    def kill(self) -> None:
        """End the bot and its descendants."""
        with suppress(OSError):
            self._control.shutdown(socket.SHUT_WR)

    def kill_keeper(self) -> None:
        """For a keeper that does not do its work, because the bot has stopped it for instance; the bot dies with it."""
        self._keeper.kill()


class Launcher:
    """Starts the processes of local bots, and ends them.

    Args:
        bots: the local bots by name.
        tokens: bearer token by name.
        address: what bots connect to.
        logs: directory for one log file a process.
        on_exit: called with the name and a sentence whenever a process has ended by itself.
        nursery: watches the processes.
        hidden: variables of the arbiter's environment that the bots do not get, nor any that begins with SIXTYSIX_.
    """

    def __init__(
        self,
        bots: Mapping[str, BotSection],
        tokens: Mapping[str, str],
        address: str,
        logs: Path,
        on_exit: Callable[[str, str], None],
        nursery: trio.Nursery,
        hidden: Collection[str] = (),
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
        # The tokens of remote bots come in the arbiter's environment, and are nobody else's.
        self._environment = {
            key: value for key, value in os.environ.items() if key not in hidden and not key.startswith("SIXTYSIX_")
        }
        self._ending = False

    def ensure_running(self, name: str) -> None:
        """Start the bot's process unless it runs already; a remote bot is left alone. Raises LaunchError."""
        bot = self._bots.get(name)
        if bot is None or name in self._running or self._ending:
            return
        number = self._starts[name] = self._starts.get(name, 0) + 1
        assert bot.command is not None
        command = [part.replace("{python}", sys.executable) for part in bot.command]
        env = {
            **self._environment,
            **bot.env,
            "SIXTYSIX_ADDRESS": self._address,
            "SIXTYSIX_TOKEN": self._tokens[name],
            "SIXTYSIX_BOT_NAME": bot.name,
        }
        _check(bot, command[0], env.get("PATH"))
        arguments = [str(bot.memory or 0), str(MOST_LOG_BYTES), str(bot.cwd or "")]
        try:
            process = _Process([*arguments, *command], env, self._logs / f"{name}-{number}.log")
        except OSError as error:
            raise LaunchError(f"bot {name}: cannot start {command[0]!r}: {error.strerror}") from None
        self._running[name] = process
        self._nursery.start_soon(self._watch, name, process)

    def is_running(self, name: str) -> bool:
        """Does the bot have a process of ours now?"""
        return name in self._running

    async def _watch(self, name: str, process: _Process) -> None:
        how = "has lost its keeper"
        async for kind, rest in process.reports():
            if kind == "started":
                _log.info("bot started", bot=name, pid=int(rest), log=str(process.log_file))
            elif kind == "failed":
                how = f"could not be started: {rest}"
            elif kind == "ended":
                how = _describe(int(rest))
        process.ended.set()
        if self._running.get(name) is not process:
            return
        del self._running[name]
        if not self._ending:
            self._on_exit(name, f"the process of {name} {how}, see {process.log_file}")

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
        steps: tuple[tuple[Callable[[_Process], None] | None, float], ...] = (
            (None, polite_s),
            (_Process.ask_to_end, _TERM_GRACE_S),
            (_Process.kill, _KILL_GRACE_S),
            (_Process.kill_keeper, _TERM_GRACE_S),
        )
        for step, seconds in steps:
            left = [process for process in processes if not process.ended.is_set()]
            if step is not None:
                for process in left:
                    step(process)
            with trio.move_on_after(seconds):
                for process in left:
                    await process.ended.wait()


def _check(bot: BotSection, program: str, path: str | None) -> None:
    """Find the usual mistakes at once and not when the keeper does; raises LaunchError."""
    cwd = bot.cwd or Path()
    if not cwd.is_dir():
        raise LaunchError(f"bot {bot.name}: cannot start {program!r} in {str(cwd)!r}: no such directory")
    found: Path | str | None = cwd / program if "/" in program else shutil.which(program, path=path)
    if found is None or not os.path.exists(found):
        raise LaunchError(f"bot {bot.name}: cannot start {program!r}: {os.strerror(errno.ENOENT)}")
    if os.path.isdir(found) or not os.access(found, os.X_OK):
        raise LaunchError(f"bot {bot.name}: cannot start {program!r}: {os.strerror(errno.EACCES)}")


def _describe(returncode: int) -> str:
    if returncode < 0:
        with suppress(ValueError):
            return f"was killed by {signal.Signals(-returncode).name}"
    return f"exited with status {returncode}"
