"""What docs/exports.md shows is so: columns, tags, and the example that learns."""

import re
from pathlib import Path

import pytest

from arbiter.exports import decisions
from arbiter.exports.matches import COLUMNS as MATCH_COLUMNS
from arbiter.exports.pgn import pgn_lines
from arbiter.schedule import ScheduledMatch
from example_bots.counting_bot import CountingBot
from example_bots.greedy_bot import GreedyBot
from sixtysix import Bot
from sixtysix.data import COLUMNS, STAGES
from sixtysix.rules import ACTIONS, CARDS
from tests.arbiter import recorded
from tests.arbiter.exports.rows import row
from tests.arbiter.fake_seats import Chooser, FakeSeat
from tests.docs.test_docs import run_command, save_files, text_of

PAGE = "docs/exports.md"
NAMES = re.compile(r"`(\w+)`")


def section(title: str) -> str:
    (found,) = re.findall(rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", text_of(PAGE), re.MULTILINE | re.DOTALL)
    assert isinstance(found, str)
    return found


def table(title: str) -> list[list[str]]:
    lines = [line for line in section(title).splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines[2:]]


def test_the_columns_of_matches() -> None:
    assert [name for cells in table("CSV and JSON Lines of matches") for name in NAMES.findall(cells[0])] == list(
        MATCH_COLUMNS
    )


def test_the_columns_of_decisions_and_their_types() -> None:
    rows = table("Decisions for machine learning")
    assert {name: cells[1] for cells in rows for name in NAMES.findall(cells[0])} == COLUMNS
    assert [name for cells in rows for name in NAMES.findall(cells[0])] == list(COLUMNS)


def test_the_numbers_of_actions_and_stages() -> None:
    text = section("Decisions for machine learning").replace("\n", " ")
    for number in range(24, 29):
        assert f"{number} {ACTIONS[number].text}" in text
    assert [ACTIONS[number].text for number in (29, 32, 33, 36)] == ["marriage C", "marriage S", "trump C", "trump S"]
    assert [str(CARDS[number]) for number in (0, 1, 5, 6, 23)] == ["AC", "TC", "9C", "AD", "9S"]
    assert ", ".join(f"{number} `{stage.value}`" for number, stage in enumerate(STAGES)) in text
    assert f"{decisions.ROWS_AT_ONCE:,}" in text


def test_the_game_is_what_is_written() -> None:
    (shown,) = re.findall(r"^```text\n(.*?)^```$", section("PGN, for rating programs"), re.MULTILINE | re.DOTALL)
    match = row(tournament="club-night", tournament_id="5f0c7d9a41e2b386")
    assert "".join(pgn_lines([match])) == f"{shown}\n"
    tags = re.findall(r"^\[(\w+) ", shown, re.MULTILINE)
    explained = {name for cells in table("PGN, for rating programs") for name in NAMES.findall(cells[0])}
    assert explained == {*tags, "Fault"} - {"Site"}


def seats_of(match: ScheduledMatch) -> tuple[FakeSeat, FakeSeat]:
    bots: dict[str, Bot] = {"ada": GreedyBot(), "bob": CountingBot()}

    def plays(bot: Bot) -> Chooser:
        return lambda question: bot.choose(question.view)

    first, second = (FakeSeat(name, plays(bots[name])) for name in match.bots)
    return first, second


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the decisions of a tournament."""
    folder = tmp_path_factory.mktemp("learning")
    config = recorded.config_of(bots=("ada", "bob"), matches_per_pair=40)
    casts = {match.match_id: [seats_of] for match in recorded.schedule_of(config)}
    with recorded.make(folder / "out", config, casts) as store, (folder / "decisions.parquet").open("wb") as file:
        assert decisions.write([store], file) > 1_000
    return folder


def test_what_the_example_learns(folder: Path) -> None:
    assert save_files(PAGE, folder) == ["learn.py", "imitator.py"]
    code = (folder / "learn.py").read_text(encoding="utf-8")
    assert len([line for line in code.splitlines() if line]) < 40
    printed = run_command("python learn.py", folder)
    figures = re.fullmatch(r"(\d+)% of (\d+) decisions foretold, by chance (\d+)%\n", printed)
    assert figures, printed
    right, count, chance = (int(figure) for figure in figures.groups())
    assert count > 100
    assert right > chance + 20
    played = run_command(
        "python -m sixtysix play --rules schnapsen --matches 60 imitator example_bots.random_bot", folder
    )
    won = re.search(r"imitator +(\d+) won", played)
    assert won, played
    assert int(won[1]) > 36
