"""The server over real sockets."""

import os
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

import pytest
import trio
import trio.testing

from arbiter.config import WebSection
from arbiter.web import address as address_module
from arbiter.web.address import WebError, listening
from arbiter.web.live import event
from arbiter.web.server import application, serve
from arbiter.web.viewers import QUEUE, Viewers
from tests.arbiter.web.browsing import events, request

WEB = WebSection(listen="127.0.0.1:0")
PAGE = "<!DOCTYPE html><title>♥</title>"


@asynccontextmanager
async def served(viewers: Viewers) -> AsyncIterator[str]:
    deals = {"001-01": b"[1]"}
    app = application(PAGE, deals.get, viewers, lambda: (event("now", "0"),))
    stop = trio.Event()
    with listening(WEB) as listener:
        assert listener is not None
        async with trio.open_nursery() as nursery:
            nursery.start_soon(serve, app, os.dup(listener.fileno()), stop)
            yield f"http://127.0.0.1:{listener.getsockname()[1]}/"
            stop.set()


async def ask(address: str, path: str, method: str = "GET") -> tuple[int, dict[str, str], bytes]:
    return await trio.to_thread.run_sync(request, address, path, method)


async def test_the_page_and_what_it_asks_for() -> None:
    async with served(Viewers(1)) as address:
        status, headers, body = await ask(address, "/")
        assert (status, body.decode()) == (200, PAGE)
        assert headers["content-type"] == "text/html; charset=utf-8"
        assert headers["content-security-policy"] == "frame-ancestors 'none'"
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cache-control"] == "no-store"
        assert "set-cookie" not in headers
        assert "server" not in headers
        assert (await ask(address, "/matches/001-01"))[::2] == (200, b"[1]")
        for unknown in ("/matches/001-02", "/matches/", "/matches/../results.sqlite", "/results.sqlite", "/events/x"):
            assert (await ask(address, unknown))[0] == 404


@pytest.mark.parametrize("path", ["/", "/events", "/matches/001-01"])
async def test_nothing_can_be_written(path: str) -> None:
    async with served(Viewers(1)) as address:
        for method in ("POST", "PUT", "DELETE", "PATCH"):
            assert (await ask(address, path, method))[0] == 405
        status, _, body = await ask(address, path, "HEAD")
        assert (status, body) == (200, b"")


async def test_events_come_as_they_are_sent_until_there_are_no_more() -> None:
    viewers = Viewers(1)
    got: list[object] = []
    async with served(viewers) as address:

        async def look() -> None:
            got.extend(await trio.to_thread.run_sync(lambda: list(events(address))))

        async with trio.open_nursery() as nursery:
            nursery.start_soon(look)
            await viewers.wait_for_one()
            viewers.send(event("figures", '{"a":"1\\n2"}'))
            viewers.send(event("end", "2"))
            await viewers.close()
    assert got == [("now", 0), ("figures", {"a": "1\n2"}), ("end", 2)]


async def test_too_many_viewers_are_told_to_come_again() -> None:
    viewers = Viewers(1)
    async with served(viewers) as address:
        with viewers.enter():
            status, headers, _ = await ask(address, "/events")
            assert status == 503
            assert headers["retry-after"] == "10"
            assert (await ask(address, "/"))[0] == 200


async def test_a_viewer_that_leaves_makes_room() -> None:
    viewers = Viewers(1)
    async with served(viewers) as address:
        first = await trio.to_thread.run_sync(partial(next, events(address)))
        assert first == ("now", 0)
        # The generator is gone, and its connection with it.
        with trio.fail_after(10):
            while len(viewers):
                await trio.sleep(0.01)
        assert await trio.to_thread.run_sync(partial(next, events(address))) == ("now", 0)


async def test_a_viewer_that_does_not_read_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(address_module, "_STUCK_MS", 300)
    viewers = Viewers(2)
    big = event("figures", '"' + "x" * 4_000_000 + '"')
    async with served(viewers) as address:
        port = int(address.rpartition(":")[2].rstrip("/"))
        with socket.create_connection(("127.0.0.1", port)) as stuck:
            stuck.sendall(b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
            await viewers.wait_for_one()
            for _ in range(QUEUE + 2):
                viewers.send(big)
                await trio.testing.wait_all_tasks_blocked()
            assert len(viewers) == 0
            # Its place is free again when its connection is gone.
            with trio.fail_after(20):
                await viewers.close()
            assert (await ask(address, "/"))[0] == 200


def test_an_address_that_is_taken() -> None:
    with listening(WEB) as first:
        assert first is not None
        taken = WebSection(listen=f"127.0.0.1:{first.getsockname()[1]}")
        with pytest.raises(WebError) as caught, listening(taken):
            pass
    assert str(caught.value) == f"web.listen: cannot listen on {taken.listen}: Address already in use"
    # It is free at once for whoever comes next.
    with listening(taken) as second:
        assert second is not None


@pytest.mark.parametrize("host", ["192.0.2.1", "no-such-host.invalid"])
def test_an_address_that_is_not_of_this_machine(host: str) -> None:
    elsewhere = WebSection(listen=f"{host}:0", public=True)
    with pytest.raises(WebError, match=f"web.listen: cannot listen on {host}:0: "), listening(elsewhere):
        pass


def test_no_page_is_asked_for() -> None:
    with listening(None) as nothing:
        assert nothing is None
