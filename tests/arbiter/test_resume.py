"""Kill -9 at any moment, and go on: nothing that was fixed is lost, nothing counts twice."""

import json
import os
import random
import signal
import socket
import subprocess
import sys
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from arbiter import directory, hosting
from arbiter.config import parse
from arbiter.directory import LOCK_FILE, STORE_FILE
from arbiter.results import MatchSummary, Scoreboard
from arbiter.resume import differences
from arbiter.schedule import round_robin
from arbiter.store import FILE_NAME
from arbiter.tournament import TournamentError, run_tournament
from arbiter.verify import verify
from sixtysix.rules import parse_record, replay
from tests.arbiter.reporting import KeepingReporter

NAMES = ("ada", "bob", "cy", "dan", "eve", "fay")
KILLS = 50
ARBITER = [sys.executable, "-c", "import sys; from arbiter.cli import main; sys.exit(main())"]


def file_of(path: Path, port: int, matches_per_pair: int) -> Path:
    bots = "".join(f'[[bots]]\nname = "{name}"\ntoken_env = "TOKEN_{name.upper()}"\n' for name in NAMES)
    path.write_text(
        f"""
        [tournament]
        matches_per_pair = {matches_per_pair}
        concurrency = 6
        out = {json.dumps(str(path.parent / "out"))}
        [server]
        listen = "127.0.0.1:{port}"
        [faults]
        reconnect = "30s"
        {bots}
        """
    )
    return path


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@pytest.mark.parametrize(("kind", "kills", "matches_per_pair"), [("sqlite", KILLS, 30), ("postgresql", 8, 6)])
def test_kills_lose_nothing(
    tmp_path: Path, request: pytest.FixtureRequest, kind: str, kills: int, matches_per_pair: int
) -> None:
    store = [] if kind == "sqlite" else ["--store", request.getfixturevalue("postgres").new_database()]
    port = free_port()
    file = file_of(tmp_path / "club.toml", port, matches_per_pair)
    out = tmp_path / "out"
    env = {**os.environ, **{f"TOKEN_{name.upper()}": f"token of {name}" for name in NAMES}}
    tokens = [f"{name}=token of {name}" for name in NAMES]
    rng = random.Random(66)
    host = subprocess.Popen(
        [sys.executable, "-m", "tests.arbiter.bot_host", f"127.0.0.1:{port}", *tokens], stderr=subprocess.DEVNULL
    )
    try:
        for killed in range(kills + 1):
            # A kill may have come before there was anything to go on with.
            more = ["--resume"] if (out / FILE_NAME).exists() or (out / STORE_FILE).exists() else []
            arbiter = subprocess.Popen(
                [*ARBITER, "run", "--quiet", "--json", *more, *store, str(file)],
                env=env,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            )
            if killed < kills:
                _until_it_has_begun(out, arbiter)
                _until_some_matches_ended(out, rng.randint(0, 5))
                arbiter.kill()
            output, errors = arbiter.communicate()
            assert arbiter.returncode == (-signal.SIGKILL if killed < kills else 0), errors
    finally:
        host.kill()
        host.wait()
    told = json.loads(output)
    check(out, matches_per_pair, told)


def _until_it_has_begun(out: Path, arbiter: subprocess.Popen[str]) -> None:
    """Wait until the arbiter has the directory: after that, a kill may come at any moment."""
    while arbiter.poll() is None:
        with suppress(FileNotFoundError):
            if f"process {arbiter.pid} " in (out / LOCK_FILE).read_text():
                return
        time.sleep(0.01)


def _until_some_matches_ended(out: Path, more: int) -> None:
    """Wait until so many more matches are fixed, or a little while has passed."""
    deadline = time.monotonic() + 3
    first: int | None = None
    while time.monotonic() < deadline:
        try:
            with directory.open_store(out) as store:
                states = Counter(store.states().values())
        except Exception:  # it is only just being made
            continue
        done = states["fixed"]
        first = done if first is None else first
        if states["issued"] and done >= first + more:
            return


def check(out: Path, matches_per_pair: int, told: dict[str, Any]) -> None:
    schedule = {match.match_id for match in round_robin(NAMES, matches_per_pair)}
    with directory.open_store(out) as store:
        summaries = list(store.summaries())
        deals = list(store.deals())
        assert store.issued() == []
    counted = [match.match_id for match in summaries if not match.void]
    assert sorted(counted) == sorted(schedule)
    assert len(set(counted)) == len(counted)
    void = [match for match in summaries if match.void]
    assert void, "no kill hit a match"
    assert {match.detail for match in void} == {"interrupted: the arbiter ended before the match did"}
    board = Scoreboard(NAMES)
    for match in summaries:
        board.add(match)
    assert (told["played"], told["void"]) == (len(schedule), len(void))
    assert [standing["name"] for standing in told["standings"]] == [row.name for row in board.standings()]
    assert [standing["game_points"] for standing in told["standings"]] == [row.game_points for row in board.standings()]
    assert Counter(deal.match_id for deal in deals) == Counter(
        {match.match_id: match.deals for match in summaries if match.deals}
    )
    for deal in deals:
        assert replay(parse_record(deal.deal.record)) == {"id": None, **deal.deal.result}
    scores = Counter[tuple[str, int]]()
    for deal in deals:
        changes: Any = deal.deal.result["score_change"]
        for seat in (0, 1):
            scores[deal.match_id, seat] += changes[seat]
    assert all(match.score == (scores[match.match_id, 0], scores[match.match_id, 1]) for match in _fixed(summaries))
    assert verify(out).error is None


def _fixed(summaries: list[MatchSummary]) -> list[MatchSummary]:
    return [match for match in summaries if not match.void]


BASE: dict[str, Any] = {
    "tournament": {"name": "x", "matches_per_pair": 2, "out": "runs/x"},
    "bots": [{"name": name, "command": ["{python}", "-m", "example_bots.random_bot"]} for name in ("ada", "bob")],
}


@pytest.mark.parametrize(
    ("section", "changes", "told"),
    [
        ("tournament", {"matches_per_pair": 4}, "tournament.matches_per_pair was 2 and is 4"),
        ("tournament", {"rules": "sixty-six"}, "tournament.rules was 'schnapsen' and is 'sixty-six'"),
        ("time", {"bank": "5s"}, "time.bank was '30s' and is '5s'"),
        ("faults", {"limit": 1}, "faults.limit was 3 and is 1"),
        ("tournament", {"concurrency": 9, "out": "elsewhere"}, None),
        ("server", {"listen": "127.0.0.1:6600"}, None),
        ("web", {"listen": "127.0.0.1:8080"}, None),
    ],
)
def test_what_may_change_between_two_runs(section: str, changes: dict[str, Any], told: str | None) -> None:
    before = parse(BASE, "x").to_toml_dict()
    now = parse({**BASE, section: {**BASE.get(section, {}), **changes}}, "x").to_toml_dict()
    assert differences(before, now) == ([told] if told else [])


def test_other_bots_are_a_difference() -> None:
    before = parse(BASE, "x").to_toml_dict()
    renamed = {**BASE, "bots": [{**BASE["bots"][0], "name": "cy"}, BASE["bots"][1]]}
    assert differences(before, parse(renamed, "x").to_toml_dict()) == ["the bots were ada, bob and are cy, bob"]
    command = ["{python}", "-m", "example_bots.greedy_bot"]
    changed = {**BASE, "bots": [BASE["bots"][0], {**BASE["bots"][1], "command": command}]}
    (told,) = differences(before, parse(changed, "x").to_toml_dict())
    assert told.startswith("bots.bob.command was ['{python}', '-m', 'example_bots.random_bot'] and is")


def test_a_changed_configuration_is_refused(tmp_path: Path) -> None:
    hosting.run(run_tournament, parse(BASE, "x"), tmp_path, KeepingReporter())
    changed = parse({**BASE, "faults": {"limit": 9}}, "x")

    async def resume() -> None:
        await run_tournament(changed, tmp_path, KeepingReporter(), resume=True)

    with pytest.raises(TournamentError, match=r"faults\.limit was 3 and is 9"):
        hosting.run(resume)


def test_a_finished_tournament_has_nothing_left_to_play(tmp_path: Path) -> None:
    first = hosting.run(run_tournament, parse(BASE, "x"), tmp_path, KeepingReporter())
    reporter = KeepingReporter()

    async def resume() -> Scoreboard:
        return await run_tournament(parse(BASE, "x"), tmp_path, reporter, resume=True)

    assert hosting.run(resume).standings() == first.standings()
    assert reporter.ended == []
    assert reporter.notes == ["resumed: 2 matches kept, 0 interrupted and void, 0 left to play"]
