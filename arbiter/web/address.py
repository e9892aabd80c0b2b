"""Where the live page listens."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager

from arbiter.config import WebSection

_BACKLOG = 128
_SEND_BUFFER = 256 * 1024
_STUCK_MS = 10_000


class WebError(Exception):
    """The live page cannot be served: the organiser's fault; the message says where and why."""


@contextmanager
def listening(web: WebSection | None) -> Iterator[socket.socket | None]:
    """Listen as long as the block runs, if there is to be a page; raises WebError."""
    if web is None:
        yield None
        return
    host, _, port = web.listen.rpartition(":")
    try:
        found = socket.getaddrinfo(host.strip("[]"), int(port), type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, kind, protocol, _, address = found[0]
        listener = socket.socket(family, kind, protocol)
    except OSError as error:
        raise _cannot_listen(web, error) from None
    with listener:
        try:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            # Connections inherit these: who does not read is cut off, and holds little memory until then.
            listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, _STUCK_MS)
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _SEND_BUFFER)
            listener.bind(address)
            listener.listen(_BACKLOG)
        except OSError as error:
            raise _cannot_listen(web, error) from None
        yield listener


def _cannot_listen(web: WebSection, error: OSError) -> WebError:
    return WebError(f"web.listen: cannot listen on {web.listen}: {error.strerror}")
