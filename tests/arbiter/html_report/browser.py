"""The system's Chromium, without a window and without a network."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from playwright.sync_api import BrowserContext, Page, sync_playwright

FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
_PATIENCE_MS = 20_000
_NAMES = ("chromium", "chromium-browser", "google-chrome")


@contextmanager
def browser() -> Iterator[BrowserContext]:
    """A browser with a fresh profile; the test is skipped where there is none, unless it has to be there."""
    program = next(filter(None, map(shutil.which, _NAMES)), None)
    if program is None:
        if os.environ.get("CI"):
            pytest.fail("Chromium is not installed")
        pytest.skip("Chromium is not installed")
    with TemporaryDirectory() as profile, sync_playwright() as playwright:
        context = playwright.chromium.launch_persistent_context(profile, executable_path=program, args=FLAGS)
        context.set_default_timeout(_PATIENCE_MS)
        yield context
        context.close()


class Watched:
    """A page, and everything that went wrong or was fetched while it was open."""

    def __init__(self, context: BrowserContext, file: Path, *, width: int = 1280, height: int = 900) -> None:
        self.page: Page = context.new_page()
        self.problems: list[str] = []
        self.requests: list[str] = []
        self.page.on("console", lambda message: self.problems.append(f"{message.type}: {message.text}"))
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.set_viewport_size({"width": width, "height": height})
        self.address = file.absolute().as_uri()
        self.page.goto(self.address)
