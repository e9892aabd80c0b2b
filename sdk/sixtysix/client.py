"""Play in a tournament: connect to an arbiter and let a bot answer until the tournament is over.

The bot's code is only ever called by the thread that calls `run`.
"""

import os
import secrets
import signal
import ssl
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from sixtysix._version import __version__
from sixtysix.bot import Bot
from sixtysix.connection import GrpcStream, Tls
from sixtysix.link import Link, LinkError, monotonic_us
from sixtysix.local import BotFault
from sixtysix.player import Player
from sixtysix.session import UpdateError
from sixtysix.v1 import bot_service_pb2 as pb
from sixtysix.wire import PROTOCOL_MAJOR, PROTOCOL_MINOR, WireError

ADDRESS_VARIABLE = "SIXTYSIX_ADDRESS"
TOKEN_VARIABLE = "SIXTYSIX_TOKEN"
NAME_VARIABLE = "SIXTYSIX_BOT_NAME"
TLS_CA_VARIABLE = "SIXTYSIX_TLS_CA"
TLS_CERT_VARIABLE = "SIXTYSIX_TLS_CERT"
TLS_KEY_VARIABLE = "SIXTYSIX_TLS_KEY"
SYSTEM_CA = "system"
"""Instead of a file: the public authorities that gRPC knows."""
DECISIONS_PER_MESSAGE = 64

INTERRUPTED = 3
"""Exit status after Ctrl-C."""


class ClientError(SystemExit):
    """Why a bot does not play, or does not play on.

    Left alone, it ends the program with its message on standard error and exit status 1, without a traceback.
    """

    def __init__(self, message: str) -> None:
        super().__init__(f"error: {message}")


def run(
    bot: Bot,
    *,
    address: str | None = None,
    token: str | None = None,
    seed: int | None = None,
    tls_ca: str | Path | None = None,
    tls_cert: str | Path | None = None,
    tls_key: str | Path | None = None,
) -> None:
    """Play until the tournament is over.

    Args:
        bot: the bot.
        address: ``host:port`` of the arbiter; by default the environment variable SIXTYSIX_ADDRESS.
        token: the bot's token; by default the environment variable SIXTYSIX_TOKEN.
        seed: makes `Bot.rng` reproducible; by default each run has other random numbers.
        tls_ca: encrypts the connection: PEM file of the authority that has signed the arbiter's certificate, or
            "system" for the public ones; by default the environment variable SIXTYSIX_TLS_CA.
        tls_cert: PEM file of a certificate to show, where the arbiter asks for one; or SIXTYSIX_TLS_CERT.
        tls_key: PEM file of its key; or SIXTYSIX_TLS_KEY.

    Raises ClientError (exit status 1) if a setting is missing or wrong, if there is no connection for a minute,
    if the arbiter refuses the bot, or if the bot fails: it then leaves, and its matches are lost. Ctrl-C leaves
    too, and raises SystemExit with status 3.
    """
    where = _address(address)
    secret = _token(token)
    tls = _tls(tls_ca, tls_cert, tls_key)
    link = Link(where, lambda: GrpcStream(where, secret, tls), hello_of(bot))
    seed = secrets.randbits(64) if seed is None else seed
    play(link, Player(bot, seed, monotonic_us))


def play(link: Link, player: Player) -> None:
    """Move updates to the player and its commands back; raises as `run`."""
    reason = "the program of the bot ends"
    try:
        with _interrupting(link):
            link.start()
            while arrivals := link.receive():
                commands: list[pb.Command] = []
                for arrival in arrivals:
                    commands += player.take(arrival.updates, arrival.arrived_us)
                link.send(commands)
                link.send(player.decide())
    except BotFault as error:
        reason = str(error)
        raise ClientError(reason) from None
    except LinkError as error:
        raise ClientError(str(error)) from None
    except (UpdateError, WireError) as error:
        reason = f"the arbiter broke the protocol: {error}"
        raise ClientError(reason) from None
    except KeyboardInterrupt:
        reason = "interrupted"
        print(reason, file=sys.stderr)
        raise SystemExit(INTERRUPTED) from None
    finally:
        link.close(reason)


@contextmanager
def _interrupting(link: Link) -> Iterator[None]:
    """Let Ctrl-C end the reading of the link in good order, where the program has no plans of its own for it."""
    on_main_thread = threading.current_thread() is threading.main_thread()
    if not on_main_thread or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return

    def interrupt(signum: int, frame: FrameType | None) -> None:
        if not link.interrupt():
            signal.default_int_handler(signum, frame)

    signal.signal(signal.SIGINT, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def hello_of(bot: Bot) -> pb.Hello:
    """How a bot introduces itself; raises ClientError naming an attribute that has no valid value."""
    for name, (is_valid, expected) in _ATTRIBUTES.items():
        value = getattr(bot, name)
        if not is_valid(value):
            raise ClientError(f"{type(bot).__name__}.{name} must be {expected}, not {value!r}")
    return pb.Hello(
        protocol_major=PROTOCOL_MAJOR,
        protocol_minor=PROTOCOL_MINOR,
        bot_name=os.environ.get(NAME_VARIABLE) or bot.display_name,
        bot_version=bot.version,
        author=bot.author,
        sdk=f"python sixtysix {__version__}",
        language="python",
        rule_sets=bot.rule_sets,
        max_concurrent_matches=bot.max_concurrent_matches,
        max_decisions_per_message=DECISIONS_PER_MESSAGE,
        want_events=bot.wants_events,
        ask_before_draw=bot.ask_before_draw,
    )


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_names(value: object) -> bool:
    return isinstance(value, tuple | list) and all(isinstance(name, str) for name in value)


def _is_count(value: object) -> bool:
    return isinstance(value, int) and 1 <= value < 1 << 32


_ATTRIBUTES: Mapping[str, tuple[Callable[[object], bool], str]] = {
    "name": (_is_text, "a text"),
    "version": (_is_text, "a text"),
    "author": (_is_text, "a text"),
    "rule_sets": (_is_names, "a tuple of names"),
    "max_concurrent_matches": (_is_count, "a whole number of 1 or more"),
}


def _address(given: str | None) -> str:
    value = _setting(given, "address", ADDRESS_VARIABLE)
    host, _, port = value.rpartition(":")
    if not (host and port.isascii() and port.isdecimal() and 0 < int(port) < 1 << 16):
        raise ClientError(f"the address of the arbiter must be HOST:PORT, not {value!r}")
    return value


def _token(given: str | None) -> str:
    value = _setting(given, "token", TOKEN_VARIABLE)
    if not (value.isascii() and value.isprintable()):
        raise ClientError("the token must consist of printable ASCII characters")
    return value


def _tls(ca: str | Path | None, certificate: str | Path | None, key: str | Path | None) -> Tls | None:
    ca = ca or os.environ.get(TLS_CA_VARIABLE)
    certificate = certificate or os.environ.get(TLS_CERT_VARIABLE)
    key = key or os.environ.get(TLS_KEY_VARIABLE)
    if not ca:
        if certificate or key:
            raise ClientError(f"a certificate is shown to an arbiter that is known: set {TLS_CA_VARIABLE} too")
        return None
    if not certificate and not key:
        return Tls(_authorities(ca))
    if not certificate or not key:
        raise ClientError(f"{TLS_CERT_VARIABLE} and {TLS_KEY_VARIABLE} belong together: set both")
    try:
        # The empty password keeps OpenSSL from asking for one on the terminal.
        ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_cert_chain(certificate, key, password="")
    except (OSError, ValueError) as error:
        raise ClientError(f"{certificate} and {key} are no certificate and its key in PEM: {error}") from None
    return Tls(_authorities(ca), _pem(certificate), _pem(key))


def _authorities(ca: str | Path) -> bytes | None:
    if ca == SYSTEM_CA:
        return None
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(ca)
    except (OSError, ValueError) as error:
        raise ClientError(f"{ca} holds no certificates in PEM: {error}") from None
    return _pem(ca)


def _pem(path: str | Path) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise ClientError(f"{path} cannot be read: {error.strerror}") from None


def _setting(given: str | None, name: str, variable: str) -> str:
    value = os.environ.get(variable) if given is None else given
    if not value:
        raise ClientError(f"no {name}: set {variable}, or pass {name}=... to run")
    return value
