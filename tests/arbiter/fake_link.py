"""A link to a bot that answers at once, and keeps every update as it would be sent."""

from collections.abc import Callable

from arbiter.alarm import Alarm
from arbiter.connection import Stamp
from arbiter.remote_seat import RemoteSeat
from arbiter.stalls import StallMeter
from sixtysix.session import Answer
from sixtysix.v1 import bot_service_pb2 as pb
from sixtysix.v1 import deal_pb2


class FakeLink:
    """Implements `arbiter.remote_seat.Link`.

    Attributes:
        choose: what the bot answers to a decision.
        sent: every update, in order.
    """

    def __init__(
        self, name: str, choose: Callable[[pb.Decision], deal_pb2.Action], ask_before_draw: bool = True
    ) -> None:
        self.name = name
        self.choose = choose
        self.ask_before_draw = ask_before_draw
        self.wants_events = True
        self.connected = True
        self.round_trip_us: int | None = None
        # Never due: no stalls but those that a test makes.
        self.stalls = StallMeter(1 << 62)
        self.alarm = Alarm()
        self.sent: list[pb.Update] = []
        self.commands: list[pb.Command] = []
        self._seat: RemoteSeat

    def send(self, update: pb.Update, stamp: Stamp | None = None) -> None:
        self.sent.append(update)
        kind = update.WhichOneof("update")
        if kind == "match_offered":
            self.commands.append(pb.Command(ready=pb.Ready(match_id=update.match_offered.match_id)))
            self._seat.on_ready()
        elif kind == "decision":
            decision = update.decision
            action = pb.ActionCommand(
                match_id=decision.match_id, decision_id=decision.decision_id, action=self.choose(decision)
            )
            self.commands.append(pb.Command(action=action))
            self._seat.on_action(action, Answer.CURRENT, 0)

    def join(self, seat: RemoteSeat) -> None:
        self._seat = seat

    def part(self, seat: RemoteSeat, end: pb.Update) -> None:
        self.send(end)
