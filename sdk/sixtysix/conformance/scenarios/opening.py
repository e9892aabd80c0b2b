"""Connecting, and being refused."""

import grpc

from sixtysix import wire
from sixtysix.conformance import clauses
from sixtysix.conformance.server import FINE, StreamStatus
from sixtysix.conformance.trial import Failed, Peer, Trial
from sixtysix.rules import RULE_SETS, RuleSet

_PONG_S = 2.0

_VERSION_REFUSED = StreamStatus(
    grpc.StatusCode.FAILED_PRECONDITION,
    "PROTOCOL_VERSION_UNSUPPORTED",
    "the arbiter speaks protocol 2.0",
    (("major", "2"), ("minor", "0")),
)
_RULES_REFUSED = StreamStatus(
    grpc.StatusCode.FAILED_PRECONDITION,
    "RULE_SET_UNSUPPORTED",
    "the tournament is played by the rule set 'unheard-of'",
    (("rule_set", "unheard-of"),),
)


def connect(trial: Trial) -> Peer:
    """Accept the bot and welcome it."""
    peer = trial.accept()
    trial.welcome(peer)
    return peer


def claimed(peer: Peer) -> list[RuleSet]:
    """The rule sets that the bot says it plays, of those that are known here."""
    names = peer.hello.rule_sets or RULE_SETS
    known = [RULE_SETS[name] for name in names if name in RULE_SETS]
    if not known:
        raise Failed(clauses.KNOWN_RULES, f"none of {', '.join(names)} is a rule set; there are {', '.join(RULE_SETS)}")
    return known


def handshake(trial: Trial) -> None:
    """The hello, alone and right; then a ping without a match."""
    peer = trial.accept()
    hello = peer.hello
    if hello.protocol_major != wire.PROTOCOL_MAJOR:
        problem = f"protocol_major is {hello.protocol_major}, the arbiter's is {wire.PROTOCOL_MAJOR}"
        raise Failed(clauses.MAJOR, problem)
    claimed(peer)
    if peer.inbox and peer.inbox[0].kind != "leave":
        raise Failed(clauses.BAD_MESSAGE, f"{peer.inbox[0].kind} comes before welcome")
    trial.welcome(peer)
    for nonce in (1, (1 << 64) - 1):
        trial.pong(peer, nonce, _PONG_S)
    if peer.inbox:
        raise Failed(clauses.READY, f"{peer.inbox[0].kind} comes where nothing was offered")


def version_refused(trial: Trial) -> None:
    """The arbiter speaks another version: the bot stops."""
    trial.accept().end(_VERSION_REFUSED)
    trial.stop(clauses.VERSION_REFUSED)


def rules_refused(trial: Trial) -> None:
    """The tournament's rule set is another one: the bot stops."""
    trial.accept().end(_RULES_REFUSED)
    trial.stop(clauses.RULES_REFUSED)


def tournament_over(trial: Trial) -> None:
    """The stream ends with OK: the bot ends too, and does not connect again."""
    connect(trial).end(FINE)
    trial.stop(clauses.STREAM_ENDS)
