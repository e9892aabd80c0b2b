"""Duplicate deals: the same decks with the seats changed, and no bot that knows them already."""

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest
import trio

from arbiter import hosting
from arbiter.cli import main
from arbiter.config import ConfigError, parse
from arbiter.store import FILE_NAME, Store
from arbiter.tournament import run_tournament
from tests.arbiter.reporting import KeepingReporter

pytestmark = pytest.mark.hosted

LOCAL = {"command": ["{python}", "-m", "tests.arbiter.tells_its_process"]}


def configuration(out: Path, first: dict[str, Any], second: dict[str, Any]) -> dict[str, Any]:
    return {
        "tournament": {"name": "x", "matches_per_pair": 4, "concurrency": 4, "duplicate": True, "out": str(out)},
        "time": {"ready": "20s", "decision": "5s", "bank": "60s"},
        "bots": [{"name": "ada", **first}, {"name": "bob", **second}],
    }


def test_both_halves_have_the_same_decks_and_other_processes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    hosting.run(run_tournament, parse(configuration(tmp_path, LOCAL, LOCAL), "x"), tmp_path, KeepingReporter())
    with Store.open(tmp_path / FILE_NAME) as store:
        deals = {(stored.match_id, stored.deal.number): stored.deal for stored in store.deals()}
        bots = {stored.match_id: stored.bots for stored in store.deals()}
    for first, second in (("001-01", "001-02"), ("001-03", "001-04")):
        assert bots[second] == bots[first][::-1]
        one, two = deals[first, 1].record, deals[second, 1].record
        for member in ("hands", "talon", "turn_up", "dealer"):
            assert one[member] == two[member]
        assert deals[first, 1].commitment == deals[second, 1].commitment
    assert deals["001-01", 1].record["hands"] != deals["001-03", 1].record["hands"]
    capsys.readouterr()
    assert main(["standings", str(tmp_path), "--json"]) == 0
    (pairs,) = json.loads(capsys.readouterr().out)["pairs"]
    assert pairs["bots"] == ["ada", "bob"]
    assert (sum(pairs["counts"].values()), pairs["single"]) == (2, 0)
    assert main(["standings", str(tmp_path)]) == 0
    assert "ada – bob" in capsys.readouterr().out
    processes: dict[tuple[str, int], set[str]] = {}
    for (match_id, _), deal in deals.items():
        comments: Any = deal.record["comments"]
        for comment in comments.values():
            name, process = comment.split()
            half = 2 - int(match_id[-2:]) % 2
            processes.setdefault((name, half), set()).add(process)
    assert {key: len(found) for key, found in processes.items()} == {
        (name, half): 1 for name in ("ada", "bob") for half in (1, 2)
    }
    assert len({process for found in processes.values() for process in found}) == 4


def test_remote_bots_have_to_be_vouched_for(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"bots\[1\] \"bob\" is awaited, and a bot that remembers the first half"):
        parse(configuration(tmp_path, LOCAL, {"token_env": "BOB_TOKEN"}), "x")
    vouched = parse(configuration(tmp_path, LOCAL, {"token_env": "BOB_TOKEN", "vouched": True}), "x")
    assert vouched.bots[1].vouched
    with pytest.raises(ConfigError, match="vouched is for bots that are awaited"):
        parse(configuration(tmp_path, LOCAL, {**LOCAL, "vouched": True}), "x")


async def test_a_bot_that_is_vouched_for_plays_both_halves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOB_TOKEN", "bob's token")
    config = parse(configuration(tmp_path, LOCAL, {"token_env": "BOB_TOKEN", "vouched": True}), "x")
    reporter = KeepingReporter()
    with trio.fail_after(60):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(run_tournament, config, tmp_path, reporter)
            while not reporter.address:
                await trio.sleep(0.01)
            env = {**os.environ, "SIXTYSIX_ADDRESS": reporter.address, "SIXTYSIX_TOKEN": "bob's token"}
            command = config.bots[0].command
            assert command is not None
            async with trio.open_nursery() as bots:
                bots.start_soon(_run, [part.replace("{python}", sys.executable) for part in command], env)
                while reporter.seconds is None:
                    await trio.sleep(0.01)
                bots.cancel_scope.cancel()
    assert [match.reason for match in reporter.ended] == ["target"] * 4


async def _run(command: list[str], env: dict[str, str]) -> None:
    await trio.run_process(command, env=env, check=False)
