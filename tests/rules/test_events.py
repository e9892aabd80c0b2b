"""Who is told what: one log for each seat."""

import pytest

from sixtysix.rules import CLAIM, Card, EventKind, Suit
from tests.rules.positions import (
    ALL,
    FIRST_HAS_LOWEST,
    SCHNAPSEN,
    SECOND_HAS_LOWEST,
    TRICK,
    UNDER,
    advance,
    cards,
    exhausted,
    play,
    position,
)

EVERY = pytest.mark.parametrize("name", ALL)


@EVERY
def test_a_hand_is_told_to_its_seat_only(name: str) -> None:
    deal = position(name, FIRST_HAS_LOWEST)
    assert deal.log is not None
    for seat in (0, 1):
        dealt, turned = deal.log[seat]
        assert dealt == (EventKind.DEALT, seat, tuple(deal.hands[seat]), None, 0)
        assert turned == (EventKind.TURNED_UP, deal.dealer, (Card.parse("KS"),), Suit.SPADES, 0)


@pytest.mark.parametrize("name", [*UNDER, *SCHNAPSEN])
def test_face_down_cards_are_told_to_who_draws_them(name: str) -> None:
    deal = advance(position(name, FIRST_HAS_LOWEST, talon="AC TC"), TRICK)
    assert deal.log is not None
    own, other = ([event for event in log if event.kind is EventKind.DREW] for log in deal.log)
    assert [(event.seat, event.cards) for event in own] == [(0, cards("AC")), (1, ())]
    assert [(event.seat, event.cards) for event in other] == [(0, ()), (1, cards("TC"))]


@EVERY
def test_the_turn_up_is_drawn_in_public(name: str) -> None:
    deal = exhausted(name)
    assert deal.log is not None
    for log in deal.log:
        assert [event.seat for event in log if event.kind is EventKind.DREW and event.cards == cards("KS")]


@EVERY
def test_what_happens_on_the_table_is_public(name: str) -> None:
    deal = advance(position(name, FIRST_HAS_LOWEST), f"{TRICK}, marriage H, close, KH")
    assert deal.log is not None
    kinds = (EventKind.PLAYED, EventKind.TRICK, EventKind.MARRIAGE, EventKind.CLOSED)
    first, second = ([event for event in log if event.kind in kinds] for log in deal.log)
    assert first == second
    assert first == [
        (EventKind.PLAYED, 0, cards("AH"), None, 0),
        (EventKind.PLAYED, 1, cards("TH"), None, 0),
        (EventKind.TRICK, 0, cards("AH TH"), None, 21),
        (EventKind.MARRIAGE, 0, cards("KH QH"), Suit.HEARTS, 20),
        (EventKind.CLOSED, 0, (), None, 0),
        (EventKind.PLAYED, 0, cards("KH"), None, 0),
    ]


def test_exchange_trump_change_and_claim_are_public() -> None:
    deal = advance(position("schnapsen", FIRST_HAS_LOWEST), "exchange, claim")
    assert deal.log is not None
    assert deal.log[0][2:] == deal.log[1][2:]
    assert deal.log[0][2:] == [
        (EventKind.EXCHANGED, 0, cards("JS KS"), None, 0),
        (EventKind.CLAIMED, 0, (), None, 0),
    ]
    deal = advance(position("trump-change", FIRST_HAS_LOWEST), f"{TRICK}, trump D")
    assert deal.log is not None
    assert deal.log[0][-1] == deal.log[1][-1] == (EventKind.TRUMP_CHANGED, 0, cards("9S"), Suit.DIAMONDS, 0)


def test_passing_the_exchange_is_private() -> None:
    deal = play(position("sixty-six", SECOND_HAS_LOWEST), "close, pass")
    assert deal.log is not None
    assert deal.log[0][-1] == (EventKind.CLOSED, 0, (), None, 0)
    assert deal.log[1][-1] == (EventKind.PASSED, 1, (), None, 0)


def test_a_copy_for_search_keeps_no_log() -> None:
    deal = advance(position("schnapsen", FIRST_HAS_LOWEST), TRICK)
    assert deal.copy().log is None
    assert deal.copy(log=True).log == deal.log
    play(deal.copy(), "claim")
    assert CLAIM in deal.legal_actions()
