"""What may change between two runs of the same tournament. Pure."""

from collections.abc import Mapping
from typing import Any

_FREE = frozenset(
    {
        "tournament.concurrency",
        "tournament.out",
        "server",
        "store",
        "web",
        "bots.concurrency",
        "bots.env",
        "bots.token_env",
        "bots.token_hash",
    }
)
"""Settings that do not matter for the results: they may differ when a tournament is resumed."""


def differences(before: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """Return what differs between two effective configurations and matters, one sentence each."""
    found: list[str] = []
    for key in sorted(before.keys() | now.keys()):
        if key == "bots":
            found += _bots(before[key], now[key])
        elif key not in _FREE:
            found += _section(key, key, before.get(key, {}), now.get(key, {}))
    return found


def _section(where: str, kind: str, before: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    return [
        f"{where}.{key} was {before.get(key, 'not set')!r} and is {now.get(key, 'not set')!r}"
        for key in sorted(before.keys() | now.keys())
        if before.get(key) != now.get(key) and f"{kind}.{key}" not in _FREE
    ]


def _bots(before: list[dict[str, Any]], now: list[dict[str, Any]]) -> list[str]:
    names_before, names_now = [bot["name"] for bot in before], [bot["name"] for bot in now]
    if names_before != names_now:
        return [f"the bots were {', '.join(names_before)} and are {', '.join(names_now)}"]
    found: list[str] = []
    for old, new in zip(before, now, strict=True):
        found += _section(f"bots.{old['name']}", "bots", old, new)
    return found
