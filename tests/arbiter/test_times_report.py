import json
from dataclasses import replace
from typing import Any

import pytest
import trio
import trio.testing

from arbiter.match_runner import MatchRunner, Terms
from arbiter.policy import Consequence, FaultPolicy
from arbiter.report import render
from arbiter.results import MatchResult
from arbiter.schedule import ScheduledMatch
from arbiter.seat import Question, Reply
from arbiter.times_report import TimedDecision, timed_decisions, times_json, times_report
from sixtysix.rules import RULE_SETS, parse_action
from sixtysix.timecontrol import TimeControl
from tests.arbiter.fake_seats import Choice, FakeSeat, SeededShoe, honest

SCHEDULED = ScheduledMatch("001-01", "001", 1, ("ada", "bob"), 1)
CONTROL = TimeControl(1_000_000, 100_000, 1_000_000, increment_us=500, lag_us=1_000)
POLICY = FaultPolicy(Consequence.FORFEIT_DEAL, Consequence.FORFEIT_DEAL, limit=9, reconnect_us=0)
DRAW = parse_action("draw")


def play(ada: FakeSeat, rules: str, control: TimeControl) -> tuple[MatchResult, FakeSeat]:
    bob = FakeSeat("bob", honest(2), think_us=2_000)
    terms = Terms(RULE_SETS[rules], control, POLICY, deal_limit=3)
    runner = MatchRunner(SCHEDULED, (ada, bob), terms, SeededShoe(RULE_SETS[rules]))
    clock = trio.testing.MockClock(autojump_threshold=0)
    return trio.run(runner.play, clock=clock), bob


def decisions(ada: FakeSeat, rules: str = "schnapsen", control: TimeControl = CONTROL) -> list[TimedDecision]:
    return list(timed_decisions(play(ada, rules, control)[0], control))


@pytest.mark.parametrize("rules", RULE_SETS)
def test_the_banks_are_those_that_the_bots_were_told(rules: str) -> None:
    seats = [FakeSeat("ada", honest(1), think_us=5_000, round_trip_us=700, ask_before_draw=True)]
    result, bob = play(seats[0], rules, CONTROL)
    found = list(timed_decisions(result, CONTROL))
    for index, seat in enumerate((*seats, bob)):
        of_seat = [decision for decision in found if decision.seat == index]
        assert len(of_seat) == len(seat.questions)
        told = [question.clock.bank_us for question in seat.questions]
        assert [CONTROL.bank_us, *(decision.bank_us for decision in of_seat)][:-1] == told
        assert [decision.limit_us for decision in of_seat] == [question.clock.cap_us for question in seat.questions]
        assert [decision.forced for decision in of_seat if decision.charged_us == 0] == [True] * sum(
            decision.forced for decision in of_seat
        )
    assert not any(decision.note for decision in found if not decision.forced)
    first = next(decision for decision in found if decision.seat == 0 and not decision.forced)
    assert (first.elapsed_us, first.allowance_us, first.charged_us) == (5_000, 700, 4_300)


def at(number: int, choice: Choice) -> FakeSeat:
    """A bot that answers its decision of this number, forced ones left out, in its own way."""
    left, others = number, honest(1)

    def choose(question: Question) -> Choice:
        nonlocal left
        if len(question.view.legal_actions) > 1:
            left -= 1
            if left == 0:
                return choice
        return others(question)

    return FakeSeat("ada", choose, think_us=5_000)


@pytest.mark.parametrize(
    ("choice", "bank_us", "note"),
    [
        (Reply(None, 120_000, stall_us=1_500), None, "late: 118.500 ms, the cap was 100.000 ms"),
        (Reply(DRAW, 100_001), None, "late: 100.001 ms, the cap was 100.000 ms"),
        (Reply(DRAW, 7_000), -6_500, "illegal: draw: cards are drawn by themselves"),
        (Reply(None, 7_000, 0, "not an action"), -6_500, "malformed: not an action"),
    ],
)
def test_a_decision_without_an_action_says_why(choice: Reply, bank_us: int | None, note: str) -> None:
    found = [decision for decision in decisions(at(3, choice)) if decision.seat == 0 and not decision.forced]
    fault = found[2]
    assert fault.action is None
    assert (fault.elapsed_us, fault.stall_us) == (choice.elapsed_us, choice.stall_us)
    assert fault.note.startswith(note)
    assert fault.late == note.startswith("late")
    assert fault.charged_us == (0 if fault.late else choice.elapsed_us)
    assert fault.bank_us - found[1].bank_us == (bank_us or 0)


def test_a_late_decision_tells_that_the_bank_was_short() -> None:
    control = replace(CONTROL, bank_us=12_000, increment_us=0)
    found = [decision for decision in decisions(at(3, Reply(None, 2_500)), control=control) if decision.seat == 0]
    late = next(decision for decision in found if decision.action is None)
    assert late.note == "late: 2.500 ms, the bank held 2.000 ms"
    assert (late.limit_us, late.bank_us) == (2_000, 2_000)


def test_the_report_has_a_line_for_each_decision_and_the_reason_of_each_forfeit() -> None:
    result, _ = play(at(3, Reply(None, 120_000)), "schnapsen", CONTROL)
    text = render(times_report(result, RULE_SETS["schnapsen"], CONTROL))
    found = list(timed_decisions(result, CONTROL))
    heading, control, *_ = text.splitlines()
    assert heading == "Match 001-01: ada – bob, schnapsen"
    assert control == "Bank 1 s, increment 0.0005 s, at most 0.1 s for a decision, allowance at most 0.001 s"
    rows = [line for line in text.splitlines() if line[:4].strip().isdecimal()]
    assert len(rows) == len(found)
    for row, decision in zip(rows, found, strict=True):
        assert row.split()[:3] == [str(decision.deal), str(decision.index + 1), ("ada", "bob")[decision.seat]]
        assert f"{decision.bank_us / 1000:.3f}" in row
    assert "late: 120.000 ms, the cap was 100.000 ms" in text
    assert "Deal 1: ada forfeits (late): no answer within 0.100 s" in text


def test_the_same_as_json() -> None:
    result, _ = play(FakeSeat("ada", honest(1)), "sixty-six", CONTROL)
    values: dict[str, Any] = json.loads(json.dumps(times_json(result, CONTROL)))
    assert list(values) == ["match", "bots", "time", "decisions"]
    assert values["time"]["decision_us"] == CONTROL.decision_us
    assert [value["bank_us"] for value in values["decisions"]] == [
        decision.bank_us for decision in timed_decisions(result, CONTROL)
    ]
