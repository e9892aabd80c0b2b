"""The kinds of values in a tournament file: how each is written, and what is valid."""

import ipaddress
import re
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, PlainSerializer

from arbiter.durations import format_duration, parse_duration
from arbiter.sizes import format_size, parse_size
from sixtysix.rules.ruleset import rule_set

NAME = re.compile(r"(?=.*[A-Za-z0-9])[A-Za-z0-9._-]{1,64}")
NAME_EXPECTED = 'expected 1 to 64 letters, digits, ".", "_" or "-", with a letter or digit among them'
_HOST = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?|\[[0-9A-Fa-f:.]+\]")
LEAST_MEMORY = 32_000_000
"""A limit below this ends most programs before they have begun."""


def _positive_duration(value: object) -> int:
    duration_us = parse_duration(value)
    if duration_us == 0:
        raise ValueError("expected a duration longer than 0")
    return duration_us


def _memory(value: object) -> int:
    memory = parse_size(value)
    if not LEAST_MEMORY <= memory < 1 << 63:
        raise ValueError(f'expected an amount from "{format_size(LEAST_MEMORY)}" to "8388607TiB"')
    return memory


def _name(value: str) -> str:
    if not NAME.fullmatch(value):
        raise ValueError(NAME_EXPECTED)
    return value


def _address(value: str) -> str:
    host, _, port = value.rpartition(":")
    if not _HOST.fullmatch(host) or not re.fullmatch("[0-9]{1,5}", port) or int(port) > 65535:
        raise ValueError('expected host:port with a port from 0 to 65535, such as "127.0.0.1:0" or "[::1]:6600"')
    return value


def is_loopback(address: str) -> bool:
    """Is ``host:port`` reached from this machine only? A name other than localhost may be anybody's."""
    host = address.rpartition(":")[0].removeprefix("[").removesuffix("]")
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _text(value: str) -> str:
    if not value or "\0" in value:
        raise ValueError("expected a text that is not empty and has no NUL character")
    return value


def _path(value: object) -> Path:
    if not isinstance(value, str) or not value or "\0" in value:
        raise ValueError("expected a path as text")
    return Path(value)


def _rules(value: object) -> object:
    if not isinstance(value, str | dict):
        raise ValueError('expected the name of a rule set, or a table such as { base = "schnapsen", target = 5 }')
    rule_set(value)
    return value


Duration = Annotated[int, BeforeValidator(parse_duration), PlainSerializer(format_duration)]
PositiveDuration = Annotated[int, BeforeValidator(_positive_duration), PlainSerializer(format_duration)]
Memory = Annotated[int, BeforeValidator(_memory), PlainSerializer(format_size)]
Name = Annotated[str, AfterValidator(_name)]
Address = Annotated[str, AfterValidator(_address)]
Text = Annotated[str, AfterValidator(_text)]
FilePath = Annotated[Path, BeforeValidator(_path)]
Rules = Annotated[str | dict[str, Any], BeforeValidator(_rules)]
ForfeitOf = Literal["deal", "match"]
