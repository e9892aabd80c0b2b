"""What is wrong with a tournament file, in words for its author."""

import difflib
import json
import re
from collections.abc import Callable
from pathlib import Path

from pydantic_core import ErrorDetails

Location = tuple[int | str, ...]


def describe_syntax(path: Path, text: str, message: str) -> str:
    """Return the line for a TOML syntax error, as file:line: message.

    Args:
        path: of the file.
        text: its content.
        message: of the parser, which ends with the position.
    """
    position = re.search(r" \(at (?:line (\d+), column \d+|end of document)\)$", message)
    if position is None:
        return f"{path}: {message}"
    line = position[1] or len(text.splitlines())
    return f"{path}:{line}: {message[: position.start()]}"


def describe(error: ErrorDetails, valid_keys: Callable[[Location], list[str]]) -> str:
    """Return the line for one validation error: where, what was found, what is valid.

    Args:
        error: as pydantic gives it.
        valid_keys: the keys that the table at a location may have.
    """
    kind, found, context = error["type"], error["input"], error.get("ctx", {})
    where = _key_path(error["loc"])
    if kind == "extra_forbidden":
        valid = valid_keys(error["loc"][:-1])
        nearest = difflib.get_close_matches(str(error["loc"][-1]), valid, n=1, cutoff=0.0)[0]
        return f'{where}: unknown key; the nearest valid one is "{nearest}" (all: {", ".join(valid)})'
    if kind == "missing":
        return f"{where}: missing"
    if kind == "value_error":
        message = str(context["error"])
        # A whole table or array says nothing; the message names the part that is wrong.
        whole = isinstance(found, dict | list | tuple)
        return f"{where}: {message}" if whole else f"{where}: found {_shown(found)}: {message}"
    expected = {
        "int_type": "a whole number",
        "string_type": "a text",
        "list_type": "an array",
        "tuple_type": "an array",
        "dict_type": "a table",
        "model_type": "a table",
        "literal_error": context.get("expected"),
        "greater_than_equal": f"{context.get('ge')} or more",
        "less_than_equal": f"{context.get('le')} or less",
        "too_short": f"{context.get('min_length')} or more elements",
    }.get(kind, error["msg"])
    return f"{where}: found {_shown(found)}: expected {expected}"


def _key_path(location: Location) -> str:
    path = ""
    for part in location:
        if isinstance(part, int):
            path += f"[{part}]"
        else:
            key = part if re.fullmatch("[A-Za-z0-9_-]+", part) else json.dumps(part)
            path += f".{key}" if path else key
    return path


def _shown(value: object) -> str:
    if isinstance(value, dict):
        return "a table"
    if isinstance(value, list | tuple):
        return "an array"
    return json.dumps(value, ensure_ascii=False, default=str)
