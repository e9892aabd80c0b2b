"""What a seat has not seen makes no difference to anything that it is told."""

from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from sixtysix.rules import ACTIONS, Deal, Event, IllegalActionError, Stage, View
from sixtysix.rules.legality import why_illegal
from tests.rules.hiding_pairs import HidingPair, hiding_pair, seen_by
from tests.rules.playouts import Playout, playouts
from tests.rules.positions import deal_of, play


def log(deal: Deal, seat: int) -> list[Event]:
    assert deal.log is not None
    return deal.log[seat]


def refusals(deal: Deal) -> dict[str, str]:
    """The text of every refusal to the seat on turn, as the function gives it and as an error carries it."""
    texts = {}
    for action in ACTIONS:
        if action not in deal.legal_actions():
            texts[action.text] = why_illegal(deal, action)
            with pytest.raises(IllegalActionError) as caught:
                deal.apply(action)
            assert str(caught.value) == texts[action.text]
    return texts


def assert_indistinguishable(pair: HidingPair) -> None:
    first, second = pair.deals
    assert log(first, pair.seat) == log(second, pair.seat)
    ours, theirs = View.of(first, pair.seat, (3, 2), 4), View.of(second, pair.seat, (3, 2), 4)
    assert ours == theirs
    assert ours.history == theirs.history
    assert ours.legal_actions == theirs.legal_actions
    assert repr(ours) == repr(theirs)
    assert first.outcome == second.outcome
    if first.turn == pair.seat:
        assert refusals(first) == refusals(second)


@settings(max_examples=500)
@given(playouts(), st.integers(0, 1), st.integers(0, 1 << 32))
def test_two_deals_that_differ_in_hidden_cards_look_the_same(playout: Playout, seat: int, seed: int) -> None:
    pair = hiding_pair(playout, seat, Random(seed))
    assume(pair is not None)
    assert pair is not None
    assert pair.deals[0].hands[1 - seat] != pair.deals[1].hands[1 - seat] or _talon_differs(pair)
    assert_indistinguishable(pair)


def _talon_differs(pair: HidingPair) -> bool:
    first, second = pair.deals
    return first.talon[first.drawn :] != second.talon[second.drawn :]


@settings(max_examples=200)
@given(playouts("sixty-six"), st.integers(0, 1 << 32))
def test_the_closer_learns_nothing_from_the_exchange_offer(playout: Playout, seed: int) -> None:
    deal, _ = playout.play()
    assume(deal.closing is not None)
    assert deal.closing is not None
    pair = hiding_pair(playout, deal.closing.seat, Random(seed))
    assume(pair is not None)
    assert pair is not None
    assert_indistinguishable(pair)


@settings(max_examples=200)
@given(playouts(), st.integers(0, 1))
def test_a_view_knows_the_cards_seen_and_no_others(playout: Playout, seat: int) -> None:
    deal, done = playout.play()
    view = View.of(deal, seat)
    seen = seen_by(seat, playout.start(), done)
    assert set(view.unseen) == set(playout.rules.deck) - seen
    assert set(view.opponent_known) == seen & set(deal.hands[1 - seat])
    assert not set(view.unseen) & set(view.opponent_known)
    assert view.opponent_hand_size == len(deal.hands[1 - seat])


CLOSER = "AH KH QH AD TD AC"


@pytest.mark.parametrize("afterwards", ["pass", "pass, AC, KC", "pass, AC, KC, AH, TH"])
def test_passing_looks_the_same_whoever_has_the_nine(afterwards: str) -> None:
    holder = play(deal_of("sixty-six", CLOSER, "9S TH JH KD QD KC", "KS", "JD"), f"close, {afterwards}")
    other = play(deal_of("sixty-six", CLOSER, "JD TH JH KD QD KC", "KS", "9S"), f"close, {afterwards}")
    assert log(holder, 0) == log(other, 0)
    assert View.of(holder, 0) == View.of(other, 0)
    assert refusals(holder) == refusals(other)
    assert log(holder, 1) != log(other, 1)


def test_the_offer_itself_looks_the_same_to_the_closer() -> None:
    holder = play(deal_of("sixty-six", CLOSER, "9S TH JH KD QD KC", "KS", "JD"), "close")
    other = play(deal_of("sixty-six", CLOSER, "JD TH JH KD QD KC", "KS", "9S"), "close")
    assert holder.stage is other.stage is Stage.EXCHANGE_OFFER
    assert View.of(holder, 0) == View.of(other, 0)
    assert View.of(holder, 0).legal_actions == ()
    assert View.of(holder, 1).legal_actions != View.of(other, 1).legal_actions


def test_a_performed_exchange_is_seen() -> None:
    exchanged = play(deal_of("sixty-six", CLOSER, "9S TH JH KD QD KC", "KS", "JD"), "close, exchange")
    assert View.of(exchanged, 0).opponent_known == exchanged.rules.deck[20:21]
    assert [event.kind.name for event in View.of(exchanged, 0).history][-2:] == ["CLOSED", "EXCHANGED"]


@pytest.mark.parametrize("seat", [0, 1])
def test_a_view_is_not_changed_by_what_happens_later(seat: int) -> None:
    deal = deal_of("schnapsen", "AH KH QH AD TD", "TH JH JS KD QD", "KS")
    view, same = View.of(deal, seat), View.of(deal.copy(log=True), seat)
    play(deal, "AH, TH, claim")
    assert view == same
    assert len(view.history) == 2
