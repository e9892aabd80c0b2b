from dataclasses import asdict
from typing import Any

import pytest

from arbiter.html_report.endings import Endings
from arbiter.html_report.replay import PlayedDeal, replay
from arbiter.results import DealResult, Forfeit
from sixtysix.rules.record import outcome_json, parse_record
from sixtysix.rules.record import replay as replay_record
from tests.arbiter.html_report.tournaments import ENDS
from tests.rules.positions import POSITIONS

WON = {
    "claim": "claimed",
    "closer_beaten": "claimed",
    "false_claim": "given",
    "failed_close": "given",
    "last_trick": "unclaimed",
    "higher_total": "unclaimed",
    "forfeit": "won_by_forfeit",
}
LOST = {
    "claim": "lost_to_claim",
    "closer_beaten": "lost_to_claim",
    "false_claim": "false_claims",
    "failed_close": "failed_closes",
    "last_trick": "lost_unclaimed",
    "higher_total": "lost_unclaimed",
    "forfeit": "forfeits",
}


def deal_of(vector: dict[str, Any], forfeit: Forfeit | None = None) -> PlayedDeal:
    record = parse_record(vector)
    if forfeit is None:
        result = replay_record(record)
        result.pop("id")
    else:
        deal = replay(DealResult(1, record.to_json(), {}, (), "", "")).end
        deal.forfeit(forfeit.seat)
        result = outcome_json(deal)
    return replay(DealResult(1, record.to_json(), result, (), "", "", forfeit))


def endings_of(deal: PlayedDeal) -> tuple[Endings, Endings]:
    both = Endings(), Endings()
    for seat, endings in enumerate(both):
        endings.add(deal, seat)
    return both


@pytest.mark.parametrize("vector", POSITIONS, ids=lambda vector: str(vector["id"]))
def test_each_deal_has_one_end_for_each_seat(vector: dict[str, Any]) -> None:
    expect = vector["expect"]
    for seat, endings in enumerate(endings_of(deal_of(vector))):
        counted = {name for name in ENDS if asdict(endings)[name]}
        if not expect["over"]:
            assert counted == {"unfinished"}
        elif expect["winner"] is None:
            assert counted == {"nobody"}
        else:
            assert counted == {(WON if expect["winner"] == seat else LOST)[expect["reason"]]}


def test_the_worked_positions_know_every_end() -> None:
    reasons = {vector["expect"]["reason"] for vector in POSITIONS if vector["expect"]["over"]}
    assert set(WON) - {"forfeit"} <= reasons


@pytest.mark.parametrize("vector", POSITIONS, ids=lambda vector: str(vector["id"]))
def test_claims_and_closings_are_those_of_the_actions(vector: dict[str, Any]) -> None:
    deal = deal_of(vector)
    actors = {word: [step.seat for step in deal.steps if step.action == word] for word in ("claim", "close")}
    for seat, endings in enumerate(endings_of(deal)):
        assert endings.claims == actors["claim"].count(seat)
        assert endings.closings == actors["close"].count(seat)
        winner = vector["expect"].get("winner")
        assert endings.closings_won == (endings.closings if winner == seat else 0)
        assert endings.closings_lost == (endings.closings if winner == 1 - seat else 0)


def test_schneider_and_schwarz_are_counted_by_what_a_deal_is_worth() -> None:
    found = {2: 0, 3: 0}
    for vector in POSITIONS:
        expect = vector["expect"]
        if not expect["over"] or expect["winner"] is None:
            continue
        endings = endings_of(deal_of(vector))
        graded = expect["reason"] in ("claim", "last_trick")
        for seat, one in enumerate(endings):
            won = graded and expect["winner"] == seat
            assert one.schneider == int(won and expect["game_points"] == 2)
            assert one.schwarz == int(won and expect["game_points"] == 3)
        if graded and expect["game_points"] in found:
            found[expect["game_points"]] += 1
    assert all(found.values())


def test_forfeits_are_counted_with_their_fault() -> None:
    vector = next(vector for vector in POSITIONS if not vector["expect"]["over"])
    offender, other = endings_of(deal_of(vector, Forfeit(0, "late", "too late")))
    assert (offender.forfeits, offender.faults) == (1, {"late": 1})
    assert (other.won_by_forfeit, other.faults) == (1, {})
