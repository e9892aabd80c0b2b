import base64
import hashlib
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arbiter.html_report import html_page, live_page, report_data
from arbiter.html_report.page import embedded
from tests.arbiter.html_report import tournaments
from tests.arbiter.html_report.tournaments import HOSTILE


class Elements(HTMLParser):
    """What a browser finds in a page: elements with their attributes, and the text of some of them."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[tuple[str, str]] = []
        self._open = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        self._open = tag

    def handle_data(self, data: str) -> None:
        self.texts.append((self._open, data))
        self._open = ""

    def text(self, tag: str) -> list[str]:
        return [text for name, text in self.texts if name == tag]


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> str:
    return html_page(hostile_data(tmp_path_factory.mktemp("hostile")))


def hostile_data(directory: Path) -> dict[str, Any]:
    with tournaments.forfeited(directory, HOSTILE, HOSTILE) as store:
        data = report_data(store)
    data["tournament"]["name"] = HOSTILE
    return data


def test_hostile_texts_make_no_elements(page: str) -> None:
    elements = Elements(page)
    kinds = [name for name, _ in elements.found]
    assert kinds.count("script") == 2
    assert "img" not in kinds
    (title,) = elements.text("title")
    assert title.startswith(HOSTILE)


def test_the_data_can_be_read_back(page: str, tmp_path: Path) -> None:
    data, _ = Elements(page).text("script")
    assert json.loads(data) == hostile_data(tmp_path)


def test_nothing_is_loaded_from_anywhere(page: str) -> None:
    for _, attributes in Elements(page).found:
        for name in ("src", "href", "action", "srcset"):
            assert re.fullmatch(r"#\w+|data:,", attributes.get(name) or "#x")
    style = "".join(Elements(page).text("style"))
    assert "url(" not in style
    assert "@import" not in style


def test_a_live_page_may_ask_its_server_and_nobody_else() -> None:
    elements = Elements(live_page(HOSTILE))
    (policy,) = [each["content"] for name, each in elements.found if name == "meta" and "http-equiv" in each]
    assert policy is not None
    assert policy.startswith("default-src 'none'; ")
    assert "connect-src 'self'; " in policy
    assert "unsafe" not in policy
    data, script = elements.text("script")
    assert json.loads(data) == {"tournament": {"name": HOSTILE}}
    assert f"script-src 'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'" in policy
    assert "img" not in [name for name, _ in elements.found]


def test_only_this_script_and_this_style_may_run(page: str) -> None:
    elements = Elements(page)
    (policy,) = [each["content"] for name, each in elements.found if name == "meta" and "http-equiv" in each]
    assert policy is not None
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
    assert "connect-src" not in policy
    for kind, text in (("script", elements.text("script")[1]), ("style", elements.text("style")[0])):
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{kind}-src 'sha256-{digest}'" in policy


@given(st.recursive(st.none() | st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)))
def test_embedded_data_end_no_element(value: Any) -> None:
    text = embedded({"value": value})
    assert not set("<>&") & set(text)
    assert json.loads(text) == {"value": value}


def test_half_characters_can_be_written() -> None:
    text = embedded({"value": "\ud800"})
    assert text.encode()
    assert json.loads(text) == {"value": "\ud800"}
