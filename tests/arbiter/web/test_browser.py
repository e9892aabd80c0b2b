"""The live page in a real browser, while a tournament is played."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import trio
from playwright.sync_api import Page, expect

from arbiter import views
from arbiter.store import FILE_NAME, Store
from tests.arbiter.html_report.browser import browser
from tests.arbiter.proxy import Proxy
from tests.arbiter.web.running import running, write

LOST = "The connection is lost; trying again…"
LIVE = "Live: this page changes by itself."


class Way:
    """A way to the page that can be cut."""

    def __init__(self, proxy: Proxy, token: trio.lowlevel.TrioToken) -> None:
        self.address = f"http://{proxy.address}/"
        self._proxy, self._token = proxy, token

    def cut(self) -> int:
        return trio.from_thread.run_sync(self._proxy.cut, trio_token=self._token)


@contextmanager
def way_to(address: str) -> Iterator[Way]:
    proxy, ready, done = Proxy(), threading.Event(), trio.Event()
    tokens: list[trio.lowlevel.TrioToken] = []

    async def forward() -> None:
        async with trio.open_nursery() as nursery:
            await nursery.start(proxy.serve, address.removeprefix("http://").rstrip("/"))
            tokens.append(trio.lowlevel.current_trio_token())
            ready.set()
            await done.wait()
            nursery.cancel_scope.cancel()

    thread = threading.Thread(target=trio.run, args=(forward,))
    thread.start()
    try:
        assert ready.wait(10)
        yield Way(proxy, tokens[0])
    finally:
        trio.from_thread.run_sync(done.set, trio_token=tokens[0])
        thread.join()


def played(page: Page) -> int:
    return int(page.locator("#title dd").nth(2).inner_text().split()[0])


def wait_for_more(page: Page, than: int) -> None:
    page.wait_for_function(
        "(than) => Number(document.querySelectorAll('#title dd')[2]?.textContent.split(' ')[0]) > than", arg=than
    )


def rows(page: Page, table: str, number: int) -> list[str]:
    return page.locator(f"#{table}-table tbody tr > :nth-child({number})").all_inner_texts()


def test_a_tournament_is_watched(tmp_path: Path) -> None:
    write(tmp_path, 2000)
    problems: list[str] = []
    with running(tmp_path) as arbiter, way_to(arbiter.address) as way, browser() as context:
        page = context.new_page()
        page.on("console", lambda message: problems.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.goto(way.address)
        connection = page.locator("#connection")
        expect(connection).to_have_text(LIVE)
        wait_for_more(page, 0)
        assert "Deal" in page.locator("#tables thead").inner_text()

        # What somebody has chosen stays while the page changes under it.
        page.locator("#standings-table th", has_text="Bot").get_by_role("button").click()
        page.get_by_label("game points per deal").check()
        page.get_by_role("button", name="Replay match").first.click()
        page.wait_for_selector(".replay")
        page.keyboard.press("ArrowRight")
        heading = page.locator(".replay-head h3").inner_text()
        page.get_by_label("Matches of this bot").select_option("greedy")
        page.get_by_label("Matches of this bot").focus()
        before = played(page)
        wait_for_more(page, before)
        assert page.evaluate("document.activeElement.tagName") == "SELECT"
        assert rows(page, "standings", 1) == ["counting", "greedy", "random"]
        assert page.get_by_label("game points per deal").is_checked()
        assert all("greedy" in pair for pair in zip(rows(page, "matches", 2), rows(page, "matches", 3), strict=True))
        assert page.locator(".replay-head h3").inner_text() == heading
        assert page.get_by_label("Action of the deal").input_value() == "1"
        heads = page.locator("#standings-table th", has_text="Deals").get_by_role("button")
        heads.focus()
        wait_for_more(page, played(page))
        assert page.evaluate("document.activeElement.textContent") == "Deals"

        assert problems == []
        assert way.cut() > 0
        expect(connection).to_have_text(LOST)
        expect(connection).to_have_text(LIVE)
        wait_for_more(page, played(page))
        assert all("net::ERR" in problem for problem in problems)
        problems.clear()

        # A link to a position is good for a page that is loaded anew.
        assert "#match=" in page.url
        page.reload()
        page.wait_for_selector(".replay")
        assert page.locator(".replay-head h3").inner_text() == heading

        arbiter.process.send_signal(signal.SIGINT)
        expect(connection).to_contain_text("The organiser has stopped the tournament.")
        assert arbiter.process.wait(20) == 3
        assert page.locator(".replay-head h3").inner_text() == heading
        assert problems == []


def test_the_end_is_shown_and_stays(tmp_path: Path) -> None:
    write(tmp_path, 20)
    problems: list[str] = []
    with running(tmp_path) as arbiter, browser() as context:
        page = context.new_page()
        page.on("console", lambda message: problems.append(f"{message.type}: {message.text}"))
        page.goto(arbiter.address)
        expect(page.locator("#connection")).to_contain_text("The tournament has ended", timeout=60_000)
        assert arbiter.process.wait(20) == 0
        with Store.open(tmp_path / "out" / FILE_NAME) as store:
            standings = views.scoreboard(store).standings()
        assert rows(page, "standings", 1) == [line.name for line in standings]
        assert rows(page, "standings", 4) == [str(line.won) for line in standings]
        assert page.locator("#title .lead").inner_text().startswith(f"{standings[0].name} takes the first place")
        assert page.locator("#ratings svg .dot").count() == 3
        assert page.locator("#tables").count() == 0
        assert problems == []


def test_a_page_that_is_refused_comes_again(tmp_path: Path) -> None:
    write(tmp_path, 1000)
    text = (tmp_path / "club.toml").read_text().replace("[web]", "[web]\nviewers = 1")
    (tmp_path / "club.toml").write_text(text)
    with running(tmp_path) as arbiter, browser() as context:
        first, second = context.new_page(), context.new_page()
        first.goto(arbiter.address)
        expect(first.locator("#connection")).to_have_text(LIVE)
        second.goto(arbiter.address)
        expect(second.locator("#connection")).to_have_text(LOST)
        first.close()
        expect(second.locator("#connection")).to_have_text(LIVE)
