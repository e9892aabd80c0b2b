"""A tournament by the command that people use, in a process of its own, with remote bots."""

import json
import os
import signal
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from queue import SimpleQueue

ARBITER = "import sys; from arbiter.cli import main; sys.exit(main())"
INTERRUPTED = 3


class LiveArbiter:
    """An arbiter that runs.

    Attributes:
        out: the directory of its results.
        address: where bots connect.
    """

    def __init__(self, process: "subprocess.Popen[str]", out: Path) -> None:
        self._process = process
        self.out = out
        self._said: deque[str] = deque(maxlen=100)
        self._waits: SimpleQueue[str] = SimpleQueue()
        # What it says has to be read, or it would wait for that.
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()
        self.address = self._waits.get()
        assert self.address, self.said

    def _listen(self) -> None:
        assert self._process.stderr is not None
        for line in self._process.stderr:
            self._said.append(line)
            if line.startswith("waiting at "):
                self._waits.put(line.split()[2])
        self._waits.put("")

    @property
    def said(self) -> str:
        """The last that it said on standard error."""
        return "".join(self._said)

    @property
    def resident_mib(self) -> float:
        """Its memory."""
        for line in Path(f"/proc/{self._process.pid}/status").read_text(encoding="ascii").splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) / 1024
        raise AssertionError(f"the arbiter has ended: {self.said}")

    @property
    def descriptors(self) -> int:
        """Its open files and sockets."""
        return len(os.listdir(f"/proc/{self._process.pid}/fd"))

    def kill(self) -> None:
        """End it for certain."""
        assert self._process.stderr is not None
        self._process.kill()
        self._process.wait()
        self._listener.join()
        self._process.stderr.close()

    def stop(self) -> None:
        """Stop it as Ctrl-C does; it has to end in good order."""
        assert self._process.poll() is None, self.said
        self._process.send_signal(signal.SIGTERM)
        assert self._process.wait(timeout=60) == INTERRUPTED, self.said
        assert not list(self.out.glob("crash-*"))
        assert not [line for line in self.log() if line["level"] in ("error", "critical")]

    def log(self) -> Iterator[dict[str, object]]:
        """What it has logged."""
        with (self.out / "arbiter.log").open(encoding="utf-8") as lines:
            yield from map(json.loads, lines)


@contextmanager
def live_arbiter(folder: Path, text: str, tokens: Mapping[str, str]) -> Iterator[LiveArbiter]:
    """Play the tournament of a file; `tokens` are those of its bots, in the variables `NAME_TOKEN`."""
    (folder / "live.toml").write_text(text, encoding="utf-8")
    env = {**os.environ, **{f"{name.upper()}_TOKEN": token for name, token in tokens.items()}}
    env["PYTHONPATH"] = os.pathsep.join([os.getcwd(), env.get("PYTHONPATH", "")])
    process = subprocess.Popen(
        [sys.executable, "-c", ARBITER, "run", "live.toml"], cwd=folder, env=env, stderr=subprocess.PIPE, text=True
    )
    arbiter = LiveArbiter(process, folder / "out")
    try:
        yield arbiter
    finally:
        arbiter.kill()


@contextmanager
def honest_bot(address: str, token: str) -> Iterator[None]:
    """An example bot that plays, in a process of its own."""
    env = {**os.environ, "SIXTYSIX_ADDRESS": address, "SIXTYSIX_TOKEN": token}
    process = subprocess.Popen([sys.executable, "-m", "example_bots.random_bot"], env=env, stderr=subprocess.PIPE)
    try:
        yield
    finally:
        process.kill()
        process.communicate()
