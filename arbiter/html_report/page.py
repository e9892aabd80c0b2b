"""The page itself: one HTML file that needs nothing else, and whose data can be no more than data."""

import base64
import hashlib
import html
import json
from importlib import resources
from string import Template

from arbiter.views import Json
from sixtysix._version import __version__

_SCRIPTS = (
    "dom.js",
    "sorting.js",
    "plots.js",
    "ratings.js",
    "sections.js",
    "cards.js",
    "replay.js",
    "matches.js",
    "theme.js",
    "parts.js",
)
_GENERATOR = f"sixtysix-arbiter {__version__}"


def html_page(data: Json) -> str:
    """Return the page.

    The browser is told to run this script and this style only, and to load nothing, whatever the data hold.

    Args:
        data: as `arbiter.html_report.data.report_data` returns it.
    """
    return _page(data, (*_SCRIPTS, "main.js"), "")


def live_page(name: str) -> str:
    """Return the page of a tournament that is being played; it asks the server that it came from for what it shows.

    Args:
        name: of the tournament.
    """
    return _page({"tournament": {"name": name}}, (*_SCRIPTS, "live.js"), "connect-src 'self'; ")


def _page(data: Json, scripts: tuple[str, ...], more_policy: str) -> str:
    style, script = _asset("style.css"), "\n".join(_asset(name) for name in scripts)
    policy = (
        f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; img-src data:; {more_policy}"
        "base-uri 'none'; form-action 'none'"
    )
    return Template(_asset("page.html")).substitute(
        policy=policy,
        generator=_GENERATOR,
        title=html.escape(f"{data['tournament']['name']}: standings, ratings and replays"),
        style=style,
        data=embedded(data),
        script=script,
    )


def embedded(data: Json) -> str:
    """Return data as JSON that ends no element of HTML and begins none."""
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False)
    # Lone surrogates, which JSON may hold and UTF-8 may not, are written as escapes.
    text = text.encode("utf-8", "backslashreplace").decode()
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def _asset(name: str) -> str:
    return (resources.files("arbiter.html_report") / "assets" / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
