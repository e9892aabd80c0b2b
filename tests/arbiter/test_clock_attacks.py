"""Nothing that a bot does on its stream gains it time, and the deadline holds; over real sockets."""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

import grpc
import pytest
import trio

from arbiter.config import TournamentConfig, parse
from arbiter.results import MatchResult, MatchSummary, Scoreboard
from arbiter.store import FILE_NAME, Store
from arbiter.times_report import TimedDecision, timed_decisions
from arbiter.tournament import run_tournament
from sixtysix.v1 import bot_service_pb2 as pb
from tests.arbiter.proxy import Proxy
from tests.arbiter.reporting import KeepingReporter
from tests.misbehaving.raw import RawStream

pytestmark = pytest.mark.hosted

TOKENS = {"ada": "the token of ada", "eve": "the token of eve"}
CAP_S = 0.3
SLACK_S = 0.25
"""The most that may pass between a deadline and the record of what follows, also on a busy machine."""

Attack = Callable[[RawStream, pb.Decision], None]


class _Watch(KeepingReporter):
    """Notes when each match was recorded, on the monotonic clock."""

    def __init__(self) -> None:
        super().__init__()
        self.is_started = trio.Event()
        self.recorded: dict[str, float] = {}

    def started(self, *arguments: Any) -> None:
        super().started(*arguments)
        self.is_started.set()

    def match_ended(self, summary: MatchSummary, board: Scoreboard) -> None:
        super().match_ended(summary, board)
        self.recorded[summary.match_id] = time.monotonic()


def configured(out: Path, monkeypatch: pytest.MonkeyPatch, **time_control: str) -> TournamentConfig:
    for name, token in TOKENS.items():
        monkeypatch.setenv(f"{name.upper()}_TOKEN", token)
    data = {
        "tournament": {"name": "test", "matches_per_pair": 2, "concurrency": 1, "deal_limit": 1, "out": str(out)},
        "time": {"ready": "20s", "bank": "60s", "lag": "0s", **time_control},
        # With the usual limits the stream of some of the attackers would end before the deadline.
        "server": {"commands_per_second": 1_000_000, "burst": 1_000_000},
        "faults": {"late": "match"},
        "bots": [{"name": name, "token_env": f"{name.upper()}_TOKEN"} for name in TOKENS],
    }
    return parse(data, "test")


@contextmanager
def honest(address: str) -> Iterator[None]:
    env = {**os.environ, "SIXTYSIX_ADDRESS": address, "SIXTYSIX_TOKEN": TOKENS["ada"]}
    process = subprocess.Popen([sys.executable, "-m", "example_bots.random_bot"], env=env, stderr=subprocess.PIPE)
    try:
        yield
    finally:
        process.terminate()
        process.communicate()


async def play(
    config: TournamentConfig, bad: Callable[[str], None], proxy: Proxy | None = None
) -> tuple[_Watch, list[MatchResult]]:
    """Play until the first match is recorded, or without a proxy to the end."""
    watch = _Watch()
    out = config.tournament.out
    with trio.fail_after(60):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(run_tournament, config, out, watch)
            await watch.is_started.wait()
            address = watch.address
            if proxy is not None:
                await nursery.start(proxy.serve, address)
                address = proxy.address
            with honest(watch.address):
                nursery.start_soon(partial(trio.to_thread.run_sync, abandon_on_cancel=True), _until_ended, bad, address)
                while watch.seconds is None and not (proxy and watch.ended):
                    await trio.sleep(0.01)
            nursery.cancel_scope.cancel()
    with Store.open(out / FILE_NAME) as store:
        return watch, [store.match(match_id) for match_id in watch.recorded]


def _until_ended(bad: Callable[[str], None], address: str) -> None:
    with suppress(grpc.RpcError):
        bad(address)


def decisions_of(match: MatchResult, name: str, config: TournamentConfig) -> list[TimedDecision]:
    seat = match.bots.index(name)
    return [decision for decision in timed_decisions(match, config.time_control()) if decision.seat == seat]


def silence(stream: RawStream, decision: pb.Decision) -> None:
    pass


def _again_and_again(stream: RawStream, command: pb.Command, pause_s: float) -> None:
    end = time.monotonic() + 2 * CAP_S
    while time.monotonic() < end:
        stream.send(command)
        time.sleep(pause_s)


def old_answers(stream: RawStream, decision: pb.Decision) -> None:
    _again_and_again(stream, stream.answer(decision, decision_id=decision.decision_id + 2), 0.002)


def pongs(stream: RawStream, decision: pb.Decision) -> None:
    _again_and_again(stream, pb.Command(pong=pb.Pong(nonce=7)), 0.002)


def nothing_known(stream: RawStream, decision: pb.Decision) -> None:
    _again_and_again(stream, pb.Command(), 0.002)


def ready(stream: RawStream, decision: pb.Decision) -> None:
    _again_and_again(stream, pb.Command(ready=pb.Ready(match_id=decision.match_id)), 0.002)


def huge_answers(stream: RawStream, decision: pb.Decision) -> None:
    big = stream.answer(decision, decision_id=decision.decision_id + 2, comment="x" * 200 * 1024)
    _again_and_again(stream, big, 0.01)


class _Attacker:
    """Attacks at every decision, and notes when each match got its first."""

    def __init__(self, attack: Attack) -> None:
        self.attack = attack
        self.asked: dict[str, float] = {}

    def __call__(self, address: str) -> None:
        stream = RawStream(TOKENS["eve"], address=address)
        for decision in stream.decisions():
            self.asked.setdefault(decision.match_id, time.monotonic())
            threading.Thread(target=self.attack, args=(stream, decision), daemon=True).start()


def check_deadline(attacker: _Attacker, watch: _Watch, matches: list[MatchResult], config: TournamentConfig) -> None:
    waits = []
    for match in matches:
        assert (match.reason, match.bots[match.winner or 0]) == ("forfeit", "ada"), match.detail
        assert match.detail.startswith("eve: late: no answer within 0.300 s"), match.detail
        (late,) = decisions_of(match, "eve", config)
        assert late.late
        # A busy machine is not the attacker's doing.
        assert CAP_S < (late.elapsed_us - late.stall_us) / 1e6 < CAP_S + SLACK_S
        waits.append(watch.recorded[match.match_id] - attacker.asked[match.match_id] - late.stall_us / 1e6)
    # The better of two: once, writing to the disk may take its time.
    assert min(waits) < CAP_S + SLACK_S


@pytest.mark.parametrize("attack", [silence, old_answers, pongs, nothing_known, ready, huge_answers])
async def test_the_deadline_holds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, attack: Attack) -> None:
    config = configured(tmp_path, monkeypatch, decision="300ms")
    attacker = _Attacker(attack)
    watch, matches = await play(config, attacker)
    assert len(matches) == 2
    check_deadline(attacker, watch, matches, config)
    first, second = (datetime.fromisoformat(match.started) for match in matches)
    # The place of a match that ended is free for the next one at once.
    assert (second - first).total_seconds() - matches[0].seconds < SLACK_S


async def test_the_deadline_holds_for_half_a_message(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = configured(tmp_path, monkeypatch, decision="300ms")
    proxy = Proxy()

    def half_a_message(stream: RawStream, decision: pb.Decision) -> None:
        proxy.holds = True
        stream.send(stream.answer(decision, comment="x" * 100 * 1024))

    attacker = _Attacker(half_a_message)
    watch, (match, *_) = await play(config, attacker, proxy)
    check_deadline(attacker, watch, [match], config)


async def test_the_deadline_holds_for_a_message_that_is_too_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = configured(tmp_path, monkeypatch, decision="300ms")

    def too_long(stream: RawStream, decision: pb.Decision) -> None:
        stream.send(stream.answer(decision, comment="x" * 300 * 1024))

    attacker = _Attacker(too_long)
    watch, (match, *_) = await play(config, attacker, Proxy())
    check_deadline(attacker, watch, [match], config)


async def test_who_does_not_read_gains_no_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = configured(tmp_path, monkeypatch, decision="5s")
    hold_s, kept_back = 0.3, 0

    def thinks_before_it_reads(address: str) -> None:
        nonlocal kept_back
        # A stream that takes one message, and no more until it is read.
        options = (("grpc.http2.lookahead_bytes", 1), ("grpc.http2.bdp_probe", 0))
        stream = RawStream(TOKENS["eve"], address=address, options=options)
        for decision in stream.decisions():
            # What is said of this answer lies in the way of the next decision.
            stream.send(stream.answer(decision, decision_id=decision.decision_id + 2))
            time.sleep(0.02)
            stream.send(stream.answer(decision))
            time.sleep(hold_s)
            kept_back += 1

    _, matches = await play(config, thinks_before_it_reads)
    assert kept_back >= 4
    for match in matches:
        assert match.reason != "forfeit"
        _, *later = decisions_of(match, "eve", config)
        assert later
        # Less what the opponent took, and what was open when the deal ended.
        assert all(decision.elapsed_us - decision.stall_us > hold_s * 1e6 / 2 for decision in later), later
