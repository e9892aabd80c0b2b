"""Remote bots, reconnecting, and the services around the tournament, over real sockets."""

import os
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest
import trio
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha.proto_reflection_descriptor_database import ProtoReflectionDescriptorDatabase

from arbiter.config import parse
from arbiter.results import MatchSummary, Scoreboard
from arbiter.store import FILE_NAME, Store
from arbiter.tournament import TournamentError, run_tournament
from sixtysix.v1 import status_pb2, tournament_service_pb2, tournament_service_pb2_grpc
from tests.arbiter.proxy import Proxy
from tests.arbiter.reporting import KeepingReporter

pytestmark = pytest.mark.hosted

TOKENS = {"ada": "ada's token", "bob": "bob's token"}


class WaitingReporter(KeepingReporter):
    """Lets a test wait for what is reported, and react to it."""

    def __init__(self) -> None:
        super().__init__()
        self.is_started = trio.Event()
        self.on_match: Callable[[], object] = lambda: None

    def started(self, *arguments: Any) -> None:
        super().started(*arguments)
        self.is_started.set()

    def match_ended(self, summary: MatchSummary, board: Scoreboard) -> None:
        super().match_ended(summary, board)
        self.on_match()


@contextmanager
def bot(name: str, address: str, module: str = "example_bots.random_bot") -> Iterator[None]:
    env = {**os.environ, "SIXTYSIX_ADDRESS": address, "SIXTYSIX_TOKEN": TOKENS[name]}
    process = subprocess.Popen([sys.executable, "-m", module], env=env, stderr=subprocess.PIPE)
    try:
        yield
    finally:
        process.terminate()
        process.communicate()


@asynccontextmanager
async def tournament(out: Path, monkeypatch: pytest.MonkeyPatch, **sections: Any) -> AsyncIterator[WaitingReporter]:
    """A tournament of two remote bots; the block begins when it listens and ends when it is over."""
    data = {
        "tournament": {"name": "test", "matches_per_pair": 10, "concurrency": 2, "out": str(out)},
        "time": {"ready": "20s", "decision": "5s", "bank": "60s"},
        "bots": [{"name": name, "token_env": f"{name.upper()}_TOKEN"} for name in TOKENS],
    }
    for section, values in sections.items():
        data[section] = {**data.get(section, {}), **values}  # type: ignore[dict-item]
    for name, token in TOKENS.items():
        monkeypatch.setenv(f"{name.upper()}_TOKEN", token)
    reporter = WaitingReporter()
    with trio.fail_after(60):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(run_tournament, parse(data, "test"), out, reporter)
            await reporter.is_started.wait()
            yield reporter


def summaries(out: Path) -> list[MatchSummary]:
    with Store.open(out / FILE_NAME) as store:
        return list(store.summaries())


async def test_remote_bots_are_awaited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with tournament(tmp_path, monkeypatch) as reporter:
        with bot("ada", reporter.address), bot("bob", reporter.address):
            while reporter.seconds is None:
                await trio.sleep(0.01)
    assert sorted(reporter.awaited) == sorted(reporter.connected) == ["ada", "bob"]
    assert [match.reason for match in summaries(tmp_path)] == ["target"] * 10


async def test_a_match_goes_on_after_the_connection_was_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    proxy = Proxy()
    cuts = 0

    def cut() -> None:
        nonlocal cuts
        cuts += proxy.cut() > 0

    async with trio.open_nursery() as nursery:
        async with tournament(tmp_path, monkeypatch, tournament={"concurrency": 4}) as reporter:
            reporter.on_match = cut
            await nursery.start(proxy.serve, reporter.address)
            with bot("ada", proxy.address), bot("bob", reporter.address):
                while reporter.seconds is None:
                    await trio.sleep(0.01)
        nursery.cancel_scope.cancel()
    assert cuts >= 3
    assert proxy.connections > cuts // 2
    ended = summaries(tmp_path)
    assert [match.reason for match in ended] == ["target"] * 10
    assert [seat.faults for match in ended for seat in match.seats] == [0] * 20


async def test_a_bot_that_stays_away_loses_its_match(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    limits = {"faults": {"reconnect": "200ms"}, "time": {"ready": "500ms"}, "tournament": {"matches_per_pair": 2}}
    async with tournament(tmp_path, monkeypatch, **limits) as reporter:
        with bot("ada", reporter.address), bot("bob", reporter.address, "tests.misbehaving.exits"):
            while len(reporter.ended) < 2:
                await trio.sleep(0.01)
    ended = summaries(tmp_path)
    assert {match.reason for match in ended} == {"forfeit"}
    assert all(match.bots[match.winner or 0] == "ada" for match in ended)
    assert any("disconnected: bob lost its connection for 0.2 s" in match.detail for match in ended)


async def test_services_answer_while_the_tournament_waits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with tournament(tmp_path, monkeypatch, tournament={"matches_per_pair": 2}) as reporter:
        with grpc.insecure_channel(reporter.address) as channel:
            await trio.to_thread.run_sync(_look_around, channel)
            with bot("ada", reporter.address), bot("bob", reporter.address):
                while len(reporter.ended) < 2:
                    await trio.sleep(0.01)
                while reporter.seconds is None:
                    await trio.sleep(0.01)


def _look_around(channel: grpc.Channel) -> None:
    services = ProtoReflectionDescriptorDatabase(channel).get_services()
    assert {"sixtysix.v1.BotService", "sixtysix.v1.TournamentService", "grpc.health.v1.Health"} <= set(services)
    found = ProtoReflectionDescriptorDatabase(channel).FindFileContainingSymbol("sixtysix.v1.BotService")
    assert [service.name for service in found.service] == ["BotService"]
    health: Any = health_pb2_grpc.HealthStub(channel)
    request = health_pb2.HealthCheckRequest(service="sixtysix.v1.BotService")
    assert health.Check(request).status == health_pb2.HealthCheckResponse.SERVING
    stub = tournament_service_pb2_grpc.TournamentServiceStub(channel)
    info = stub.GetServerInfo(tournament_service_pb2.GetServerInfoRequest())
    assert (info.protocol_major, len(info.rule_sets)) == (1, 7)
    (found_tournament,) = stub.ListTournaments(tournament_service_pb2.ListTournamentsRequest()).tournaments
    assert (found_tournament.name, found_tournament.scheduled_matches) == ("test", 2)
    standings = stub.GetStandings(
        tournament_service_pb2.GetStandingsRequest(tournament_id=found_tournament.tournament_id)
    )
    assert [standing.name for standing in standings.standings] == ["ada", "bob"]
    unknown = tournament_service_pb2.GetMatchRecordRequest(
        tournament_id=found_tournament.tournament_id, match_id="001-01"
    )
    with pytest.raises(grpc.RpcError) as caught:
        stub.GetMatchRecord(unknown)
    assert caught.value.code() is grpc.StatusCode.FAILED_PRECONDITION
    assert _error_info(caught.value).reason == "MATCH_NOT_ENDED"


def _error_info(error: Any) -> status_pb2.ErrorInfo:
    details = dict(error.trailing_metadata())["grpc-status-details-bin"]
    (packed,) = status_pb2.Status.FromString(details).details
    info = status_pb2.ErrorInfo.FromString(packed.value)
    assert info.domain == "sixtysix"
    return info


async def test_an_address_in_use_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, token in TOKENS.items():
        monkeypatch.setenv(f"{name.upper()}_TOKEN", token)
    (listener,) = await trio.open_tcp_listeners(0, host="127.0.0.1")
    address = "{}:{}".format(*listener.socket.getsockname())
    bots = [{"name": name, "token_env": f"{name.upper()}_TOKEN"} for name in TOKENS]
    config = parse(
        {"server": {"listen": address}, "tournament": {"name": "x", "out": str(tmp_path)}, "bots": bots}, "x"
    )
    async with listener:
        with pytest.raises(TournamentError, match="cannot listen on"):
            await run_tournament(config, tmp_path, KeepingReporter())


@pytest.mark.parametrize(
    ("bots", "told"),
    [
        ([{"name": "ada", "token_env": "UNSET_TOKEN"}], "UNSET_TOKEN, which holds its token, is not set"),
        ([{"name": "ada", "command": ["/no/such/program"]}], "cannot start '/no/such/program': No such file"),
    ],
)
async def test_what_the_organiser_has_to_mend(tmp_path: Path, bots: list[dict[str, Any]], told: str) -> None:
    other = {"name": "bob", "command": ["{python}", "-m", "example_bots.random_bot"]}
    config = parse({"tournament": {"name": "x", "out": str(tmp_path)}, "bots": [*bots, other]}, "x")
    with pytest.raises(TournamentError, match=told):
        await run_tournament(config, tmp_path, KeepingReporter())
