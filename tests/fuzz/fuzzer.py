"""A bot that says anything: sense, nonsense, and sense with something changed."""

import threading
from contextlib import suppress
from random import Random

import grpc

from sixtysix.v1 import bot_service_pb2 as pb
from sixtysix.v1 import deal_pb2
from tests.misbehaving.raw import RawStream

_MOST_ON_A_STREAM = 200
_AT_ONCE = 6
_PAUSE_S = 0.005


class _Stream(RawStream):
    """Reads on a thread of its own and keeps what it has read."""

    def __init__(self, token: str, address: str, answer_pings: bool) -> None:
        super().__init__(token, answer_pings, address, (("grpc.use_local_subchannel_pool", 1),))
        self.read: list[pb.Update] = []
        self.news = threading.Condition()
        self.ended = False
        self._thread = threading.Thread(target=self._follow, daemon=True)
        self._thread.start()

    def _follow(self) -> None:
        with suppress(grpc.RpcError):
            for update in self.updates():
                with self.news:
                    self.read.append(update)
                    self.news.notify()
        with self.news:
            self.ended = True
            self.news.notify()

    def wait(self, count: int, seconds: float) -> None:
        """Wait until so many updates have come, the stream has ended, or the time is over."""
        with self.news:
            self.news.wait_for(lambda: self.ended or len(self.read) >= count, seconds)

    def close(self) -> None:
        self._outbox.put(None)
        self._call.cancel()
        self._channel.close()
        self._thread.join()


class Fuzzer:
    """Attacks the stream of one bot, with the same random numbers in every run.

    Args:
        address: of the arbiter.
        token: of the bot.
        seed: of the random numbers.
        others: ids of matches of other bots, to be tried too.

    Attributes:
        sent: messages so far.
        streams: opened so far.
        read: every update that has come.
    """

    def __init__(self, address: str, token: str, seed: int, others: list[str]) -> None:
        self._address, self._token, self._others = address, token, others
        self._rng = Random(seed)
        self._match_ids: list[str] = []
        self._decisions: list[pb.Decision] = []
        self._session_id = ""
        self.sent = 0
        self.streams = 0
        self.read: list[pb.Update] = []

    def run(self, messages: int) -> None:
        """Send so many more messages, over as many streams as it takes."""
        end = self.sent + messages
        while self.sent < end:
            self._one_stream(end)

    def _one_stream(self, end: int) -> None:
        rng = self._rng
        stream = _Stream(self._token, self._address, answer_pings=rng.random() < 0.9)
        self.streams += 1
        known = 0
        try:
            if rng.random() < 0.95:
                stream.send(pb.Command(hello=self._hello()))
                self.sent += 1
                stream.wait(1, 1.0)
            for _ in range(rng.randrange(1, _MOST_ON_A_STREAM)):
                for _ in range(rng.randrange(1, _AT_ONCE)):
                    stream.send_bytes(self._message())
                    self.sent += 1
                stream.wait(known + 1, _PAUSE_S)
                known = self._learn(stream, known)
                if stream.ended or self.sent >= end:
                    break
        finally:
            stream.close()
            self._learn(stream, known)
            self.read += stream.read

    def _learn(self, stream: _Stream, known: int) -> int:
        for update in stream.read[known:]:
            match update.WhichOneof("update"):
                case "welcome":
                    self._session_id = update.welcome.session_id
                case "match_offered":
                    self._match_ids = [*self._match_ids[-5:], update.match_offered.match_id]
                case "decision":
                    self._decisions = [*self._decisions[-5:], update.decision]
            known += 1
        return known

    def _hello(self) -> pb.Hello:
        rng = self._rng
        hello = pb.Hello(
            protocol_major=1,
            bot_name="eve",
            max_concurrent_matches=rng.choice([0, 1, 1, 2, 4, (1 << 32) - 1]),
            max_decisions_per_message=rng.choice([0, 1, 64, (1 << 32) - 1]),
            want_events=rng.random() < 0.5,
            ask_before_draw=rng.random() < 0.5,
        )
        match rng.randrange(12):
            case 0:
                hello.protocol_major = rng.choice([0, 2, (1 << 32) - 1])
            case 1:
                hello.rule_sets.append(self._text())
            case 2:
                hello.resume_session_id = self._text()
            case 3 | 4 | 5 | 6:
                hello.resume_session_id = self._session_id
        return hello

    def _message(self) -> bytes:
        """One message: mostly one that can be read, for those get further."""
        rng = self._rng
        kind = rng.random()
        if kind < 0.002:
            return rng.randbytes(rng.randrange(200))
        request = pb.PlayRequest(commands=[self._command() for _ in range(rng.choice([0, 1, 1, 1, 2, 5]))])
        data = request.SerializeToString()
        if kind < 0.01:
            return self._mutated(data)
        return data

    def _mutated(self, data: bytes) -> bytes:
        rng = self._rng
        changed = bytearray(data or b"\n")
        for _ in range(rng.randrange(1, 4)):
            place = rng.randrange(len(changed))
            match rng.randrange(4):
                case 0:
                    changed[place] ^= 1 << rng.randrange(8)
                case 1:
                    changed[place] = rng.randrange(256)
                case 2:
                    changed[place:place] = rng.randbytes(rng.randrange(1, 9))
                case 3:
                    del changed[place : place + rng.randrange(1, 9)]
                    changed = changed or bytearray(b"\n")
        return bytes(changed)

    def _command(self) -> pb.Command:
        rng = self._rng
        kind = rng.random()
        if kind < 0.4 and self._decisions:
            return pb.Command(action=self._answer())
        if kind < 0.65:
            return pb.Command(ready=pb.Ready(match_id=self._match_id()))
        if kind < 0.9:
            action = pb.ActionCommand(
                match_id=self._match_id(), decision_id=self._number(), action=self._action(), comment=self._text()
            )
            return pb.Command(action=action)
        if kind < 0.95:
            return pb.Command(pong=pb.Pong(nonce=self._number()))
        if kind < 0.998:
            return pb.Command()
        if kind < 0.999:
            return pb.Command(hello=self._hello())
        return pb.Command(leave=pb.Leave(reason=self._text()))

    def _answer(self) -> pb.ActionCommand:
        """To a decision that was asked: mostly legal, so that the match goes on."""
        rng = self._rng
        decision = self._decisions[-1] if rng.random() < 0.8 else rng.choice(self._decisions)
        legal = rng.random() < 0.95 and decision.legal_actions
        action = rng.choice(decision.legal_actions) if legal else self._action()
        comment = self._text() if rng.random() < 0.1 else ""
        return pb.ActionCommand(
            match_id=decision.match_id, decision_id=decision.decision_id, action=action, comment=comment
        )

    def _action(self) -> deal_pb2.Action:
        rng = self._rng
        action = deal_pb2.Action()
        # Numbers that the enumerations do not have too.
        for name, most in (("kind", 12), ("card", 30), ("suit", 6)):
            if rng.random() < 0.7:
                setattr(action, name, rng.choice([rng.randrange(most), 99, (1 << 31) - 1]))
        return action

    def _match_id(self) -> str:
        rng = self._rng
        if self._match_ids and rng.random() < 0.7:
            return rng.choice(self._match_ids)
        return rng.choice(self._others) if rng.random() < 0.7 else self._text()

    def _number(self) -> int:
        return self._rng.choice([0, 1, 2, self._rng.randrange(100), (1 << 32) - 1])

    def _text(self) -> str:
        rng = self._rng
        pieces = ["", "x", "\0", "\x1b[2J", "♥", "../", "'; DROP TABLE deals; --", "x" * 5_000, "\U0001f600"]
        return "".join(rng.choice(pieces) for _ in range(rng.randrange(3)))
