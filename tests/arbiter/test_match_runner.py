from dataclasses import replace
from typing import Any

import pytest
import trio

from arbiter.match_runner import MatchRunner, Shoe, Terms
from arbiter.policy import Consequence, Fault, FaultPolicy
from arbiter.results import MatchResult
from arbiter.schedule import ScheduledMatch
from arbiter.seat import Reply, SeatGoneError
from sixtysix.rules import (
    CLOSE,
    PASS,
    RULE_SETS,
    Card,
    Deal,
    EventKind,
    Match,
    Stage,
    parse_action,
    parse_record,
    replay,
)
from sixtysix.timecontrol import TimeControl
from tests.arbiter.fake_seats import Chooser, FakeSeat, FixedShoe, SeededShoe, honest, scripted

CONTROL = TimeControl(10_000_000, 1_000_000, 30_000_000, 50_000, 20_000)
POLICY = FaultPolicy(Consequence.FORFEIT_DEAL, Consequence.FORFEIT_DEAL, limit=3, reconnect_us=0)
SCHEDULED = ScheduledMatch("001-01", "001", 1, ("ada", "bob"), 0)
GONE = SeatGoneError(Fault.DISCONNECTED, "the process exited with status 1")


def terms(name: str = "schnapsen", **changes: Any) -> Terms:
    return replace(Terms(RULE_SETS[name], CONTROL, POLICY, 100), **changes)


def play(
    ada: FakeSeat | Chooser,
    bob: FakeSeat | Chooser,
    match_terms: Terms | None = None,
    shoe: Shoe | None = None,
) -> tuple[MatchResult, FakeSeat, FakeSeat]:
    first = ada if isinstance(ada, FakeSeat) else FakeSeat("ada", ada)
    second = bob if isinstance(bob, FakeSeat) else FakeSeat("bob", bob)
    used = match_terms or terms()
    runner = MatchRunner(SCHEDULED, (first, second), used, shoe or SeededShoe(used.rules))

    async def main() -> MatchResult:
        return await runner.play()

    result = trio.run(main, clock=trio.testing.MockClock(autojump_threshold=0))
    return result, first, second


@pytest.mark.parametrize("rules", RULE_SETS)
def test_a_match_is_played_to_the_target_and_recorded(rules: str) -> None:
    result, ada, bob = play(honest(1), honest(2), terms(rules))
    assert result.reason == "target"
    assert result.winner is not None
    assert result.score[result.winner] >= RULE_SETS[rules].target
    table = Match(RULE_SETS[rules], SCHEDULED.first_dealer)
    for number, deal in enumerate(result.deals, start=1):
        assert deal.number == number
        assert (deal.record["dealer"], deal.record["carry"]) == (table.dealer, table.carry)
        record = parse_record(deal.record)
        assert replay(record) == {"id": None, **deal.result}
        assert len(deal.clock) == len(record.actions)
        played = record.deal()
        for token in record.actions:
            played.apply(parse_action(token))
        assert played.outcome is not None
        table.add(played.outcome)
    assert tuple(table.score) == result.score
    for seat in (ada, bob):
        assert [number for number, _, _ in seat.deal_ends] == list(range(1, len(result.deals) + 1))
        assert [end.winner for end in seat.match_ends] == [result.winner]
        assert not seat.refusals


def test_each_seat_gets_only_its_own_events() -> None:
    _, ada, bob = play(honest(1), honest(2), terms("sixty-six"))
    for index, seat in enumerate((ada, bob)):
        dealt = [event for event in seat.events if event.kind is EventKind.DEALT]
        assert dealt
        assert all(event.seat == index for event in dealt)
        drawn = [event for event in seat.events if event.kind is EventKind.DREW and event.seat != index]
        assert any(not event.cards for event in drawn)


ILLEGAL_ANSWER = parse_action("draw")


@pytest.mark.parametrize(
    ("answer", "fault", "told"),
    [
        (ILLEGAL_ANSWER, Fault.ILLEGAL, "draw: cards are drawn by themselves"),
        (Reply(None, 1_020_001), Fault.LATE, "no answer within 1.000 s"),
        (Reply(CLOSE, 1_000_001), Fault.LATE, "no answer within 1.000 s"),
        (
            Reply(None, 10, malformed="action.kind: 0 is not a kind of action"),
            Fault.MALFORMED,
            "action.kind: 0",
        ),
    ],
)
def test_a_fault_costs_the_deal_and_the_match_goes_on(answer: Any, fault: Fault, told: str) -> None:
    result, _, bob = play(honest(1), scripted([answer], honest(2)))
    first = result.deals[0]
    assert first.forfeit is not None
    assert (first.forfeit.seat, first.forfeit.fault) == (1, fault.value)
    assert told in first.forfeit.detail
    assert (first.result["winner"], first.result["reason"], first.result["game_points"]) == (0, "forfeit", 3)
    assert [(refusal[1], refusal[3]) for refusal in bob.refusals] == [(fault, "deal forfeited")]
    assert told in bob.refusals[0][2]
    assert result.reason == "target"
    assert result.seats[1].faults == 1
    assert result.seats[0].faults == 0


@pytest.mark.parametrize("which", ["illegal", "late"])
def test_the_organiser_may_make_a_fault_cost_the_match(which: str) -> None:
    match_lost = Consequence.FORFEIT_MATCH
    policy = replace(POLICY, illegal=match_lost) if which == "illegal" else replace(POLICY, late=match_lost)
    answer = ILLEGAL_ANSWER if which == "illegal" else Reply(None, 2_000_000)
    result, _, bob = play(honest(1), scripted([answer], honest(2)), terms(policy=policy))
    assert (result.winner, result.reason, len(result.deals)) == (0, "forfeit", 1)
    assert f"bob: {which}" in result.detail
    assert bob.refusals[0][3] == "match forfeited"
    assert [end.detail for end in bob.match_ends] == [result.detail]


def test_faults_up_to_the_limit_cost_the_match() -> None:
    target = replace(RULE_SETS["schnapsen"], target=50)
    result, _, bob = play(honest(1), lambda question: ILLEGAL_ANSWER, terms(rules=target))
    assert (result.winner, result.reason) == (0, "forfeit")
    assert [refusal[3] for refusal in bob.refusals] == ["deal forfeited", "deal forfeited", "match forfeited"]
    assert len(result.deals) == 3
    assert result.seats[1].faults == 3


def test_a_bot_that_is_gone_loses_the_match() -> None:
    result, ada, _ = play(honest(1), scripted([None, None, GONE], honest(2)))
    assert (result.winner, result.reason) == (0, "forfeit")
    assert "the process exited with status 1" in result.detail
    assert result.deals[-1].forfeit is not None
    assert [end.reason for end in ada.match_ends] == ["forfeit"]


def test_a_match_without_both_bots_is_void() -> None:
    ada = FakeSeat("ada", honest(1), gone=True)
    result, _, _ = play(ada, scripted([None, None, GONE], honest(2)))
    assert (result.winner, result.reason, result.void) == (None, "void", True)
    assert result.deals[-1].forfeit is None
    assert result.deals[-1].result["over"] is False


NOT_READY = SeatGoneError(Fault.NOT_READY, "did not connect within 10 s")


def test_a_bot_that_does_not_get_ready_loses_the_match() -> None:
    result, ada, bob = play(honest(1), FakeSeat("bob", ready_fault=NOT_READY))
    assert (result.winner, result.reason, result.deals) == (0, "forfeit", ())
    assert "not_ready" in result.detail
    assert len(ada.match_ends) == len(bob.match_ends) == 1


def test_two_bots_that_do_not_get_ready_are_void() -> None:
    result, _, _ = play(FakeSeat("ada", ready_fault=NOT_READY), FakeSeat("bob", ready_fault=NOT_READY))
    assert result.void
    assert (result.seats[0].faults, result.seats[1].faults) == (1, 1)


@pytest.mark.parametrize("wish", [True, False])
def test_before_drawing_only_those_are_asked_who_wish_it(wish: bool) -> None:
    ada = FakeSeat("ada", honest(1), ask_before_draw=wish)
    result, _, bob = play(ada, honest(2), terms("sixty-six"))
    asked = [view for view in ada.views if view.stage is Stage.BEFORE_DRAW]
    assert bool(asked) is wish
    assert not [view for view in bob.views if view.stage is Stage.BEFORE_DRAW]
    assert any("draw" in deal.record["actions"] for deal in result.deals)  # type: ignore[operator]


def test_forced_decisions_cost_nothing_and_others_what_they_took() -> None:
    result, ada, _ = play(FakeSeat("ada", honest(1), think_us=7_000), honest(2))
    charges = {question.previous for question in ada.questions if question.previous is not None}
    by_id = {decision_id: charge for decision_id, charge in charges}  # noqa: C416  # names what the pair is
    for question in ada.questions:
        charge = by_id.get(question.decision_id)
        if charge is not None:
            forced = len(question.view.legal_actions) == 1
            assert charge.charged_us == (0 if forced else 7_000)
            assert charge.elapsed_us == 7_000
    assert result.seats[0].worst_us == 7_000
    assert result.seats[0].total_us == 7_000 * result.seats[0].decisions


def test_the_way_through_the_network_is_not_charged() -> None:
    ada = FakeSeat("ada", honest(1), think_us=7_000, round_trip_us=3_000)
    result, _, _ = play(ada, honest(2))
    assert result.seats[0].worst_us == 4_000


def test_a_stall_of_the_arbiter_is_credited() -> None:
    bob = FakeSeat("bob", honest(2), think_us=1_400_000, stall_us=600_000)
    result, _, _ = play(honest(1), bob)
    assert result.seats[1].faults == 0
    assert result.seats[1].worst_us == 800_000


def test_the_bank_runs_down_and_ends_in_lateness() -> None:
    control = replace(CONTROL, bank_us=50_000, increment_us=0)
    slow = FakeSeat("bob", honest(2), think_us=20_000)
    result, _, _ = play(honest(1), slow, terms(control=control))
    assert result.deals[0].forfeit is not None
    assert result.deals[0].forfeit.fault == "late"
    banks = [question.clock.bank_us for question in slow.questions[:3]]
    assert banks[0] == 50_000
    assert min(question.clock.cap_us for question in slow.questions) <= 10_000


def test_decision_ids_of_a_seat_grow_and_say_nothing_of_the_other() -> None:
    _, ada, bob = play(honest(1), honest(2))
    for index, seat in enumerate((ada, bob)):
        ids = [question.decision_id for question in seat.questions]
        assert ids == list(range(1 + index, 1 + index + 2 * len(ids), 2))


def test_the_other_bank_is_shown_as_of_the_start_of_the_deal() -> None:
    _, ada, _ = play(honest(1), FakeSeat("bob", honest(2), think_us=9_000))
    by_deal: dict[int, set[int]] = {}
    for question in ada.questions:
        by_deal.setdefault(question.view.deal_number, set()).add(question.clock.opponent_bank_us)
    assert all(len(banks) == 1 for banks in by_deal.values())
    assert len(set.union(*by_deal.values())) > 1


def test_an_exchange_offer_that_can_only_be_passed_costs_like_any_other() -> None:
    # Ada leads and closes; bob cannot hold the 9 of trumps, which lies in the talon.
    deck = RULE_SETS["sixty-six"].deck
    ace, nine = Card.parse("AS"), Card.parse("9S")
    rest = [card for card in deck if card not in (ace, nine)]
    record = {
        "rules": "sixty-six",
        "dealer": 1,
        "hands": [[card.text for card in rest[:6]], [card.text for card in rest[6:12]]],
        "talon": [nine.text, *(card.text for card in rest[12:])],
        "turn_up": ace.text,
        "actions": [],
    }
    deal = parse_record(record).deal()
    ada = scripted([CLOSE], honest(1))
    bob = FakeSeat("bob", honest(2), think_us=5_000)
    play(ada, bob, terms("sixty-six", deal_limit=1), FixedShoe(deal))
    offer, after = bob.questions[:2]
    assert (offer.view.stage, offer.view.legal_actions) == (Stage.EXCHANGE_OFFER, (PASS,))
    assert after.previous is not None
    assert after.previous[1].charged_us == 5_000


class BrokenShoe(SeededShoe):
    """Has one deck and then fails."""

    def deal(self, number: int, dealer: int, carry: int) -> tuple[Deal, bytes, bytes]:
        if number == 2:
            raise OSError("no more cards")
        return super().deal(number, dealer, carry)


def test_a_failure_of_the_arbiter_makes_the_match_void() -> None:
    result, ada, bob = play(honest(1), honest(2), shoe=BrokenShoe(RULE_SETS["schnapsen"]))
    assert result.void
    assert result.detail == "the arbiter failed: OSError('no more cards')"
    assert len(result.deals) == 1
    assert [seat.faults for seat in result.seats] == [0, 0]
    assert [end.reason for seat in (ada, bob) for end in seat.match_ends] == ["void", "void"]


def test_the_deal_limit_makes_a_draw() -> None:
    result, _, _ = play(honest(1), honest(2), terms(deal_limit=2))
    assert (result.winner, result.reason, len(result.deals)) == (None, "deal_limit", 2)
