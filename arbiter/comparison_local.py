"""A comparison that the SDK plays by itself, in processes of its own without a server: hundreds of matches a second."""

import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress

from arbiter.comparison import Comparison, Half
from arbiter.contenders import Contender, ContenderError

_USER_ERROR = 1


class LocalPlayError(Exception):
    """The SDK has failed, or its process was ended."""


def play(
    bots: tuple[Contender, Contender],
    rules: str,
    matches: int,
    seed: int,
    comparison: Comparison,
    on_match: Callable[[int], None],
) -> bool:
    """Play pairs until all are played or the comparison has decided.

    Args:
        bots: the new and the old one, both in Python.
        rules: a rule set as ``python -m sixtysix play`` reads it.
        matches: even.
        seed: decides the cards.
        comparison: gets the results.
        on_match: called with the number of matches played.

    Returns:
        False if the user has interrupted it.

    Raises:
        ContenderError: a bot or the rule set cannot be used, or a bot failed.
        LocalPlayError: the SDK did.
    """
    names = [_module(bot) for bot in bots]
    command = [sys.executable, "-m", "sixtysix", "play", "--pairs", "--each"]
    command += ["--rules", rules, "--matches", str(matches), "--seed", str(seed), "--", *names]
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as told:
        # In a group of its own: Ctrl-C is for this process, which ends that one.
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=told, text=True, process_group=0)
        assert process.stdout is not None
        played = 0
        try:
            with process.stdout:
                for line in process.stdout:
                    _count(json.loads(line), comparison)
                    played += 1
                    on_match(played)
                    if comparison.verdict is not None:
                        return True
            status = process.wait()
        except KeyboardInterrupt:
            return False
        finally:
            # With its own processes, in which a bot may think for ever.
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        if status:
            told.seek(0)
            text = told.read().strip().removeprefix("error: ")
            raise ContenderError(text) if status == _USER_ERROR else LocalPlayError(text or f"exit status {status}")
    comparison.finish()
    return True


def _module(bot: Contender) -> str:
    if bot.module is None:
        raise ContenderError(f"--local plays bots in Python that are named as module:Class, not {bot.text!r}")
    return bot.module


def _count(match: dict[str, object], comparison: Comparison) -> None:
    number, winner, deals, points = (match[name] for name in ("match", "winner", "deals", "game_points"))
    assert isinstance(number, int)
    assert isinstance(deals, int)
    assert isinstance(points, list)
    half_points = 1 if winner is None else 2 * int(winner == 0)
    comparison.add(number // 2, Half(half_points, points[0] - points[1], deals))
