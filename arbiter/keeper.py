"""Keeps one bot: runs it, writes its log and leaves nothing of it behind.

A program of its own for each bot:

    python -I -S keeper.py MEMORY LOG CWD COMMAND...

MEMORY is the most data memory of a process of the bot in bytes (0: any), LOG the most bytes of its log, CWD where to
start it ("": here). Standard error is the log file, standard input a socket to the arbiter. The keeper writes lines to
it: ``started PID`` or ``failed PROBLEM``, then ``ended STATUS``, where STATUS is that of `subprocess.Popen.returncode`,
once nothing is left of the bot. What it reads from it asks the bot to end (SIGTERM); the end of what can be read,
which comes also when the arbiter dies in whatever way, ends it (SIGKILL).

All processes of the bot are descendants of the keeper, which is their subreaper: those that leave the bot's session or
lose their parent become its children, so that it finds them all and knows when there is none. It is single-threaded
and uses the standard library only, so that it starts quickly, and may fork.
"""

import ctypes
import os
import resource
import select
import signal
import sys
import time
from contextlib import suppress

_CONTROL = 0
_LOG = 2
_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36
_TAIL_BYTES = 64 * 1024
_CHUNK_BYTES = 64 * 1024
_PAUSE_S = 0.002
_PATIENCE_S = 5.0
# What the keeper ignores: the arbiter decides when the bot ends.
_IGNORED = (signal.SIGHUP, signal.SIGINT, signal.SIGTERM)
# What Python ignores, and other programs do not expect to be ignored.
_RESTORED = (*_IGNORED, signal.SIGPIPE, signal.SIGXFSZ)


class _Log:
    """Copies what the bot writes to the log file: the beginning, and of what is too much the end."""

    def __init__(self, pipe: int, most: int) -> None:
        os.set_blocking(pipe, False)
        self._pipe = pipe
        self._most = self._left = most
        self._too_much = 0
        self._tail = b""

    def copy(self) -> bool:
        """Copy some of what is ready, BlockingIOError if nothing is; False at the end."""
        data = os.read(self._pipe, _CHUNK_BYTES)
        kept, rest = data[: self._left], data[self._left :]
        self._left -= len(kept)
        self._write(kept)
        if rest:
            if not self._too_much:
                self._write(f"\n[the log is full: {self._most} bytes; only the end of what follows is kept]\n".encode())
            self._too_much += len(rest)
            self._tail = (self._tail + rest)[-_TAIL_BYTES:]
        return bool(data)

    def finish(self) -> None:
        """Copy what is left in the pipe."""
        with suppress(BlockingIOError):
            while self.copy():
                pass
        if self._too_much:
            self._write(f"[{self._too_much - len(self._tail)} bytes are left out]\n".encode() + self._tail)

    def _write(self, data: bytes) -> None:
        # On a full disk the bot plays on, without a log.
        with suppress(OSError):
            while data:
                data = data[os.write(_LOG, data) :]


def main() -> None:
    """Run the bot to its end."""
    memory, most, cwd, *command = sys.argv[1:]
    for number in _IGNORED:
        signal.signal(number, signal.SIG_IGN)
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)
    wake, woken = os.pipe()
    os.set_blocking(woken, False)
    signal.set_wakeup_fd(woken, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda number, frame: None)
    output, bots_output = os.pipe()
    problems, bots_problems = os.pipe()
    bot = os.fork()
    if bot == 0:
        _become_the_bot(command, cwd, int(memory), bots_output, bots_problems)
    os.close(bots_output)
    os.close(bots_problems)
    problem = os.read(problems, 1024)
    os.close(problems)
    if problem:
        os.waitpid(bot, 0)
        _tell(b"failed " + problem)
        return
    _tell(f"started {bot}".encode())
    log = _Log(output, int(most))
    status = _run(bot, log, output, wake)
    left = _leave_nobody()
    log.finish()
    if left:
        os.write(_LOG, f"\n[these processes of the bot cannot be ended: {left}]\n".encode())
    _tell(f"ended {os.waitstatus_to_exitcode(status)}".encode())


def _become_the_bot(command: list[str], cwd: str, memory: int, output: int, problems: int) -> None:
    what = command[0]
    try:
        # A keeper that is killed takes the bot with it.
        _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        os.setsid()
        for number in _RESTORED:
            signal.signal(number, signal.SIG_DFL)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(output, 1)
        os.dup2(output, 2)
        # A bot that crashes again and again would fill the disk.
        resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
        if cwd:
            what = cwd
            os.chdir(cwd)
            what = command[0]
        if memory:
            resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))
        os.execvp(command[0], command)
    except Exception as error:
        problem = error.strerror if isinstance(error, OSError) else repr(error)
        os.write(problems, f"{what!r}: {problem}".encode(errors="replace")[:1024])
    finally:
        os._exit(127)


def _run(bot: int, log: _Log, output: int, wake: int) -> int:
    """Serve the arbiter and the log until the bot's first process has ended; return its wait status."""
    poll = select.poll()
    for descriptor in (_CONTROL, output, wake):
        poll.register(descriptor, select.POLLIN)
    while True:
        for descriptor, _ in poll.poll():
            if descriptor == wake:
                os.read(wake, _CHUNK_BYTES)
                status = _bury(bot)
                if status is not None:
                    return status
            elif descriptor == output:
                if not log.copy():
                    poll.unregister(output)
            elif _asked():
                os.killpg(bot, signal.SIGTERM)
            else:
                poll.unregister(_CONTROL)
                os.killpg(bot, signal.SIGKILL)


def _asked() -> bytes:
    try:
        return os.read(_CONTROL, 64)
    except OSError:
        return b""


def _bury(bot: int) -> int | None:
    """Wait for all children that have ended; the wait status of the bot if it is among them."""
    with suppress(ChildProcessError):
        while True:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if pid == bot:
                return status
            if pid == 0:
                break
    return None


def _leave_nobody() -> list[int]:
    """Kill the children until there is none; the ids of those that cannot be killed."""
    give_up = time.monotonic() + _PATIENCE_S
    children: list[int] = []
    while True:
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return []
        if time.monotonic() > give_up:
            return children
        # The id of a child is not used again before it is buried. Its own children are ours when it has gone.
        children = _children()
        for pid in children:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(_PAUSE_S)


def _children() -> list[int]:
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        with suppress(OSError), open(f"/proc/{name}/stat", "rb") as file:
            # The name of the program is in parentheses, and may have any character in it.
            if int(file.read().rpartition(b")")[2].split()[1]) == os.getpid():
                found.append(int(name))
    return found


def _prctl(option: int, value: int) -> None:
    if ctypes.CDLL(None, use_errno=True).prctl(option, value, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl")


def _tell(line: bytes) -> None:
    # The arbiter may be gone.
    with suppress(OSError):
        os.write(_CONTROL, line + b"\n")


if __name__ == "__main__":
    main()
