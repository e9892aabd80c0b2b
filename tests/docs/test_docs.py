"""What the documentation shows works as shown: code, files, commands, tables and links."""

import inspect
import json
import os
import re
import subprocess
import sys
import tomllib
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from arbiter import config
from arbiter.config import (
    BotSection,
    FaultsSection,
    ServerSection,
    StoreSection,
    TimeSection,
    TournamentSection,
    WebSection,
)
from arbiter.policy import Fault
from arbiter.report import value_text
from arbiter.status import CODES
from example_bots.random_bot import RandomBot
from sixtysix import Bot, View
from sixtysix.local import play_match
from sixtysix.player import Player
from sixtysix.rules import RULE_SETS, Deal, Reason, RuleSet, Stage, rule_set
from sixtysix.session import Answer
from sixtysix.v1 import bot_service_pb2 as pb

ROOT = Path(__file__).parents[2]
PAGES = ["README.md", "CHANGELOG.md", *(f"docs/{path.name}" for path in sorted((ROOT / "docs").glob("*.md")))]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SAVED = re.compile(r"`([\w-]+\.(?:py|toml|jsonl?|csv))`[^`\n]*:\n\n```\w+\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def text_of(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


def blocks(page: str, language: str) -> list[str]:
    return [text for name, text in BLOCK.findall(text_of(page)) if name == language]


def numbered(language: str, *pages: str) -> list[Any]:
    return [
        pytest.param(text, id=f"{page}-{number}")
        for page in pages
        for number, text in enumerate(blocks(page, language), start=1)
    ]


def run_example(code: str) -> dict[str, Any]:
    names: dict[str, Any] = {"__name__": "example"}
    exec(compile(code, "example", "exec"), names)
    return names


def bots_in(code: str) -> list[type[Bot]]:
    found = run_example(code).values()
    return [value for value in found if isinstance(value, type) and value.__module__ == "example"]


def save_files(page: str, folder: Path) -> list[str]:
    """Write the files that a page tells its readers to save."""
    found = SAVED.findall(text_of(page))
    for name, text in found:
        (folder / name).write_text(text, encoding="utf-8")
    return [name for name, _ in found]


def run_command(command: str, folder: Path) -> str:
    """What a command prints, in a shell in which the programs of this environment come first."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    result = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env={**os.environ, "PATH": path, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return result.stdout


# Checking a tournament and reading the records need files: see test_a_tournament_as_the_documentation_has_it.
@pytest.mark.parametrize("code", numbered("python", "README.md", "docs/writing-a-bot.md", "docs/rules.md"))
def test_examples_run(code: str) -> None:
    run_example(code)


@pytest.mark.parametrize("rules", RULE_SETS)
@pytest.mark.parametrize("code", numbered("python", "README.md", "docs/writing-a-bot.md"))
def test_bots_of_the_examples_play_by_every_rule_set(code: str, rules: str) -> None:
    for kind in bots_in(code):
        for first_dealer in (0, 1):
            play_match(rule_set(rules), (kind(), RandomBot()), "docs", first_dealer, deal_limit=4)


def test_there_are_examples_of_bots() -> None:
    names = [kind.__name__ for code in blocks("docs/writing-a-bot.md", "python") for kind in bots_in(code)]
    assert names == ["MyBot", "Thrifty", "Diary", "Playouts", "Patient", "Batched"]


def test_a_batch_of_decisions_is_answered_by_the_example() -> None:
    code = next(code for code in blocks("docs/writing-a-bot.md", "python") if "choose_many" in code)
    (kind,) = bots_in(code)
    player = Player(kind(), 0, lambda: 0)
    lines = [json.loads(line) for line in text_of("docs/transcript.jsonl").splitlines()]
    asked = answered = 0
    for line in lines:
        if line["from"] == "bot" or line["seat"] != 0:
            continue
        response = pb.PlayResponse.FromString(bytes.fromhex(line["hex"]))
        asked += sum(update.HasField("decision") for update in response.updates)
        player.take(response.updates, 0)
        answered += len(player.decide())
    assert asked == answered > 0


@pytest.mark.parametrize(
    "text", numbered("toml", "README.md", "docs/running-a-tournament.md", "docs/rules.md", "docs/adapters.md")
)
def test_tournament_files_are_valid(text: str) -> None:
    config.parse(tomllib.loads(text), "documentation", default_name="documentation")


def test_the_entry_of_a_bot_is_valid() -> None:
    (text,) = blocks("docs/writing-a-bot.md", "toml")
    other = {"name": "other", "command": ["other"]}
    loaded = config.parse({"bots": [*tomllib.loads(text)["bots"], other]}, "documentation", default_name="x")
    assert loaded.bots[0].name == "my-bot"


def test_the_tournament_file_shows_the_defaults() -> None:
    data = tomllib.loads(blocks("docs/running-a-tournament.md", "toml")[0])
    shown = config.parse(data, "documentation")
    bare = config.parse({"tournament": {"name": "club-night"}, "bots": data["bots"]}, "documentation")
    assert shown == bare


def test_every_key_of_the_tournament_file_is_explained() -> None:
    page = text_of("docs/running-a-tournament.md")
    explained = set(re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE))
    sections = (TournamentSection, ServerSection, StoreSection, WebSection, TimeSection, FaultsSection, BotSection)
    for section in sections:
        assert {field.alias or name for name, field in section.model_fields.items()} <= explained


@pytest.mark.parametrize("page", ["docs/rules.md", "docs/ratings.md"])
def test_commands_print_what_is_shown(page: str, tmp_path: Path) -> None:
    assert save_files(page, tmp_path)
    consoles = blocks(page, "console")
    assert consoles
    for text in consoles:
        command, _, shown = text.partition("\n")
        assert run_command(command.removeprefix("$ "), tmp_path) == shown


def test_rule_set_tables_show_every_field_and_its_values() -> None:
    header: list[str] = []
    found: dict[str, dict[str, str]] = {}
    for line in text_of("docs/rules.md").splitlines():
        cells = [cell.strip().strip("`") for cell in line.strip("|").split("|")]
        if cells[0] == "field":
            header = cells[1:]
        elif cells[0] in {field.name for field in fields(RuleSet)} and header:
            found[cells[0]] = dict(zip(header, cells[1:], strict=True))
        elif not line.startswith("|"):
            header = []
    names = [field.name for field in fields(RuleSet) if field.name not in ("name", "title", "source")]
    assert found == {
        name: {rules.name: value_text(getattr(rules, name)) for rules in RULE_SETS.values()} for name in names
    }


def test_every_field_of_a_rule_set_is_explained() -> None:
    page = text_of("docs/rules.md")
    for field in fields(RuleSet):
        assert re.search(rf"^- .*`{field.name}`.*:|describe only: .*`{field.name}`", page, re.MULTILINE), field.name


@pytest.mark.parametrize(
    ("page", "words"),
    [
        ("docs/rules.md", [*(reason.value for reason in Reason), *(stage.value for stage in Stage if stage != "over")]),
        ("docs/running-a-tournament.md", [fault.value for fault in Fault]),
        ("docs/protocol.md", [*CODES, *(answer.name for answer in Answer if answer is not Answer.CURRENT)]),
        ("docs/protocol.md", [name.removeprefix("ACTION_STATUS_") for name in pb.ActionStatus.keys()[1:]]),
        ("docs/protocol.md", [name.removeprefix("ERROR_REASON_") for name in pb.ErrorReason.keys()[1:]]),
        ("docs/writing-a-bot.md", [name for name in vars(Bot) if name.startswith("on_")]),
        ("docs/writing-a-bot.md", [name for name in inspect.get_annotations(Bot) if name != "rng"]),
    ],
)
def test_every_name_is_mentioned(page: str, words: list[str]) -> None:
    mentioned = set(re.findall(r"`([\w-]+)`", text_of(page)))
    assert words
    assert set(words) <= mentioned


def test_everything_that_a_view_tells_is_mentioned() -> None:
    page = text_of("docs/writing-a-bot.md")
    for name in vars(View):
        if not name.startswith("_") and name != "of":
            assert f"`{name}`" in page or f"`{name}(" in page, name


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page: str) -> None:
    for link in re.findall(r"\]\(([^)\s]+)\)", text_of(page)):
        if link.startswith("https://"):
            continue
        name, _, anchor = link.partition("#")
        target = (ROOT / page).parent / name if name else ROOT / page
        assert target.exists(), link
        if anchor:
            assert anchor in anchors(target.read_text(encoding="utf-8")), link


def anchors(text: str) -> set[str]:
    """The anchors that headings get where the pages are shown."""
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading).strip().lower().replace(" ", "-") for heading in headings}


def test_the_shuffles_of_the_protocol_page_are_those_of_the_test_vectors() -> None:
    (code,) = blocks("docs/protocol.md", "python")
    names = run_example(code)
    page = text_of("docs/protocol.md")
    for vector in json.loads((ROOT / "vectors/shuffles.json").read_text(encoding="utf-8")):
        secret, pairing, deal = bytes.fromhex(vector["secret"]), vector["pairing"], vector["deal"]
        deck = names["deck_of"](secret, pairing, deal, RULE_SETS[vector["rules"]].ranks)
        salt = names["salt_of"](secret, pairing, deal)
        bound = names["commitment_of"](vector["tournament"], pairing, deal, salt, deck).hex()
        assert (deck, salt.hex(), bound) == (vector["deck"], vector["salt"], vector["commitment"])
        for shown in (vector["secret"], f"`{pairing}`, deal {deal}", " ".join(deck), salt.hex(), bound):
            assert shown in page


def test_the_positions_of_the_protocol_page_are_those_of_dealing() -> None:
    page = text_of("docs/protocol.md")
    for rules in RULE_SETS.values():
        (line,) = re.findall(rf"^\| .*`{rules.name}`.* \| (forehand .*) \|$", page, re.MULTILINE)
        _, *parts = re.split("(forehand|dealer|turn-up|talon)", line)
        shown = {word: positions(text) for word, text in zip(parts[::2], parts[1::2], strict=True)}
        deal = Deal.from_deck(rules, rules.deck, dealer=1)
        assert deal.turn_up is not None
        parts_dealt = {
            "forehand": deal.hands[0],
            "dealer": deal.hands[1],
            "turn-up": [deal.turn_up],
            "talon": [card for card in deal.talon if card != deal.turn_up],
        }
        assert shown == {word: [rules.deck.index(card) for card in cards] for word, cards in parts_dealt.items()}


def positions(text: str) -> list[int]:
    places: list[int] = []
    for first, last in re.findall(r"(\d+)(?:–(\d+))?", text):
        places += range(int(first), int(last or first) + 1)
    return places


def test_the_figures_of_the_first_bot_are_those_that_the_command_prints(tmp_path: Path) -> None:
    save_files("README.md", tmp_path)
    (shown,) = (text for text in blocks("README.md", "text") if text.startswith("schnapsen: 2000 matches"))
    command = "python -m sixtysix play --rules schnapsen --matches 2000 my_bot example_bots.random_bot"
    assert f".venv/bin/{command}\n" in text_of("README.md")
    # The last line has the time that it took.
    assert run_command(command, tmp_path).splitlines()[:-1] == shown.splitlines()[:-1]


def test_a_tournament_as_the_documentation_has_it(tmp_path: Path) -> None:
    assert "my_bot.py" in save_files("README.md", tmp_path)
    mine = tmp_path / "mine.toml"
    text = mine.read_text(encoding="utf-8").replace("matches_per_pair = 20", "matches_per_pair = 2")
    mine.write_text(text, encoding="utf-8")
    standings = run_command("arbiter run --quiet mine.toml", tmp_path)
    assert re.search(r"my-bot +\d-\d-0", standings), standings
    run_command("mkdir -p runs && ln -s mine runs/club-night && arbiter records runs/mine > deals.jsonl", tmp_path)
    run_command("arbiter export runs/mine --output club-night.jsonl", tmp_path)
    (shuffles,) = blocks("docs/protocol.md", "python")
    (tmp_path / "shuffles.py").write_text(shuffles, encoding="utf-8")
    reading, checking = blocks("docs/running-a-tournament.md", "python")
    (tmp_path / "reading.py").write_text(reading, encoding="utf-8")
    (tmp_path / "checking.py").write_text(checking, encoding="utf-8")
    deals = len((tmp_path / "deals.jsonl").read_text(encoding="utf-8").splitlines())
    assert re.fullmatch(
        rf"[+-]\d\.\d+ game points per deal for the forehand, {deals} deals\n",
        run_command("python reading.py", tmp_path),
    )
    assert run_command("python checking.py", tmp_path) == f"{deals} deals are as committed\n"
    for name in ("runs/mine", "club-night.jsonl"):
        assert f" {deals} deals, " in run_command(f"arbiter verify {name}", tmp_path)
