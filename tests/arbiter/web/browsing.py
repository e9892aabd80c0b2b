"""What a browser does with the live page, by hand. Blocking."""

import http.client
import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

_PATIENCE_S = 20.0


def request(address: str, path: str, method: str = "GET") -> tuple[int, dict[str, str], bytes]:
    """Status, headers with names in lower case, and body."""
    connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=_PATIENCE_S)
    try:
        connection.request(method, path)
        answer = connection.getresponse()
        return answer.status, {key.lower(): value for key, value in answer.getheaders()}, answer.read()
    finally:
        connection.close()


def events(address: str) -> Iterator[tuple[str, Any]]:
    """The events from now on, each with its data, until the server closes the connection."""
    connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=_PATIENCE_S)
    try:
        connection.request("GET", "/events")
        answer = connection.getresponse()
        assert answer.status == 200
        assert answer.getheader("Content-Type") == "text/event-stream; charset=utf-8"
        kind = ""
        for line in answer:
            name, _, value = line.decode().rstrip("\n").partition(": ")
            if name == "event":
                kind = value
            elif name == "data":
                yield kind, json.loads(value)
    finally:
        connection.close()
