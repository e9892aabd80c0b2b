import subprocess
import sys
from collections.abc import Iterator, Sequence
from threading import Event

import grpc
import pytest

from sixtysix import Action, Bot, MatchReport, Turn, View
from sixtysix._version import __version__
from sixtysix.client import ClientError, hello_of, play, run
from sixtysix.connection import GrpcStream, is_local
from sixtysix.link import Link, StreamEnd
from sixtysix.player import Player
from sixtysix.v1 import bot_service_pb2 as pb
from sixtysix.wire import read_action
from tests.sdk.client_messages import (
    deal_ended,
    deal_started,
    decision,
    finished,
    kinds,
    match_ended,
    new_deal,
    offered,
    ping,
    welcome,
)
from tests.sdk.fake_stream import WAIT_S, FakeArbiter, FakeStream
from tests.sdk.scripted_arbiter import TOKEN, Peer, Script, arbiter, opening, say


class First(Bot):
    """Plays the first legal action and counts."""

    def __init__(self) -> None:
        self.batches: list[int] = []
        self.reports: list[MatchReport] = []

    def choose(self, view: View) -> Action:
        return view.legal_actions[0]

    def choose_many(self, turns: Sequence[Turn]) -> Sequence[Action]:
        self.batches.append(len(turns))
        return super().choose_many(turns)

    def on_match_end(self, report: MatchReport) -> None:
        self.reports.append(report)


@pytest.fixture(autouse=True)
def _no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SIXTYSIX_ADDRESS", "SIXTYSIX_TOKEN", "SIXTYSIX_BOT_NAME"):
        monkeypatch.delenv(name, raising=False)


# Settings and introduction.


@pytest.mark.parametrize(
    ("address", "token", "message"),
    [
        (None, "t", "error: no address: set SIXTYSIX_ADDRESS, or pass address=... to run"),
        ("a:1", None, "error: no token: set SIXTYSIX_TOKEN, or pass token=... to run"),
        ("a:1", "", "error: no token: set SIXTYSIX_TOKEN, or pass token=... to run"),
        *(
            (address, "t", f"error: the address of the arbiter must be HOST:PORT, not {address!r}")
            for address in ("localhost", ":80", "a:", "a:b", "a:0", "a:65536", "a:-1", "a:²")
        ),
        ("a:1", "with\nnewline", "error: the token must consist of printable ASCII characters"),
        ("a:1", "schlüssel", "error: the token must consist of printable ASCII characters"),
    ],
)
def test_a_missing_or_wrong_setting_is_one_clear_line(address: str | None, token: str | None, message: str) -> None:
    with pytest.raises(ClientError) as caught:
        run(First(), address=address, token=token)
    assert caught.value.code == message


@pytest.mark.parametrize(
    ("attribute", "value", "expected"),
    [
        ("rule_sets", "schnapsen", "a tuple of names, not 'schnapsen'"),
        ("rule_sets", (1,), "a tuple of names, not (1,)"),
        ("max_concurrent_matches", 0, "a whole number of 1 or more, not 0"),
        ("max_concurrent_matches", 1.5, "a whole number of 1 or more, not 1.5"),
        ("version", 2, "a text, not 2"),
        ("name", None, "a text, not None"),
    ],
)
def test_an_attribute_of_the_wrong_kind_is_named(attribute: str, value: object, expected: str) -> None:
    bot = First()
    setattr(bot, attribute, value)
    with pytest.raises(ClientError) as caught:
        hello_of(bot)
    assert caught.value.code == f"error: First.{attribute} must be {expected}"


def test_the_introduction_carries_the_wishes_of_the_bot() -> None:
    class Wishing(First):
        version, author = "3.1", "somebody"
        rule_sets = ("schnapsen", "sixty-six")
        max_concurrent_matches = 8
        ask_before_draw = wants_events = True

    assert hello_of(Wishing()) == pb.Hello(
        protocol_major=1,
        protocol_minor=0,
        bot_name="Wishing",
        bot_version="3.1",
        author="somebody",
        sdk=f"python sixtysix {__version__}",
        language="python",
        rule_sets=["schnapsen", "sixty-six"],
        max_concurrent_matches=8,
        max_decisions_per_message=64,
        want_events=True,
        ask_before_draw=True,
    )


def test_the_name_in_the_tournament_goes_before_the_own_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SIXTYSIX_BOT_NAME", "club bot")
    assert hello_of(First()).bot_name == "club bot"


@pytest.mark.parametrize(
    ("address", "local"),
    [
        ("127.0.0.1:1", True),
        ("localhost:1", True),
        ("[::1]:1", True),
        ("example.org:1", False),
        ("[2001:db8::1]:1", False),
    ],
)
def test_local_addresses_are_told_apart(address: str, local: bool) -> None:
    assert is_local(address) is local


# The loop, on streams without a network.


def link_to(fake: FakeArbiter) -> Link:
    return Link("arbiter:1", fake.open_stream, pb.Hello(), sleep_us=lambda us: None)


def asked(*updates: pb.Update) -> FakeStream:
    stream = FakeStream()
    stream.say(welcome(), offered("m", resumed=True), deal_started("m"), decision("m", 1, new_deal()), *updates)
    return stream


def sent_until_leave(stream: FakeStream) -> list[pb.Command]:
    commands = stream.sent()
    while not commands[-1].HasField("leave"):
        commands += stream.sent()
    return commands


def test_ctrl_c_leaves_and_has_its_own_exit_status(capsys: pytest.CaptureFixture[str]) -> None:
    class Interrupted(Bot):
        def choose(self, view: View) -> Action:
            raise KeyboardInterrupt

    stream = asked()
    with pytest.raises(SystemExit) as caught:
        play(link_to(FakeArbiter(stream)), Player(Interrupted(), 1, lambda: 0))
    assert caught.value.code == 3
    assert capsys.readouterr().err == "interrupted\n"
    assert sent_until_leave(stream)[-1].leave.reason == "interrupted"


def test_a_bot_that_exits_by_itself_leaves() -> None:
    class Exiting(Bot):
        def choose(self, view: View) -> Action:
            sys.exit(7)

    stream = asked()
    with pytest.raises(SystemExit) as caught:
        play(link_to(FakeArbiter(stream)), Player(Exiting(), 1, lambda: 0))
    assert caught.value.code == 7
    assert sent_until_leave(stream)[-1].leave.reason == "the program of the bot ends"


def test_a_bot_that_fails_leaves_and_says_why(caplog: pytest.LogCaptureFixture) -> None:
    class Broken(Bot):
        def choose(self, view: View) -> Action:
            raise ZeroDivisionError("by 0")

    stream = asked()
    with pytest.raises(ClientError) as caught:
        play(link_to(FakeArbiter(stream)), Player(Broken(), 1, lambda: 0))
    reason = "Broken: choose raised ZeroDivisionError: by 0"
    assert caught.value.code == f"error: {reason}"
    commands = sent_until_leave(stream)
    assert "action" not in kinds(commands)
    assert commands[-1].leave.reason == reason
    assert "Traceback" in caplog.text


def wrong_rules() -> pb.Update:
    offer = offered("other")
    offer.match_offered.rules.hash = "?"
    return offer


@pytest.mark.parametrize("update", [deal_started("unknown"), wrong_rules()], ids=["order", "content"])
def test_a_mistake_of_the_arbiter_ends_the_program_and_is_told_it(update: pb.Update) -> None:
    stream = FakeStream()
    stream.say(welcome())
    stream.say(update)
    with pytest.raises(ClientError) as caught:
        play(link_to(FakeArbiter(stream)), Player(First(), 1, lambda: 0))
    assert str(caught.value).startswith("error: the arbiter broke the protocol: ")
    leave = sent_until_leave(stream)[-1].leave
    assert leave.reason == str(caught.value).removeprefix("error: ")


def test_a_ready_does_not_wait_for_a_decision_of_another_match() -> None:
    class Watching(First):
        def choose(self, view: View) -> Action:
            assert kinds(stream.sent()) == ["hello"]
            assert stream.sent() == [pb.Command(ready=pb.Ready(match_id=name)) for name in ("m", "n")]
            stream.end(StreamEnd("OK"))
            return super().choose(view)

    stream = asked(offered("n"))
    bot = Watching()
    play(link_to(FakeArbiter(stream)), Player(bot, 1, lambda: 0))
    assert bot.batches == [1]


# Over a real socket.


def play_at(address: str, bot: Bot) -> None:
    link = Link(address, lambda: GrpcStream(address, TOKEN), hello_of(bot), sleep_us=lambda us: None)
    play(link, Player(bot, 1, lambda: 0))


def test_a_match_is_played_over_a_socket(monkeypatch: pytest.MonkeyPatch) -> None:
    deal = new_deal()
    played: list[int] = []

    def script(peer: Peer) -> Iterator[pb.PlayResponse]:
        yield from opening(peer, "m")
        while deal.outcome is None:
            action = deal.legal_actions()[0]
            if deal.turn == 0:
                yield say(decision("m", len(played) + 1, deal))
                (command,) = peer.message()
                action = read_action(command.action.action)
                played.append(command.action.decision_id)
            deal.apply(action)
        yield say(deal_ended("m", deal.outcome), match_ended("m"))

    bot = First()
    with arbiter(script) as address:
        monkeypatch.setenv("SIXTYSIX_ADDRESS", address)
        monkeypatch.setenv("SIXTYSIX_TOKEN", TOKEN)
        run(bot)
    assert played == list(range(1, len(played) + 1))
    assert deal.outcome == finished(new_deal())
    assert [(report.won, report.reason) for report in bot.reports] == [(True, "target")]


def test_a_ping_is_answered_while_the_bot_thinks() -> None:
    released = Event()

    class Thinking(First):
        def choose(self, view: View) -> Action:
            assert released.wait(WAIT_S)
            return super().choose(view)

    seen: list[str | None] = []

    def script(peer: Peer) -> Iterator[pb.PlayResponse]:
        yield from opening(peer, "m")
        yield say(decision("m", 1, new_deal()))
        for nonce in (1, 2):
            yield say(ping(nonce))
            seen.extend(kinds(peer.message()))
        released.set()
        seen.extend(kinds(peer.message()))

    with arbiter(script) as address:
        play_at(address, Thinking())
    assert seen == ["pong", "pong", "action"]


def test_many_decisions_are_answered_by_one_call_and_one_message() -> None:
    names = [f"m{number}" for number in range(64)]
    answers: list[list[tuple[str, int]]] = []

    def script(peer: Peer) -> Iterator[pb.PlayResponse]:
        yield from opening(peer, *names)
        for decision_id in (1, 2):
            yield say(*(decision(name, decision_id, new_deal()) for name in names))
            answers.append([(c.action.match_id, c.action.decision_id) for c in peer.message()])

    bot = First()
    with arbiter(script) as address:
        play_at(address, bot)
    assert bot.batches == [64, 64]
    assert answers == [[(name, decision_id) for name in names] for decision_id in (1, 2)]


def heartbeat_missed(peer: Peer) -> None:
    peer.refuse(grpc.StatusCode.UNAVAILABLE, "HEARTBEAT_MISSED", "two pings were not answered")


def connection_lost(peer: Peer) -> None:
    peer.drop(grpc.StatusCode.UNAVAILABLE)


@pytest.mark.parametrize("end", [heartbeat_missed, connection_lost])
def test_an_answer_that_may_be_lost_is_sent_again_without_a_second_search(end: Script) -> None:
    answers: list[pb.Command] = []
    resumed: list[str] = []

    def first(peer: Peer) -> Iterator[pb.PlayResponse]:
        yield from opening(peer, "m")
        yield say(decision("m", 1, new_deal()))
        answers.extend(peer.message())
        end(peer)

    def second(peer: Peer) -> Iterator[pb.PlayResponse]:
        resumed.extend(command.hello.resume_session_id for command in peer.message())
        again = [offered("m", resumed=True), deal_started("m"), decision("m", 1, new_deal())]
        yield say(welcome(resumed=True), *again)
        answers.extend(command for command in peer.message() if command.HasField("action"))

    bot = First()
    with arbiter(first, second) as address:
        play_at(address, bot)
    assert resumed == ["first"]
    assert bot.batches == [1]
    assert len(answers) == 2
    assert answers[0] == answers[1]


def test_a_search_that_runs_during_the_loss_is_not_started_again() -> None:
    released = Event()

    class Thinking(First):
        def choose(self, view: View) -> Action:
            assert released.wait(WAIT_S)
            return super().choose(view)

    answers: list[pb.Command] = []

    def first(peer: Peer) -> Iterator[pb.PlayResponse]:
        yield from opening(peer, "m")
        yield say(decision("m", 1, new_deal()), ping(1))
        peer.message()
        connection_lost(peer)

    def second(peer: Peer) -> Iterator[pb.PlayResponse]:
        peer.message()
        again = [offered("m", resumed=True), deal_started("m"), decision("m", 1, new_deal())]
        yield say(welcome(resumed=True), *again, ping(2))
        assert kinds(peer.message()) == ["pong"]
        released.set()
        while not answers:
            answers.extend(command for command in peer.message() if command.HasField("action"))

    bot = Thinking()
    with arbiter(first, second) as address:
        play_at(address, bot)
    assert bot.batches == [1]
    assert [command.action.decision_id for command in answers] == [1]


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        (grpc.StatusCode.PERMISSION_DENIED, "BOT_NOT_IN_TOURNAMENT"),
        (grpc.StatusCode.FAILED_PRECONDITION, "RULE_SET_UNSUPPORTED"),
        (grpc.StatusCode.ABORTED, "REPLACED_BY_NEWER_CONNECTION"),
        (grpc.StatusCode.UNAVAILABLE, "DRAINING"),
    ],
)
def test_the_reason_of_a_refusal_is_read_from_the_status(code: grpc.StatusCode, reason: str) -> None:
    def script(peer: Peer) -> Iterator[pb.PlayResponse]:
        peer.message()
        peer.refuse(code, reason, "so it is")
        yield say()

    with arbiter(script) as address, pytest.raises(ClientError) as caught:
        play_at(address, First())
    assert caught.value.code == f"error: the arbiter at {address} ended the connection: {reason}: so it is"


def test_an_arbiter_that_never_welcomes_does_not_keep_a_bot_that_closes() -> None:
    asked_to_wait, released = Event(), Event()
    in_time: list[bool] = []

    def script(peer: Peer) -> Iterator[pb.PlayResponse]:
        peer.message()
        asked_to_wait.set()
        in_time.append(released.wait(WAIT_S))
        yield say()

    with arbiter(script) as address:
        link = Link(address, lambda: GrpcStream(address, TOKEN), pb.Hello())
        link.start()
        assert asked_to_wait.wait(WAIT_S)
        link.close("enough")
        assert link.receive() == []
        released.set()
    assert in_time == [True]


def test_only_the_connection_needs_grpc() -> None:
    code = "import sys, sixtysix.link, sixtysix.player; sys.exit('grpc' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_an_unknown_token_is_told_and_never_shown() -> None:
    with arbiter() as address, pytest.raises(ClientError, match="TOKEN_UNKNOWN") as caught:
        run(First(), address=address, token="secret")
    assert "secret" not in str(caught.value)


def test_a_bot_that_fails_over_a_socket_leaves(caplog: pytest.LogCaptureFixture) -> None:
    class Wrong(Bot):
        def choose(self, view: View) -> Action:
            return new_deal().hands[1][0]

    left: list[pb.Command] = []

    def script(peer: Peer) -> Iterator[pb.PlayResponse]:
        yield from opening(peer, "m")
        yield say(decision("m", 1, new_deal()))
        left.extend(peer.message())

    with arbiter(script) as address, pytest.raises(ClientError, match="is not a legal action"):
        play_at(address, Wrong())
    assert kinds(left) == ["leave"]
    assert "is not a legal action" in left[0].leave.reason
