"""`arbiter run` with a live page, as a process."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

BOTS = ("random", "greedy", "counting")
_ARBITER = [sys.executable, "-c", "import sys; from arbiter.cli import main; sys.exit(main())", "run", "club.toml"]
_TOLD = "note: the live page is at "


@dataclass
class Running:
    """An arbiter that runs.

    Attributes:
        process: its process.
        address: of the live page.
        out: directory of the tournament.
    """

    process: "subprocess.Popen[str]"
    address: str
    out: Path

    def web_pid(self) -> int:
        """The process of the live page."""
        lines = [json.loads(line) for line in (self.out / "arbiter.log").read_text().splitlines()]
        pids = [line["pid"] for line in lines if line["event"] == "live page started"]
        assert len(pids) == 1
        return int(pids[0])


def write(
    folder: Path,
    matches_per_pair: int,
    listen: str = "127.0.0.1:0",
    bots: Sequence[str] = BOTS,
    **settings: object,
) -> None:
    """Write a tournament of some example bots as ``club.toml``."""
    lines = ["[tournament]", f"matches_per_pair = {matches_per_pair}", 'out = "out"']
    lines += [f"{key} = {json.dumps(value)}" for key, value in settings.items()]
    lines += ["[web]", f"listen = {json.dumps(listen)}"]
    for name in bots:
        lines += ["[[bots]]", f'name = "{name}"', f'command = ["{{python}}", "-m", "example_bots.{name}_bot"]']
    (folder / "club.toml").write_text("\n".join(lines) + "\n")


def start(folder: Path, *options: str) -> "subprocess.Popen[str]":
    """Start the arbiter in a folder."""
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    return subprocess.Popen(
        [*_ARBITER, *options], cwd=folder, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


@contextmanager
def running(folder: Path, *options: str) -> Iterator[Running]:
    """Run the arbiter in a folder as long as the block runs, or until it ends by itself."""
    with start(folder, *options) as process:
        try:
            assert process.stderr is not None
            address = next(line for line in process.stderr if line.startswith(_TOLD))
            yield Running(process, address.removeprefix(_TOLD).strip(), folder / "out")
        finally:
            if process.poll() is None:
                process.send_signal(signal.SIGINT)
            process.communicate()
