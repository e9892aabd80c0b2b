import pytest

from sixtysix.session import (
    KEEP_ENDED,
    Answer,
    CommandError,
    MatchState,
    Session,
    StreamState,
    UpdateError,
)
from sixtysix.v1 import bot_service_pb2 as pb
from sixtysix.v1 import deal_pb2

CLAIM = deal_pb2.Action(kind=deal_pb2.ACTION_KIND_CLAIM)
DRAW = deal_pb2.Action(kind=deal_pb2.ACTION_KIND_DRAW)

HELLO = pb.Command(hello=pb.Hello(protocol_major=1))
LEAVE = pb.Command(leave=pb.Leave())
PONG = pb.Command(pong=pb.Pong(nonce=1))
READY = pb.Command(ready=pb.Ready(match_id="m"))
WELCOME = pb.Update(welcome=pb.Welcome())
OFFER = pb.Update(match_offered=pb.MatchOffered(match_id="m"))
RESUMED = pb.Update(match_offered=pb.MatchOffered(match_id="m", resumed=True))
DEAL = pb.Update(deal_started=pb.DealStarted(match_id="m"))
EVENT = pb.Update(event=pb.MatchEvent(match_id="m"))
DEAL_END = pb.Update(deal_ended=pb.DealEnded(match_id="m"))
MATCH_END = pb.Update(match_ended=pb.MatchEnded(match_id="m"))
PING = pb.Update(ping=pb.Ping(nonce=1))
RESULT = pb.Update(action_result=pb.ActionResult(match_id="m", decision_id=1))

Step = pb.Command | pb.Update


def decision(number: int) -> pb.Update:
    return pb.Update(decision=pb.Decision(match_id="m", decision_id=number))


def action(number: int, what: deal_pb2.Action = CLAIM, match_id: str = "m") -> pb.Command:
    return pb.Command(action=pb.ActionCommand(match_id=match_id, decision_id=number, action=what))


def follow(*steps: Step) -> Session:
    session = Session()
    for step in steps:
        if isinstance(step, pb.Command):
            session.command(step)
        else:
            session.update(step)
    return session


OPEN = (HELLO, WELCOME)
PLAYING = (*OPEN, OFFER, READY)
DECIDING = (*PLAYING, DEAL, decision(1))


def test_a_stream_opens_with_hello_and_welcome() -> None:
    assert follow().state is StreamState.HELLO_EXPECTED
    assert follow(HELLO).state is StreamState.WELCOME_EXPECTED
    assert follow(*OPEN).state is StreamState.OPEN
    assert follow(*OPEN, LEAVE).state is StreamState.LEFT


@pytest.mark.parametrize(
    ("before", "command", "reason"),
    [
        ((), READY, "HELLO_EXPECTED"),
        ((), action(1), "HELLO_EXPECTED"),
        ((), pb.Command(), "HELLO_EXPECTED"),
        (OPEN, HELLO, "HELLO_REPEATED"),
        ((HELLO,), HELLO, "HELLO_REPEATED"),
        ((HELLO,), PONG, "MALFORMED_MESSAGE"),
        ((*OPEN, LEAVE), PONG, "MALFORMED_MESSAGE"),
        ((*OPEN, LEAVE), HELLO, "HELLO_REPEATED"),
    ],
)
def test_commands_out_of_place_are_the_fault_of_the_bot(
    before: tuple[Step, ...], command: pb.Command, reason: str
) -> None:
    session = follow(*before)
    state = session.state
    with pytest.raises(CommandError) as caught:
        session.command(command)
    assert caught.value.reason == reason
    assert session.state is state


@pytest.mark.parametrize(
    ("before", "update"),
    [
        ((), WELCOME),
        ((HELLO,), PING),
        (OPEN, WELCOME),
        ((*OPEN, OFFER), OFFER),
        ((*OPEN, OFFER), decision(1)),
        ((*OPEN, OFFER), DEAL),
        (OPEN, DEAL),
        (DECIDING, decision(1)),
        (DECIDING, DEAL),
        ((*DECIDING, MATCH_END), DEAL),
    ],
)
def test_updates_out_of_place_are_the_fault_of_the_arbiter(before: tuple[Step, ...], update: pb.Update) -> None:
    session = follow(*before)
    with pytest.raises(UpdateError):
        session.update(update)


@pytest.mark.parametrize(
    ("steps", "state"),
    [
        (OPEN, None),
        ((*OPEN, OFFER), MatchState.OFFERED),
        ((*OPEN, OFFER, action(1), RESULT), MatchState.OFFERED),
        ((*OPEN, RESUMED), MatchState.PLAYING),
        (PLAYING, MatchState.PLAYING),
        ((*PLAYING, READY), MatchState.PLAYING),
        (DECIDING, MatchState.DECIDING),
        ((*DECIDING, READY, EVENT, RESULT), MatchState.DECIDING),
        ((*DECIDING, action(1)), MatchState.PLAYING),
        ((*DECIDING, DEAL_END), MatchState.PLAYING),
        ((*DECIDING, MATCH_END), MatchState.ENDED),
        ((*OPEN, OFFER, MATCH_END), MatchState.ENDED),
        ((*OPEN, MATCH_END), MatchState.ENDED),
    ],
)
def test_states_of_a_match(steps: tuple[Step, ...], state: MatchState | None) -> None:
    assert follow(*steps).match_state("m") is state


@pytest.mark.parametrize(
    ("steps", "command", "answer"),
    [
        (DECIDING, action(1), Answer.CURRENT),
        (DECIDING, action(2), Answer.STALE),
        (DECIDING, action(0), Answer.STALE),
        (PLAYING, action(1), Answer.STALE),
        (PLAYING, action(0), Answer.STALE),
        ((*DECIDING, action(1)), action(1), Answer.DUPLICATE),
        ((*DECIDING, action(1)), action(1, DRAW), Answer.STALE),
        ((*DECIDING, action(1), decision(3)), action(1), Answer.DUPLICATE),
        ((*DECIDING, action(1), decision(3)), action(3), Answer.CURRENT),
        ((*DECIDING, DEAL_END), action(1), Answer.TOO_LATE),
        ((*DECIDING, decision(3)), action(1), Answer.TOO_LATE),
        ((*DECIDING, action(1), DEAL_END), action(1), Answer.DUPLICATE),
        ((*DECIDING, MATCH_END), action(1), Answer.MATCH_OVER),
        (OPEN, action(1), Answer.UNKNOWN_MATCH),
        (DECIDING, action(1, match_id="other"), Answer.UNKNOWN_MATCH),
    ],
)
def test_what_an_action_answers(steps: tuple[Step, ...], command: pb.Command, answer: Answer) -> None:
    assert follow(*steps).command(command) is answer


def test_what_a_later_version_adds_is_let_through() -> None:
    session = follow(*OPEN)
    assert session.command(pb.Command()) is None
    session.update(pb.Update())
    assert session.state is StreamState.OPEN


def test_ended_matches_are_forgotten_in_the_end() -> None:
    session = follow(*OPEN)
    for number in range(KEEP_ENDED + 1):
        session.update(pb.Update(match_ended=pb.MatchEnded(match_id=str(number))))
    assert session.match_state("0") is None
    assert session.match_state("1") is MatchState.ENDED
