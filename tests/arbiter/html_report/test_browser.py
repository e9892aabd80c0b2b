"""The page in a real browser."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from arbiter.html_report import html_page, report_data
from arbiter.store import Store
from sixtysix.rules import RULE_SETS, Deal, parse_action
from sixtysix.rules.record import parse_record
from tests.arbiter import played
from tests.arbiter.html_report import tournaments
from tests.arbiter.html_report.browser import Watched, browser

Open = Callable[..., Watched]
MINUS = "\N{MINUS SIGN}"


@pytest.fixture(scope="module")
def context() -> Iterator[BrowserContext]:
    with browser() as opened:
        yield opened


@pytest.fixture
def show(context: BrowserContext, tmp_path: Path) -> Iterator[Open]:
    """Open the page of some data; nothing may have gone wrong with it in the end."""
    watched: list[Watched] = []

    def call(data: dict[str, Any], width: int = 1280, link: str = "") -> Watched:
        file = tmp_path / f"{len(watched)}.html"
        file.write_text(html_page(data), encoding="utf-8")
        opened = Watched(context, file, width=width)
        if link:
            opened.page.goto(f"{opened.address}{link}")
        watched.append(opened)
        return opened

    yield call
    for one in watched:
        assert one.problems == []
        assert {request.partition("#")[0] for request in one.requests} <= {one.address, "data:,"}
        one.page.close()


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    return tournaments.complete(tmp_path_factory.mktemp("complete"))


@pytest.fixture(scope="module")
def data(store: Store) -> dict[str, Any]:
    return report_data(store)


def column(page: Page, table: str, number: int) -> list[str]:
    return page.locator(f"#{table}-table tbody tr > :nth-child({number})").all_inner_texts()


def held(page: Page) -> list[list[str]]:
    """The cards of seat 0 and of seat 1, in any order."""
    return [
        sorted(
            card.get_attribute("data-card") or ""
            for card in page.locator(f'.seat[data-seat="{seat}"] [data-card]').all()
        )
        for seat in (0, 1)
    ]


def texts(hands: Any) -> list[list[str]]:
    return [sorted(card.text for card in hand) for hand in hands]


def test_the_page_shows_the_figures(show: Open, data: dict[str, Any]) -> None:
    page = show(data).page
    assert page.title() == "club: standings, ratings and replays"
    assert page.locator("h1").inner_text() == "club"
    assert column(page, "standings", 1) == data["bots"]
    assert column(page, "standings", 4) == [str(line["won"]) for line in data["standings"]]
    assert column(page, "endings", 2) == [str(line["deals"]) for line in data["standings"]]
    elo = [round(one["elo"]) for one in data["ratings"]["ratings"]]
    assert [int(text.replace(MINUS, "-")) for text in column(page, "ratings", 2)] == elo
    assert page.locator("#ratings svg .dot").count() == 3
    assert page.locator("#ratings svg .line").count() == 3
    cell = data["cross"][0][1]
    first = page.locator(".heat tbody tr").first.locator("td").nth(1)
    assert first.inner_text().split("–")[:2] == [str(cell["won"]), str(cell["lost"])]
    page.get_by_label("game points per deal").check()
    assert float(first.inner_text().replace(MINUS, "-")) == pytest.approx(
        (cell["points"] - cell["against"]) / cell["deals"], abs=0.0051
    )


def test_a_click_on_a_heading_sorts(show: Open, data: dict[str, Any]) -> None:
    page = show(data).page
    heading = page.locator("#standings-table th", has_text="Deals")
    heading.get_by_role("button").click()
    deals = [line["deals"] for line in data["standings"]]
    assert column(page, "standings", 9) == [str(value) for value in sorted(deals, reverse=True)]
    assert heading.get_attribute("aria-sort") == "descending"
    heading.get_by_role("button").press("Enter")
    assert column(page, "standings", 9) == [str(value) for value in sorted(deals)]
    assert heading.get_attribute("aria-sort") == "ascending"
    page.locator("#standings-table th", has_text="Bot").get_by_role("button").click()
    assert column(page, "standings", 1) == sorted(data["bots"])
    assert heading.get_attribute("aria-sort") is None


def test_a_deal_is_stepped_through_by_keys_and_buttons(show: Open, store: Store, data: dict[str, Any]) -> None:
    page = show(data).page
    match = store.match("001-01")
    record = parse_record(match.deals[0].record)
    deal = record.deal()
    page.get_by_role("button", name="Replay match 001-01").click()
    assert held(page) == texts(deal.hands)
    for token in record.actions[:2]:
        page.keyboard.press("ArrowRight")
        deal.apply(parse_action(token))
        assert held(page) == texts(deal.hands)
    page.get_by_role("button", name="One action back").click()
    page.get_by_role("button", name="One action on").click()
    assert held(page) == texts(deal.hands)
    page.keyboard.press("End")
    for token in record.actions[2:]:
        deal.apply(parse_action(token))
    assert held(page) == texts(deal.hands)
    assert page.locator(".said strong").count() == 1
    page.keyboard.press("Home")
    assert held(page) == texts(record.hands)
    page.keyboard.press("PageDown")
    assert held(page) == texts(parse_record(match.deals[1].record).hands)
    page.keyboard.press("ArrowLeft")
    assert held(page) == texts(deal.hands)
    page.locator(".steps button").first.click()
    assert page.locator(".steps .now").count() == 1
    assert held(page) == texts(_after(record.deal(), record.actions[:1]).hands)


def _after(deal: Deal, tokens: Any) -> Deal:
    for token in tokens:
        deal.apply(parse_action(token))
    return deal


# Steps through a whole match by the keyboard and notes what is on the table each time.
WALK = """() => {
  const panel = document.querySelector(".replay");
  const cards = (selector) => [...panel.querySelectorAll(selector)].map((card) => card.dataset.card).sort();
  const seen = [];
  for (;;) {
    const seats = [0, 1].map((seat) => panel.querySelector(`.seat[data-seat="${seat}"]`));
    const talon = panel.querySelector(".talon");
    seen.push({
      hands: [0, 1].map((seat) => cards(`.seat[data-seat="${seat}"] [data-card]`)),
      backs: seats.map((seat) => seat.querySelectorAll(".back").length),
      points: seats.map((seat) => Number(seat.dataset.points)),
      tricks: seats.map((seat) => Number(seat.dataset.tricks)),
      talon: Number(talon.dataset.left),
      turnUp: talon.dataset.turnUp,
      table: cards(".played [data-card]"),
      winner: panel.querySelector(".played.winner")?.dataset.played ?? null,
      closed: panel.querySelector(".closed") !== null,
      trump: talon.querySelector(".trump-text .sr").textContent,
    });
    const on = panel.querySelector("[aria-label^='One action on']");
    if (on.disabled) return seen;
    panel.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
  }
}"""


@pytest.mark.parametrize("rules", RULE_SETS)
def test_every_position_is_that_of_the_engine(show: Open, tmp_path: Path, rules: str) -> None:
    with tournaments.complete(tmp_path / "store", rules, 2) as store:
        data = report_data(store)
        result = store.match("001-01")
    for match in data["matches"]:
        del match["deals"][6:]
    page = show(data).page
    for view in ("both", "0", "1"):
        page.get_by_role("button", name="Replay match 001-01").click()
        page.get_by_label("Hands shown").select_option(view)
        seat = None if view == "both" else int(view)
        assert page.evaluate(WALK) == [
            position for deal in result.deals[:6] for position in _positions(deal.record, seat)
        ]


def _positions(written: dict[str, object], view: int | None) -> Iterator[dict[str, Any]]:
    record = parse_record(written)
    deal = record.deal()
    last_trick: tuple[list[str], str] | None = None
    for token in [None, *record.actions]:
        if token is not None:
            tricks, led = list(deal.tricks), deal.led
            deal.apply(parse_action(token))
            if deal.tricks != tricks:
                assert led is not None
                last_trick = sorted([led.text, token]), str(deal.leader)
            else:
                last_trick = None
        hidden = None if view is None else 1 - view
        hands, backs = texts(deal.hands), [0, 0]
        if hidden is not None:
            known = [card for card in deal.hands[hidden] if deal.shown[hidden] >> card & 1]
            backs[hidden] = len(deal.hands[hidden]) - len(known)
            hands[hidden] = sorted(card.text for card in known)
        on_table = [] if deal.led is None else [deal.led.text]
        yield {
            "hands": hands,
            "backs": backs,
            "points": [deal.card_points(0), deal.card_points(1)],
            "tricks": list(deal.tricks),
            "talon": deal.face_down,
            "turnUp": "" if deal.turn_up is None else deal.turn_up.text,
            "table": last_trick[0] if last_trick else on_table,
            "winner": last_trick[1] if last_trick else None,
            "closed": deal.closing is not None,
            "trump": deal.trump.name.lower(),
        }


def test_one_seats_view_tells_no_card_that_the_other_draws(show: Open, data: dict[str, Any]) -> None:
    page = show(data).page
    page.get_by_role("button", name="Replay match 001-01").click()
    drawn = page.locator(".steps button", has_text=" draws ")
    both = drawn.first.inner_text()
    page.get_by_label("Hands shown").select_option("0")
    assert "a card" not in both
    assert "a card" in drawn.first.inner_text()


def test_matches_are_filtered(show: Open, data: dict[str, Any]) -> None:
    page = show(data).page
    page.get_by_label("Matches of this bot").select_option("ada")
    page.get_by_label("and of this bot").select_option("cy")
    expected = [match["id"] for match in data["matches"] if set(match["bots"]) == {"ada", "cy"}]
    assert [text.removeprefix("▶ ") for text in column(page, "matches", 1)] == expected
    assert len(expected) == 4


def test_long_lists_are_shown_in_parts(show: Open, tmp_path: Path) -> None:
    with tournaments.complete(tmp_path / "store", matches_per_pair=6) as store:
        page = show(report_data(store)).page
    assert page.locator("#matches-table tbody tr").count() == 12
    page.get_by_role("button", name="Show all 18").click()
    assert page.locator("#matches-table tbody tr").count() == 18


def test_a_link_opens_a_position(show: Open, store: Store, data: dict[str, Any]) -> None:
    record = parse_record(store.match("002-01").deals[1].record)
    opened = show(data, link="#match=002-01/2/3")
    page = opened.page
    page.wait_for_selector(".replay")
    assert held(page) == texts(_after(record.deal(), record.actions[:3]).hands)
    page.keyboard.press("ArrowRight")
    page.wait_for_url(f"{opened.address}#match=002-01/2/4")


@pytest.mark.parametrize("link", ["#match=999-99", "#match=001-01/99/99", "#match=%E0%A4%A", "#match=/"])
def test_links_that_lead_nowhere_break_nothing(show: Open, data: dict[str, Any], link: str) -> None:
    assert show(data, link=link).page.locator("#matches-table tbody tr").count() == 12


def test_the_theme_is_that_of_the_system_until_it_is_switched(show: Open, data: dict[str, Any]) -> None:
    page = show(data).page
    background = "getComputedStyle(document.body).backgroundColor"
    page.emulate_media(color_scheme="light")
    light = page.evaluate(background)
    page.emulate_media(color_scheme="dark")
    dark = page.evaluate(background)
    assert light != dark
    switch = page.locator("#theme")
    expect(switch).to_have_attribute("aria-pressed", "true")
    switch.click()
    assert page.evaluate(background) == light
    expect(switch).to_have_attribute("aria-pressed", "false")
    page.reload()
    assert page.evaluate(background) == light
    page.locator("#theme").click()
    assert page.evaluate(background) == dark
    page.evaluate("localStorage.clear()")


@pytest.mark.parametrize("width", [320, 360, 768])
def test_nothing_is_wider_than_the_window(show: Open, data: dict[str, Any], width: int) -> None:
    page = show(data, width=width).page
    page.get_by_role("button", name="Replay match 001-01").click()
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.documentElement.scrollWidth") == width
    beyond = page.evaluate("""[...document.querySelectorAll(".board *, .controls *, .plot svg")]
      .filter((node) => node.getBoundingClientRect().right > innerWidth).length""")
    assert beyond == 0


def test_many_bots_have_room(show: Open, tmp_path: Path) -> None:
    names = [f"bot-{number}" for number in range(12)]
    with tournaments.complete(tmp_path / "store", matches_per_pair=2, bots=names) as store:
        page = show(report_data(store), width=1280).page
    assert page.locator("#ratings svg .line").count() == 12
    outside = page.evaluate("""[...document.querySelectorAll(".plot svg")].flatMap((svg) => {
      const whole = svg.getBoundingClientRect();
      return [...svg.querySelectorAll("text")].map((text) => [text.textContent, text.getBoundingClientRect()])
        .filter(([, box]) => box.top < whole.top || box.bottom > whole.bottom + 1 || box.right > whole.right + 1)
        .map(([name]) => name);
    })""")
    assert outside == []


def test_what_rounds_to_zero_has_no_sign(show: Open, data: dict[str, Any]) -> None:
    changed = json.loads(json.dumps(data))
    for line, opponents in zip(changed["ratings"]["ratings"], (-0.3, 0.3, -0.7), strict=True):
        line["opponents"] = opponents
    assert column(show(changed).page, "ratings", 5) == ["0", "0", f"{MINUS}1"]


def test_hostile_texts_stay_texts(show: Open, tmp_path: Path) -> None:
    (tmp_path / "store").mkdir()
    with tournaments.forfeited(tmp_path / "store", tournaments.HOSTILE, tournaments.HOSTILE) as store:
        data = json.loads(json.dumps(report_data(store)).replace('"ada"', json.dumps(tournaments.HOSTILE)))
    data["tournament"]["name"] = tournaments.HOSTILE
    page = show(data).page
    for button in page.locator("button.open").all():
        button.click()
        page.keyboard.press("End")
        page.keyboard.press("PageDown")
        page.keyboard.press("End")
    assert page.locator("h1").text_content() == tournaments.HOSTILE
    assert page.locator("img").count() == 0
    assert page.evaluate("window.hacked") is None


def test_a_tournament_without_matches(show: Open, tmp_path: Path) -> None:
    with played.create(tmp_path, played.config()) as store:
        page = show(report_data(store), width=360).page
    assert "No match has ended yet" in page.locator("main").inner_text()
    assert "null" not in page.locator("main").inner_text()
    assert "NaN" not in page.content().partition("<script")[0]


def test_a_match_without_deals(show: Open, tmp_path: Path) -> None:
    with tournaments.forfeited(tmp_path) as store:
        data = report_data(store)
    page = show(data).page
    (match,) = [match["id"] for match in data["matches"] if not match["deals"]]
    page.get_by_role("button", name=f"Replay match {match}").click()
    page.keyboard.press("ArrowRight")
    assert "No deal was played" in page.locator(".replay").inner_text()


def test_it_plays_on_its_own_and_stops_at_the_end(show: Open, data: dict[str, Any]) -> None:
    opened = show(data)
    page = opened.page
    page.clock.install()
    page.goto(opened.address)
    page.get_by_role("button", name="Replay match 001-01").click()
    page.keyboard.press("Space")
    page.clock.run_for(2000)
    assert page.get_by_label("Action of the deal").input_value() == "2"
    page.keyboard.press("Space")
    page.clock.run_for(5000)
    assert page.get_by_label("Action of the deal").input_value() == "2"
    page.get_by_role("button", name="Play on its own").click()
    page.clock.run_for(900 * 400)
    assert page.get_by_role("button", name="Play on its own").get_attribute("aria-pressed") == "false"
    assert page.get_by_role("button", name="One action on").is_disabled()


# Contrast of texts with what is behind them, after WCAG 2.2, 1.4.3.
CONTRAST = """() => {
  const canvas = Object.assign(document.createElement("canvas"), { width: 1, height: 1 });
  const pen = canvas.getContext("2d", { willReadFrequently: true });
  const paint = (...colours) => {
    pen.clearRect(0, 0, 1, 1);
    for (const colour of colours) { pen.fillStyle = colour; pen.fillRect(0, 0, 1, 1); }
    return [...pen.getImageData(0, 0, 1, 1).data];
  };
  const light = (rgb) => {
    const [r, g, b] = rgb.map((v) => v / 255).map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const low = [];
  for (const node of document.querySelectorAll("main *, header *, footer")) {
    const own = [...node.childNodes].some((child) => child.nodeType === 3 && child.textContent.trim());
    const style = getComputedStyle(node);
    const left_out = node.closest(".board, noscript, script, .sr, button:disabled");
    if (!own || left_out || !node.getClientRects().length) continue;
    const behind = [];
    for (let up = node; up; up = up.parentElement) {
      behind.unshift(getComputedStyle(up).backgroundColor);
    }
    const ground = light(paint(...behind).slice(0, 3));
    const text = light(paint(...behind, node.namespaceURI.endsWith("svg") ? style.fill : style.color).slice(0, 3));
    const ratio = (Math.max(ground, text) + 0.05) / (Math.min(ground, text) + 0.05);
    if (ratio < 4.5) low.push(`${node.outerHTML.slice(0, 80)}: ${ratio.toFixed(2)}`);
  }
  return low;
}"""


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_texts_have_contrast(show: Open, data: dict[str, Any], theme: Any) -> None:
    page = show(data).page
    page.emulate_media(color_scheme=theme)
    page.get_by_role("button", name="Replay match 001-01").click()
    assert page.evaluate(CONTRAST) == []


def test_everything_that_acts_has_a_name_and_can_be_reached(show: Open, data: dict[str, Any]) -> None:
    page = show(data).page
    page.get_by_role("button", name="Replay match 001-01").click()
    kinds = "button, select, input, [role=img], [role=region], [role=group]"
    unnamed = page.evaluate(
        """(kinds) => [...document.querySelectorAll(kinds)].filter((node) =>
          !(node.getAttribute("aria-label") || node.textContent.trim() || node.labels?.length)).length""",
        kinds,
    )
    assert unnamed == 0
    assert page.locator("table:not(:has(caption))").count() == 0
    assert page.evaluate("document.activeElement.className") == "replay"
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.tagName") == "SELECT"
    assert page.locator("[aria-live=polite]").count() == 1
