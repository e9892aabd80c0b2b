import csv
import io
import json
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from arbiter.cli import main
from arbiter.console import DONE, USER_ERROR
from arbiter.ratings.table import Rating
from arbiter.store import FILE_NAME, Store
from tests.arbiter import played

Run = Callable[..., tuple[int, str, str]]
CONFIG = played.config(bots=("ada", "bob"), matches_per_pair=10)
# ada has won 38 and lost 12.
RESULTS = "first,second,score\n" + "ada,bob,1\n" * 24 + "bob,ada,0\n" * 14 + "bob,ada,1\n" * 12
CHAIN = "bob,cy,1\ncy,bob,0\nbob,cy,0\n"


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Run `arbiter ratings`: its exit status, standard output and standard error."""

    def call(*arguments: object) -> tuple[int, str, str]:
        capsys.readouterr()
        status = main(["ratings", *map(str, arguments)])
        return status, *capsys.readouterr()

    return call


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """The directory of a tournament with four of ten matches played and one that is void."""
    rules = CONFIG.rule_set()
    with played.create(tmp_path, CONFIG) as store:
        for match in played.schedule(CONFIG)[:4]:
            store.fix(played.play_match(match, rules))
        store.fix(played.void(played.schedule(CONFIG)[4]))
    return tmp_path


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "results.csv"
    path.write_text(RESULTS, encoding="utf-8")
    return path


def test_json_in_exactly_this_form(run: Run, out: Path) -> None:
    status, text, error = run(out, "--json")
    assert (status, error) == (DONE, "")
    values = json.loads(text)
    assert list(values) == [
        "ratings",
        "matches",
        "void",
        "anchor",
        "method",
        "replications",
        "seat_advantage",
        "leader_is_best",
        "warnings",
    ]
    members = (
        "rank name elo error matches won drawn lost forfeits los_next opponents deals points_per_deal "
        "points_per_deal_error by_prior"
    )
    assert [list(line) for line in values["ratings"]] == [members.split()] * 2
    assert (values["matches"], values["void"], values["method"], values["replications"]) == (4, 1, "fisher", 0)
    assert (values["anchor"], values["seat_advantage"]) == (None, None)


def test_figures_of_a_file(run: Run, file: Path) -> None:
    """Those of the vectors: 38 wins and 12 losses."""
    values = json.loads(run("--matches", file, "--json")[1])
    first, second = values["ratings"]
    assert (first["rank"], first["name"], first["matches"], first["won"], first["lost"]) == (1, "ada", 50, 38, 12)
    assert (first["elo"], second["elo"]) == pytest.approx((100.12, -100.12), abs=0.01)
    assert (first["opponents"], second["opponents"]) == pytest.approx((-100.12, 100.12), abs=0.01)
    assert (first["los_next"], second["los_next"]) == (pytest.approx(99.974, abs=0.01), None)
    assert (first["deals"], first["points_per_deal"], first["points_per_deal_error"]) == (0, None, None)
    assert values["warnings"] == []


def test_options_reach_the_figures(run: Run, file: Path) -> None:
    values = json.loads(
        run("--matches", file, "--anchor", "bob=1500", "--bootstrap", 50, "--seed", 3, "--seat-advantage", "--json")[1]
    )
    assert values["anchor"] == {"name": "bob", "elo": 1500.0}
    assert (values["method"], values["replications"]) == ("bootstrap", 50)
    # As first dealer, ada has never lost and bob has lost 14 of 26.
    assert values["seat_advantage"]["elo"] > 0
    by_name = {line["name"]: line for line in values["ratings"]}
    assert (by_name["bob"]["elo"], by_name["bob"]["error"]) == (1500.0, 0.0)
    again = run("--matches", file, "--anchor", "bob=1500", "--bootstrap", 50, "--seed", 4, "--seat-advantage", "--json")
    assert json.loads(again[1])["ratings"] != values["ratings"]


def test_csv_has_the_figures_of_the_json(run: Run, out: Path, file: Path) -> None:
    status, text, error = run(out, "--matches", file, "--csv")
    assert (status, error) == (DONE, "")
    listed = json.loads(run(out, "--matches", file, "--json")[1])["ratings"]
    rows = list(csv.DictReader(io.StringIO(text)))
    assert list(rows[0]) == [field.name for field in fields(Rating)]
    assert rows == [{name: "" if value is None else str(value) for name, value in line.items()} for line in listed]


def test_warnings_beside_csv_go_to_standard_error(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "one.csv"
    file.write_text("ada,bob,1\n", encoding="utf-8")
    _, text, error = run("--matches", file, "--csv")
    assert len(text.splitlines()) == 3
    assert error.splitlines() == [
        "arbiter: note: won every match, so only the prior (one drawn match with the average of the pool) bounds the "
        "rating above: ada",
        "arbiter: note: lost every match, so only the prior (one drawn match with the average of the pool) bounds the "
        "rating below: bob",
    ]


def test_the_table_for_people(run: Run, file: Path, tmp_path: Path) -> None:
    more = tmp_path / "more.csv"
    more.write_text(CHAIN + "eve,ada,1\n", encoding="utf-8")
    status, text, error = run("--matches", file, "--matches", more)
    assert (status, error) == (DONE, "")
    lines = text.splitlines()
    assert lines[1].split() == ["#", "bot", "Elo", "±", "%", "won", "drawn", "lost", "opponent"]
    assert [line.split()[:2] for line in lines[3:7]] == [["1", "eve"], ["2", "ada"], ["3", "bob"], ["4", "cy"]]
    assert lines[3].split()[2] == "*"
    values = json.loads(run("--matches", file, "--matches", more, "--json")[1])
    ada = values["ratings"][1]
    assert 99.95 < ada["los_next"] < 100
    shown = [f"{ada['elo']:+.1f}", f"{ada['error']:.1f}", ">99.9", "38", "0", "13"]
    assert lines[4].split()[2:] == [*shown, f"{ada['opponents']:+.1f}"]
    assert lines[8] == "54 matches. ±: 95 % (Fisher information), Elo relative to the average of the pool, which is 0."
    assert lines[9] == "LOS: likelihood of being stronger than the next in the list."
    assert lines[10].startswith("Likelihood that eve is the strongest of all: ")
    assert lines[11] == "*: how far from the others rests on a prior, see the notes."
    assert lines[12].startswith("note: won every match, ")
    assert lines[12].endswith(": eve")


def test_what_is_said_below_the_table(run: Run, out: Path) -> None:
    text = run(out, "--bootstrap", 20, "--anchor", "ada=1200", "--seat-advantage")[1]
    assert (
        "4 matches, 1 void left out. ±: 95 % (bootstrap, 20 replications), Elo relative to ada, which is 1200."
        in text.splitlines()
    )
    assert "\nAdvantage of dealing first: " in text
    assert "points\n" in text or "points " in text.splitlines()[0]


def test_the_table_fits_a_terminal(run: Run, out: Path, file: Path) -> None:
    table, _ = run(out, "--matches", file)[1].split("\n\n", 1)
    assert max(len(line) for line in table.splitlines()) <= 80


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "nothing to rate: name the directory of a tournament, or --matches FILE"),
        (("--matches", "no.csv"), "no.csv: cannot be read: No such file or directory"),
        (("nowhere",), "nowhere: there is no such file"),
        (("OUT", "--json", "--csv"), "--json or --csv: choose one"),
        (("OUT", "--bootstrap", "5"), "--bootstrap: at least 10, not 5"),
        (("OUT", "--bootstrap", "many"), "Invalid value for '--bootstrap': "),
        (("OUT", "--anchor", "ada"), "--anchor ada: not of the form NAME=ELO, such as greedy=1500"),
        (("OUT", "--anchor", "ada=high"), "--anchor ada=high: not of the form NAME=ELO, such as greedy=1500"),
        (("OUT", "--anchor", "ada=inf"), "--anchor ada=inf: not of the form NAME=ELO, such as greedy=1500"),
        (("OUT", "--anchor", "=1500"), "--anchor =1500: not of the form NAME=ELO, such as greedy=1500"),
        (("OUT", "--anchor", "eve=1500"), "the anchor 'eve' is none of the players"),
        (("OUT", "OUT"), "the same tournament as"),
    ],
)
def test_mistakes_are_one_clear_line(
    run: Run, out: Path, arguments: tuple[str, ...], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    status, text, error = run(*(out if argument == "OUT" else argument for argument in arguments))
    assert (status, text) == (USER_ERROR, "")
    assert error.count("\n") == 1
    assert message in error


def test_a_fault_in_a_file_is_named_with_its_line(run: Run, file: Path) -> None:
    file.write_text(RESULTS + "ada,bob,3\n", encoding="utf-8")
    status, text, error = run("--matches", file)
    assert (status, text, error) == (
        USER_ERROR,
        "",
        f"arbiter: {file} line 52: the score is '3', not 1, 0.5 or 0\n",
    )


def test_an_empty_file_is_said_to_be_empty(run: Run, file: Path) -> None:
    file.write_text("first,second,score\n", encoding="utf-8")
    status, text, _ = run("--matches", file)
    assert (status, text.splitlines()[-1]) == (DONE, "note: there are no players")
    assert json.loads(run("--matches", file, "--json")[1])["ratings"] == []


def test_a_tournament_that_is_played_can_be_rated(run: Run, out: Path) -> None:
    with Store.open(out / FILE_NAME) as store:
        store.issue(played.schedule(CONFIG)[4])
        values: dict[str, Any] = json.loads(run(out, "--json")[1])
        assert values["matches"] == 4
