"""The live page over HTTP: the page, its events, and the deals of matches that have ended. Only GET, no cookies."""

import os
from collections.abc import Callable

import trio
from hypercorn.config import Config
from hypercorn.trio import serve as serve_app
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from arbiter.web.viewers import Viewers

_HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "frame-ancestors 'none'",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
_GRACE_S = 1.0
_MOST_HEADERS = 16 * 1024


class _Events:
    """Sends one viewer its events, as they come, until it leaves or there are no more."""

    def __init__(self, viewers: Viewers, first: Callable[[], tuple[bytes, ...]]) -> None:
        self._viewers, self._first = viewers, first

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        with self._viewers.enter(*self._first()) as events:
            if events is None:
                full = PlainTextResponse("too many viewers; try again later\n", 503, {**_HEADERS, "Retry-After": "10"})
                await full(scope, receive, send)
                return
            begin = Response(headers=_HEADERS, media_type="text/event-stream")
            del begin.headers["Content-Length"]
            await send({"type": "http.response.start", "status": 200, "headers": begin.raw_headers})
            async with trio.open_nursery() as nursery:

                async def leave() -> None:
                    while (await receive())["type"] != "http.disconnect":
                        pass
                    nursery.cancel_scope.cancel()

                nursery.start_soon(leave)
                if scope["method"] != "HEAD":
                    async for event in events:
                        await send({"type": "http.response.body", "body": event, "more_body": True})
                nursery.cancel_scope.cancel()
            await send({"type": "http.response.body", "body": b"", "more_body": False})


def application(
    page: str, deals: Callable[[str], bytes | None], viewers: Viewers, first: Callable[[], tuple[bytes, ...]]
) -> Starlette:
    """Return the application.

    Args:
        page: the HTML page.
        deals: gives the deals of a match, as JSON, if they may be seen.
        viewers: of the events.
        first: gives the events that a viewer begins with.
    """
    body = page.encode()

    async def show_page(_: Request) -> Response:
        return Response(body, headers=_HEADERS, media_type="text/html; charset=utf-8")

    async def show_match(request: Request) -> Response:
        found = deals(request.path_params["match_id"])
        if found is None:
            return PlainTextResponse("no such match can be shown here\n", 404, _HEADERS)
        return Response(found, headers=_HEADERS, media_type="application/json")

    return Starlette(
        routes=[
            Route("/", show_page),
            Route("/events", _Events(viewers, first), methods=["GET"]),
            Route("/matches/{match_id}", show_match),
        ]
    )


async def serve(app: Starlette, listener: int, stop: trio.Event) -> None:
    """Serve on a socket that listens until `stop` is set, and a little longer for answers that have begun.

    Args:
        app: the application.
        listener: descriptor of the socket; it is closed in the end.
        stop: ends the server.
    """
    config = Config()
    config.bind = [f"fd://{listener}"]
    config.accesslog = None
    config.errorlog = "-"
    config.loglevel = "WARNING"
    config.include_server_header = False
    config.graceful_timeout = _GRACE_S
    config.h11_max_incomplete_size = _MOST_HEADERS
    os.set_inheritable(listener, False)
    await serve_app(app, config, shutdown_trigger=stop.wait)  # type: ignore[arg-type]
