"""Sentences about deals and matches, against the worked positions."""

from typing import Any

import pytest

from sixtysix import DealInfo, MatchInfo, MatchReport
from sixtysix.human.story import Story
from sixtysix.human.terminal import Look
from sixtysix.rules import Closing, Deal, Outcome, Reason, parse_action, parse_record, rule_set
from sixtysix.timecontrol import TimeControl
from tests.rules.positions import POSITIONS

ENDED = [data for data in POSITIONS if data.get("expect", {}).get("over") or "forfeit" in data]
# A closer's failure and what a claim against him pays, told when he closes: by rule set, and tricks of both then.
CLOSE_VALUES = [
    ("sixty-six", (0, 1), "nobody draws; you need a claim of 66, otherwise Rival gets 2 game points"),
    ("sixty-six", (1, 0), "nobody draws; you need a claim of 66, otherwise Rival gets 3 game points"),
    ("schnapsen", (0, 0), "nobody draws; you need a claim of 66, otherwise Rival gets 3 game points"),
    (
        "mariage",
        (1, 0),
        "nobody draws; you need a claim of 66, otherwise Rival gets 2 game points (3 while you have no trick)"
        " (66 without a claim is a tie)",
    ),
    ("trump-change", (1, 0), "nobody draws; you need a claim of 66, and without any claim the deal is a draw"),
]


def story(rules: object, seat: int = 0, opponent: str = "Rival", control: TimeControl | None = None) -> Story:
    return Story(Look(), MatchInfo("m", rule_set(rules), seat, opponent, control, 100))  # type: ignore[arg-type]


def played(data: dict[str, Any]) -> tuple[Deal, dict[str, Any]]:
    record = parse_record(data)
    deal = record.deal()
    for text in record.actions:
        deal.apply(parse_action(text))
    if "forfeit" in data:
        deal.forfeit(data["forfeit"]["seat"])
        return deal, data["forfeit"]["expect"]
    return deal, data["expect"]


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("data", ENDED, ids=lambda data: data["id"])
def test_the_end_of_a_deal_is_told_with_the_right_numbers(data: dict[str, Any], seat: int) -> None:
    deal, expected = played(data)
    told = story(data["rules"], seat)
    told.deal_start(DealInfo(1, deal.dealer, 0, 0, deal.carry))
    assert deal.log is not None
    for event in deal.log[seat]:
        told.event(event)
    assert deal.outcome is not None
    lines = told.outcome(deal.outcome)
    winner, other = expected["winner"], 1 - seat
    counted, tricks = expected["card_points"], expected["tricks"]
    assert lines[-1] == (
        f"Card points: you {counted[seat]}, Rival {counted[other]}; tricks: you {tricks[seat]}, Rival {tricks[other]}."
    )
    if winner is None:
        assert lines[0].startswith("Nobody scores: ")
        assert (f"gets {expected['carry']} game point" in lines[0]) == (expected["carry"] > 0)
        assert len(lines) == 2
        return
    assert lines[0].startswith("You win the deal: " if winner == seat else "Rival wins the deal: ")
    gained = expected["score_change"][winner]
    assert lines[1].startswith(f"{'You get' if winner == seat else 'Rival gets'} {gained} game point")
    assert ("carried over" in lines[1]) == (gained != expected["game_points"])
    assert ("lose" in lines[1]) == (expected["score_change"][1 - winner] < 0)


def test_the_positions_have_every_end() -> None:
    reasons = {played(data)[1]["reason"] for data in ENDED}
    assert reasons == set(Reason)


@pytest.mark.parametrize(
    ("rules", "reason", "game_points", "sentence"),
    [
        ("schnapsen", Reason.CLAIM, 3, "You win the deal: the claim is right, and Rival has no trick."),
        ("schnapsen", Reason.CLAIM, 2, "You win the deal: the claim is right, and Rival has less than 33 points."),
        ("schnapsen", Reason.CLAIM, 1, "You win the deal: the claim is right, and Rival has 33 points or more."),
        ("schnapsen", Reason.FALSE_CLAIM, 2, "You win the deal: the claim is false, 66 points are needed."),
        ("schnapsen", Reason.FAILED_CLOSE, 2, "You win the deal: Rival closed and did not make a correct claim."),
        ("schnapsen", Reason.CLOSER_BEATEN, 2, "You win the deal: Rival closed, but you claimed first."),
        ("schnapsen", Reason.LAST_TRICK, 3, "You win the deal: the last trick decides, and Rival has no trick."),
        ("schnapsen-vienna", Reason.LAST_TRICK, 1, "You win the deal: nobody claimed, and the last trick decides."),
        ("sixty-six", Reason.HIGHER_TOTAL, 1, "You win the deal: nobody claimed, and the higher total decides."),
        ("schnapsen", Reason.FORFEIT, 3, "You win the deal: Rival forfeited it."),
    ],
)  # fmt: skip
def test_why_a_deal_is_won(rules: str, reason: Reason, game_points: int, sentence: str) -> None:
    outcome = Outcome(0, game_points, (game_points, 0), 0, reason, (70, 10), (5, 1))
    assert story(rules).outcome(outcome)[0] == sentence


@pytest.mark.parametrize(
    ("reason", "sentence"),
    [
        (Reason.TIE, "Nobody scores: a tie. The next winner gets 1 game point on top."),
        (Reason.DRAW, "Nobody scores: a draw. The next winner gets 1 game point on top."),
        (
            Reason.BOTH_OVER_66,
            "Nobody scores: the claim is right, but the other has more than 66 too. "
            "The next winner gets 1 game point on top.",
        ),
    ],
)
def test_why_nobody_scores(reason: Reason, sentence: str) -> None:
    assert story("mariage").outcome(Outcome(None, 0, (0, 0), 1, reason, (70, 70), (5, 5)))[0] == sentence


@pytest.mark.parametrize(("rules", "tricks", "meaning"), CLOSE_VALUES)
def test_what_closing_means(rules: str, tricks: tuple[int, int], meaning: str) -> None:
    assert story(rules).closing(Closing(0, (0, 0), tricks)) == meaning


def test_the_score_is_counted_down_where_people_do_so() -> None:
    assert story("sixty-six").score(3, 5) == "you 3 : 5 Rival"
    assert story("schnapsen").score(3, 8) == "to go: you 4 : 0 Rival"
    assert story("trump-change").score(-4, 4) == "you -4 : 4 Rival"


def test_the_start_of_a_match_tells_the_clock() -> None:
    control = TimeControl(ready_us=1, decision_us=5_000_000, bank_us=600_000_000, increment_us=1_500_000)
    assert story("schnapsen-short", control=control).match_start() == [
        "Schnapsen to 5: you against Rival, first to 5 game points.",
        "You have 5.0 s for a decision and 600 s for all of the match, and 1.5 s more after each.",
    ]


def test_an_opponent_without_a_name() -> None:
    told = story("schnapsen", opponent="")
    outcome = Outcome(1, 1, (0, 1), 0, Reason.CLAIM, (40, 70), (3, 4))
    assert told.outcome(outcome)[:2] == [
        "The opponent wins the deal: the claim is right, and you have 33 points or more.",
        "The opponent gets 1 game point.",
    ]


def test_texts_of_others_cannot_control_the_terminal() -> None:
    told = story("schnapsen", opponent="Ri\x1b[2Jval\n")
    assert told.opponent == "Ri[2Jval"
    lines = told.match_end(MatchReport(False, "forfeit", "left\x1b]0;: gone\x07", 0, 7))
    assert lines == ["── Ri[2Jval wins the match, to go: you 7 : 0 Ri[2Jval ──", "left]0;: gone"]


@pytest.mark.parametrize(
    ("report", "line"),
    [
        (MatchReport(True, "target", "", 7, 3), "── You win the match, you 7 : 3 Rival ──"),
        (MatchReport(None, "deal_limit", "", 2, 3), "── The match is drawn after 100 deals, you 2 : 3 Rival ──"),
        (MatchReport(None, "void", "", 2, 3), "── The match does not count, you 2 : 3 Rival ──"),
    ],
)
def test_the_end_of_a_match(report: MatchReport, line: str) -> None:
    assert story("sixty-six").match_end(report) == [line]
