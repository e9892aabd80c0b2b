from dataclasses import dataclass, field
from typing import cast

import pytest
import trio

from arbiter.alarm import Alarm
from arbiter.connection import Connection
from arbiter.limits import Bucket
from arbiter.lobby import Lobby
from arbiter.match_runner import MatchRunner, Terms
from arbiter.policy import Consequence, FaultPolicy
from arbiter.remote_seat import RemoteSeat
from arbiter.schedule import ScheduledMatch
from arbiter.seat import Offer
from arbiter.stalls import StallMeter
from arbiter.tokens import hash_token
from arbiter.transport import Transport
from sixtysix import wire
from sixtysix.rules import EXCHANGE, RULE_SETS, Action
from sixtysix.timecontrol import TimeControl
from sixtysix.v1 import bot_service_pb2 as pb
from tests.arbiter.fake_seats import FakeSeat, FixedShoe
from tests.rules.positions import FIRST_HAS_LOWEST, position

RULES = RULE_SETS["schnapsen"]
CONTROL = TimeControl(1_000_000, 60_000_000, 60_000_000)
POLICY = FaultPolicy(Consequence.FORFEIT_DEAL, Consequence.FORFEIT_DEAL, limit=3, reconnect_us=0)

# A connection gathers updates by the loop that gRPC has.
pytestmark = pytest.mark.hosted


@dataclass
class FakeTransport:
    """What a participant needs of it."""

    alarm: Alarm = field(default_factory=Alarm)
    # Never due: no stalls.
    stalls: StallMeter = field(default_factory=lambda: StallMeter(1 << 62))


class Ada:
    """A bot without a network: what it says arrives at once, what it is told waits until it looks."""

    def __init__(self) -> None:
        self.lobby = Lobby(RULES, {"ada": hash_token("token")}, {}, 0, lambda name: None, lambda name, why: None)
        self.lobby.transport = cast(Transport, FakeTransport())
        self.stream = Connection("ada", Bucket(1_000, 1_000, now_ns=0))
        self.lobby.opened(self.stream)
        self.say(pb.Command(hello=pb.Hello(protocol_major=1, max_concurrent_matches=1, max_decisions_per_message=1)))

    def say(self, *commands: pb.Command) -> None:
        """Send one message."""
        self.lobby.received(self.stream, pb.PlayRequest(commands=commands), 0)

    def hear(self) -> list[pb.Update]:
        """Take what has been written."""
        found: list[pb.Update] = []
        while self.stream.has_messages:
            found += pb.PlayResponse.FromString(self.stream.next_message()).updates
        return found


class Ready(FakeSeat):
    """Is ready at once."""

    async def get_ready(self, offer: Offer) -> None:
        await trio.lowlevel.checkpoint()


def answer(decision_id: int, action: Action) -> pb.Command:
    command = pb.ActionCommand(match_id="m", decision_id=decision_id, action=wire.action_message(action))
    return pb.Command(action=command)


@pytest.mark.parametrize("waits", [False, True], ids=["written at once", "behind another message"])
async def test_a_decision_that_was_not_sent_cannot_be_answered(waits: bool) -> None:
    ada = Ada()
    seats = (RemoteSeat(ada.lobby.participants["ada"]), Ready("bob"))
    shoe = FixedShoe(position("schnapsen", FIRST_HAS_LOWEST))
    scheduled = ScheduledMatch("m", "001", 1, ("ada", "bob"), 1)
    runner = MatchRunner(scheduled, seats, Terms(RULES, CONTROL, POLICY, 1), shoe)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(runner.play)
        await trio.testing.wait_all_tasks_blocked()
        ada.say(pb.Command(ready=pb.Ready(match_id="m")))
        await trio.testing.wait_all_tasks_blocked()
        (first,) = (update.decision for update in ada.hear() if update.HasField("decision"))
        ada.stream.writing_ns = int(waits)
        # The exchange leads to another decision of the same seat, before the message is at its end.
        ada.say(answer(first.decision_id, EXCHANGE), answer(first.decision_id + 2, EXCHANGE))
        told = ada.hear()
        stale = pb.ActionResult(match_id="m", decision_id=first.decision_id + 2, status=pb.ACTION_STATUS_STALE)
        assert [update.action_result for update in told if update.HasField("action_result")] == [stale]
        (second,) = (update.decision for update in told if update.HasField("decision"))
        assert second.decision_id == first.decision_id + 2
        # Now it is answered in earnest, and the match goes on to the other seat.
        ada.say(answer(second.decision_id, wire.read_action(second.legal_actions[0])))
        assert not [update for update in ada.hear() if update.HasField("action_result")]
        nursery.cancel_scope.cancel()
