"""The live page: matches a second with a hundred viewers and with none, in turn, within one tournament.

Viewers are on the same machine, so what they cost the bots is in the figure; it is all of what the page costs.
"""

import selectors
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.processes import processes
from benchmarks.report import BenchmarkError, Check, in_turn, median_ratio, show_pairs
from benchmarks.tournament import MatchEnded, Plan, started

VIEWERS = 100
LEAST_RATIO = 0.9
_WARM_UP = 100
# Until all viewers have what was played before they came, or are forgotten.
_SETTLE_S = 3.0


def run(quick: bool) -> list[Check]:
    """Count matches for some seconds, with the viewers and without them."""
    rounds, seconds = (2, 6.0) if quick else (5, 10.0)
    port = _free_port()
    plan = Plan(4, 8, 20_000, 2, web=f"127.0.0.1:{port}")
    with TemporaryDirectory() as folder, started(plan, Path(folder)) as running:
        ends = running.ends()
        for _ in range(_WARM_UP):
            next(ends)

        def watched(_: int) -> float:
            with processes() as start:
                viewers = start(_look, port, VIEWERS)
                rate = _rate(ends, seconds)
                if not viewers.is_alive():
                    raise BenchmarkError("a viewer was dropped")
                return rate

        pairs = in_turn(rounds, watched, lambda _: _rate(ends, seconds))
    show_pairs("matches a second", f"{VIEWERS} viewers", "none", pairs)
    return [Check(f"web: matches a second, {VIEWERS} viewers, times none", median_ratio(pairs), LEAST_RATIO)]


def _rate(ends: Iterator[MatchEnded], seconds: float) -> float:
    begin_ns = time.monotonic_ns() + int(_SETTLE_S * 1e9)
    end_ns = begin_ns + int(seconds * 1e9)
    counted = 0
    for ended in ends:
        if ended.at_ns >= end_ns:
            break
        counted += ended.at_ns >= begin_ns
    return counted / seconds


def _look(port: int, count: int) -> None:
    """Read the events of so many viewers until ended; ends by itself if one of them is refused or dropped."""
    with selectors.DefaultSelector() as selector:
        for _ in range(count):
            viewer = socket.create_connection(("127.0.0.1", port))
            viewer.sendall(b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
            viewer.setblocking(False)
            selector.register(viewer, selectors.EVENT_READ)
        while True:
            for key, _ in selector.select():
                assert isinstance(key.fileobj, socket.socket)
                data = key.fileobj.recv(1 << 20)
                if not data or data.startswith(b"HTTP/1.1 503"):
                    return


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
