"""A person against a bot on this machine."""

import json
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from sixtysix import CLAIM, Action, Bot, View
from sixtysix.bot import DealInfo, MatchInfo
from sixtysix.human.opponent import Sparring
from sixtysix.human.person import Left, Person
from sixtysix.human.terminal import Look
from sixtysix.local import play_match
from sixtysix.rules import RULE_SETS, Clock, Deal, DealRecord, parse_record, replay, rule_set
from tests.sdk.scripted_person import ScriptedTerminal, first_choice, typing

BOTS = """
from sixtysix import CLAIM, Bot

class Chatty(Bot):
    def choose(self, view):
        print("my hand:", view.hand)
        return next(action for action in view.legal_actions if action != CLAIM)

class Raising(Bot):
    def choose(self, view):
        raise ValueError("no idea")

class Picky(Bot):
    rule_sets = ("sixty-six",)
    def choose(self, view):
        return view.legal_actions[0]
"""


@pytest.mark.parametrize("rules", RULE_SETS)
def test_a_whole_match_by_script(rules: str) -> None:
    terminal = ScriptedTerminal(first_choice)
    result = play_match(rule_set(rules), (Person(terminal, Look()), Sparring()), "3/0", deal_limit=20)
    ends = {0: "You win the match", 1: "Sparring wins the match", None: "The match is drawn after 20 deals"}
    assert ends[result.winner] in terminal.lines[-1]
    assert sum(" Deal " in line for line in terminal.lines) == result.deals
    told = [line for line in terminal.lines if line.startswith("Card points: ")]
    assert len(told) == result.deals


class Chance(Bot):
    ask_before_draw = True

    def choose(self, view: View) -> Action:
        return CLAIM if view.can_claim else self.rng.choice(view.legal_actions)


@pytest.mark.parametrize("rules", RULE_SETS)
def test_the_built_in_opponent_beats_chance(rules: str) -> None:
    results = [play_match(rule_set(rules), (Sparring(), Chance()), str(seed)) for seed in range(20)]
    assert sum(result.winner == 0 for result in results) >= 15


def test_records_of_a_match_lead_to_its_result() -> None:
    records: list[DealRecord] = []
    match = (Sparring(), Chance())
    result = play_match(rule_set("sixty-six"), match, "7/0", on_record=records.append)
    assert [record.id for record in records] == [f"7/0/{number}" for number in range(1, result.deals + 1)]
    ends = [replay(parse_record(record.to_json())) for record in records]
    assert all(end["over"] for end in ends)
    assert tuple(sum(end["score_change"][seat] for end in ends) for seat in (0, 1)) == result.score


# One decision.


def at_the_table(terminal: ScriptedTerminal, clock: Clock | None = None) -> tuple[Person, View]:
    rules = rule_set("schnapsen")
    deck = list(rules.deck)
    Random(1).shuffle(deck)
    deal = Deal.from_deck(rules, deck, dealer=1)
    person = Person(terminal, Look())
    person.on_match_start(MatchInfo("m", rules, 0, "Rival", None, 100))
    person.on_deal_start(DealInfo(1, 1, 0, 0, 0))
    view = View.of(deal, 0)
    view.clock = clock
    return person, view


def test_a_false_claim_is_made_only_after_a_question() -> None:
    terminal = typing("claim", "n", "claim", "yes")
    person, view = at_the_table(terminal)
    assert person.choose(view) is CLAIM
    question = "You have 0 points, not 66: Rival would get 3 game points. Claim all the same? (y/n) "
    assert [line for line in terminal.lines if "same?" in line] == [question + "n", question + "yes"]


def test_nonsense_and_empty_lines_are_asked_again() -> None:
    terminal = typing("", "  ", "99", "foo", "1")
    person, view = at_the_table(terminal)
    assert person.choose(view) in view.hand
    assert terminal.text.count("your move: ") == 5
    assert terminal.text.count("(? helps)") == 2


@pytest.mark.parametrize("typed", [("q", "y"), ("QUIT", "Yes"), (), ("q",)])
def test_the_person_leaves(typed: tuple[str, ...]) -> None:
    person, view = at_the_table(typing(*typed))
    with pytest.raises(Left) as caught:
        person.choose(view)
    assert caught.value.code == 3


def test_the_person_stays_unless_sure() -> None:
    terminal = typing("q", "n", "q", "", "1")
    person, view = at_the_table(terminal)
    assert person.choose(view) in view.hand


def test_a_single_action_is_not_asked_for() -> None:
    terminal = typing()
    person, view = at_the_table(terminal)
    view.legal_actions = view.legal_actions[:1]
    assert person.choose(view) is view.legal_actions[0]
    assert terminal.deadlines == []


def test_the_clock_is_shown_and_its_end_told() -> None:
    answers = iter([None, "1"])
    terminal = ScriptedTerminal(lambda lines, prompt: next(answers))
    person, view = at_the_table(terminal, Clock(cap_us=30_000_000, bank_us=125_000_000, opponent_bank_us=1))
    assert person.choose(view) in view.hand
    assert "your move (30 s, 125 s for the match): None" in terminal.lines
    assert terminal.lines[-1] == "your move: 1"
    assert any(line.startswith("Your time is up") for line in terminal.lines)
    first, second = terminal.deadlines
    assert first is not None
    assert second is None


# The command.


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("bots")
    (path / "bots.py").write_text(BOTS, encoding="utf-8")
    return path


def human(folder: Path, *arguments: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "sixtysix", "human", *arguments],
        cwd=folder,
        input=typed,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


SURE = "1\n" * 2000


def test_a_match_from_a_pipe_is_recorded_and_replayed(folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "deals.jsonl"
    done = human(folder, "--seed", "4", "--rules", "schnapsen-short", "--record", str(file), typed=SURE)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[-1] == "The same cards again: --seed 4"
    assert "wins the match" in done.stdout or "You win the match" in done.stdout
    replayed = subprocess.run(
        [sys.executable, "-m", "sixtysix", "replay", str(file)], capture_output=True, text=True, check=True
    )
    ends = [json.loads(line) for line in replayed.stdout.splitlines()]
    assert all(end["over"] for end in ends)
    assert len(ends) == done.stdout.count("Card points: ")
    assert max(sum(end["score_change"][seat] for end in ends) for seat in (0, 1)) >= 5
    human(folder, "--seed", "5", "--rules", "schnapsen-short", "--record", str(file), typed=SURE)
    names = [json.loads(line)["id"] for line in file.read_text().splitlines()]
    assert (names[0], names[len(ends)]) == ("4/0/1", "5/0/1")


def test_the_seed_decides_the_cards(folder: Path) -> None:
    first, again, other = (human(folder, "--seed", seed, typed="1\n" * 8).stdout for seed in ("5", "5", "6"))
    assert first == again != other


def test_what_a_bot_prints_is_kept_apart(folder: Path) -> None:
    done = human(folder, "--seed", "1", "--against", "bots:Chatty", typed="1\n")
    assert "my hand:" not in done.stdout
    assert "my hand:" in done.stderr


def test_leaving_is_told_by_the_exit_status(folder: Path) -> None:
    done = human(folder, typed="q\ny\n")
    assert (done.returncode, done.stderr) == (3, "")


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("--against", "bots:Raising"), "error: the match: ValueError: no idea"),
        (("--against", "bots:Picky"), "error: bots:Picky plays only sixty-six, not schnapsen"),
        (("--against", "nothing"), "error: no module named 'nothing'"),
        (("--rules", "bridge"), "error: --rules: unknown rule set 'bridge'"),
        (("--record", "/no/such/folder/deals"), "error: cannot write /no/such/folder/deals: No such file or directory"),
        (("--address", "127.0.0.1:1", "--seed", "1"), "error: --seed goes with a match on this machine"),
        (("--address", "127.0.0.1:1", "--record", "x"), "error: --record goes with a match on this machine"),
        (("--address", "nowhere"), "error: the address of the arbiter must be HOST:PORT, not 'nowhere'"),
        (("--address", "127.0.0.1:1", "--rules", "bridge"), "error: --rules: unknown rule set 'bridge'"),
        (("--address", "a:1", "--against", "b"), "python -m sixtysix human: argument --against: not allowed with"),
    ],
)
def test_wrong_input_is_one_clear_line(
    folder: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], problem: str
) -> None:
    monkeypatch.setenv("SIXTYSIX_TOKEN", "t")
    done = human(folder, *arguments, typed=SURE)
    assert done.returncode == 1
    assert done.stderr.startswith(problem)
    assert "Traceback" not in done.stderr
