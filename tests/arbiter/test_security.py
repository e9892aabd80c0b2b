"""What strangers and bots can ask of the server, over real sockets."""

import json
import logging
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest
import structlog
import trio
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha.proto_reflection_descriptor_database import ProtoReflectionDescriptorDatabase

from arbiter import logs
from arbiter.config import parse
from arbiter.launcher import Launcher
from arbiter.limits import MOST_COMMANDS, QUERIES_BURST
from arbiter.results import MatchSummary, Scoreboard
from arbiter.status import CODES
from arbiter.store import FILE_NAME, Store
from arbiter.tokens import hash_token
from arbiter.tournament import TournamentError, run_tournament
from sixtysix.connection import stream_end
from sixtysix.link import StreamEnd
from sixtysix.v1 import bot_service_pb2 as pb
from sixtysix.v1 import tournament_service_pb2, tournament_service_pb2_grpc
from tests.arbiter.reporting import KeepingReporter
from tests.certificates import Authority
from tests.misbehaving.raw import HELLO, RawStream

pytestmark = pytest.mark.hosted

RANDOM = ["{python}", "-m", "example_bots.random_bot"]
TOKEN = "the token of the guest"
JUNK = pb.Command(ready=pb.Ready(match_id="no match"))


class WaitingReporter(KeepingReporter):
    """Lets a test wait for the start, and react to the end of a match."""

    def __init__(self) -> None:
        super().__init__()
        self.is_started = trio.Event()
        self.on_match: Callable[[MatchSummary], object] = lambda summary: None

    def started(self, *arguments: Any) -> None:
        super().started(*arguments)
        self.is_started.set()

    def match_ended(self, summary: MatchSummary, board: Scoreboard) -> None:
        super().match_ended(summary, board)
        self.on_match(summary)


@asynccontextmanager
async def tournament(
    out: Path, server: dict[str, Any] | None = None, local: int = 0, **settings: Any
) -> AsyncIterator[WaitingReporter]:
    """Local bots, or another who never comes, and a guest who is awaited.

    The block begins when the server listens, and the tournament is broken off at its end.
    """
    bots: list[dict[str, Any]] = [{"name": f"local{number}", "command": RANDOM} for number in range(local)]
    bots = bots or [{"name": "other", "token_hash": hash_token("the token of the other")}]
    out.mkdir(exist_ok=True)
    data = {
        "tournament": {"name": "test", "matches_per_pair": 2, "concurrency": 4, "out": str(out), **settings},
        "server": server or {},
        "time": {"ready": "30s", "decision": "10s", "bank": "60s"},
        "bots": [*bots, {"name": "guest", "token_hash": hash_token(TOKEN)}],
    }
    reporter = WaitingReporter()
    with trio.fail_after(90):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(run_tournament, parse(data, "test"), out, reporter)
            await reporter.is_started.wait()
            yield reporter
            nursery.cancel_scope.cancel()


@contextmanager
def guest(address: str, **env: str) -> Iterator["subprocess.Popen[str]"]:
    process = subprocess.Popen(
        [sys.executable, "-m", "example_bots.random_bot"],
        env={**os.environ, "SIXTYSIX_ADDRESS": address, "SIXTYSIX_TOKEN": TOKEN, **env},
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait()
        assert process.stderr is not None
        process.stderr.close()


async def finished(reporter: KeepingReporter) -> None:
    while reporter.seconds is None:
        await trio.sleep(0.01)


def end_of(stream: RawStream) -> StreamEnd:
    """Read a stream to its end."""
    try:
        for _ in stream.updates():
            pass
    except grpc.RpcError as error:
        return stream_end(error)
    return StreamEnd("OK")


def talk(address: str, *messages: list[pb.Command], token: str = TOKEN) -> StreamEnd:
    """Send messages on a stream and say how it ended."""
    stream = RawStream(token, address=address)
    for message in messages:
        stream.send(*message)
    return end_of(stream)


async def in_thread(function: Callable[..., Any], *arguments: Any) -> Any:
    return await trio.to_thread.run_sync(function, *arguments)


# Encryption.


async def test_a_tournament_over_tls(tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    certificate, key = authority.issue("server")
    server = {"tls_cert": str(certificate), "tls_key": str(key)}
    async with tournament(tmp_path / "out", server, local=1) as reporter:
        with guest(reporter.address, SIXTYSIX_TLS_CA=str(authority.file)):
            await finished(reporter)
    assert [match.reason for match in reporter.ended] == ["target", "target"]


async def test_who_speaks_no_tls_is_not_heard(tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    certificate, key = authority.issue("server")
    async with tournament(tmp_path / "out", {"tls_cert": str(certificate), "tls_key": str(key)}) as reporter:
        end = await in_thread(talk, reporter.address, [HELLO])
    assert (end.code, end.reason) == ("UNAVAILABLE", "")
    assert reporter.connected == []


async def test_another_arbiter_is_not_trusted_with_the_token(tmp_path: Path) -> None:
    authority, stranger = Authority(tmp_path), Authority(tmp_path, "stranger")
    certificate, key = authority.issue("server")
    async with tournament(tmp_path / "out", {"tls_cert": str(certificate), "tls_key": str(key)}) as reporter:
        with guest(reporter.address, SIXTYSIX_TLS_CA=str(stranger.file)) as process:
            _, errors = await in_thread(process.communicate)
    assert process.returncode == 1
    assert "it is not the arbiter that was expected" in errors
    assert "CERTIFICATE_VERIFY_FAILED" in errors
    assert TOKEN not in errors


@pytest.mark.parametrize("known", [True, False])
async def test_client_certificates(tmp_path: Path, known: bool) -> None:
    authority, clients, strangers = (Authority(tmp_path, name) for name in ("authority", "clients", "strangers"))
    certificate, key = authority.issue("server")
    shown, its_key = (clients if known else strangers).issue("client")
    server = {"tls_cert": str(certificate), "tls_key": str(key), "client_ca": str(clients.file)}
    env = {
        "SIXTYSIX_TLS_CA": str(authority.file),
        "SIXTYSIX_TLS_CERT": str(shown),
        "SIXTYSIX_TLS_KEY": str(its_key),
    }
    async with tournament(tmp_path / "out", server) as reporter:
        with guest(reporter.address, **env) as process:
            if known:
                while not reporter.connected:
                    await trio.sleep(0.01)
                return
            assert process.stderr is not None
            line = await in_thread(process.stderr.readline)
    assert "no connection to" in line
    assert reporter.connected == []


async def test_the_address_for_local_bots_is_for_them_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[str] = []
    original = Launcher.__init__

    def remember(self: Launcher, *arguments: Any, **more: Any) -> None:
        given.append(arguments[2])
        original(self, *arguments, **more)

    monkeypatch.setattr(Launcher, "__init__", remember)
    certificate, key = Authority(tmp_path).issue("server")
    async with tournament(tmp_path / "out", {"tls_cert": str(certificate), "tls_key": str(key)}) as reporter:
        (inside,) = given
        assert inside != reporter.address
        assert inside.startswith("127.0.0.1:")
        assert (await in_thread(talk, inside, [HELLO])).reason == "TOKEN_UNKNOWN"


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda authority, paths: paths.update(tls_cert="/no/such.pem"), "/no/such.pem: cannot be read: No such file"),
        (lambda authority, paths: paths.update(tls_key=str(authority.issue("other")[1])), "not a certificate and its"),
        (lambda authority, paths: Path(paths["tls_cert"]).write_text("x"), "not a certificate and its key in PEM"),
        (lambda authority, paths: paths.update(client_ca=paths["tls_key"]), "not certificates in PEM"),
    ],
)
async def test_certificates_that_cannot_be_used(tmp_path: Path, change: Callable[..., Any], told: str) -> None:
    authority = Authority(tmp_path)
    certificate, key = authority.issue("server")
    paths = {"tls_cert": str(certificate), "tls_key": str(key)}
    change(authority, paths)
    bots = [{"name": name, "command": RANDOM} for name in ("ada", "bob")]
    config = parse({"server": paths, "bots": bots}, "test", default_name="x")
    out = tmp_path / "out"
    out.mkdir()
    with pytest.raises(TournamentError, match=told):
        await run_tournament(config, out, KeepingReporter())
    assert os.listdir(out) == []


# Limits.


@pytest.mark.parametrize(
    ("messages", "expected"),
    [
        pytest.param([[HELLO], [JUNK] * (MOST_COMMANDS + 1)], "RATE_EXCEEDED", id="one message"),
        pytest.param([[HELLO], *([[JUNK] * 100] * 100)], "RATE_EXCEEDED", id="many messages"),
        pytest.param([[HELLO], *([[]] * 20_000)], "RATE_EXCEEDED", id="empty messages"),
        pytest.param([[pb.Command(leave=pb.Leave(reason="x" * 200_000))]] * 50, "HELLO_EXPECTED", id="before hello"),
    ],
)
async def test_who_sends_too_much_is_told_and_costs_nobody_else_anything(
    tmp_path: Path, messages: list[list[pb.Command]], expected: str
) -> None:
    server = {"commands_per_second": 1_000, "burst": 2_000}
    async with tournament(tmp_path, server, local=2) as reporter:
        end = await in_thread(talk, reporter.address, *messages)
        with guest(reporter.address):
            await finished(reporter)
    assert end.reason == expected
    assert end.code == CODES[expected]
    assert not end.lost
    between = [match for match in reporter.ended if "guest" not in match.bots]
    assert [match.reason for match in between] == ["target", "target"]
    assert [seat.faults for match in between for seat in match.seats] == [0] * 4


async def test_bots_that_answer_what_they_are_asked_never_send_too_much(tmp_path: Path) -> None:
    server = {"commands_per_second": 1, "burst": 100}
    async with tournament(tmp_path, server, local=1, matches_per_pair=12) as reporter:
        with guest(reporter.address):
            await finished(reporter)
    assert [match.reason for match in reporter.ended] == ["target"] * 12
    decisions: Counter[str] = Counter()
    for match in reporter.ended:
        for name, seat in zip(match.bots, match.seats, strict=True):
            decisions[name] += seat.decisions
    assert min(decisions.values()) > 200


async def test_who_connects_again_and_again_is_refused(tmp_path: Path) -> None:
    async with tournament(tmp_path, {"commands_per_second": 1, "burst": 200}) as reporter:
        ends = [(await in_thread(talk, reporter.address, [JUNK])).reason for _ in range(6)]
    assert ends == ["HELLO_EXPECTED"] * 3 + ["RATE_EXCEEDED"] * 3


async def test_one_stream_without_hello_for_each_bot(tmp_path: Path) -> None:
    async with tournament(tmp_path) as reporter:
        first = RawStream(TOKEN, address=reporter.address)
        first_ends: list[StreamEnd] = []
        async with trio.open_nursery() as nursery:

            async def follow() -> None:
                first_ends.append(await in_thread(end_of, first))

            nursery.start_soon(follow)
            second: RawStream | None = None
            while not first_ends:
                second = second or RawStream(TOKEN, address=reporter.address)
                await trio.sleep(0.01)
    (end,) = first_ends
    assert end.reason == "REPLACED_BY_NEWER_CONNECTION"


async def test_a_stream_without_hello_is_ended(tmp_path: Path) -> None:
    async with tournament(tmp_path, {"hello": "200ms"}) as reporter:
        end = await in_thread(talk, reporter.address)
    assert (end.reason, end.text) == ("HELLO_EXPECTED", "no hello within 0.2 s")


async def test_no_more_connections_than_there_is_room_for(tmp_path: Path) -> None:
    async with tournament(tmp_path, {"connections": 3}) as reporter:
        host, _, port = reporter.address.rpartition(":")
        async with AsyncExitStack() as stack:
            streams = [await stack.enter_async_context(await trio.open_tcp_stream(host, int(port))) for _ in range(5)]
            # A server says hello to those that it lets in.
            heard = [await stream.receive_some(100) for stream in streams]
    assert heard.count(b"") == 2


# Services for everybody.


def services(channel: grpc.Channel) -> set[str]:
    return set(ProtoReflectionDescriptorDatabase(channel).get_services())


def standings(channel: grpc.Channel) -> StreamEnd:
    stub = tournament_service_pb2_grpc.TournamentServiceStub(channel)
    try:
        stub.ListTournaments(tournament_service_pb2.ListTournamentsRequest())
    except grpc.RpcError as error:
        return stream_end(error)
    return StreamEnd("OK")


def health_of(channel: grpc.Channel, service: str) -> str:
    stub: Any = health_pb2_grpc.HealthStub(channel)
    try:
        return str(stub.Check(health_pb2.HealthCheckRequest(service=service)).status)
    except grpc.RpcError as error:
        return stream_end(error).code


async def test_services_that_are_switched_off(tmp_path: Path) -> None:
    async with tournament(tmp_path, {"reflection": False, "tournament_service": False}) as reporter:
        with grpc.insecure_channel(reporter.address) as channel:
            with pytest.raises(grpc.RpcError) as caught:
                await in_thread(services, channel)
            assert stream_end(caught.value).code == "UNIMPLEMENTED"
            assert (await in_thread(standings, channel)).code == "UNIMPLEMENTED"
            assert await in_thread(health_of, channel, "sixtysix.v1.TournamentService") == "NOT_FOUND"
            assert await in_thread(health_of, channel, "sixtysix.v1.BotService") == "1"


async def test_questions_are_answered_as_long_as_they_leave_time_for_the_tournament(tmp_path: Path) -> None:
    async with tournament(tmp_path, {"reflection": False}) as reporter:
        with grpc.insecure_channel(reporter.address) as channel:
            ends = [await in_thread(standings, channel) for _ in range(4 * QUERIES_BURST)]
    assert ends[0].code == "OK"
    refused = {(end.code, end.reason) for end in ends if end.code != "OK"}
    assert refused == {("RESOURCE_EXHAUSTED", "RATE_EXCEEDED")}


# Secrets.

CARD = re.compile(r"(?<![0-9A-Za-z])(?:[AKQJT9]|10)[SHDC♠♥♦♣](?![0-9A-Za-z])")


def test_what_a_card_looks_like() -> None:
    for text in ("AS: is not in the hand", "exchange J♥", "10♦", "[9C]", "TH,KD"):
        assert CARD.search(text), text
    for text in ("2026-11-30T10:11:12Z", "PASS", "schnapsen", "TOKEN", "001-01"):
        assert not CARD.search(text), text


async def test_local_bots_get_no_secret_of_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GUEST_TOKEN", TOKEN)
    monkeypatch.setenv("SIXTYSIX_TLS_KEY", "the organiser's own")
    look_around = ["{python}", "-c", "import os; print(*os.environ.items(), sep='\\n')"]
    bots = [{"name": "curious", "command": look_around}, {"name": "guest", "token_env": "GUEST_TOKEN"}]
    config = parse({"tournament": {"name": "x", "out": str(tmp_path)}, "bots": bots}, "test")
    reporter = WaitingReporter()
    with trio.fail_after(60):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(run_tournament, config, tmp_path, reporter)
            while not any("exited with status 0" in note for note in reporter.notes):
                await trio.sleep(0.01)
            nursery.cancel_scope.cancel()
    seen = (tmp_path / "logs" / "curious-1.log").read_text()
    assert "SIXTYSIX_TOKEN" in seen
    assert TOKEN not in seen
    assert "the organiser's own" not in seen


async def test_the_log_has_no_secret_and_no_card_before_its_match_has_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    out.mkdir()
    path = tmp_path / "arbiter.log"
    monkeypatch.setenv("GUEST_TOKEN", TOKEN)
    bad = {name: ["{python}", "-m", f"tests.misbehaving.{name}"] for name in ("illegal", "raises", "unset_action")}
    config = parse(
        {
            "tournament": {"name": "test", "matches_per_pair": 2, "concurrency": 6, "out": str(out)},
            "time": {"ready": "30s"},
            "bots": [
                {"name": "guest", "token_env": "GUEST_TOKEN"},
                {"name": "ada", "command": RANDOM},
                *({"name": name, "command": command} for name, command in bad.items()),
            ],
        },
        "test",
    )
    reporter = WaitingReporter()
    ended: set[str] = set()
    lines_then: list[str] = []
    with path.open("w", encoding="utf-8", buffering=1) as log:
        logs.configure(log, level=logging.DEBUG)
        try:
            with trio.fail_after(90):
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(run_tournament, config, out, reporter)
                    await reporter.is_started.wait()
                    structlog.get_logger().debug("looked at")
                    with guest(reporter.address):
                        await finished(reporter)
        finally:
            structlog.reset_defaults()
    text = path.read_text(encoding="utf-8")
    for line in text.splitlines():
        event = json.loads(line)
        lines_then.append(event["event"])
        if event["event"] == "match ended":
            ended.add(event["match_id"])
            continue
        assert not CARD.search(line), line
    assert {"looked at", "bot connected", "fault", "match ended", "bot started"} <= set(lines_then)
    with Store.open(out / FILE_NAME) as store:
        secret = store.tournament.secret
        assert ended == {summary.match_id for summary in store.summaries()}
        salts = [deal.deal.salt for deal in store.deals()]
        forfeits = [deal.deal.forfeit for deal in store.deals() if deal.deal.forfeit is not None]
    # The bots did give the arbiter cards to log.
    assert any(CARD.search(forfeit.detail) for forfeit in forfeits)
    assert salts
    for hidden in (TOKEN, secret, hash_token(TOKEN), *salts, "s66-"):
        assert hidden not in text
