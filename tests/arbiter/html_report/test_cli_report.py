from collections.abc import Callable
from pathlib import Path

import pytest

from arbiter import directory
from arbiter.cli import main
from arbiter.console import DONE, USER_ERROR
from arbiter.html_report import html_page, report_data
from arbiter.store import FILE_NAME
from tests.arbiter import played
from tests.arbiter.html_report import tournaments

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Run the command: its exit status, standard output and standard error."""

    def call(*arguments: object) -> tuple[int, str, str]:
        capsys.readouterr()
        status = main(["report", *map(str, arguments)])
        return status, *capsys.readouterr()

    return call


@pytest.fixture
def out(tmp_path: Path) -> Path:
    folder = tmp_path / "club"
    with tournaments.complete(folder, matches_per_pair=2):
        return folder


def page_of(out: Path, most: int | None = None) -> str:
    with directory.open_store(out) as store:
        return html_page(report_data(store, most))


def test_the_page_is_written_beside_the_results(run: Run, out: Path) -> None:
    page = out / directory.REPORT_FILE
    status, text, error = run(out)
    assert (status, error) == (DONE, "")
    assert text == f"{page} is written ({len(page.read_bytes()) / 1e6:.1f} MB)\n"
    assert page.read_text(encoding="utf-8") == page_of(out)


def test_the_same_for_the_file_of_the_results(run: Run, out: Path) -> None:
    assert run(out / FILE_NAME)[0] == DONE
    assert (out / directory.REPORT_FILE).is_file()


def test_it_can_be_written_elsewhere(run: Run, out: Path, tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    assert run(out, "--output", file)[0] == DONE
    assert file.read_text(encoding="utf-8") == page_of(out)
    assert not (out / directory.REPORT_FILE).exists()


def test_the_number_of_replays_can_be_chosen(run: Run, out: Path) -> None:
    assert run(out, "--matches", "2")[0] == DONE
    assert (out / directory.REPORT_FILE).read_text(encoding="utf-8") == page_of(out, 2)
    assert run(out, "--matches", "all")[0] == DONE
    assert (out / directory.REPORT_FILE).read_text(encoding="utf-8") == page_of(out)


@pytest.mark.parametrize("number", ["-1", "some", "1.5", "", "²"])
def test_a_number_that_is_none(run: Run, out: Path, number: str) -> None:
    status, text, error = run(out, f"--matches={number}")
    assert (status, text) == (USER_ERROR, "")
    assert error == f"arbiter: --matches {number}: must be a whole number or all\n"


def test_what_cannot_be_read_or_written(run: Run, out: Path, tmp_path: Path) -> None:
    status, _, error = run(tmp_path / "nothing")
    assert status == USER_ERROR
    assert error.startswith(f"arbiter: {tmp_path / 'nothing'}: ")
    status, _, error = run(out, "--output", tmp_path / "no" / "page.html")
    assert (status, error.count("\n")) == (USER_ERROR, 1)
    assert str(tmp_path / "no" / "page.html") in error


@pytest.mark.parametrize("works", [True, False])
def test_it_is_shown_in_the_browser(run: Run, out: Path, monkeypatch: pytest.MonkeyPatch, works: bool) -> None:
    shown: list[str] = []

    def show(address: str) -> bool:
        shown.append(address)
        return works

    monkeypatch.setattr("webbrowser.open", show)
    status, _, error = run(out, "--open")
    assert shown == [(out / directory.REPORT_FILE).absolute().as_uri()]
    assert (status, bool(error)) == ((DONE, False) if works else (USER_ERROR, True))


def test_a_new_tournament_takes_the_old_page_away(run: Run, out: Path) -> None:
    assert run(out)[0] == DONE
    directory.prepare(out, played.config(), force=True)
    assert not (out / directory.REPORT_FILE).exists()
