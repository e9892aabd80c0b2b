"""The lobby: who is connected, on which session, and who gets to hear what."""

import time
from collections.abc import Callable, Collection, Mapping

import structlog
import trio

from arbiter.connection import Connection
from arbiter.participant import HEARTBEAT_US, Participant
from arbiter.status import StreamStatus
from arbiter.tokens import bot_name, find_key
from arbiter.transport import Transport
from sixtysix import wire
from sixtysix.rules import RuleSet
from sixtysix.session import CommandError, Session
from sixtysix.v1 import bot_service_pb2 as pb

_log = structlog.get_logger()


class _Greeting:
    """A stream that has not said hello yet."""

    __slots__ = ("connection", "opened", "session")

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.session = Session()
        self.opened = time.monotonic()


class Lobby:
    """All bots of a tournament; implements `arbiter.connection.Handler`.

    Args:
        rules: what is played; a bot that cannot is refused.
        hashes: hash of the token by key; see `arbiter.tokens.Credentials`.
        most_matches: by key, the organiser's limit of matches at once.
        reconnect_us: how long the matches of a lost connection wait.
        hello_us: how long a stream may be without its hello.
        local: keys of the bots on this machine, which may come by the address for them.
        on_connect: told the name of each bot that has said hello.
        on_dismissed: told the key of a bot that has left, was refused or stayed away, and why; its process is of no
            more use.
    """

    def __init__(
        self,
        rules: RuleSet,
        hashes: Mapping[str, str],
        most_matches: Mapping[str, int | None],
        reconnect_us: int,
        on_connect: Callable[[str], None],
        on_dismissed: Callable[[str, str], None],
        hello_us: int = 10_000_000,
        local: Collection[str] = (),
    ) -> None:
        self.transport: Transport
        self._rules = rules
        self._hashes = dict(hashes)
        self._local = frozenset(local)
        self._hello_s = hello_us / 1e6
        self._grace_s = reconnect_us / 1e6
        self._on_connect = on_connect
        self._on_dismissed = on_dismissed
        # One for each bot, so that nobody can heap them up.
        self._greetings: dict[str, _Greeting] = {}
        self.participants = {
            key: Participant(key, lambda: self.transport, most_matches.get(key)) for key in self._hashes
        }

    def authenticate(self, token: str | None, inside: bool) -> str | StreamStatus:
        """Whose token it is; `inside`: it came to the address for bots on this machine."""
        if token is None:
            return StreamStatus("TOKEN_MISSING", "the metadata has no 'authorization: Bearer ...'")
        key = find_key(token, self._hashes)
        if key is None or (inside and key not in self._local):
            return StreamStatus("TOKEN_UNKNOWN", "the token belongs to no bot of this tournament")
        return key

    def opened(self, connection: Connection) -> None:
        older = self._greetings.get(connection.bot)
        if older is not None:
            older.connection.close(StreamStatus("REPLACED_BY_NEWER_CONNECTION", "the bot has connected again"))
        self._greetings[connection.bot] = _Greeting(connection)

    def received(self, connection: Connection, request: pb.PlayRequest, arrived_ns: int) -> None:
        participant = self.participants[connection.bot]
        for command in request.commands:
            try:
                if participant.is_on(connection):
                    participant.handle(command, arrived_ns)
                elif (greeting := self._greeting(connection)) is not None:
                    self._greet(greeting, command)
                else:
                    return
            except CommandError as error:
                self._refuse(connection, StreamStatus(error.reason, str(error)))
                return
            except Exception:
                # A mistake of ours, whatever it is, must not end the tournament: the command is left out.
                _log.exception("the arbiter failed at a command", bot=connection.bot)
            if not participant.connected and command.WhichOneof("command") == "leave":
                self._on_dismissed(participant.key, participant.farewell(command.leave.reason))

    def _greeting(self, connection: Connection) -> _Greeting | None:
        greeting = self._greetings.get(connection.bot)
        return greeting if greeting is not None and greeting.connection is connection else None

    def _greet(self, greeting: _Greeting, command: pb.Command) -> None:
        connection = greeting.connection
        greeting.session.command(command)
        hello = command.hello
        if hello.protocol_major != wire.PROTOCOL_MAJOR:
            major, minor = str(wire.PROTOCOL_MAJOR), str(wire.PROTOCOL_MINOR)
            message = (
                f"this arbiter speaks version {major}.{minor}, the bot {hello.protocol_major}.{hello.protocol_minor}"
            )
            facts = {"major": major, "minor": minor}
            self._refuse(connection, StreamStatus("PROTOCOL_VERSION_UNSUPPORTED", message, facts))
            return
        if hello.rule_sets and self._rules.name not in hello.rule_sets:
            message = f"the tournament is played in {self._rules.name}, which the bot does not list"
            facts = {"rule_set": self._rules.name}
            self._refuse(connection, StreamStatus("RULE_SET_UNSUPPORTED", message, facts))
            return
        del self._greetings[connection.bot]
        self.participants[connection.bot].begin(connection, greeting.session, hello)
        self._on_connect(bot_name(connection.bot))

    def _refuse(self, connection: Connection, status: StreamStatus) -> None:
        participant = self.participants[connection.bot]
        greeting = self._greeting(connection)
        if greeting is not None:
            del self._greetings[connection.bot]
        connection.close(status)
        if greeting is None and not participant.is_on(connection):
            return
        _log.warning("stream refused", bot=connection.bot, reason=status.reason, detail=status.message)
        if participant.is_on(connection):
            participant.break_off(status, f"{connection.bot} broke the protocol: {status.message}")
        if not participant.connected:
            self._on_dismissed(participant.key, f"{participant.name} was refused: {status.message}")

    def garbled(self, connection: Connection) -> None:
        self._refuse(connection, StreamStatus("MALFORMED_MESSAGE", "a message that is not a PlayRequest"))

    def flooded(self, connection: Connection) -> None:
        self._refuse(connection, StreamStatus("RATE_EXCEEDED", "more commands than a bot may send"))

    def closed(self, connection: Connection, detail: str) -> None:
        if self._greeting(connection) is not None:
            del self._greetings[connection.bot]
        self.participants[connection.bot].lost(connection, detail)

    async def keep_watch(self) -> None:
        """Send the heartbeats and watch the graces, for ever."""
        beats = 0.0
        pause = min(HEARTBEAT_US / 1e6, max(0.05, min(self._grace_s, self._hello_s) / 4))
        while True:
            await trio.sleep(pause)
            beats += pause
            self._check_greetings()
            for participant in self.participants.values():
                if beats >= HEARTBEAT_US / 1e6:
                    participant.ping()
                given_up = participant.check_grace(self._grace_s)
                if given_up:
                    self._on_dismissed(participant.key, given_up)
            if beats >= HEARTBEAT_US / 1e6:
                beats = 0.0

    def _check_greetings(self) -> None:
        latest = time.monotonic() - self._hello_s
        for greeting in list(self._greetings.values()):
            if greeting.opened < latest:
                message = f"no hello within {self._hello_s:g} s"
                self._refuse(greeting.connection, StreamStatus("HELLO_EXPECTED", message))

    def close(self, status: StreamStatus | None) -> None:
        """End every stream."""
        for participant in self.participants.values():
            participant.close(status)
