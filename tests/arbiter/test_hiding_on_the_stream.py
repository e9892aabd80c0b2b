"""All that a seat is sent in a match, byte for byte, when it cannot tell two deals apart."""

import time
from collections.abc import Iterator, Sequence
from random import Random

import pytest
import trio
from hypothesis import given
from hypothesis import strategies as st

from arbiter.match_runner import MatchRunner, Terms
from arbiter.policy import Consequence, FaultPolicy
from arbiter.remote_seat import RemoteSeat
from arbiter.schedule import ScheduledMatch
from sixtysix import wire
from sixtysix.rules import CLOSE, EXCHANGE, PASS, RULE_SETS, Action, Deal
from sixtysix.rules.record import parse_record
from sixtysix.timecontrol import TimeControl
from sixtysix.v1 import bot_service_pb2 as pb
from sixtysix.v1 import deal_pb2
from tests.arbiter.fake_link import FakeLink
from tests.arbiter.fake_seats import FixedShoe
from tests.rules.hiding_pairs import hiding_pair, swapped
from tests.rules.playouts import Playout, playouts

CONTROL = TimeControl(1_000_000, 1_000_000, 30_000_000)
POLICY = FaultPolicy(Consequence.FORFEIT_DEAL, Consequence.FORFEIT_DEAL, limit=9, reconnect_us=0)
NOTHING = deal_pb2.Action()


def stream_of(seat: int, deal: Deal, actions: Sequence[Action]) -> list[bytes]:
    """What the seat is sent when the actions are played and then somebody answers nothing."""
    script: Iterator[Action] = iter(actions)

    def choose(decision: pb.Decision) -> deal_pb2.Action:
        action = next(script, None)
        return NOTHING if action is None else wire.action_message(action)

    links = (FakeLink("ada", choose), FakeLink("bob", choose))
    first, second = (RemoteSeat(link) for link in links)
    scheduled = ScheduledMatch("001-01", "001", 1, ("ada", "bob"), deal.dealer)
    terms = Terms(deal.rules, CONTROL, POLICY, deal_limit=1)
    trio.run(MatchRunner(scheduled, (first, second), terms, FixedShoe(deal)).play)
    return [update.SerializeToString(deterministic=True) for update in links[seat].sent]


@pytest.fixture(autouse=True, scope="module")
def _time_stands_still() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(time, "monotonic_ns", lambda: 1_000)
        yield


@given(playouts(), st.integers(0, 1), st.integers(0, 1 << 16))
def test_a_seat_is_sent_the_same_bytes(playout: Playout, seat: int, seed: int) -> None:
    pair = hiding_pair(playout, seat, Random(seed))
    if pair is None:
        return
    start = playout.start()
    first, second = (stream_of(seat, deal, pair.actions) for deal in (start, swapped(start, *pair.swapped)))
    assert first == second


def offered_deal(holder: str) -> Deal:
    """A deal of sixty-six in which seat 1 or the talon has the 9 of trumps and seat 0 can close at once."""
    rest = [card for card in RULE_SETS["sixty-six"].deck if card.text not in ("9S", "AS", "9C")]
    other, talon = ("9S", "9C") if holder == "opponent" else ("9C", "9S")
    record = {
        "rules": "sixty-six",
        "dealer": 1,
        "hands": [[card.text for card in rest[:6]], [*(card.text for card in rest[6:11]), other]],
        "talon": [talon, *(card.text for card in rest[11:])],
        "turn_up": "AS",
        "actions": [],
    }
    return parse_record(record).deal()


def test_the_closer_is_not_told_of_the_offer() -> None:
    card = offered_deal("talon").hands[0][0]
    holds = stream_of(0, offered_deal("opponent"), [CLOSE, PASS, card])
    lacks = stream_of(0, offered_deal("talon"), [CLOSE, PASS, card])
    assert holds == lacks
    taken = stream_of(0, offered_deal("opponent"), [CLOSE, EXCHANGE, card])
    assert taken != holds
