"""Durations as people write them: a text with a unit in files, integer microseconds in the program."""

import decimal
import re

_UNITS_US = {"h": 3_600_000_000, "m": 60_000_000, "s": 1_000_000, "ms": 1_000, "us": 1}
_DURATION = re.compile(r"([0-9]+(?:\.[0-9]+)?)(us|ms|s|m|h)")
_LONGEST_HOURS = 1000


def parse_duration(value: object) -> int:
    """Return the microseconds of a duration such as "10s", "1.5s" or "250us".

    Raises:
        ValueError: it is not a text of this form, finer than a microsecond, or longer than 1000 hours.
    """
    match = _DURATION.fullmatch(value) if isinstance(value, str) else None
    if match is None:
        raise ValueError('expected a duration as text with a unit (us, ms, s, m, h), such as "50ms" or "10s"')
    amount, unit = match.groups()
    duration_us = decimal.Decimal(amount) * _UNITS_US[unit]
    if duration_us > _LONGEST_HOURS * _UNITS_US["h"]:
        raise ValueError(f'expected a duration of at most "{_LONGEST_HOURS}h"')
    if duration_us != int(duration_us):
        raise ValueError("expected a duration of whole microseconds")
    return int(duration_us)


def format_duration(duration_us: int) -> str:
    """Return a duration in the form of the tournament file, in the largest unit that gives a whole number."""
    if duration_us == 0:
        return "0s"
    unit, size_us = next(item for item in _UNITS_US.items() if duration_us % item[1] == 0)
    return f"{duration_us // size_us}{unit}"
