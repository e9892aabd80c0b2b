import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
import structlog

from arbiter import config as configuration
from arbiter import crash, directory, tournament
from arbiter.cli import main
from arbiter.config import TournamentConfig
from arbiter.console import DONE, INTERRUPTED, OUR_FAULT, USER_ERROR
from arbiter.progress import Reporter
from arbiter.results import Forfeit, Scoreboard
from arbiter.store import FILE_NAME, Store
from arbiter.template import TEMPLATE
from arbiter.views import scoreboard
from sixtysix import __version__
from sixtysix.rules import RULE_SETS
from tests.arbiter import played

Run = Callable[..., tuple[int, str, str]]
COMMANDS = (
    "init",
    "run",
    "compare",
    "sprt",
    "elo",
    "standings",
    "ratings",
    "report",
    "show",
    "records",
    "export",
    "verify",
    "rules",
)
CONFIG = played.config({"base": "schnapsen", "target": 5})
SCHEDULE = played.schedule(CONFIG)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a command: its exit status, standard output and standard error."""

    def call(*arguments: object) -> tuple[int, str, str]:
        capsys.readouterr()
        status = main([str(argument) for argument in arguments])
        return status, *capsys.readouterr()

    return call


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """The directory of a tournament: one match void and played again, one forfeited, three to come."""
    rules = CONFIG.rule_set()
    first, second, third, *_ = SCHEDULE
    with played.create(tmp_path, CONFIG) as store:
        store.fix(played.void(first, [played.play_deal(rules, first.match_id, actions=3)]))
        store.issue(first)
        store.fix(played.play_match(first, rules))
        store.fix(played.play_match(second, rules))
        deal = played.play_deal(rules, third.match_id, actions=3, forfeit=Forfeit(1, "left", "bye"))
        store.fix(played.void(third, [deal]))
    return tmp_path


def lines_of(text: str) -> list[Any]:
    return [json.loads(line) for line in text.splitlines()]


def test_standings_as_json_in_exactly_this_form(run: Run, out: Path) -> None:
    status, text, error = run("standings", out, "--json")
    assert (status, error) == (DONE, "")
    values = json.loads(text)
    with Store.open(out / FILE_NAME) as store:
        board = scoreboard(store)
    assert values == {
        "tournament": "club",
        "rules": {"base": "schnapsen", "target": 5},
        "scheduled": 6,
        "played": 2,
        "void": 2,
        "standings": [asdict(line) for line in board.standings()],
    }
    members = "rank name matches won lost drawn game_points game_points_against deals faults mean_ms worst_ms"
    assert [list(line) for line in values["standings"]] == [members.split()] * 3
    assert sum(line["matches"] for line in values["standings"]) == 4


def test_the_cross_table_as_json_is_an_extra_member(run: Run, out: Path) -> None:
    plain, crossed = (json.loads(run("standings", out, "--json", *more)[1]) for more in ((), ("--cross",)))
    table = crossed.pop("cross_table")
    assert crossed == plain
    assert table["ada"].keys() == {"bob", "cy"}
    assert sum(result["won"] for row in table.values() for result in row.values()) == 2


def test_standings_for_people(run: Run, out: Path) -> None:
    status, text, _ = run("standings", out)
    assert status == DONE
    assert text.startswith("club: schnapsen, target 5, 2 of 6 matches played, 2 void\n")
    assert all(name in text for name in played.BOTS)
    assert "won-lost" in text
    assert len(run("standings", out, "--cross")[1]) > len(text)


def test_the_results_can_be_named_in_place_of_their_directory(run: Run, out: Path) -> None:
    assert run("standings", out / FILE_NAME) == run("standings", out)


def test_the_list_of_matches(run: Run, out: Path) -> None:
    status, text, _ = run("show", out)
    assert status == DONE
    listed = [line.split()[0] for line in text.splitlines()]
    ended = sorted([SCHEDULE[0].match_id] + [match.match_id for match in SCHEDULE[:3]])
    assert listed == ["match", *ended]
    values = json.loads(run("show", out, "--json")[1])
    assert [(value["match"], value["void"]) for value in values] == [
        (match_id, match_id == SCHEDULE[2].match_id or index == ended.index(SCHEDULE[0].match_id))
        for index, match_id in enumerate(ended)
    ]


def test_a_match_for_people_and_as_json(run: Run, out: Path) -> None:
    match_id = SCHEDULE[0].match_id
    status, text, _ = run("show", out, match_id)
    assert status == DONE
    assert text.startswith(f"Match {match_id}: {' – '.join(SCHEDULE[0].bots)}, schnapsen, target 5\n")
    assert "target reached" in text
    assert "10♥" in text
    values = json.loads(run("show", out, match_id, "--json")[1])
    assert (values["match"], values["void"], values["reason"]) == (match_id, False, "target")
    assert values["deals"] == len(values["records"]) > 0
    assert values["records"] == [record for record in lines_of(run("records", out, match_id)[1]) if not record["void"]]


def test_the_clocks_of_a_match_for_people_and_as_json(run: Run, out: Path) -> None:
    match_id = SCHEDULE[0].match_id
    status, text, _ = run("show", out, match_id, "--times")
    assert status == DONE
    assert text.startswith(f"Match {match_id}: {' – '.join(SCHEDULE[0].bots)}, schnapsen, target 5\nBank 30 s, ")
    values = json.loads(run("show", out, match_id, "--times", "--json")[1])
    assert values["match"] == match_id
    assert len(values["decisions"]) == sum(line[:4].strip().isdecimal() for line in text.splitlines())
    status, text, error = run("show", out, "--times")
    assert (status, text, error) == (USER_ERROR, "", "arbiter: --times is about one match: name it\n")


def test_records_are_json_lines_that_the_replay_reads(run: Run, out: Path) -> None:
    status, text, _ = run("records", out)
    records = lines_of(text)
    assert status == DONE
    assert {record["match"] for record in records} == {match.match_id for match in SCHEDULE[:3]}
    command = [sys.executable, "-m", "sixtysix", "replay", "-"]
    replayed = subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout
    for record, result in zip(records, lines_of(replayed), strict=True):
        if "forfeit" in record:
            assert (record["result"]["reason"], result["over"]) == ("forfeit", False)
        else:
            assert result == record["result"]
    some = lines_of(run("records", out, SCHEDULE[1].match_id)[1])
    assert some == [record for record in records if record["match"] == SCHEDULE[1].match_id]


@pytest.mark.parametrize("command", ["show", "records"])
@pytest.mark.parametrize(
    ("match_id", "problem"), [("999-99", "does not exist"), (SCHEDULE[3].match_id, "has not ended")]
)
def test_a_match_that_cannot_be_shown(run: Run, out: Path, command: str, match_id: str, problem: str) -> None:
    assert run(command, out, match_id) == (USER_ERROR, "", f"arbiter: match {match_id} {problem}\n")


@pytest.mark.parametrize("command", ["standings", "show", "records"])
def test_a_directory_without_a_tournament(run: Run, tmp_path: Path, command: str) -> None:
    (tmp_path / "x.toml").write_text("x = 1\n" * 50)
    assert run(command, tmp_path) == (
        USER_ERROR,
        "",
        f"arbiter: {tmp_path}: holds no tournament (results.sqlite is missing)\n",
    )
    assert run(command, tmp_path / "no") == (
        USER_ERROR,
        "",
        f"arbiter: {tmp_path}/no: there is no such file\n",
    )
    status, _, error = run(command, tmp_path / "x.toml")
    assert (status, "not a tournament database" in error) == (USER_ERROR, True)


def test_rules(run: Run) -> None:
    status, text, _ = run("rules")
    assert status == DONE
    assert all(name in text for name in RULE_SETS)
    assert [each["name"] for each in json.loads(run("rules", "--json")[1])] == list(RULE_SETS)
    assert "people count from `target` down to 0" in run("rules", "schnapsen")[1]
    assert json.loads(run("rules", "mariage", "--json")[1])["unclaimed"] == "tie"
    status, text, error = run("rules", "schnapsn")
    assert (status, text) == (USER_ERROR, "")
    assert error.startswith("arbiter: unknown rule set 'schnapsn', did you mean 'schnapsen'?")


def test_init_writes_a_file_that_can_be_run_and_never_overwrites(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "club.toml"
    status, text, _ = run("init", file)
    assert (status, f"arbiter run {file}" in text) == (DONE, True)
    assert configuration.load(file).tournament.name == "tournament"
    file.write_text("mine")
    assert run("init", file) == (USER_ERROR, "", f"arbiter: {file}: exists already; --force overwrites it\n")
    assert file.read_text() == "mine"
    assert run("init", file, "--force")[0] == DONE
    assert file.read_text() == TEMPLATE
    status, _, error = run("init", tmp_path / "no" / "club.toml")
    assert (status, error.count("cannot be written: No such file")) == (USER_ERROR, 1)


def test_init_has_a_default_name(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("init")[0] == DONE
    assert (tmp_path / "tournament.toml").read_text() == TEMPLATE


def test_the_version(run: Run) -> None:
    assert run("--version") == (DONE, f"arbiter {__version__}\n", "")


@pytest.mark.parametrize("command", [(), *((command,) for command in COMMANDS)])
@pytest.mark.parametrize("option", ["--help", "-h"])
def test_help_has_an_example(run: Run, command: tuple[str, ...], option: str) -> None:
    status, text, error = run(*command, option)
    assert (status, error) == (DONE, "")
    assert f"Example: arbiter {' '.join(command)}" in text


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ([], "Missing command"),
        (["frob"], "No such command 'frob'"),
        (["run"], "Missing argument 'FILE'"),
        (["standings", "x", "--bogus"], "No such option: --bogus"),
        (["rules", "a", "b"], "unexpected extra argument"),
        (["run", "/nowhere/x.toml"], "/nowhere/x.toml: cannot be read"),
    ],
)
def test_wrong_usage_is_a_mistake_of_the_user(run: Run, arguments: Sequence[str], problem: str) -> None:
    status, text, error = run(*arguments)
    assert (status, text) == (USER_ERROR, "")
    assert problem in error
    assert error.startswith("arbiter: ")
    assert error.count("\n") == 1


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A tournament file whose results go to `out` beside it."""
    monkeypatch.setenv("GUEST_TOKEN", "the guest's token")
    path = tmp_path / "club.toml"
    path.write_text(
        f"""
        [tournament]
        out = {json.dumps(str(tmp_path / "out"))}
        matches_per_pair = 2
        [[bots]]
        name = "ada"
        command = ["ada"]
        [[bots]]
        name = "guest"
        token_env = "GUEST_TOKEN"
        """
    )
    return path


class Played:
    """Stands in for the tournament itself: it fixes all matches, then raises what it is told to."""

    def __init__(self, error: BaseException | None = None) -> None:
        self.error = error
        self.seen: list[tuple[TournamentConfig, Path, bool]] = []

    async def __call__(
        self, config: TournamentConfig, out: Path, reporter: Reporter, *, resume: bool = False
    ) -> Scoreboard:
        self.seen.append((config, out, resume))
        if resume:
            return Scoreboard([bot.name for bot in config.bots])
        structlog.get_logger().info("playing", token="sesame")
        with played.create(out, config) as store:
            reporter.started("club", config.rule_set(), 2, ["ada", "guest"], "127.0.0.1:1")
            reporter.waiting(["guest"], "127.0.0.1:1")
            for match in played.schedule(config):
                result = played.play_match(match, config.rule_set())
                store.fix(result)
                reporter.match_ended(result.summary(), scoreboard(store))
            board = scoreboard(store)
        if self.error is not None:
            raise self.error
        reporter.finished(board, 1.0)
        return board


@pytest.fixture
def stand_in(monkeypatch: pytest.MonkeyPatch) -> Any:
    def install(error: BaseException | None = None) -> Played:
        stand_in = Played(error)
        monkeypatch.setattr(tournament, "run_tournament", stand_in)
        return stand_in

    yield install
    structlog.reset_defaults()


def test_a_run_leaves_its_directory_and_says_where_to_look(run: Run, file: Path, stand_in: Any) -> None:
    game = stand_in()
    out = file.parent / "out"
    status, text, error = run("run", file)
    assert status == DONE
    ((config, where, _),) = game.seen
    assert where == out
    written = json.loads((out / "tournament.json").read_text())
    assert configuration.parse(written, "tournament.json") == config
    assert written["time"]["decision"] == "1s"
    standings = run("standings", out, "--cross")[1].partition("\n\n")[2]
    assert text.startswith(standings)
    assert f"\n{run('ratings', out)[1]}\nLook at it again" in text
    assert text.splitlines()[-1] == (f"Look at it again: arbiter standings {out}   match by match: arbiter show {out}")
    assert "with the token in $GUEST_TOKEN" in error
    assert "2 of 2 matches played in 1.0 s" in error
    log = (out / "arbiter.log").read_text()
    assert json.loads(log)["event"] == "playing"
    assert "sesame" not in log


def test_a_run_as_json_prints_nothing_else_on_standard_output(run: Run, file: Path, stand_in: Any) -> None:
    stand_in()
    _, text, error = run("run", file, "--json")
    assert text == run("standings", file.parent / "out", "--json")[1]
    assert "2 of 2 matches played" in error


def test_a_quiet_run(run: Run, file: Path, stand_in: Any) -> None:
    stand_in()
    status, text, error = run("run", file, "--quiet")
    assert (status, "won-lost" in text) == (DONE, True)
    assert error.splitlines() == ["waiting at 127.0.0.1:1 for:", "  guest, with the token in $GUEST_TOKEN"]


def test_a_store_for_this_run(run: Run, file: Path, stand_in: Any) -> None:
    game = stand_in()
    url = "postgresql+psycopg://arbiter@localhost/club"
    assert run("run", file, "--store", url)[0] == DONE
    ((config, _, _),) = game.seen
    assert config.store is not None
    assert config.store.url == url
    status, _, error = run("run", file, "--store", "postgresql://me:hidden@localhost/club")
    assert (status, "hidden" in error) == (USER_ERROR, False)
    assert error.startswith("arbiter: --store: store: postgresql://me:***@localhost/club: a password does not belong")


def test_results_are_replaced_only_by_force(run: Run, file: Path, stand_in: Any) -> None:
    game = stand_in()
    out = file.parent / "out"
    assert run("run", file)[0] == DONE
    (out / "logs").mkdir()
    (out / "logs" / "ada-1.log").write_text("old")
    (out / "notes.txt").write_text("mine")
    before = (out / FILE_NAME).read_bytes()
    status, _, error = run("run", file)
    assert (status, error) == (
        USER_ERROR,
        f"arbiter: {out}: holds a tournament already; --resume goes on with it, --force replaces it\n",
    )
    assert (out / FILE_NAME).read_bytes() == before
    assert run("run", file, "--force")[0] == DONE
    assert len(game.seen) == 2
    assert sorted(path.name for path in out.iterdir()) == [
        "arbiter.log",
        "notes.txt",
        FILE_NAME,
        "tournament.json",
    ]


def test_a_missing_token_costs_no_earlier_results(run: Run, file: Path, stand_in: Any, monkeypatch: Any) -> None:
    stand_in()
    assert run("run", file)[0] == DONE
    monkeypatch.delenv("GUEST_TOKEN")
    before = sorted(path.name for path in (file.parent / "out").iterdir())
    status, _, error = run("run", file, "--force")
    assert status == USER_ERROR
    assert "GUEST_TOKEN, which holds its token, is not set" in error
    assert sorted(path.name for path in (file.parent / "out").iterdir()) == before


@pytest.mark.parametrize("force", [(), ("--force",)])
def test_other_directories_are_left_alone(run: Run, file: Path, stand_in: Any, force: tuple[str, ...]) -> None:
    game = stand_in()
    out = file.parent / "out"
    (out / "logs").mkdir(parents=True)
    for name in ("tournament.json", FILE_NAME):
        (out / name).write_text('{"tournament": 1}')
    status, _, error = run("run", file, *force)
    assert (status, error) == (
        USER_ERROR,
        f"arbiter: {out}: holds files, but no tournament; choose a new or empty directory\n",
    )
    assert len(list(out.iterdir())) == 3
    assert game.seen == []


def test_out_must_be_a_directory(run: Run, file: Path, stand_in: Any) -> None:
    stand_in()
    (file.parent / "out").write_text("mine")
    status, _, error = run("run", file, "--force")
    assert (status, error) == (USER_ERROR, f"arbiter: {file.parent}/out: cannot be used: Not a directory\n")


def test_a_start_that_failed_is_not_in_the_way(run: Run, file: Path, stand_in: Any) -> None:
    out = file.parent / "out"
    directory.prepare(out, configuration.load(file), force=False)
    stand_in()
    assert run("run", file)[0] == DONE


def test_links_in_the_directory_are_not_followed(tmp_path: Path) -> None:
    out, elsewhere = tmp_path / "out", tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "kept").touch()
    directory.prepare(out, CONFIG, force=False)
    (out / "logs").symlink_to(elsewhere)
    directory.prepare(out, CONFIG, force=True)
    assert (elsewhere / "kept").exists()
    assert not (out / "logs").exists()


def test_a_tournament_that_cannot_be_played(run: Run, file: Path, stand_in: Any) -> None:
    stand_in(tournament.TournamentError("bot ada: no such program"))
    status, text, error = run("run", file, "--quiet")
    assert (status, text) == (USER_ERROR, "")
    assert error.splitlines()[-1] == "arbiter: bot ada: no such program"


def test_an_interrupted_run_keeps_what_was_played(run: Run, file: Path, stand_in: Any) -> None:
    out = file.parent / "out"
    stand_in(tournament.Interrupted())
    status, text, error = run("run", file, "--json")
    assert (status, text) == (INTERRUPTED, "")
    told = f"arbiter: interrupted; every match that had ended is kept: arbiter standings {out}; "
    assert error.endswith(told + "to go on, run it again with --resume\n")
    assert json.loads(run("standings", out, "--json")[1])["played"] == 2


def test_a_run_is_resumed_with_what_is_there(run: Run, file: Path, stand_in: Any) -> None:
    status, _, error = run("run", file, "--resume")
    assert (status, error) == (USER_ERROR, f"arbiter: {file.parent}/out: there is no tournament to go on with\n")
    game = stand_in()
    assert run("run", file)[0] == DONE
    before = (file.parent / "out" / "tournament.json").read_bytes()
    assert run("run", file, "--resume")[0] == DONE
    assert [resumed for *_, resumed in game.seen] == [False, True]
    assert (file.parent / "out" / "tournament.json").read_bytes() == before
    status, _, error = run("run", file, "--resume", "--force")
    assert (status, "choose one" in error) == (USER_ERROR, True)


def test_an_interrupt_before_the_tournament(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("arbiter.cli.load", interrupt)
    assert run("run", "x.toml") == (INTERRUPTED, "", "arbiter: interrupted\n")


def test_a_fault_of_the_arbiter_is_reported_beside_the_results(run: Run, file: Path, stand_in: Any) -> None:
    stand_in(LookupError("impossible"))
    status, text, error = run("run", file, "--quiet")
    assert (status, text) == (OUR_FAULT, "")
    (report,) = (file.parent / "out").glob("crash-*.txt")
    assert error.splitlines()[-1] == f"arbiter: fault of the arbiter itself (LookupError), report: {report}"
    assert "Traceback" not in error
    assert "LookupError: impossible" in report.read_text()
    assert "run_tournament" in report.read_text()
    assert run("run", file, "--force", "--quiet")[0] == OUR_FAULT
    assert not report.exists()


def test_a_fault_without_a_directory_is_reported_with_the_temporary_files(
    run: Run, out: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise LookupError("impossible")

    reports = tmp_path / "tmp"
    reports.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(reports))
    monkeypatch.setattr("arbiter.views.scoreboard", fail)
    status, _, error = run("standings", out)
    (report,) = reports.iterdir()
    assert (status, error) == (
        OUR_FAULT,
        f"arbiter: fault of the arbiter itself (LookupError), report: {report}\n",
    )


def test_a_report_goes_elsewhere_if_its_directory_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    report = crash.write_report(ValueError("impossible"), tmp_path / "no")
    assert report.parent == tmp_path
    assert "ValueError: impossible" in report.read_text()


def test_nobody_reads_on(out: Path) -> None:
    program = [sys.executable, "-m", "arbiter.cli"]
    reading, writing = os.pipe()
    os.close(reading)
    result = subprocess.run([*program, "records", str(out)], stdout=writing, stderr=subprocess.PIPE, check=False)
    os.close(writing)
    assert (result.returncode, result.stderr) == (DONE, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk(out: Path) -> None:
    program = [sys.executable, "-m", "arbiter.cli"]
    with open("/dev/full", "wb") as full:
        result = subprocess.run([*program, "records", str(out)], stdout=full, stderr=subprocess.PIPE, check=False)
    assert result.returncode == USER_ERROR
    assert result.stderr == b"arbiter: cannot write the output: No space left on device\n"


def test_a_terminal_without_suits(out: Path) -> None:
    command = [sys.executable, "-m", "arbiter.cli", "show", str(out), SCHEDULE[0].match_id]
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    result = subprocess.run(command, env=environment, capture_output=True, check=True)
    assert b"10?" in result.stdout
