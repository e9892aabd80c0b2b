"""A bot without the SDK that does nothing wrong. The others of this folder differ from it in one thing each."""

import signal
import sys

import grpc

from sixtysix.v1 import bot_service_pb2 as pb
from sixtysix.v1 import deal_pb2
from tests.misbehaving.raw import RawStream


class Sound:
    """Plays the first legal action that is no claim; keeps the session, and stops when it is refused."""

    answers_pings = True
    token: str | None = None

    def __init__(self) -> None:
        self.session_id = ""
        self.stream: RawStream

    def run(self) -> None:
        if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
            signal.signal(signal.SIGTERM, self.leave)
        while True:
            self.stream = RawStream(token=self.token, answer_pings=self.answers_pings)
            self.begin()
            try:
                for update in self.stream.updates():
                    self.take(update)
            except grpc.RpcError as error:
                if not self.is_lost(error):
                    sys.exit(f"refused: {error.details()}")
            else:
                if not self.comes_back():
                    return

    def leave(self, number: int, frame: object) -> None:
        self.stream.send(pb.Command(leave=pb.Leave(reason="asked to end")))

    def begin(self) -> None:
        self.stream.send(pb.Command(hello=self.hello()))

    def hello(self) -> pb.Hello:
        return pb.Hello(
            protocol_major=1,
            max_concurrent_matches=64,
            max_decisions_per_message=64,
            ask_before_draw=True,
            resume_session_id=self.session_id,
        )

    def is_lost(self, error: grpc.RpcError) -> bool:
        return error.code() is grpc.StatusCode.UNAVAILABLE and "DRAINING" not in str(error.details())

    def comes_back(self) -> bool:
        return False

    def take(self, update: pb.Update) -> None:
        kind = update.WhichOneof("update")
        if kind == "welcome":
            self.welcome(update.welcome)
        elif kind == "match_offered":
            self.offered(update.match_offered)
        elif kind == "decision":
            self.decide(update.decision)
        elif kind is None:
            self.unknown()
        elif kind != "ping":
            self.told(kind, update)

    def welcome(self, welcome: pb.Welcome) -> None:
        self.session_id = welcome.session_id

    def offered(self, offer: pb.MatchOffered) -> None:
        self.stream.send(pb.Command(ready=pb.Ready(match_id=offer.match_id)))

    def decide(self, decision: pb.Decision) -> None:
        self.answer(decision, self.choose(decision))

    def answer(self, decision: pb.Decision, action: deal_pb2.Action) -> None:
        command = pb.ActionCommand(match_id=decision.match_id, decision_id=decision.decision_id, action=action)
        self.stream.send(pb.Command(action=command))

    def choose(self, decision: pb.Decision) -> deal_pb2.Action:
        legal = [action for action in decision.legal_actions if action.kind != deal_pb2.ACTION_KIND_CLAIM]
        return legal[0]

    def unknown(self) -> None:
        """Ignored, as the protocol wants it."""

    def told(self, kind: str, update: pb.Update) -> None:
        """The same."""


if __name__ == "__main__":
    Sound().run()
