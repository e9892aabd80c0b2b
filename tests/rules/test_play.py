"""The play command, run as a user runs it: in a folder with bots of his own."""

import json
import os
import signal
import subprocess
import sys
from math import sqrt
from pathlib import Path
from random import Random
from typing import Any

import pytest

from sixtysix import __version__, commands
from sixtysix.__main__ import main
from sixtysix.local import LocalResult
from sixtysix.rules import RULE_SETS
from sixtysix.series import Tally

BOTS = """
import os, sys, time
from sixtysix import CLAIM, Bot, Card

class Greedy(Bot):
    def choose(self, view):
        if view.can_claim:
            return CLAIM
        cards = [action for action in view.legal_actions if isinstance(action, Card)]
        return max(cards, key=view.points) if cards else view.legal_actions[0]

class Chance(Bot):
    def choose(self, view):
        if view.can_claim:
            return CLAIM
        return self.rng.choice([action for action in view.legal_actions if action is not CLAIM])

class Patient(Bot):
    def choose(self, view):
        return view.legal_actions[-1] if view.stage == "last-claim" else view.legal_actions[0]

class Loud(Chance):
    def on_match_start(self, match):
        print("hello from", match.match_id)

class Raising(Bot):
    def choose(self, view):
        return self.think(view)
    def think(self, view):
        raise ValueError("no idea")

class FailingLate(Chance):
    def on_deal_end(self, outcome):
        raise KeyError("lost")

class Cheating(Bot):
    def choose(self, view):
        return view.unseen[0]

class Remembering(Chance):
    matches = set()
    def on_match_start(self, match):
        if match.match_id in self.matches:
            print("remembered", file=sys.stderr)
        self.matches.add(match.match_id)

class Leaving(Bot):
    def choose(self, view):
        sys.exit("gone")

class Dying(Bot):
    def choose(self, view):
        os._exit(7)

class Empty(Bot):
    pass

class Picky(Chance):
    rule_sets = ("sixty-six",)

class Costly(Bot):
    def __init__(self, table):
        self.table = table
    def choose(self, view):
        return self.table[view]

class Slow(Chance):
    def on_match_start(self, match):
        if match.match_id.endswith("/6"):
            print("waiting", file=sys.stderr, flush=True)
            time.sleep(600)

NUMBER = 7
"""
ONE_BOT = "from sixtysix import Bot\nfrom bots import Chance\n\n\nclass Only(Chance):\n    pass\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with bots."""
    path = tmp_path_factory.mktemp("bots")
    (path / "bots.py").write_text(BOTS, encoding="utf-8")
    (path / "one.py").write_text(ONE_BOT, encoding="utf-8")
    (path / "none.py").write_text("X = 1\n", encoding="utf-8")
    (path / "broken.py").write_text("import json\n\njson.loads('{')\n", encoding="utf-8")
    (path / "unreadable.py").write_text("def f(:\n", encoding="utf-8")
    (path / "lacking.py").write_text("import no_such_library\n", encoding="utf-8")
    return path


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "sixtysix", *arguments]


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command(*arguments), cwd=folder, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL
    )


def played(folder: Path, *arguments: str) -> dict[str, Any]:
    done = run(folder, "play", "--json", *arguments)
    assert (done.returncode, done.stderr) == (0, "")
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def test_json(folder: Path) -> None:
    result = played(folder, "--rules", "schnapsen", "--matches", "60", "--seed", "7", "bots:Greedy", "one")
    assert list(result) == [
        "rules", "matches", "wins", "draws", "deals", "game_points", "seconds", "per_deal", "interval"
    ]  # fmt: skip
    assert (result["rules"], result["matches"], result["draws"]) == ("schnapsen", 60, 0)
    assert sum(result["wins"]) == 60
    assert sum(result["game_points"]) >= 60 * 7
    assert result["per_deal"] == (result["game_points"][0] - result["game_points"][1]) / result["deals"]
    low, high = result["interval"]
    assert low < result["per_deal"] < high


@pytest.mark.parametrize("rules", RULE_SETS)
def test_every_rule_set_can_be_played(folder: Path, rules: str) -> None:
    result = played(folder, "--rules", rules, "--matches", "4", "--jobs", "1", "bots:Greedy", "bots:Chance")
    assert (result["rules"], result["matches"]) == (rules, 4)


def test_the_number_of_processes_changes_nothing(folder: Path) -> None:
    arguments = ("--rules", "sixty-six", "--matches", "25", "--seed", "3", "bots:Chance", "bots:Greedy")
    results = [played(folder, "--jobs", jobs, *arguments) for jobs in ("1", "2", "3")]
    for result in results:
        del result["seconds"]
    assert results[0] == results[1] == results[2]


def test_the_seed_decides_the_cards(folder: Path) -> None:
    first, again, other = (
        played(folder, "--matches", "20", "--jobs", "1", "--seed", seed, "bots:Greedy", "bots:Chance")
        for seed in ("5", "5", "6")
    )
    assert first["game_points"] == again["game_points"]
    assert first["game_points"] != other["game_points"]


def test_a_derived_rule_set(folder: Path) -> None:
    spec = {"base": "schnapsen", "target": 1}
    result = played(folder, "--rules", json.dumps(spec), "--matches", "10", "bots:Greedy", "bots:Chance")
    assert result["rules"] == spec
    assert result["deals"] == 10


def test_the_deal_limit_draws_a_match(folder: Path) -> None:
    result = played(folder, "--matches", "3", "--deal-limit", "2", "--jobs", "1", "bots:Patient", "bots:Patient")
    assert (result["draws"], result["wins"], result["deals"]) == (3, [0, 0], 6)


def test_one_match_has_no_interval(folder: Path) -> None:
    result = played(folder, "--matches", "1", "bots:Greedy", "bots:Chance")
    assert result["interval"] is None
    done = run(folder, "play", "--matches", "1", "bots:Greedy", "bots:Chance")
    assert "95 %" not in done.stdout


def test_the_report_for_people(folder: Path) -> None:
    arguments = ("--matches", "50", "--seed", "2", "--jobs", "2", "bots:Greedy", "one")
    result = played(folder, *arguments)
    done = run(folder, "play", *arguments)
    assert (done.returncode, done.stderr) == (0, "")
    first, greedy, one, drawn, per_deal, speed = done.stdout.splitlines()
    assert first == "schnapsen: 50 matches, seed 2"
    for line, name, won, points in zip(
        (greedy, one), ("bots:Greedy", "one"), result["wins"], result["game_points"], strict=True
    ):
        assert line.split() == [name, str(won), "won", "(", f"{won / 50:.1%})", str(points), "game", "points"]
    assert drawn.split() == ["drawn", "0"]
    low, high = result["interval"]
    assert f"bots:Greedy minus one: {result['per_deal']:+.3f} (95 %: {low:+.3f} to {high:+.3f})" in per_deal
    assert speed.strip().startswith(f"{result['deals']} deals in ")
    assert speed.endswith(" deals/s")


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_what_a_bot_prints_does_not_spoil_the_output(folder: Path, jobs: str) -> None:
    done = run(folder, "play", "--json", "--jobs", jobs, "--matches", "4", "bots:Loud", "bots:Chance")
    assert json.loads(done.stdout)["matches"] == 4
    assert done.stderr.count("hello from") == 4


BAD_BOTS = [
    ("nowhere", "no module named 'nowhere'"),
    ("nowhere.at.all:Bot", "no module named 'nowhere'"),
    ("lacking", "importing 'lacking' failed: ModuleNotFoundError: No module named 'no_such_library'"),
    ("broken", "importing 'broken' failed: JSONDecodeError"),
    ("unreadable", "importing 'unreadable' failed: SyntaxError"),
    ("none", "module 'none' defines no subclass of sixtysix.Bot"),
    ("bots", "module 'bots' defines several bots, choose one: bots:Greedy, bots:Chance"),
    ("bots:Gredy", "module 'bots' has no class 'Gredy', did you mean 'Greedy'? (bots in it: Greedy, Chance"),
    ("bots:NUMBER", "'NUMBER' in module 'bots' is not a subclass of sixtysix.Bot"),
    ("bots:Empty", "Empty in 'bots' has no method choose(self, view)"),
    ("bots:Costly", "bots:Costly: Costly() failed: TypeError"),
    ("bots:", "not the name of a bot: 'bots:'"),
    (":Greedy", "not the name of a bot: ':Greedy'"),
    ("", "not the name of a bot: ''"),
    ("./bots.py", "not the name of a bot: './bots.py'"),
    (".bots", "not the name of a bot: '.bots'"),
    ("bots:Greedy:Chance", "module 'bots' has no class 'Greedy:Chance'"),
]


LOAD_ALL = """
import json, sys
from sixtysix.loading import BotError, load_bot
for name in sys.argv[1:]:
    try:
        load_bot(name)
    except BotError as error:
        print(json.dumps([name, str(error)]))
"""


@pytest.fixture(scope="module")
def load_errors(folder: Path) -> dict[str, str]:
    """What `load_bot` says about each of the names that it refuses."""
    arguments = [sys.executable, "-c", LOAD_ALL, *(name for name, _ in BAD_BOTS)]
    done = subprocess.run(arguments, cwd=folder, capture_output=True, text=True, check=True)
    return dict(json.loads(line) for line in done.stdout.splitlines())


@pytest.mark.parametrize(("name", "problem"), BAD_BOTS)
def test_bots_that_cannot_be_loaded(load_errors: dict[str, str], name: str, problem: str) -> None:
    assert load_errors[name].startswith(problem)


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("nowhere", "no module named 'nowhere'"),
        ("bots:Picky", "bots:Picky plays only sixty-six, not schnapsen"),
    ],
)
def test_a_bot_that_cannot_be_used_is_a_user_error(folder: Path, name: str, problem: str) -> None:
    done = run(folder, "play", "--matches", "2", "bots:Chance", name)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", f"error: {problem}\n")


def test_the_authors_own_traceback_is_shown_if_his_module_fails(folder: Path) -> None:
    done = run(folder, "play", "bots:Greedy", "broken")
    assert 'broken.py", line 3' in done.stderr
    assert "importlib" not in done.stderr


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_bot_that_raises(folder: Path, jobs: str) -> None:
    done = run(folder, "play", "--matches", "4", "--jobs", jobs, "bots:Raising", "bots:Chance")
    assert (done.returncode, done.stdout) == (1, "")
    headline, position, *traceback = done.stderr.splitlines()
    assert headline.endswith(": ValueError: no idea")
    assert headline.startswith("error: match ")
    assert position.startswith("  Raising had to choose in deal 1 at <View seat 0, ")
    assert [line.split(", ")[2] for line in traceback if "bots.py" in line] == ["in choose", "in think"]
    assert not [line for line in traceback if "sixtysix" in line]


def test_a_hook_that_raises(folder: Path) -> None:
    done = run(folder, "play", "--matches", "1", "bots:Chance", "bots:FailingLate")
    assert done.returncode == 1
    assert done.stderr.startswith("error: match 0: KeyError: 'lost'\n")
    assert "in on_deal_end" in done.stderr


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_an_illegal_action(folder: Path, jobs: str) -> None:
    done = run(folder, "play", "--matches", "4", "--jobs", jobs, "bots:Chance", "bots:Cheating")
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert line.startswith("error: match ")
    assert "Cheating played " in line
    assert "is not in the hand. <View seat 1, " in line


def test_a_bot_that_exits(folder: Path) -> None:
    done = run(folder, "play", "--matches", "4", "bots:Chance", "bots:Leaving")
    assert done.returncode == 1
    assert "SystemExit: gone" in done.stderr.splitlines()[0]


def test_a_bot_that_kills_its_process(folder: Path) -> None:
    done = run(folder, "play", "--matches", "4", "--jobs", "2", "bots:Chance", "bots:Dying")
    assert done.returncode == 1
    assert done.stderr.startswith("error: a process that plays matches ended by itself")


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("--rules", "bridge", "one", "one"), "error: --rules: unknown rule set 'bridge'"),
        (("--rules", '{"base": "schnapsen"', "one", "one"), "error: --rules: not JSON"),
        (("--rules", '{"base": "schnapsen", "targt": 5}', "one", "one"), "error: --rules: unknown field 'targt'"),
        (("--rules", '{"base": "schnapsen", "target": 0}', "one", "one"), "error: --rules: rule set 'schnapsen'"),
        (("--matches", "0", "one", "one"), "python -m sixtysix play: argument --matches: must be"),
        (("--matches", "many", "one", "one"), "python -m sixtysix play: argument --matches: must be"),
        (("--deal-limit", "-1", "one", "one"), "python -m sixtysix play: argument --deal-limit: must be"),
        (("--jobs", "0", "one", "one"), "python -m sixtysix play: argument --jobs: must be"),
        (("--seed", "x", "one", "one"), "python -m sixtysix play: argument --seed: invalid int value"),
        (("one",), "python -m sixtysix play: the following arguments are required: B"),
        (("one", "one", "one"), "python -m sixtysix: unrecognized arguments: one"),
        (("--speed", "one", "one"), "python -m sixtysix: unrecognized arguments: --speed"),
    ],
)
def test_bad_arguments_are_user_errors(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], problem: str
) -> None:
    with pytest.raises(SystemExit) as exited:
        sys.exit(main(["play", *arguments]))
    output, errors = capsys.readouterr()
    assert (exited.value.code, output) == (1, "")
    assert errors.startswith(problem)
    assert len(errors.splitlines()) == 1


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_an_interrupt_prints_what_was_played(folder: Path, jobs: str) -> None:
    arguments = command("play", "--json", "--jobs", jobs, "--matches", "50", "bots:Slow", "bots:Chance")
    with subprocess.Popen(
        arguments, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        assert process.stderr is not None
        assert process.stderr.readline() == "waiting\n"
        # As a terminal does: to every process of the group.
        os.killpg(process.pid, signal.SIGINT)
        output, errors = process.communicate()
    result = json.loads(output)
    assert process.returncode == 3
    assert errors == f"interrupted after {result['matches']} of 50 matches\n"
    # Match 6 hangs: with one process it comes after six others, with two the other process has 25 of its own.
    assert result["matches"] in (range(6, 7) if jobs == "1" else range(29))
    assert sum(result["wins"]) == result["matches"]


@pytest.mark.parametrize(
    ("arguments", "shown"),
    [
        (("--help",), "python -m sixtysix replay --trace"),
        (("play", "--help"), "python -m sixtysix play --rules schnapsen --matches 1000 --seed 7"),
        (("replay", "--help"), "python -m sixtysix replay deals.jsonl"),
        (("--version",), f"sixtysix {__version__}"),
    ],
)
def test_help_and_version(folder: Path, arguments: tuple[str, ...], shown: str) -> None:
    done = run(folder, *arguments)
    assert (done.returncode, done.stderr) == (0, "")
    assert shown in done.stdout


@pytest.mark.parametrize(("terminal", "reports"), [(True, [3, 5]), (False, [])])
def test_progress_is_a_line_now_and_then_on_a_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], terminal: bool, reports: list[int]
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: terminal)
    times = iter([100.0, 100.5, 101.0, 102.5, 103.0, 105.0, 105.1])
    monkeypatch.setattr(commands, "monotonic", lambda: next(times))
    progress = commands.Progress(matches=10)
    for played in range(1, 7):
        progress.update(played)
    errors = capsys.readouterr().err.splitlines()
    assert [int(line.partition(" of 10 matches, ")[0]) for line in errors] == reports
    assert errors[1:] in ([], ["5 of 10 matches, 1/s, 5 s left"])


def test_the_interval_is_that_of_a_ratio_of_matches() -> None:
    random, tally, sample = Random(4), Tally(), []
    for _ in range(200):
        deals = random.randrange(3, 12)
        points = (random.randrange(8), random.randrange(8))
        tally.add(LocalResult(random.choice((0, 1, None)), points, deals, points))
        sample.append((points[0] - points[1], deals))
    ratio = sum(margin for margin, _ in sample) / sum(deals for _, deals in sample)
    squares = sum((margin - ratio * deals) ** 2 for margin, deals in sample)
    error = sqrt(200 / 199 * squares) / sum(deals for _, deals in sample)
    assert tally.interval is not None
    assert tally.per_deal == pytest.approx(ratio)
    assert tally.interval == pytest.approx((ratio - 1.959963984540054 * error, ratio + 1.959963984540054 * error))
    assert tally.matches == sum(tally.wins) + tally.draws == 200


def test_pairs_share_their_cards_with_the_seats_changed(folder: Path) -> None:
    # Two bots that play alike, and without chance, each win the matches of the same seat.
    result = played(folder, "--pairs", "--matches", "20", "bots:Greedy", "bots:Greedy")
    assert (result["wins"], result["pairs"]) == ([10, 10], [0, 0, 10, 0, 0])
    assert (result["per_deal"], result["interval"]) == (0, [0, 0])
    single = played(folder, "--matches", "20", "bots:Greedy", "bots:Greedy")
    assert "pairs" not in single
    assert single["game_points"][0] != single["game_points"][1]


def test_each_match_is_a_line(folder: Path) -> None:
    arguments = ("--pairs", "--matches", "20", "--seed", "3", "bots:Greedy", "bots:Chance")
    lines = [json.loads(line) for line in run(folder, "play", "--each", *arguments).stdout.splitlines()]
    assert sorted(line["match"] for line in lines) == list(range(20))
    total = played(folder, *arguments)
    assert sum(line["winner"] == 0 for line in lines) == total["wins"][0]
    assert sum(line["deals"] for line in lines) == total["deals"]
    assert [sum(line["game_points"][bot] for line in lines) for bot in (0, 1)] == total["game_points"]
    winners = {line["match"]: line["winner"] for line in lines}
    both = sum(winners[number] == winners[number + 1] == 0 for number in range(0, 20, 2))
    assert (sum(total["pairs"]), total["pairs"][4]) == (10, both)


@pytest.mark.parametrize("jobs", ["1", "2", "3"])
def test_no_process_plays_both_halves_of_a_pair(folder: Path, jobs: str) -> None:
    done = run(folder, "play", "--pairs", "--jobs", jobs, "--matches", "40", "bots:Remembering", "bots:Chance")
    assert (done.returncode, done.stderr) == (0, "")


def test_an_odd_number_of_matches_makes_no_pairs(folder: Path) -> None:
    done = run(folder, "play", "--pairs", "--matches", "3", "bots:Greedy", "one")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "error: --matches: with --pairs expected an even number, found 3\n"


def test_pairs_are_the_sample_of_the_interval() -> None:
    tally = Tally(pairs=[0] * 5)
    for number in range(6):
        points = (7, 2) if number % 2 else (2, 7)
        tally.add(LocalResult(1 - number % 2, points, 4, points, number))
    assert (tally.pairs, tally.interval) == ([0, 0, 3, 0, 0], (0, 0))
    tally.add(LocalResult(0, (7, 0), 4, (7, 0), 6))
    tally.add(LocalResult(None, (3, 3), 4, (3, 3), 7))
    assert tally.pairs == [0, 0, 3, 1, 0]
    # Margins 0, 0, 0, 7 of 8 deals each: r = 7/32, and the sum of squares is 3 (8 r)^2 + (7 - 8 r)^2 = 36.75.
    assert tally.per_deal == 7 / 32
    assert tally.interval is not None
    assert tally.interval[1] - 7 / 32 == pytest.approx(1.959963984540054 * sqrt(4 / 3 * 36.75) / 32)


def test_matches_that_are_all_alike_leave_no_doubt() -> None:
    tally = Tally()
    assert (tally.per_deal, tally.interval) == (None, None)
    for _ in range(3):
        tally.add(LocalResult(0, (7, 0), 3, (7, 0)))
    assert tally.interval == (7 / 3, 7 / 3)
