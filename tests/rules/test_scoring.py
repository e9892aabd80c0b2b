"""The scoring tables of all rule sets; seat 0 claims or closes unless a case says otherwise."""

from dataclasses import replace

import pytest

from sixtysix.rules import RULE_SETS, Closing, Outcome, Reason, RuleSet
from sixtysix.rules.scoring import Ending, claimed, forfeited, unclaimed

ALL = tuple(RULE_SETS)
SCHNAPSEN = ("schnapsen", "schnapsen-short", "schnapsen-vienna")
CLAIM, FALSE_CLAIM, FAILED, BEATEN = Reason.CLAIM, Reason.FALSE_CLAIM, Reason.FAILED_CLOSE, Reason.CLOSER_BEATEN
LAST_TRICK, HIGHER, DRAW, TIE = Reason.LAST_TRICK, Reason.HIGHER_TOTAL, Reason.DRAW, Reason.TIE

Pair = tuple[int, int]


def ending(rules: RuleSet, points: Pair, tricks: Pair, closing: Closing | None = None, carry: int = 0) -> Ending:
    return Ending(rules, points, tricks, closing, carry)


def check(outcome: Outcome, end: Ending, winner: int | None, value: int, reason: Reason, carry: int = 0) -> None:
    change = [0, 0]
    if winner is not None:
        change[winner] = value + end.carry
        if end.rules.name == "trump-change":
            change[1 - winner] = -value
    expected = Outcome(winner, value, (change[0], change[1]), carry, reason, end.card_points, end.tricks)
    assert outcome == expected


OPEN_CLAIMS = [
    # rule sets, points, tricks, winner, game points, reason
    (ALL, (66, 33), (4, 3), 0, 1, CLAIM),
    (ALL, (120, 65), (4, 3), 0, 1, CLAIM),
    (ALL, (66, 32), (4, 3), 0, 2, CLAIM),
    (ALL, (66, 0), (4, 1), 0, 2, CLAIM),
    (ALL, (66, 0), (4, 0), 0, 3, CLAIM),
    (ALL, (66, 66), (4, 3), 0, 1, CLAIM),
    (("sixty-six", "mariage", "sechsundsechzig", *SCHNAPSEN), (66, 90), (4, 3), 0, 1, CLAIM),
    (("sixty-six", "mariage", "sechsundsechzig", *SCHNAPSEN), (65, 40), (4, 3), 1, 2, FALSE_CLAIM),
    (("sixty-six", "mariage", "sechsundsechzig"), (65, 0), (4, 0), 1, 2, FALSE_CLAIM),
    (("sixty-six", "mariage", "sechsundsechzig"), (0, 0), (0, 0), 1, 2, FALSE_CLAIM),
    (SCHNAPSEN, (65, 0), (4, 0), 1, 3, FALSE_CLAIM),
    (SCHNAPSEN, (0, 0), (0, 0), 1, 3, FALSE_CLAIM),
    (SCHNAPSEN, (0, 90), (0, 3), 1, 2, FALSE_CLAIM),
    (("trump-change",), (65, 40), (4, 3), 1, 3, FALSE_CLAIM),
    (("trump-change",), (65, 90), (4, 3), 1, 3, FALSE_CLAIM),
    (("trump-change",), (0, 0), (0, 0), 1, 3, FALSE_CLAIM),
]

AT_33, UNDER_33, NO_TRICK = ((20, 33), (1, 2)), ((20, 32), (1, 2)), ((0, 0), (0, 0))

OWN_CLOSE_CLAIMS = [
    # rule sets, how both stood at the close, points, tricks, winner, game points, reason: seat 0 closed and claims
    (ALL, AT_33, (66, 33), (3, 2), 0, 1, CLAIM),
    (ALL, UNDER_33, (66, 32), (3, 2), 0, 2, CLAIM),
    (ALL, NO_TRICK, (66, 0), (3, 0), 0, 3, CLAIM),
    (("sixty-six", "mariage", "sechsundsechzig", "schnapsen", "trump-change"), UNDER_33, (66, 33), (3, 2), 0, 1, CLAIM),
    (("sixty-six", "mariage", "sechsundsechzig", "schnapsen", "trump-change"), NO_TRICK, (66, 32), (3, 1), 0, 2, CLAIM),
    (("sixty-six", "mariage", "sechsundsechzig", "schnapsen", "trump-change"), NO_TRICK, (66, 33), (3, 1), 0, 1, CLAIM),
    (("schnapsen-vienna",), UNDER_33, (66, 60), (3, 3), 0, 2, CLAIM),
    (("schnapsen-vienna",), NO_TRICK, (66, 60), (3, 3), 0, 3, CLAIM),
    (("schnapsen-vienna",), AT_33, (66, 33), (3, 2), 0, 1, CLAIM),
    (("sixty-six", "sechsundsechzig", *SCHNAPSEN), UNDER_33, (65, 40), (3, 3), 1, 2, FAILED),
    (("sixty-six", "sechsundsechzig", *SCHNAPSEN), NO_TRICK, (65, 40), (3, 3), 1, 3, FAILED),
    (("sixty-six", "sechsundsechzig", *SCHNAPSEN), UNDER_33, (0, 40), (0, 3), 1, 2, FAILED),
    (("mariage",), NO_TRICK, (65, 40), (3, 3), 1, 2, FAILED),
    (("mariage",), UNDER_33, (0, 40), (0, 3), 1, 3, FAILED),
    (("trump-change",), NO_TRICK, (65, 40), (3, 3), 1, 3, FALSE_CLAIM),
    (("trump-change",), UNDER_33, (65, 40), (3, 3), 1, 3, FALSE_CLAIM),
]

OTHER_CLOSE_CLAIMS = [
    # the same where seat 1 closed and seat 0 claims; the close is given as (seat 0, seat 1)
    (("sixty-six",), ((20, 30), (1, 2)), (66, 40), (3, 3), 0, 2, BEATEN),
    (("sixty-six",), ((0, 30), (0, 2)), (66, 40), (3, 3), 0, 2, BEATEN),
    (("sixty-six",), ((0, 0), (0, 0)), (66, 0), (3, 0), 0, 2, BEATEN),
    (("sechsundsechzig", *SCHNAPSEN), ((20, 30), (1, 2)), (66, 40), (3, 3), 0, 2, BEATEN),
    (("sechsundsechzig", *SCHNAPSEN), ((20, 0), (1, 0)), (66, 0), (3, 0), 0, 2, BEATEN),
    (("sechsundsechzig", *SCHNAPSEN), ((0, 30), (0, 2)), (66, 40), (3, 3), 0, 3, BEATEN),
    (("mariage",), ((0, 30), (0, 2)), (66, 40), (3, 3), 0, 2, BEATEN),
    (("mariage",), ((20, 0), (1, 0)), (66, 0), (3, 0), 0, 3, BEATEN),
    (("trump-change",), ((0, 30), (0, 2)), (66, 33), (3, 3), 0, 1, BEATEN),
    (("trump-change",), ((0, 30), (0, 2)), (66, 32), (3, 3), 0, 2, BEATEN),
    (("sixty-six", "mariage", "sechsundsechzig", *SCHNAPSEN), ((20, 30), (1, 2)), (65, 40), (3, 3), 1, 2, FALSE_CLAIM),
    (("trump-change",), ((20, 30), (1, 2)), (65, 40), (3, 3), 1, 3, FALSE_CLAIM),
    (SCHNAPSEN, ((40, 10), (3, 1)), (65, 0), (3, 0), 1, 3, FALSE_CLAIM),
]


@pytest.mark.parametrize(("names", "points", "tricks", "winner", "value", "reason"), OPEN_CLAIMS)
@pytest.mark.parametrize("carry", [0, 2])
def test_claims_in_an_open_deal(
    names: tuple[str, ...], points: Pair, tricks: Pair, winner: int, value: int, reason: Reason, carry: int
) -> None:
    for name in names:
        end = ending(RULE_SETS[name], points, tricks, carry=carry)
        check(claimed(end, 0), end, winner, value, reason)


@pytest.mark.parametrize(
    ("closer", "case"),
    [*((0, case) for case in OWN_CLOSE_CLAIMS), *((1, case) for case in OTHER_CLOSE_CLAIMS)],
)
@pytest.mark.parametrize("carry", [0, 1])
def test_claims_in_a_closed_deal(
    closer: int,
    case: tuple[tuple[str, ...], tuple[Pair, Pair], Pair, Pair, int, int, Reason],
    carry: int,
) -> None:
    names, stood, points, tricks, winner, value, reason = case
    for name in names:
        end = ending(RULE_SETS[name], points, tricks, Closing(closer, *stood), carry)
        check(claimed(end, 0), end, winner, value, reason)


@pytest.mark.parametrize("closing", [None, Closing(0, (0, 0), (0, 0)), Closing(1, (0, 0), (0, 0))])
@pytest.mark.parametrize("carry", [0, 1])
def test_trump_change_pays_nobody_if_the_other_has_more_than_66(closing: Closing | None, carry: int) -> None:
    end = ending(RULE_SETS["trump-change"], (90, 67), (4, 4), closing, carry)
    check(claimed(end, 0), end, None, 0, Reason.BOTH_OVER_66, carry=carry + 1)


UNCLAIMED = [
    # rule sets, closer (None: open) and his opponent's tricks at the close, points, tricks, last trick,
    # winner, game points, reason, how much the carry grows
    (("sixty-six", "sechsundsechzig"), None, 0, (109, 21), (10, 2), 0, 0, 1, HIGHER, 0),
    (("sixty-six", "sechsundsechzig"), None, 0, (21, 109), (2, 10), 0, 1, 1, HIGHER, 0),
    (("sixty-six", "sechsundsechzig"), None, 0, (130, 0), (12, 0), 0, 0, 1, HIGHER, 0),
    (("sixty-six", "sechsundsechzig"), None, 0, (65, 65), (6, 6), 1, None, 0, DRAW, 0),
    (("mariage",), None, 0, (109, 21), (10, 2), 0, None, 0, TIE, 1),
    (("mariage",), None, 0, (65, 65), (6, 6), 0, None, 0, TIE, 1),
    (("trump-change",), None, 0, (109, 21), (10, 2), 0, None, 0, DRAW, 0),
    (("schnapsen", "schnapsen-short"), None, 0, (60, 60), (5, 5), 0, 0, 1, LAST_TRICK, 0),
    (("schnapsen", "schnapsen-short"), None, 0, (20, 100), (5, 5), 0, 0, 1, LAST_TRICK, 0),
    (("schnapsen", "schnapsen-short"), None, 0, (87, 33), (5, 5), 0, 0, 1, LAST_TRICK, 0),
    (("schnapsen", "schnapsen-short"), None, 0, (32, 88), (5, 5), 1, 1, 2, LAST_TRICK, 0),
    (("schnapsen", "schnapsen-short"), None, 0, (120, 0), (10, 0), 0, 0, 3, LAST_TRICK, 0),
    (("schnapsen-vienna",), None, 0, (60, 60), (5, 5), 1, 1, 1, LAST_TRICK, 0),
    (("schnapsen-vienna",), None, 0, (120, 0), (10, 0), 0, 0, 1, LAST_TRICK, 0),
    (("sixty-six", "sechsundsechzig", *SCHNAPSEN), 0, 1, (65, 40), (4, 2), 0, 1, 2, FAILED, 0),
    (("sixty-six", "sechsundsechzig", *SCHNAPSEN), 0, 0, (65, 40), (4, 2), 0, 1, 3, FAILED, 0),
    (("sixty-six", "sechsundsechzig", *SCHNAPSEN), 0, 0, (80, 40), (4, 2), 1, 1, 3, FAILED, 0),
    (("sixty-six", "sechsundsechzig", *SCHNAPSEN), 1, 1, (40, 90), (4, 2), 1, 0, 2, FAILED, 0),
    (("mariage",), 0, 0, (65, 40), (4, 2), 0, 1, 2, FAILED, 0),
    (("mariage",), 0, 1, (0, 90), (0, 6), 1, 1, 3, FAILED, 0),
    (("mariage",), 0, 0, (66, 40), (4, 2), 0, None, 0, TIE, 1),
    (("mariage",), 1, 0, (70, 65), (4, 2), 0, 0, 2, FAILED, 0),
    (("trump-change",), 0, 0, (65, 40), (4, 2), 0, None, 0, DRAW, 0),
    (("trump-change",), 1, 1, (40, 90), (4, 2), 1, None, 0, DRAW, 0),
]


@pytest.mark.parametrize("case", UNCLAIMED)
@pytest.mark.parametrize("carry", [0, 2])
def test_deals_that_nobody_claims(
    case: tuple[tuple[str, ...], int | None, int, Pair, Pair, int, int | None, int, Reason, int], carry: int
) -> None:
    names, closer, other_tricks, points, tricks, last, winner, value, reason, grows = case
    closing = None
    if closer is not None:
        closing = Closing(closer, (0, 0), (1, other_tricks) if closer == 0 else (other_tricks, 1))
    for name in names:
        end = ending(RULE_SETS[name], points, tricks, closing, carry)
        check(unclaimed(end, last), end, winner, value, reason, carry=carry + grows if winner is None else 0)


FORFEITS = [
    # rule sets, tricks, closer and his opponent's tricks at the close, offender, game points
    ((*SCHNAPSEN, "sixty-six", "mariage", "sechsundsechzig"), (1, 1), None, 0, 0, 2),
    ((*SCHNAPSEN, "sixty-six", "mariage", "sechsundsechzig"), (3, 4), None, 0, 1, 2),
    (ALL, (0, 2), None, 0, 0, 3),
    (ALL, (0, 2), None, 0, 1, 3),
    (ALL, (0, 0), None, 0, 1, 3),
    ((*SCHNAPSEN, "sixty-six", "mariage", "sechsundsechzig"), (2, 2), 0, 1, 0, 2),
    (ALL, (2, 2), 0, 0, 0, 3),
    ((*SCHNAPSEN, "sixty-six", "mariage", "sechsundsechzig"), (2, 2), 0, 0, 1, 2),
    (("trump-change",), (4, 4), None, 0, 0, 3),
    (("trump-change",), (4, 4), 1, 2, 0, 3),
]


@pytest.mark.parametrize("case", FORFEITS)
@pytest.mark.parametrize("carry", [0, 1])
def test_forfeits(case: tuple[tuple[str, ...], Pair, int | None, int, int, int], carry: int) -> None:
    names, tricks, closer, other_tricks, offender, value = case
    closing = None
    if closer is not None:
        closing = Closing(closer, (0, 0), (2, other_tricks) if closer == 0 else (other_tricks, 2))
    for name in names:
        end = ending(RULE_SETS[name], (90, 90), tricks, closing, carry)
        check(forfeited(end, offender), end, 1 - offender, value, Reason.FORFEIT)


@pytest.mark.parametrize(("tricks", "value"), [((3, 3), 4), ((0, 3), 4), ((0, 0), 4)])
def test_a_forfeit_is_never_cheaper_than_the_rule_set_says(tricks: Pair, value: int) -> None:
    end = ending(replace(RULE_SETS["schnapsen"], forfeit=4), (0, 0), tricks)
    check(forfeited(end, 0), end, 1, value, Reason.FORFEIT)


def test_a_closer_without_penalty_draws_if_nobody_claims() -> None:
    rules = replace(RULE_SETS["sixty-six"], closer_fails=RULE_SETS["trump-change"].closer_fails)
    end = ending(rules, (40, 30), (3, 3), Closing(0, (0, 0), (0, 0)), carry=1)
    check(unclaimed(end, 0), end, None, 0, DRAW, carry=1)
