import json
from collections import defaultdict

import pytest
from google.protobuf import json_format

from arbiter.dealing import commitment
from sixtysix import wire
from sixtysix.rules import Card, DealRecord, parse_action, replay
from sixtysix.session import Session
from sixtysix.v1 import bot_service_pb2 as pb
from tests.docs import transcript
from tests.docs.transcript import Entry


@pytest.fixture(scope="module")
def entries() -> list[Entry]:
    return transcript.play()


def test_the_page_shows_what_the_arbiter_sends(entries: list[Entry]) -> None:
    page = transcript.PAGE.read_text(encoding="utf-8")
    assert transcript.page_with(transcript.section(entries), page) == page, "python -m tests.docs.transcript mends it"


def test_the_lines_are_what_the_arbiter_sends(entries: list[Entry]) -> None:
    written = transcript.LINES.read_text(encoding="utf-8")
    assert written == transcript.json_lines(entries), "python -m tests.docs.transcript mends it"


def test_json_and_bytes_of_each_line_say_the_same() -> None:
    lines = [json.loads(line) for line in transcript.LINES.read_text(encoding="utf-8").splitlines()]
    assert lines
    for line in lines:
        kind = pb.PlayRequest if line["from"] == "bot" else pb.PlayResponse
        message = kind.FromString(bytes.fromhex(line["hex"]))
        assert message == json_format.ParseDict(line["message"], kind())


def test_the_messages_follow_the_state_table(entries: list[Entry]) -> None:
    sessions: defaultdict[int, Session] = defaultdict(Session)
    for entry in entries:
        if isinstance(entry.message, pb.Command):
            sessions[entry.seat].command(entry.message)
        else:
            sessions[entry.seat].update(entry.message)
    assert set(sessions) == {0, 1}


def test_every_answer_is_one_of_the_legal_actions(entries: list[Entry]) -> None:
    asked: dict[int, pb.Decision] = {}
    answers = 0
    for entry in entries:
        if isinstance(entry.content, pb.Decision):
            asked[entry.seat] = entry.content
            view = wire.read_view(entry.content, transcript.RULES)
            assert view.seat == entry.seat
        elif isinstance(entry.content, pb.ActionCommand):
            decision = asked.pop(entry.seat)
            assert entry.content.decision_id == decision.decision_id
            assert entry.content.action in decision.legal_actions
            answers += 1
    assert answers == len(transcript.SCRIPT)


def test_the_deal_ends_as_its_record_says(entries: list[Entry]) -> None:
    deck = [Card.parse(text) for text in transcript.DECK.split()]
    deal, _, _ = transcript._Shoe().deal(1, 1, 0)
    result = replay(DealRecord.of(deal, [parse_action(token) for _, token, _ in transcript.SCRIPT]))
    ended = [entry.content for entry in entries if isinstance(entry.content, pb.DealEnded)]
    for seat, message in enumerate(ended):
        outcome = wire.read_outcome(message.outcome, seat)
        assert (outcome.winner, outcome.game_points, outcome.reason) == (
            result["winner"],
            result["game_points"],
            result["reason"],
        )
        assert list(outcome.card_points) == result["card_points"]
    started = next(entry.content for entry in entries if isinstance(entry.content, pb.DealStarted))
    bound = commitment(transcript.TOURNAMENT_ID, transcript.MATCH.match_id, 1, transcript.SALT, deck)
    assert started.commitment == bound
