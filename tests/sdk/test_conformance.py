"""The conformance kit: sound bots pass all of it, and each broken one fails where it is broken."""

import json
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from sixtysix.__main__ import main
from sixtysix.conformance import clauses
from sixtysix.conformance.clauses import Clause
from sixtysix.conformance.runner import Candidate, Result, Verdict, run
from sixtysix.conformance.scenarios import SCENARIOS
from sixtysix.conformance.server import Server

ROOT = Path(__file__).parents[2]
BROKEN = ROOT / "tests" / "broken_bots"
LIMIT_S = 20.0
SHORT_S = 2.0
"""For bots that are meant to be silent."""

# Which scenario finds what is wrong, by which sentence of the protocol, and a part of what it says.
FAULTS: dict[str, tuple[int, Clause, str]] = {
    "no_hello": (1, clauses.HELLO_FIRST, "the first command must be hello, not ready"),
    "other_version": (1, clauses.MAJOR, "protocol_major is 2"),
    "wrong_token": (1, clauses.TOKEN, "is not 'Bearer ' and the token"),
    "no_pong": (1, clauses.PONG, "no pong within 2 s"),
    "crashes": (1, clauses.HELLO_IN_TIME, "the process exited with status 1"),
    "does_nothing": (1, clauses.HELLO_IN_TIME, "no connection within 2 s"),
    "garbage": (1, clauses.BAD_MESSAGE, "no PlayRequest"),
    "knocks_again": (2, clauses.VERSION_REFUSED, "the bot connects again"),
    "insists_on_its_rules": (3, clauses.RULES_REFUSED, "the bot connects again"),
    "skips_the_forced": (4, clauses.ONE_LEGAL, "no action within 2 s"),
    "sends_the_place": (4, clauses.ANSWER_IS_LEGAL, "the answer is no action: action.kind: 0"),
    "ignores_duties": (4, clauses.ANSWER_IS_LEGAL, "is not legal: must"),
    "never_draws": (5, clauses.ANSWER_IS_LEGAL, "no card is played before drawing"),
    "always_exchanges": (6, clauses.ANSWER_IS_LEGAL, "the answer 'exchange' is not legal"),
    "counts_cards_only": (7, clauses.ANSWER_REPEATS, "no action within 2 s"),
    "knows_no_pending_marriage": (8, clauses.ANSWER_REPEATS, "its process exited with status 1"),
    "endless_talon": (9, clauses.ANSWER_REPEATS, "its process exited with status 1"),
    "small_table": (10, clauses.ANSWER_TOGETHER, "no action within 2 s"),
    "one_match": (11, clauses.ANSWER_IS_LEGAL, "is not in the hand"),
    "answers_results": (12, clauses.FIRST_COUNTS, "action in answer to a result"),
    "offended": (13, clauses.ANSWER_REPEATS, "the bot has left: unfair"),
    "waits_for_the_deal": (14, clauses.ENDS_AT_ONCE, "no ready within 2 s"),
    "strict_reader": (15, clauses.READY, "its process exited with status 1"),
    "forgets_its_session": (16, clauses.RESUME, "resume_session_id is '', the session was 'session-1'"),
    "keeps_matches": (17, clauses.READY, "no ready for gone within 2 s"),
    "thinks_first": (18, clauses.PONG, "no pong within 1 s"),
    "never_hurries": (19, clauses.LATE, "where 0.400 s were left"),
    "leaves_early": (20, clauses.ANSWER_REPEATS, "the bot has left: the arbiter shuts down"),
    "comes_back": (21, clauses.STREAM_ENDS, "the bot connects again"),
    "ignores_sigterm": (22, clauses.TERMINATED, "the process still runs after 1 s"),
}
SILENT = {name for name, (_, _, problem) in FAULTS.items() if "within 2 s" in problem}


@pytest.fixture(autouse=True)
def _bots_find_this_project(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))


def command_of(module: str) -> list[str]:
    return [sys.executable, "-m", module]


def check(module: str, numbers: Sequence[int], limit_s: float = LIMIT_S) -> list[Result]:
    with Server() as server:
        candidate = Candidate(server, "checked", command_of(module))
        return list(run([SCENARIOS[number - 1] for number in numbers], candidate, limit_s))


@pytest.mark.parametrize("name", FAULTS)
def test_a_broken_bot_fails_where_it_is_broken(name: str) -> None:
    number, clause, problem = FAULTS[name]
    before = sorted({1, number - 1} - {0, number})
    limit_s = SHORT_S if name in SILENT else LIMIT_S
    *sound, broken = check(f"tests.broken_bots.{name}", [*before, number], limit_s)
    assert [result.problem for result in sound if result.verdict is Verdict.FAILED] == []
    assert broken.verdict is Verdict.FAILED
    assert problem in broken.problem
    assert broken.clause is clause


def test_every_scenario_has_a_bot_that_fails_it() -> None:
    assert {number for number, _, _ in FAULTS.values()} == {scenario.number for scenario in SCENARIOS}


def test_every_broken_bot_is_used() -> None:
    assert {path.stem for path in BROKEN.glob("*.py")} == {*FAULTS, "sound"}


@pytest.mark.parametrize(
    ("module", "skipped"),
    [
        ("tests.broken_bots.sound", []),
        ("example_bots.random_bot", [5]),
        ("example_bots.greedy_bot", [5]),
        ("example_bots.counting_bot", [5]),
        ("example_bots.rollout_bot", []),
    ],
)
def test_sound_bots_pass(module: str, skipped: list[int]) -> None:
    results = check(module, range(1, len(SCENARIOS) + 1))
    assert [(r.scenario.number, r.problem) for r in results if r.verdict is Verdict.FAILED] == []
    assert [r.scenario.number for r in results if r.verdict is Verdict.SKIPPED] == skipped


def test_a_bot_that_leaves_is_told_from_one_that_dies() -> None:
    (leaving,) = check("tests.broken_bots.sound", [22])
    assert list(leaving.remarks) == ["the process exited with status 0", "it has said leave"]
    (dying,) = check("example_bots.random_bot", [22])
    assert list(dying.remarks) == ["the process was killed by SIGTERM", "it has not said leave"]


def test_the_page_about_the_scenarios_has_them_all() -> None:
    page = (ROOT / "docs/conformance.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| (\d+) \| ([^|]+) \|", page, re.MULTILINE)
    assert listed == [(str(scenario.number), scenario.name) for scenario in SCENARIOS]


def test_the_numbers_are_in_order() -> None:
    assert [scenario.number for scenario in SCENARIOS] == list(range(1, len(SCENARIOS) + 1))


@pytest.mark.parametrize("clause", clauses.CLAUSES, ids=lambda clause: clause.text[:40])
def test_what_is_quoted_stands_in_the_protocol(clause: Clause) -> None:
    page = (ROOT / "docs/protocol.md").read_text(encoding="utf-8")
    _, heading, rest = page.partition(f"## {clause.section}\n")
    assert heading
    section = re.split(r"^#+ ", rest, maxsplit=1, flags=re.MULTILINE)[0]
    assert " ".join(clause.text.split()) in " ".join(section.split())


# The command line.


def run_check(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = main(["check", *arguments])
    captured = capsys.readouterr()
    return status, captured.out, captured.err


def test_a_failure_shows_what_was_said_and_what_the_bot_has_written(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run_check(capsys, "--only", "1", "--", *command_of("tests.broken_bots.crashes"))
    assert status == 1
    assert " 1 handshake" in out
    assert "   no connection: the process exited with status 1\n" in out
    assert "   docs/protocol.md, Connecting: A stream has to say `hello`" in out
    assert "   | RuntimeError: no model in /models/best.bin" in out
    assert out.endswith("1 scenarios: 0 passed, 1 failed, 0 skipped\n")


def test_json_has_every_message(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run_check(
        capsys, "--json", "--only", "1", "--only", "6", "--", *command_of("tests.broken_bots.always_exchanges")
    )
    assert status == 1
    shown = json.loads(out)
    assert (shown["bot"], shown["passed"], shown["failed"], shown["skipped"]) == ("checked", 1, 1, 0)
    first, second = shown["scenarios"]
    assert (first["number"], first["verdict"], first["clause"]) == (1, "passed", None)
    assert (second["number"], second["clause"]["section"]) == (6, "The decision loop")
    senders = [(message["from"], message["text"].split()[0]) for message in second["messages"]]
    assert senders[:4] == [("bot", "opens"), ("bot", "hello"), ("arbiter", "welcome"), ("arbiter", "match_offered")]
    last_said = [message for message in second["messages"] if "message" in message][-1]
    assert last_said["message"]["action"]["action"] == {"kind": "ACTION_KIND_EXCHANGE"}


def test_the_list_needs_no_bot(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run_check(capsys, "--list")
    assert status == 0
    assert [int(line.split()[0]) for line in out.splitlines()] == [scenario.number for scenario in SCENARIOS]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "error: expected either -- COMMAND..., which starts the bot, or --remote NAME, which waits for it\n"),
        (["--remote", "x", "--", "y"], "error: expected either -- COMMAND..."),
        (["--only", "23", "--", "y"], "error: --only: scenarios are numbered from 1 to 22, not 23\n"),
        (["--only", "1", "--", "/no/such/bot"], "error: cannot start '/no/such/bot': No such file or directory\n"),
        (["--listen", "nowhere", "--", "y"], "error: --listen: must be HOST:PORT, not 'nowhere'\n"),
        (["--listen", "192.0.2.1:1", "--", "y"], "error: cannot listen at 192.0.2.1:1\n"),
    ],
)
def test_what_cannot_be_used_is_one_clear_line(
    capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    status, out, err = run_check(capsys, *arguments)
    assert (status, out) == (1, "")
    assert err.startswith(message)


def test_a_bot_that_somebody_else_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    command = [sys.executable, "-m", "sixtysix", "check", "--remote", "guest", "--json", "--only"]
    numbers = ["1", "--only", "2", "--only", "17", "--only", "20"]
    with subprocess.Popen([*command, *numbers], stdout=-1, stderr=-1, text=True) as checking:
        assert checking.stdout is not None
        assert checking.stderr is not None
        assert checking.stderr.readline() == "waiting for guest, which connects with\n"
        for setting in checking.stderr.readline().split():
            name, _, value = setting.partition("=")
            monkeypatch.setenv(name, value)
        # It goes on by itself from scenario to scenario: between them its stream is lost.
        with subprocess.Popen(command_of("tests.broken_bots.sound"), stderr=subprocess.DEVNULL) as bot:
            shown = json.loads(checking.stdout.readline())
            bot.kill()
    assert [(one["number"], one["verdict"], one["problem"]) for one in shown["scenarios"]] == [
        (1, "passed", ""),
        (2, "skipped", "the process of a bot that is started elsewhere cannot be watched"),
        (17, "passed", ""),
        (20, "passed", ""),
    ]
    assert (shown["bot"], checking.returncode) == ("guest", 0)
