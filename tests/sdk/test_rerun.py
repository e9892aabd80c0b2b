"""Recorded deals put to a bot again: in this process, and in one of its own."""

import io
import json
import sys
from pathlib import Path
from random import Random

import pytest

from sixtysix import Action, Bot, View
from sixtysix.__main__ import main
from sixtysix.conformance.recorded import read_deals
from sixtysix.conformance.rerun import LocalSeat, rerun
from sixtysix.local import play_match
from sixtysix.rules import CLAIM, DRAW, DealRecord, RecordError, Stage, rule_set

ROOT = Path(__file__).parents[2]
CAP_US = 1_000_000


class Seeded(Bot):
    """Plays what follows from what it sees, and keeps what it was asked."""

    asked: list[View]
    told: list[str]
    ask_before_draw = True
    wants_events = True

    def __init__(self) -> None:
        self.asked = []
        self.told = []

    def choose(self, view: View) -> Action:
        self.asked.append(view)
        # A claim ends most deals before they have begun.
        actions = [action for action in view.legal_actions if action is not CLAIM]
        return Random(repr(view) + repr(view.history)).choice(actions)

    def on_event(self, event: object) -> None:
        self.told.append("event")

    def on_deal_end(self, outcome: object) -> None:
        self.told.append("deal")

    def on_match_end(self, report: object) -> None:
        self.told.append("match")


class Silent(Seeded):
    """The same, but cards are drawn for it."""

    ask_before_draw = False


def recorded(rules: str = "sixty-six", match: str = "001-01") -> list[dict[str, object]]:
    records: list[DealRecord] = []
    play_match(rule_set(rules), (Seeded(), Seeded()), match, deal_limit=5, on_record=records.append)
    return [{**record.to_json(), "match": match, "deal": n} for n, record in enumerate(records, start=1)]


def lines(records: list[dict[str, object]]) -> str:
    return "".join(f"{json.dumps(record)}\n" for record in records)


@pytest.mark.parametrize("rules", ["schnapsen", "sixty-six", "trump-change"])
@pytest.mark.parametrize("seat", [0, 1])
def test_a_bot_plays_its_own_deals_as_it_did(rules: str, seat: int) -> None:
    records = recorded(rules)
    was = [Seeded(), Seeded()]
    play_match(rule_set(rules), (was[0], was[1]), "001-01", deal_limit=5)
    bot = Seeded()
    choices = list(rerun(read_deals(lines(records)), seat, LocalSeat(bot, 0), CAP_US))
    assert [choice for choice in choices if choice.differs] == []
    # The copies of a match share the lists of the bot that they are made from.
    for view in bot.asked:
        assert view.clock is not None
        assert (view.clock.bank_us, view.clock.opponent_bank_us) == (60_000_000, 60_000_000)
        view.clock = None
    assert bot.asked == was[seat].asked
    assert bot.told == was[seat].told


def test_only_draws_of_a_bot_that_is_not_asked_are_left_out() -> None:
    text = lines(recorded())
    all_of_them = list(rerun(read_deals(text), 0, LocalSeat(Seeded(), 0), CAP_US))
    choices = list(rerun(read_deals(text), 0, LocalSeat(Silent(), 0), CAP_US))
    before = [choice for choice in all_of_them if choice.view.stage is Stage.BEFORE_DRAW]
    assert {choice.recorded for choice in before} > {DRAW}
    assert len(choices) == len(all_of_them) - sum(choice.recorded is DRAW for choice in before)
    for choice in choices:
        assert choice.differs is (choice.view.stage is Stage.BEFORE_DRAW)


def test_the_score_of_the_match_is_that_of_the_deals_before() -> None:
    first, second, *_ = deals = list(read_deals(lines(recorded()) + lines(recorded())))
    (again,) = [number for number, deal in enumerate(deals) if number and deal.number == 1]
    assert first.score == deals[again].score == (0, 0)
    assert second.score != (0, 0)
    assert second.follows(first)
    assert not deals[again].follows(deals[again - 1])
    assert [deal.score for deal in deals[:again]] == [deal.score for deal in deals[again:]]


def test_a_deal_lost_by_a_fault_counts_and_its_decision_is_asked() -> None:
    first, second, *_ = recorded("schnapsen")
    actions = first["actions"]
    assert isinstance(actions, list)
    first = {**first, "actions": actions[:3], "forfeit": {"seat": 1, "fault": "late", "detail": "too late"}}
    deals = list(read_deals(lines([first, second])))
    assert deals[1].score == (3, 0)
    deal = deals[0].record.deal()
    for action in deals[0].actions:
        deal.apply(action)
    bot = Seeded()
    choices = list(rerun(deals[:1], deal.turn, LocalSeat(bot, 0), CAP_US))
    assert (choices[-1].recorded, choices[-1].index, choices[-1].differs) == (None, 3, True)
    assert bot.told[-2:] == ["deal", "match"]


def test_records_of_no_match_are_matches_of_their_own() -> None:
    plain = [{key: value for key, value in record.items() if key not in ("match", "deal")} for record in recorded()]
    deals = list(read_deals(lines(plain)))
    assert [(deal.number, deal.score) for deal in deals] == [(1, (0, 0))] * len(deals)
    bot = Seeded()
    list(rerun(deals, 0, LocalSeat(bot, 0), CAP_US))
    assert [word for word in bot.told if word != "event"] == ["deal", "match"] * len(deals)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"deal": 0}, "line 1: deal: must be a whole number of 1 or more, not 0"),
        ({"match": 7}, "line 1: match: must be a text, not 7"),
        ({"forfeit": {"seat": 2}}, "line 1: forfeit.seat: must be 0 or 1, not 2"),
        ({"actions": ["hop"]}, "line 1: actions: not an action: 'hop'"),
        ({"actions": ["pass"]}, "line 1: actions[0], 'pass': there is nothing to pass"),
        ({"dealer": 3}, "line 1: dealer: must be a whole number in 0..1, not 3"),
    ],
)
def test_a_record_that_is_wrong_is_named(change: dict[str, object], problem: str) -> None:
    record, *_ = recorded("schnapsen")
    with pytest.raises(RecordError) as caught:
        list(read_deals(lines([{**record, **change}])))
    assert str(caught.value).startswith(problem)


# The command line.


@pytest.fixture
def deals_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    path = tmp_path / "deals.jsonl"
    path.write_text(lines(recorded("schnapsen")) + lines(recorded("schnapsen", "001-02")), encoding="utf-8")
    return str(path)


def run_rerun(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = main(["rerun", *arguments])
    captured = capsys.readouterr()
    return status, captured.out, captured.err


BOTS = [
    ["--bot", "example_bots.greedy_bot"],
    ["--", sys.executable, "-m", "example_bots.greedy_bot"],
]


def test_a_bot_in_a_process_of_its_own_chooses_as_one_in_this_process(
    capsys: pytest.CaptureFixture[str], deals_file: str
) -> None:
    choices = []
    for bot in BOTS:
        status, out, _ = run_rerun(capsys, deals_file, "--seat", "1", "--json", *bot)
        assert status == 0
        shown = json.loads(out)
        choices.append([(c["match"], c["deal"], c["action"], c["recorded"], c["chosen"]) for c in shown["choices"]])
        assert shown["decisions"] == len(choices[-1]) >= shown["free"] > shown["otherwise"] > 0
        assert shown["elapsed_us"] == sum(choice["elapsed_us"] for choice in shown["choices"])
    assert choices[0] == choices[1]
    assert {match for match, *_ in choices[0]} == {"001-01", "001-02"}


def test_differences_are_shown_and_with_all_every_decision(capsys: pytest.CaptureFixture[str], deals_file: str) -> None:
    arguments = [deals_file, "--seat", "0", "--match", "001-02", "--deal", "1", *BOTS[0]]
    _, short, _ = run_rerun(capsys, *arguments)
    _, long, _ = run_rerun(capsys, *arguments[:-2], "--all", *BOTS[0])
    summary = short.splitlines()[-2]
    decisions, free, same, other = (int(word) for word in summary.replace(",", "").split() if word.isdigit())
    assert (same + other, short.count("the bot plays"), long.count("action ") - 1) == (free, other, decisions)
    assert long.splitlines()[0].startswith("match 001-02, deal 1, action ")


def test_records_come_from_standard_input_too(
    capsys: pytest.CaptureFixture[str], deals_file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = Path(deals_file).read_bytes()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    from_input = run_rerun(capsys, "-", "--seat", "0", "--json", *BOTS[0])
    from_file = run_rerun(capsys, deals_file, "--seat", "0", "--json", *BOTS[0])
    assert from_input[0] == from_file[0] == 0
    assert json.loads(from_input[1])["decisions"] == json.loads(from_file[1])["decisions"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "error: no bot: expected --bot BOT, --remote NAME or -- COMMAND...\n"),
        (["--bot", "x", "--", "y"], "error: expected one bot: --bot BOT, --remote NAME or -- COMMAND...\n"),
        (["--bot", "no_such_module"], "error: no module named 'no_such_module'\n"),
        (["--match", "9", "--", "y"], "error: --match: "),
        (["--deal", "77", "--", "y"], "error: --deal: there is no deal 77\n"),
        (["--", "/no/such/bot"], "error: cannot start '/no/such/bot': No such file or directory\n"),
        (["--", sys.executable, "-c", "exit(5)"], "error: no connection: the process exited with status 5\n"),
    ],
)
def test_what_cannot_be_used_is_one_clear_line(
    capsys: pytest.CaptureFixture[str], deals_file: str, arguments: list[str], message: str
) -> None:
    status, out, err = run_rerun(capsys, deals_file, "--seat", "0", *arguments)
    assert (status, out) == (1, "")
    assert err.startswith(message)


def test_a_file_without_records_is_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "empty.jsonl").write_text("\n", encoding="utf-8")
    status, _, err = run_rerun(capsys, str(tmp_path / "empty.jsonl"), "--seat", "0", *BOTS[0])
    assert (status, err) == (1, f"error: {tmp_path}/empty.jsonl has no deal records\n")


def test_an_answer_that_is_not_legal_is_shown_and_the_record_goes_on(
    capsys: pytest.CaptureFixture[str], deals_file: str
) -> None:
    command = [sys.executable, "-m", "tests.broken_bots.sends_the_place"]
    status, out, _ = run_rerun(capsys, deals_file, "--seat", "0", "--deal", "1", "--json", "--", *command)
    shown = json.loads(out)
    assert (status, shown["otherwise"]) == (0, shown["free"])
    assert {choice["chosen"] for choice in shown["choices"]} == {None}
    assert all(choice["problem"].startswith("the answer is no action") for choice in shown["choices"])
