import csv
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from arbiter import archive, cli_exports
from arbiter.cli import main
from arbiter.console import DONE, INTERRUPTED, USER_ERROR
from arbiter.exports import decisions
from arbiter.store import FILE_NAME, Store
from tests.arbiter import played
from tests.arbiter.exports.pgn_reader import read_games

Run = Callable[..., tuple[int, str, str]]
CONFIG = played.config({"base": "schnapsen", "target": 5})
FORMATS = ("archive", "pgn", "csv", "jsonl", "parquet")

# A limit on the size of files fails as a full disk does, with another reason; it must not hit the store.
LIMITED = """
import resource, signal, sys
from arbiter import cli, directory
opened = directory.open_store
def limited(path):
    store = opened(path)
    store.states()
    resource.setrlimit(resource.RLIMIT_FSIZE, (500, 500))
    return store
directory.open_store = limited
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
sys.exit(cli.main(sys.argv[1:]))
"""


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Run `arbiter export`: its exit status, standard output and standard error."""

    def call(*arguments: object) -> tuple[int, str, str]:
        capsys.readouterr()
        status = main(["export", *(str(argument) for argument in arguments)])
        return status, *capsys.readouterr()

    return call


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The directory of a tournament: three of six matches played, one of them void at first."""
    folder = tmp_path_factory.mktemp("out")
    rules = CONFIG.rule_set()
    first, second, third, *_ = played.schedule(CONFIG)
    with played.create(folder, CONFIG) as store:
        store.fix(played.void(first))
        store.issue(first)
        for match in (first, second, third):
            store.fix(played.play_match(match, rules))
    return folder


@pytest.fixture
def empty(tmp_path: Path) -> Path:
    folder = tmp_path / "empty"
    folder.mkdir()
    played.create(folder, CONFIG).close()
    return folder


def test_pgn(run: Run, out: Path) -> None:
    status, text, error = run(out, "--format", "pgn")
    assert (status, error) == (DONE, "")
    with Store.open(out / FILE_NAME) as store:
        played_matches = [match.match_id for match in store.summaries() if not match.void]
    assert [game.tags["MatchId"] for game in read_games(text)] == played_matches


def test_csv_and_json_lines_tell_the_same(run: Run, out: Path) -> None:
    status, text, error = run(out, "--format", "csv")
    assert (status, error) == (DONE, "")
    status, lines, error = run(out, "--format", "jsonl")
    assert (status, error) == (DONE, "")
    values = [json.loads(line) for line in lines.splitlines()]
    assert [{name: str(value) for name, value in each.items() if name != "score"} for each in values] == [
        {name: value for name, value in each.items() if name != "score"}
        for each in csv.DictReader(text.splitlines(keepends=True))
    ]
    assert len(values) == 3
    assert {each["score"] for each in values} <= {0.0, 0.5, 1.0}


def test_ratings_are_the_same_from_the_csv(
    run: Run, out: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "club.csv"
    run(out, "--format", "csv", "--output", path)
    found = []
    for source in ([str(out)], ["--matches", str(path)]):
        assert main(["ratings", *source, "--json"]) == DONE
        ratings = json.loads(capsys.readouterr().out)["ratings"]
        found.append([(line["name"], line["elo"], line["won"], line["lost"]) for line in ratings if line["matches"]])
    assert found[0] == found[1]
    assert len(found[0]) == 3


def test_parquet(run: Run, out: Path, tmp_path: Path) -> None:
    path = tmp_path / "decisions.parquet"
    assert run(out, "--format", "parquet", "--output", path) == (DONE, "", "")
    with Store.open(out / FILE_NAME) as store:
        assert pq.read_table(path).num_rows == len(list(decisions.decision_rows(store))) > 100


def test_the_archive_is_what_is_written_by_default(run: Run, out: Path, tmp_path: Path) -> None:
    path = tmp_path / "club.jsonl"
    assert run(out, "--output", path) == (DONE, "", "")
    with Store.open(out / FILE_NAME) as store:
        whole = "".join(archive.export(store))
    assert run(out)[1] == run(out, "--format", "archive")[1] == path.read_text() == whole


@pytest.mark.parametrize("form", FORMATS)
def test_a_file_is_whole_or_not_there(
    run: Run, out: Path, tmp_path: Path, form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "club"
    path.write_text("what was there before")
    for problem, status, message in [
        (
            OSError(28, "No space left on device"),
            USER_ERROR,
            f"arbiter: {path}: cannot be written: No space left on device\n",
        ),
        (KeyboardInterrupt(), INTERRUPTED, "arbiter: interrupted\n"),
    ]:

        def broken(*_: object, problem: BaseException = problem) -> Iterator[Any]:
            yield from ()
            raise problem

        for module, name in [
            (cli_exports, "match_rows"),
            (decisions, "decision_rows"),
            (archive, "export"),
        ]:
            monkeypatch.setattr(module, name, broken)
        assert run(out, "--format", form, "--output", path) == (status, "", message)
        assert path.read_text() == "what was there before"
        assert [file.name for file in tmp_path.iterdir()] == ["club"]


@pytest.mark.parametrize("form", FORMATS)
def test_a_disk_that_is_full(out: Path, tmp_path: Path, form: str) -> None:
    path = tmp_path / "club"
    command = [sys.executable, "-c", LIMITED, "export", str(out), "--format", form, "--output", str(path)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (result.returncode, result.stderr) == (USER_ERROR, f"arbiter: {path}: cannot be written: File too large\n")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("form", "what"), [("pgn", ""), ("csv", "tournament_id,tournament,rules,match,"), ("jsonl", ""), ("parquet", None)]
)
def test_nothing_played_yet(run: Run, empty: Path, tmp_path: Path, form: str, what: str | None) -> None:
    path = tmp_path / "club"
    note = "arbiter: nothing was exported: no match that counts has been played yet\n"
    assert run(empty, "--format", form, "--output", path) == (DONE, "", note)
    if what is None:
        assert pq.read_table(path).num_rows == 0
    else:
        assert path.read_text().startswith(what)


def test_several_tournaments(run: Run, out: Path, tmp_path: Path) -> None:
    other = replace(played.tournament(CONFIG), id="07e5", name="other")
    (match, *_) = played.schedule(CONFIG)
    with Store.create(tmp_path / FILE_NAME, other) as store:
        store.issue(match)
        store.fix(played.play_match(match, CONFIG.rule_set()))
    status, text, error = run(out, tmp_path, "--format", "jsonl")
    assert (status, error) == (DONE, "")
    assert [json.loads(line)["tournament_id"] for line in text.splitlines()] == ["7e57", "7e57", "7e57", "07e5"]


def test_what_cannot_be_done(run: Run, out: Path, tmp_path: Path) -> None:
    for arguments, message in [
        ((out, out, "--format", "pgn"), f"{out}: holds the same tournament as {out}"),
        ((out, out), "an archive is of one tournament: name one directory, or choose another --format"),
        ((out, "--format", "parquet"), "--format parquet writes a file, not text: name it with --output"),
        ((out, "--format", "pgn", "--output", tmp_path), f"{tmp_path}: cannot be written: it is not a regular file"),
        ((out, "--output", os.devnull), f"{os.devnull}: cannot be written: it is not a regular file"),
        (
            (out, "--format", "csv", "--output", tmp_path / "no" / "x"),
            f"{tmp_path / 'no' / 'x'}: cannot be written: No such file or directory",
        ),
        ((tmp_path, "--format", "csv"), f"{tmp_path}: holds no tournament (results.sqlite is missing)"),
    ]:
        assert run(*arguments) == (USER_ERROR, "", f"arbiter: {message}\n")
    status, _, error = run(out, "--format", "xls")
    assert status == USER_ERROR
    assert all(form in error for form in FORMATS)


def test_what_is_missing_is_named_with_what_to_install(out: Path, tmp_path: Path) -> None:
    code = "import sys; sys.modules['pyarrow'] = None\nfrom arbiter.cli import main\nsys.exit(main(sys.argv[1:]))"
    path = tmp_path / "decisions.parquet"
    command = [sys.executable, "-c", code, "export", str(out), "--format", "parquet", "--output", str(path)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (result.returncode, result.stderr) == (
        USER_ERROR,
        "arbiter: --format parquet needs pyarrow, which is not installed: pip install 'sixtysix-arbiter[data]'\n",
    )
    assert not path.exists()
