"""The launcher and its keepers, with programs that are no bots."""

import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import trio

from arbiter import launcher
from arbiter.config import BotSection
from arbiter.launcher import Launcher, LaunchError


class Host:
    """A launcher of one program, and what it says of it."""

    def __init__(self, directory: Path, nursery: trio.Nursery, command: list[str], **settings: Any) -> None:
        bot = BotSection.model_validate({"name": "ada", "command": command, **settings})
        self.exits: list[str] = []
        self.exited = trio.Event()
        self.launcher = Launcher(
            {"ada": bot}, {"ada": "a token"}, "127.0.0.1:1", directory, self._on_exit, nursery, hidden=["HIDDEN"]
        )

    def _on_exit(self, name: str, detail: str) -> None:
        self.exits.append(detail)
        self.exited.set()


@asynccontextmanager
async def host(directory: Path, *command: str, **settings: Any) -> AsyncIterator[Host]:
    with trio.fail_after(60):
        async with trio.open_nursery() as nursery:
            started = Host(directory, nursery, list(command), **settings)
            started.launcher.ensure_running("ada")
            try:
                yield started
            finally:
                await started.launcher.end_all(0)
                nursery.cancel_scope.cancel()


async def run(directory: Path, source: str, **settings: Any) -> tuple[str, str]:
    """Run a Python program to its end: what is said of it, and its log."""
    async with host(directory, sys.executable, "-c", source, **settings) as started:
        await started.exited.wait()
        assert not started.launcher.is_running("ada")
    (detail,) = started.exits
    return detail, (directory / "ada-1.log").read_text()


async def wait_for(path: Path, text: str) -> None:
    while text not in path.read_text():
        await trio.sleep(0.01)


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except FileNotFoundError:
        return False


@pytest.mark.parametrize(
    ("source", "how"),
    [
        ("pass", "exited with status 0"),
        ("import sys; sys.exit(42)", "exited with status 42"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", "was killed by SIGSEGV"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGTERM)", "was killed by SIGTERM"),
        ("import os, signal; os.kill(os.getppid(), signal.SIGKILL)", "has lost its keeper"),
    ],
)
async def test_how_a_process_has_ended(tmp_path: Path, source: str, how: str) -> None:
    detail, _ = await run(tmp_path, source)
    assert detail == f"the process of ada {how}, see {tmp_path / 'ada-1.log'}"


async def test_what_a_process_gets_and_what_becomes_of_what_it_prints(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HIDDEN", "a secret")
    monkeypatch.setenv("SHOWN", "inherited")
    source = """
import os, resource, signal, sys
print(os.read(0, 1), os.getcwd(), os.getpgrp() == os.getpid(), sorted(map(int, os.listdir("/proc/self/fd")))[:-1])
print(*(f"{key}={os.environ.get(key)}" for key in ("HIDDEN", "SHOWN", "OWN", "SIXTYSIX_BOT_NAME", "SIXTYSIX_TOKEN")))
print(signal.getsignal(signal.SIGTERM) is signal.SIG_DFL, resource.getrlimit(resource.RLIMIT_CORE)[0])
print("to standard error", file=sys.stderr)
"""
    (tmp_path / "bots").mkdir()
    _, log = await run(tmp_path, source, env={"OWN": "set"}, cwd=str(tmp_path / "bots"))
    assert sorted(log.splitlines()) == sorted(
        [
            f"b'' {tmp_path / 'bots'} True [0, 1, 2]",
            "HIDDEN=None SHOWN=inherited OWN=set SIXTYSIX_BOT_NAME=ada SIXTYSIX_TOKEN=a token",
            "True 0",
            "to standard error",
        ]
    )


async def test_of_a_long_log_the_beginning_and_the_end_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(launcher, "MOST_LOG_BYTES", 1_000)
    _, log = await run(tmp_path, "for number in range(100_000): print(f'{number:9}')")
    first, _, rest = log.partition("\n[the log is full: 1000 bytes; only the end of what follows is kept]\n")
    assert first == "".join(f"{number:9}\n" for number in range(100))
    left_out, _, last = rest.partition("\n")
    assert left_out == f"[{1_000_000 - 1_000 - 65_536} bytes are left out]"
    assert last.splitlines()[-1] == f"{99_999:9}"
    assert len(last) == 65_536


async def test_a_limit_of_memory_is_for_data_and_not_for_what_is_only_reserved(tmp_path: Path) -> None:
    reserve = "import mmap; kept = mmap.mmap(-1, 1 << 30, mmap.MAP_PRIVATE, mmap.PROT_READ)\n"
    detail, _ = await run(tmp_path, reserve, memory="100MB")
    assert "exited with status 0" in detail
    async with host(tmp_path, sys.executable, "-c", "data = bytearray(200_000_000)", memory="100MB") as started:
        await started.exited.wait()
    assert "exited with status 1" in started.exits[0]
    assert "MemoryError" in (tmp_path / "ada-1.log").read_text()


OUTLIVE = """
import os, signal, sys, time
for number in range(3):
    if os.fork() == 0:
        os.setsid()
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        if os.fork() == 0:
            os.write(1, f"child {os.getpid()}\\n".encode())
            os.close(1)
            os.close(2)
            os.execve("/bin/sleep", ["sleep", "1000"], {})
        os._exit(0)
"""


@pytest.mark.parametrize(
    "end", ["while True: time.sleep(1)", "time.sleep(0.2)", "os.kill(os.getpid(), signal.SIGSTOP)"]
)
async def test_what_a_process_has_started_ends_with_it(tmp_path: Path, end: str) -> None:
    log = tmp_path / "ada-1.log"
    async with host(tmp_path, sys.executable, "-c", OUTLIVE + end) as started:
        while log.read_text().count("\n") < 3:
            await trio.sleep(0.01)
        children = [int(line.split()[1]) for line in log.read_text().splitlines()]
        if end == "time.sleep(0.2)":
            await started.exited.wait()
        else:
            assert all(is_running(pid) for pid in children)
    assert not any(is_running(pid) for pid in children)


async def test_a_process_that_is_dismissed_is_asked_first_and_another_one_is_started(tmp_path: Path) -> None:
    source = """
import signal, sys, time
signal.signal(signal.SIGTERM, lambda *_: sys.exit("asked to end"))
print("ready", flush=True)
while True: time.sleep(1)
"""
    async with host(tmp_path, sys.executable, "-c", source) as started:
        await wait_for(tmp_path / "ada-1.log", "ready")
        started.launcher.dismiss("ada")
        assert not started.launcher.is_running("ada")
        started.launcher.ensure_running("ada")
        await wait_for(tmp_path / "ada-1.log", "asked to end")
        await wait_for(tmp_path / "ada-2.log", "ready")
    assert started.exits == []


async def test_a_bot_that_stops_its_keeper_is_ended_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(launcher, "_TERM_GRACE_S", 0.1)
    monkeypatch.setattr(launcher, "_KILL_GRACE_S", 0.1)
    source = f"""
import os, time
os.kill(os.getppid(), {signal.SIGSTOP})
open({str(tmp_path / "pid")!r}, "w").write(f"{{os.getpid()}} ")
while True: time.sleep(1)
"""
    (tmp_path / "pid").touch()
    async with host(tmp_path, sys.executable, "-c", source):
        await wait_for(tmp_path / "pid", " ")
    pid = int((tmp_path / "pid").read_text())
    with trio.fail_after(10):
        while is_running(pid):
            await trio.sleep(0.01)


@pytest.mark.parametrize(
    ("command", "settings", "told"),
    [
        (["no-such-program"], {}, "bot ada: cannot start 'no-such-program': No such file or directory"),
        (["./text"], {}, "bot ada: cannot start './text': Permission denied"),
        (["./directory"], {}, "bot ada: cannot start './directory': Permission denied"),
        (["true"], {"cwd": "missing"}, "bot ada: cannot start 'true' in 'missing': no such directory"),
        (["true"], {"env": {"PATH": "missing"}}, "bot ada: cannot start 'true': No such file or directory"),
    ],
)
async def test_what_cannot_be_started_is_said_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: list[str], settings: dict[str, Any], told: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "text").write_text("no program")
    (tmp_path / "directory").mkdir()
    async with trio.open_nursery() as nursery:
        started = Host(tmp_path, nursery, command, **settings)
        with pytest.raises(LaunchError, match=f"^{told}$"):
            started.launcher.ensure_running("ada")
        assert not started.launcher.is_running("ada")


async def test_a_program_that_the_system_does_not_run(tmp_path: Path) -> None:
    program = tmp_path / "program"
    program.write_bytes(b"#!/no/such/interpreter\n")
    program.chmod(0o755)
    async with host(tmp_path, str(program)) as started:
        await started.exited.wait()
    told = f"the process of ada could not be started: '{program}': No such file or directory"
    assert started.exits == [f"{told}, see {tmp_path / 'ada-1.log'}"]
