"""Which actions are legal, rule by rule, and why the others are not."""

from typing import NamedTuple

import pytest

from sixtysix.rules import parse_action
from tests.rules.positions import (
    ALL,
    ASKED_BEFORE_DRAWING,
    CHANGE,
    FIRST_HAS_LOWEST,
    LOWEST_IN_TALON,
    MANY_CHOICES,
    SCHNAPSEN,
    SECOND_HAS_LOWEST,
    TRICK,
    UNDER,
    advance,
    for_pack,
    legal,
    play,
    position,
    refuse,
)


class Case(NamedTuple):
    """After `moves`, which of the actions in question are legal, and why the others are not."""

    names: tuple[str, ...]
    hands: tuple[str, str]
    moves: str
    allowed: str = ""
    refused: str = ""
    reason: str = ""


CASES = {
    # exchange
    "needs a trick in the games with 24 cards": Case(
        UNDER, FIRST_HAS_LOWEST, "", refused="exchange", reason="the exchange needs a trick won"
    ),
    "needs none in schnapsen": Case(SCHNAPSEN, FIRST_HAS_LOWEST, "", allowed="exchange"),
    "with a trick, on lead": Case((*UNDER, *SCHNAPSEN), FIRST_HAS_LOWEST, TRICK, allowed="exchange"),
    "not in trump-change": Case(CHANGE, FIRST_HAS_LOWEST, TRICK, refused="exchange", reason="no exchange"),
    "only the lowest trump": Case(
        (*UNDER, *SCHNAPSEN), SECOND_HAS_LOWEST, TRICK, refused="exchange", reason="the lowest trump, is not"
    ),
    "once: the card is gone": Case(
        (*UNDER, *SCHNAPSEN), FIRST_HAS_LOWEST, f"{TRICK}, exchange", refused="exchange", reason="is not in the hand"
    ),
    "not after a marriage": Case(
        (*UNDER, *SCHNAPSEN), FIRST_HAS_LOWEST, f"{TRICK}, marriage H", refused="exchange", reason="after declaring"
    ),
    "not after closing": Case(
        (*UNDER, *SCHNAPSEN), FIRST_HAS_LOWEST, f"{TRICK}, close", refused="exchange", reason="talon was closed"
    ),
    "not by the follower": Case(
        ("sixty-six", "sechsundsechzig", *SCHNAPSEN), SECOND_HAS_LOWEST, "KH, TH, KD, AD, AH",
        refused="exchange", reason="only the player on lead may exchange",
    ),
    "but in mariage": Case(("mariage",), SECOND_HAS_LOWEST, "KH, TH, KD, AD, AH", allowed="exchange"),
    "with a trick there, too": Case(
        ("mariage",), SECOND_HAS_LOWEST, "AH", refused="exchange", reason="the exchange needs a trick won"
    ),
    "and the card there, too": Case(
        ("mariage",), LOWEST_IN_TALON, "KH, TH, KD, AD, AH", refused="exchange", reason="is not in the hand"
    ),
    # trump change
    "no other game has it": Case(
        (*UNDER, *SCHNAPSEN), FIRST_HAS_LOWEST, TRICK, refused="trump H, trump S", reason="no trump change"
    ),
    "a change needs a trick": Case(
        CHANGE, FIRST_HAS_LOWEST, "", refused="trump C, trump D, trump H", reason="needs a trick won"
    ),
    "a change to any other suit": Case(CHANGE, FIRST_HAS_LOWEST, TRICK, allowed="trump C, trump D, trump H"),
    "not to the present trump": Case(
        CHANGE, FIRST_HAS_LOWEST, TRICK, refused="trump S", reason="♠ is trump already"
    ),
    "a change needs the nine of trumps": Case(
        CHANGE, SECOND_HAS_LOWEST, TRICK, refused="trump H", reason="a trump change needs 9♠ in the hand"
    ),
    "of the present trump": Case(
        CHANGE, FIRST_HAS_LOWEST, f"{TRICK}, trump H", refused="trump S", reason="a trump change needs 9♥ in the hand"
    ),
    "a change in a closed deal": Case(CHANGE, FIRST_HAS_LOWEST, f"{TRICK}, close", allowed="trump H"),
    "no change after a marriage": Case(
        CHANGE, FIRST_HAS_LOWEST, f"{TRICK}, marriage H", refused="trump D", reason="after declaring a marriage"
    ),
    "no change by the follower": Case(
        CHANGE, FIRST_HAS_LOWEST, f"{TRICK}, AD", refused="trump H", reason="the trump is changed on lead"
    ),
    "the nine need not be led, a marriage may follow": Case(
        CHANGE, FIRST_HAS_LOWEST, f"{TRICK}, trump H", allowed="9S, KH, QH, AD, TD, marriage H, claim, close"
    ),
    # marriages
    "on the first lead": Case(ALL, FIRST_HAS_LOWEST, "", allowed="marriage H"),
    "both cards": Case(
        ALL, SECOND_HAS_LOWEST, "", refused="marriage D", reason="needs king and queen in the hand: K♦ Q♦ missing"
    ),
    "on lead": Case(ALL, FIRST_HAS_LOWEST, "AD", refused="marriage D", reason="a marriage is declared on lead"),
    "then its king or queen, a claim or a close": Case(
        ALL, FIRST_HAS_LOWEST, f"{TRICK}, marriage H", allowed="KH, QH, claim, close"
    ),
    "but no other card": Case(
        ALL, FIRST_HAS_LOWEST, f"{TRICK}, marriage H", refused="LS, AD", reason="its king or queen must be led"
    ),
    "one a lead": Case(
        ALL, MANY_CHOICES, "marriage H", refused="marriage D, marriage H", reason="one marriage a lead"
    ),
    "not after closing, in the games with 24 cards": Case(
        UNDER, FIRST_HAS_LOWEST, f"{TRICK}, close", refused="marriage H", reason="closed or exhausted"
    ),
    "also after closing, where any lead will do": Case(
        (*CHANGE, *SCHNAPSEN), FIRST_HAS_LOWEST, f"{TRICK}, close", allowed="marriage H"
    ),
    # closing
    "on the first lead, too": Case((*UNDER, *SCHNAPSEN), FIRST_HAS_LOWEST, "", allowed="close"),
    "in trump-change with a trick": Case(
        CHANGE, FIRST_HAS_LOWEST, "", refused="close", reason="closing needs a trick won"
    ),
    "with a trick everywhere": Case(ALL, FIRST_HAS_LOWEST, TRICK, allowed="close"),
    "not by the follower of a trick": Case(
        ALL, FIRST_HAS_LOWEST, "AH", refused="close", reason="only the player on lead may close"
    ),
    "not twice": Case(ALL, FIRST_HAS_LOWEST, f"{TRICK}, close", refused="close", reason="already closed"),
    # claiming, drawing, passing
    "a claim from the first lead on": Case(ALL, FIRST_HAS_LOWEST, "", allowed="claim"),
    "a claim after an exchange": Case(
        (*UNDER, *SCHNAPSEN), FIRST_HAS_LOWEST, f"{TRICK}, exchange", allowed="claim, close, marriage H"
    ),
    "a claim after a close": Case(ALL, FIRST_HAS_LOWEST, f"{TRICK}, close", allowed="claim"),
    "no claim with a card on the table": Case(
        ALL, FIRST_HAS_LOWEST, "AH", refused="claim", reason="no claim with a card on the table"
    ),
    "no drawing on lead": Case(
        ASKED_BEFORE_DRAWING, FIRST_HAS_LOWEST, TRICK, refused="draw", reason="only just after a trick"
    ),
    "no drawing at all": Case(
        ("sechsundsechzig", *SCHNAPSEN), FIRST_HAS_LOWEST, TRICK, refused="draw", reason="drawn by themselves"
    ),
    "nothing to pass": Case(ALL, FIRST_HAS_LOWEST, TRICK, refused="pass", reason="there is nothing to pass"),
    "the other hand": Case(ALL, FIRST_HAS_LOWEST, TRICK, refused="JH, KD", reason="is not in the hand"),
    "any card on an open talon": Case(
        (*UNDER, *SCHNAPSEN), FIRST_HAS_LOWEST, "AH", allowed="TH, JH, KD, QD, KC"
    ),
    "the suit led in trump-change": Case(CHANGE, FIRST_HAS_LOWEST, "AH", allowed="TH, JH"),
    "and no other": Case(
        CHANGE, FIRST_HAS_LOWEST, "AH", refused="KD, QD, KC, JC", reason="must follow suit: A♥ was led (10♥ J♥)"
    ),
}  # fmt: skip


@pytest.mark.parametrize(("name", "case"), [
    pytest.param(name, case, id=f"{what}: {name}") for what, case in CASES.items() for name in case.names
])  # fmt: skip
def test_what_is_legal(name: str, case: Case) -> None:
    deal = advance(position(name, case.hands), case.moves)
    for token in filter(None, case.allowed.split(", ")):
        assert parse_action(for_pack(name, token)) in deal.legal_actions(), token
    for token in filter(None, case.refused.split(", ")):
        refuse(deal, token, case.reason)


@pytest.mark.parametrize(
    ("names", "moves", "expected"),
    [
        (UNDER, TRICK, "9S, KH, QH, KD, QD, AC, claim, exchange, marriage D, marriage H, close"),
        (CHANGE, TRICK, "9S, KH, QH, KD, QD, KS, claim, marriage D, marriage H, trump C, trump D, trump H, close"),
        (SCHNAPSEN, "", "JS, KH, QH, KD, QD, claim, exchange, marriage D, marriage H, close"),
        (ALL, "marriage D", None),
    ],
)
def test_the_canonical_order_on_lead(names: tuple[str, ...], moves: str, expected: str | None) -> None:
    first, second = "LS KH QH KD QD | AH", "JH JD TD AD TC | TH"
    for name in names:
        deal = advance(position(name, (first, second), talon="AC JC"), moves)
        close = "" if name in CHANGE else ", close"
        assert legal(deal) == (expected or f"KD, QD, claim{close}")


def test_the_canonical_order_elsewhere() -> None:
    for name in ASKED_BEFORE_DRAWING:
        assert legal(play(position(name, FIRST_HAS_LOWEST), TRICK)) == "draw, close, claim"
    deal = advance(position("mariage", SECOND_HAS_LOWEST), "KH, TH, KD, AD, AH")
    assert legal(deal).endswith(", exchange")
    assert legal(play(position("sixty-six", SECOND_HAS_LOWEST), "close")) == "pass, exchange"
    assert legal(play(position("sixty-six", LOWEST_IN_TALON), "close")) == "pass"
