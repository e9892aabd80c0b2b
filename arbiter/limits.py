"""What one bot may ask of the arbiter, so that it costs nobody else anything. Pure."""

from dataclasses import dataclass

from arbiter.config import ServerSection

MAX_MESSAGE_BYTES = 256 * 1024
"""Longest message that a bot may send."""
MAX_QUEUED_BYTES = 4 * 1024 * 1024
"""A bot that leaves more than this unread loses its connection."""
MOST_COMMANDS = 2_048
"""Commands in one message; more than a bot in the most matches at once can have to say."""
STREAM_COST = 50
"""To open a stream costs as much as so many commands."""
QUERIES_PER_SECOND, QUERIES_BURST, QUERIES_AT_ONCE = 20, 40, 4
"""Calls of TournamentService, of all callers together: each one reads the store."""
MAX_METADATA_BYTES = 8 * 1024
"""All headers of a call together."""
_BYTES_PER_COMMAND = 1024


@dataclass(frozen=True, slots=True)
class Limits:
    """What the organiser can set.

    Attributes:
        commands_per_second: that a bot may send beyond the answers that it was asked for.
        burst: so many of them at once.
        hello_us: time from the beginning of a stream until its hello.
        connections: TCP connections at once, of bots and everybody else.
    """

    commands_per_second: int
    burst: int
    hello_us: int
    connections: int

    @classmethod
    def of(cls, server: ServerSection) -> "Limits":
        """The limits of a tournament file."""
        return cls(server.commands_per_second, server.burst, server.hello_us, server.connections)


class Bucket:
    """A token bucket: `take` fails when more is taken than flows in.

    Args:
        per_second: what flows in.
        burst: most that it holds; it begins full.
        now_ns: monotonic nanoseconds.
    """

    __slots__ = ("_burst", "_level", "_per_ns", "_then_ns")

    def __init__(self, per_second: int, burst: int, now_ns: int) -> None:
        self._per_ns = per_second / 1e9
        self._burst = burst
        self._level = float(burst)
        self._then_ns = now_ns

    def take(self, cost: int, now_ns: int, extra: int = 0) -> bool:
        """Take if there is enough, after `extra` was put in; else nothing is taken."""
        level = min(self._burst, self._level + (now_ns - self._then_ns) * self._per_ns + extra)
        self._then_ns = now_ns
        enough = level >= cost
        self._level = level - cost if enough else level
        return enough


def message_cost(commands: int, size: int) -> int:
    """What a message takes from the bucket: its commands, 1 or more, and 1 for each KiB."""
    return max(1, commands) + size // _BYTES_PER_COMMAND
