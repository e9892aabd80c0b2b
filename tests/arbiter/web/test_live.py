"""A real tournament and those who look at it."""

import json
import os
import re
import signal
import socket
import time
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import trio

from arbiter import views
from arbiter.config import WebSection
from arbiter.schedule import partners, round_robin
from arbiter.store import FILE_NAME, Store, StoreAwayError
from arbiter.web.address import listening
from arbiter.web.figures import Figures, Snapshot
from arbiter.web.live import Live
from arbiter.web.news import News
from arbiter.web.page import LOG_FILE, LivePage
from arbiter.web.viewers import Viewers
from tests.arbiter.web.browsing import events, request
from tests.arbiter.web.running import BOTS, running, start, write

# Slow enough for somebody to look while the other half of a duplicate is played.
THINKERS = ("greedy", "rollout")
MATCHES = 14
CARD = re.compile(r"\b(?:[AKQJT9]|10)[CDHS♣♦♥♠]\b")


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[tuple[str, Any]]]:
    """A tournament of duplicates, and all events of it; with each row of a match the deals that could be had then."""
    folder = tmp_path_factory.mktemp("watched")
    write(folder, MATCHES, bots=THINKERS, duplicate=True, concurrency=1)
    seen = []
    with running(folder) as arbiter:
        for kind, data in events(arbiter.address):
            data["heard"] = datetime.now(UTC)
            # After the last figures the server waits for nobody who wants more.
            if kind == "figures" and not data["tournament"]["finished"]:
                for row in data["matches"]:
                    status, _, body = request(arbiter.address, f"/matches/{row['id']}")
                    row["got"] = json.loads(body) if status == 200 else status
            seen.append((kind, data))
        assert arbiter.process.wait(20) == 0
    return folder, seen


Watched = tuple[Path, list[tuple[str, Any]]]


def test_the_page_follows_the_tournament_to_its_end(watched: Watched) -> None:
    folder, seen = watched
    kinds = [kind for kind, _ in seen]
    assert kinds[0] == "now"
    assert kinds[-2:] == ["figures", "end"]
    assert kinds.count("end") == 1
    played = [data["tournament"]["played"] for kind, data in seen if kind == "figures"]
    assert played == sorted(played)
    assert len(set(played)) >= 2
    assert played[-1] == MATCHES
    with Store.open(folder / "out" / FILE_NAME) as store:
        expected = [asdict(line) for line in views.scoreboard(store).standings()]
        results = {match.match_id for match in store.summaries()}
    figures, end = seen[-2][1], seen[-1][1]
    assert figures["standings"] == json.loads(json.dumps(expected))
    assert figures["tournament"]["finished"]
    assert figures["behind"] == 0
    assert (end["state"], end["playing"], end["tables"]) == ("finished", 0, [])
    rows = [row for kind, data in seen if kind == "figures" for row in data["matches"]]
    assert {row["id"] for row in rows} == results
    assert len(rows) == MATCHES


def test_what_is_in_play_is_told_and_no_more(watched: Watched) -> None:
    _, seen = watched
    now = [data for kind, data in seen if kind == "now"]
    tables = [table for data in now for table in data["tables"]]
    assert tables
    for data in now:
        assert set(data) == {"state", "playing", "tables", "per_second", "seconds_left", "heard"}
        assert data["playing"] >= len(data["tables"])
    for table in tables:
        assert set(table) == {"match_id", "bots", "deal", "score", "seconds"}
        assert set(table["bots"]) == set(THINKERS)
        assert table["deal"] >= 1
        assert all(0 <= points < 10 for points in table["score"])
    assert any(data["per_second"] for data in now)


def test_no_card_is_shown_that_somebody_can_still_play(watched: Watched) -> None:
    folder, seen = watched
    partner = partners(round_robin(THINKERS, MATCHES, duplicate=True))
    with Store.open(folder / "out" / FILE_NAME) as store:
        ended = {
            match.match_id: datetime.fromisoformat(match.started) + timedelta(seconds=match.seconds)
            for match in store.summaries()
        }
    shown: set[str] = set()
    rows = 0
    for kind, told in seen:
        data = {key: value for key, value in told.items() if key != "heard"}
        if kind != "figures":
            playing = {table["match_id"] for table in data["tables"]}
            assert not CARD.search(json.dumps(data, ensure_ascii=False))
            # Neither the match nor the one that has the same cards was in play any more when it was shown.
            assert not playing & shown
            assert not {partner[match_id] for match_id in playing} & shown
            continue
        for row in data["matches"]:
            rows += 1
            shown.add(row["id"])
            assert ended[row["id"]] <= told["heard"]
            assert ended[partner[row["id"]]] <= told["heard"]
            if not data["tournament"]["finished"]:
                assert len(row["got"]) == row["played"]
                assert CARD.search(row["got"][0]["turn_up"])
        rest = {key: value for key, value in data.items() if key != "matches"}
        assert not CARD.search(json.dumps(rest, ensure_ascii=False))
        assert data["left_out"]["hidden"] == data["tournament"]["played"] - len(shown) - data["behind"]
    assert rows == MATCHES


def test_ctrl_c_and_going_on(tmp_path: Path) -> None:
    write(tmp_path, 1000)
    with running(tmp_path) as arbiter:
        stream = events(arbiter.address)
        first = next(data for kind, data in stream if kind == "figures" and data["tournament"]["played"])
        pid = arbiter.web_pid()
        arbiter.process.send_signal(signal.SIGINT)
        *_, (kind, end) = stream
        assert (kind, end["state"]) == ("end", "stopped")
        assert arbiter.process.wait(20) == 3
        assert not Path(f"/proc/{pid}").exists()
    with running(tmp_path, "--resume") as arbiter:
        stream = events(arbiter.address)
        again = next(data for kind, data in stream if kind == "figures")
        assert again["tournament"]["played"] >= first["tournament"]["played"]
        assert len(again["matches"]) + again["behind"] + again["left_out"]["limit"] == again["tournament"]["played"]
        # And several may look, at any time.
        whole = next(data for kind, data in events(arbiter.address) if kind == "figures")
        assert whole["bots"] == again["bots"] or set(whole["bots"]) == set(BOTS)


def test_the_page_goes_with_the_arbiter(tmp_path: Path) -> None:
    write(tmp_path, 1000)
    with running(tmp_path) as arbiter:
        stream = events(arbiter.address)
        assert next(stream)[0] == "now"
        pid = arbiter.web_pid()
        assert int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[16]) >= 10
        arbiter.process.kill()
        assert "end" not in [kind for kind, _ in stream]
        until = time.monotonic() + 20
        while _runs(pid) and time.monotonic() < until:
            time.sleep(0.02)
        assert not _runs(pid)


def _runs(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def test_a_page_that_fails_does_not_stop_the_tournament(tmp_path: Path) -> None:
    write(tmp_path, 20)
    with running(tmp_path) as arbiter:
        assert next(events(arbiter.address))[0] == "now"
        os.kill(arbiter.web_pid(), signal.SIGKILL)
        assert arbiter.process.stderr is not None
        told = arbiter.process.stderr.read()
        assert arbiter.process.wait(60) == 0
    assert "note: the live page has ended with status -9, see out/logs/web.log; the tournament goes on\n" in told
    with Store.open(tmp_path / "out" / FILE_NAME) as store:
        assert len(list(store.summaries())) == 60


def test_a_port_that_is_taken_is_told_before_anything_is_played(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    with socket.create_server(("127.0.0.1", 0)) as taken:
        listen = f"127.0.0.1:{taken.getsockname()[1]}"
        write(tmp_path, 2, listen)
        with start(tmp_path, "--force") as arbiter:
            output, told = arbiter.communicate()
    assert arbiter.returncode == 1
    assert output == ""
    assert told == f"arbiter: web.listen: cannot listen on {listen}: Address already in use\n"
    assert list((tmp_path / "out").iterdir()) == []


async def test_a_process_that_cannot_begin_is_told(tmp_path: Path) -> None:
    (tmp_path / "logs").mkdir()
    notes: list[str] = []
    web = WebSection(listen="127.0.0.1:0")
    with listening(web) as listener, trio.fail_after(60):
        assert listener is not None
        page = LivePage(web, listener, tmp_path, [], notes.append)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(page.run)
            await page.begin()
            await page.end("finished")
    log = tmp_path / "logs" / LOG_FILE
    assert notes == [f"the live page has ended with status 1, see {log}; the tournament goes on"]
    assert "there is no tournament" in log.read_text() or "DirectoryError" in log.read_text()


class _Away(Figures):
    def __init__(self) -> None:
        """Needs no store, since it is away."""

    def snapshot(self, seconds: float) -> Snapshot:
        raise StoreAwayError("gone")


async def test_a_store_that_is_away_keeps_nobody_from_the_end(capsys: pytest.CaptureFixture[str]) -> None:
    viewers = Viewers(1)
    live = Live(_Away(), viewers, News("running"))
    got: list[bytes] = []

    async def look() -> None:
        with viewers.enter(*live.first()) as seen:
            assert seen is not None
            got.extend([one async for one in seen])

    async with trio.open_nursery() as nursery:
        nursery.start_soon(look)
        await viewers.wait_for_one()
        live.hear(News("finished"))
        await live.finish()
    assert [one.split(b"\n")[0] for one in got] == [b"event: now", b"event: now", b"event: end"]
    assert "the store cannot be read, trying again: gone" in capsys.readouterr().err
