"""A bot as a program of its own: how it ends, and what it says then."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Event

import grpc
import pytest

from sixtysix.v1 import bot_service_pb2 as pb
from tests.sdk.client_messages import (
    decision,
    new_deal,
)
from tests.sdk.fake_stream import WAIT_S
from tests.sdk.scripted_arbiter import TOKEN, Peer, Script, arbiter, opening, say

PROGRAM = """\
import threading
from sixtysix import Bot, run

class MyBot(Bot):
    def choose(self, view):
        return threading.Event().wait()

run(MyBot())
"""


def start(tmp_path: Path, address: str) -> "subprocess.Popen[str]":
    program = tmp_path / "my_bot.py"
    program.write_text(PROGRAM, encoding="utf-8")
    settings = {"SIXTYSIX_ADDRESS": address, "SIXTYSIX_TOKEN": TOKEN}
    return subprocess.Popen(
        [sys.executable, str(program)], env={**os.environ, **settings}, stderr=subprocess.PIPE, text=True
    )


def over(peer: Peer) -> Iterator[pb.PlayResponse]:
    yield from opening(peer)


def refused(peer: Peer) -> Iterator[pb.PlayResponse]:
    peer.refuse(grpc.StatusCode.UNAUTHENTICATED, "TOKEN_UNKNOWN", "no such bot")
    yield say()


@pytest.mark.parametrize(("script", "status", "text"), [(over, 0, ""), (refused, 1, "error: the arbiter at ")])
def test_the_exit_status_of_the_program(tmp_path: Path, script: Script, status: int, text: str) -> None:
    with arbiter(script) as address, start(tmp_path, address) as program:
        _, errors = program.communicate(timeout=WAIT_S)
    assert program.returncode == status
    assert errors.startswith(text)
    assert len(errors.splitlines()) == status


def interrupted(tmp_path: Path, *match_ids: str, asked: bool) -> tuple[int, str, list[str]]:
    """Start the program, give it matches, press Ctrl-C; returns its exit status, its errors, and why it left."""
    left: list[pb.Command] = []
    started = Event()

    def script(peer: Peer) -> Iterator[pb.PlayResponse]:
        yield from opening(peer, *match_ids)
        if asked:
            yield say(decision(match_ids[0], 1, new_deal()))
        started.set()
        left.extend(peer.message())

    with arbiter(script) as address, start(tmp_path, address) as program:
        assert started.wait(WAIT_S)
        program.send_signal(signal.SIGINT)
        _, errors = program.communicate(timeout=WAIT_S)
    return program.returncode, errors, [command.leave.reason for command in left]


def test_ctrl_c_ends_the_program_while_it_thinks(tmp_path: Path) -> None:
    assert interrupted(tmp_path, "m", asked=True) == (3, "interrupted\n", ["interrupted"])


@pytest.mark.parametrize("matches", [1, 8], ids=["few matches", "many matches"])
def test_ctrl_c_ends_the_program_while_it_waits(tmp_path: Path, matches: int) -> None:
    names = [f"m{number}" for number in range(matches)]
    assert interrupted(tmp_path, *names, asked=False) == (3, "interrupted\n", ["interrupted"])
