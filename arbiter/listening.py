"""How the server listens: addresses, certificates, and room for connections. Knows nothing of gRPC."""

import resource
from dataclasses import dataclass

from arbiter.config import ServerSection
from arbiter.limits import Limits
from arbiter.tls import ServerTls, load

_SPARE_DESCRIPTORS = 512
_FROM_HERE = {"0.0.0.0": "127.0.0.1", "[::]": "[::1]"}


@dataclass(frozen=True, slots=True)
class Settings:
    """How the server listens.

    Attributes:
        listen: ``host:port``; port 0 takes a free one.
        tls: without it nothing is encrypted. With it, bots on this machine have an address of their own without it.
        limits: what one bot may ask.
        reflection: tell clients the protocol's description.
        tournament_service: answer questions about the tournament.
    """

    listen: str
    tls: ServerTls | None
    limits: Limits
    reflection: bool = True
    tournament_service: bool = True

    @classmethod
    def of(cls, server: ServerSection) -> "Settings":
        """The settings of a tournament file; raises TlsError."""
        return cls(server.listen, load(server), Limits.of(server), server.reflection, server.tournament_service)


def from_here(address: str) -> str:
    """Return how to reach an address from this machine."""
    host, _, port = address.rpartition(":")
    return f"{_FROM_HERE.get(host, host)}:{port}"


def make_room(connections: int) -> int:
    """Allow this process enough descriptors, if the system lets it; return how many connections fit."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = connections + _SPARE_DESCRIPTORS
    if soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(hard, wanted)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return min(connections, max(1, soft - _SPARE_DESCRIPTORS))
