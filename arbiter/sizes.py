"""Amounts of memory as people write them: a text with a unit in files, integer bytes in the program."""

import re

_UNITS = {
    "TiB": 1 << 40,
    "GiB": 1 << 30,
    "MiB": 1 << 20,
    "KiB": 1 << 10,
    "TB": 10**12,
    "GB": 10**9,
    "MB": 10**6,
    "KB": 10**3,
    "B": 1,
}
_SIZE = re.compile(r"([0-9]{1,15})(B|[KMGT]i?B)")


def parse_size(value: object) -> int:
    """Return the bytes of an amount such as "512MB" or "2GiB"; decimal units are powers of 1000, binary ones of 1024.

    Raises:
        ValueError: it is not a text of this form.
    """
    match = _SIZE.fullmatch(value) if isinstance(value, str) else None
    if match is None:
        raise ValueError('expected an amount of memory as text with a unit (KB, MB, GB, KiB, ...), such as "512MB"')
    return int(match[1]) * _UNITS[match[2]]


def format_size(size: int) -> str:
    """Return an amount in the form of the tournament file, as a whole number with the smallest value."""
    return min((f"{size // factor}{unit}" for unit, factor in _UNITS.items() if size % factor == 0), key=len)
