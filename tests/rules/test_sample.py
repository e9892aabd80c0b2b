"""Sampled states: they look like the true one to the seat that samples, and every true one can come out."""

from collections import Counter
from math import comb
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sixtysix.rules import RULE_SETS, Card, Deal, Sampler, View, rule_set, sample
from sixtysix.rules.invariants import check
from tests.rules.playouts import Playout, pick, playouts
from tests.rules.positions import cards, deal_of, play


def looks_like(state: Deal, view: View) -> bool:
    """Is the state's view the same, but for the history that a state does not keep?"""
    again = View.of(state, view.seat, _score(view), view.deal_number)
    names = [name for name in View.__slots__ if not name.startswith("_")]
    return all(getattr(again, name) == getattr(view, name) for name in names)


def _score(view: View) -> tuple[int, int]:
    score = (view.own_score, view.opponent_score)
    return score if view.seat == 0 else (score[1], score[0])


def unknown(deal: Deal, view: View) -> frozenset[Card]:
    """The cards in the other hand that the view's seat cannot know."""
    return frozenset(deal.hands[view.opponent]) - set(view.opponent_known)


def draws(deal: Deal, seat: int, count: int = 300, seed: int = 1) -> list[Deal]:
    sampler, random = Sampler(View.of(deal, seat)), Random(seed)
    return [sampler.sample(random) for _ in range(count)]


@settings(max_examples=300)
@given(playouts(), st.integers(0, 1), st.integers(0, 1 << 32))
def test_samples_are_possible_and_look_like_the_true_state(playout: Playout, seat: int, seed: int) -> None:
    deal, _ = playout.play(unfinished=True)
    view, random = View.of(deal, seat, (4, 6), 3), Random(seed)
    sampler = Sampler(view)
    for _ in range(3):
        state = sampler.sample(random)
        check(state)
        assert looks_like(state, view)
        while not state.over:
            state.apply(pick(state, random))
            check(state)


@settings(max_examples=200)
@given(playouts(), st.integers(0, 1), st.integers(0, 1 << 32))
def test_the_true_hand_is_among_those_that_fit_and_samples_are_too(playout: Playout, seat: int, seed: int) -> None:
    deal, random = playout.start(), Random(seed)
    for action in playout.moves(deal):
        view = View.of(deal, seat)
        wanted = view.opponent_hand_size - len(view.opponent_known)
        if comb(len(view.unseen), wanted) <= 1500:
            sampler = Sampler(view)
            fitting = [frozenset(hand) for hand in sampler.hands()]
            assert len(set(fitting)) == len(fitting)
            assert unknown(deal, view) in fitting
            assert unknown(sampler.sample(random), view) in fitting
            state = sampler.state(next(sampler.hands()), random)
            assert unknown(state, view) == fitting[0]
            check(state)
            assert looks_like(state, view)
        deal.apply(action)


def test_the_same_seed_gives_the_same_sample() -> None:
    view = View.of(deal_of("schnapsen", "AH KH QH AD TD", "TH JH JS KD QD", "KS"), 0)
    first, second, third = (sample(view, Random(seed)) for seed in (5, 5, 6))
    assert (first.hands, first.talon) == (second.hands, second.talon)
    assert (first.hands, first.talon) != (third.hands, third.talon)


# After `moves`, which cards may the other hand hold of those given, as seat 0 sees it, and which surely not?
CONSTRAINTS = {
    "not trumped: neither the suit nor trumps": (
        "schnapsen", "AH KH QH AD TD", "JC KC QC TC QD", "KS", "close, AH, JC", "KC QC TC AC QD", "TH JH AS TS JS QS",
    ),
    "trumped: not the suit": (
        "schnapsen", "AH KH QH AD TD", "JS KC QC TC QD", "KS", "close, AH, JS", "KC AS TS QD", "TH JH",
    ),
    "not headed: no higher card of the suit": (
        "schnapsen", "KH QH AD TD AC", "JH KC QC TC QD", "KS", "close, KH, JH", "KC AS QD", "AH TH",
    ),
    "headed: any other of the suit": (
        "schnapsen", "KH QH AD TD AC", "TH JH QC TC QD", "KS", "close, KH, TH", "AH JH AS QD", "",
    ),
    "a trump not headed: no higher trump": (
        "schnapsen", "QS QH AD TD AC", "JS JH QC TC QD", "KS", "close, QS, JS", "AH QD", "AS TS",
    ),
    "a trump not followed: no trump": (
        "schnapsen", "QS QH AD TD AC", "JD JH QC TC QD", "KS", "close, QS, JD", "AH QD", "AS TS JS",
    ),
    "open talon: nothing is known": (
        "schnapsen", "AH KH QH AD TD", "JC KC QC TC QD", "KS", "AH, JC", "TH JH AS TS JS QS KC", "",
    ),
    "trump change, open talon: the suit may come back with the card drawn": (
        "trump-change", "AH KH QH AD TD AC", "JC KC QC TC QD KD", "KS", "AH, JC, draw", "TH JH 9H AS", "",
    ),
    "before the draw it cannot": (
        "trump-change", "AH KH QH AD TD AC", "JC KC QC TC QD KD", "KS", "AH, JC", "AS KC", "TH JH 9H",
    ),
    "closed before the draw it never will": (
        "trump-change", "AH KH QH AD TD AC", "JC KC QC TC QD KD", "KS", "AH, JC, close", "AS KC", "TH JH 9H",
    ),
    "a card of a suit not followed later was not there at the first time either": (
        "trump-change", "AH KH QH AD TD AC", "JC KC QC TC QD KD", "KS", "AH, JC, draw, KH, KC", "AS", "TH JH 9H",
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", CONSTRAINTS)
def test_what_the_duties_rule_out(what: str) -> None:
    rules, first, second, turn_up, moves, possible, impossible = CONSTRAINTS[what]
    deal = play(deal_of(rules, first, second, turn_up), moves)
    held: Counter[Card] = Counter()
    for state in draws(deal, seat=0):
        held.update(state.hands[1])
    assert all(held[card] for card in cards(possible)), held
    assert not any(held[card] for card in cards(impossible)), held


def test_what_was_trump_when_a_player_did_not_trump_is_what_he_lacks() -> None:
    rules = rule_set({"base": "trump-change", "closed_duty": "head"})
    deal = deal_of(rules, "9S AH KC TD AD QC", "JC TH QH KH AC TC", "KS")
    play(deal, "AH, TH, close, AD, JC, trump C")
    held: Counter[Card] = Counter()
    for state in draws(deal, seat=0):
        held.update(state.hands[1])
    assert all(held[card] for card in cards("AC TC 9C KH"))
    assert not any(held[card] for card in cards("JD QD AS TS JS"))


def test_one_card_drawn_since_brings_one_card_of_the_suit() -> None:
    deal = play(deal_of("trump-change", "AH KH QH AD TD AC", "JC KC QC TC QD KD", "KS"), "AH, JC, draw")
    hearts = Counter(sum(card.suit.letter == "H" for card in state.hands[1]) for state in draws(deal, seat=0))
    assert set(hearts) == {0, 1}


def test_cards_shown_stay_until_they_are_played() -> None:
    deal = play(deal_of("schnapsen", "KC QC AC TD JD", "TC KH QH JS TH", "KS"), "KC, TC, marriage H, KH, QC")
    for state in draws(deal, seat=0, count=50):
        assert Card.parse("QH") in state.hands[1]
    assert View.of(deal, 0).opponent_known == cards("QH")


def test_an_exchanged_turn_up_is_in_the_hand_and_the_lowest_trump_in_its_place() -> None:
    deal = play(deal_of("schnapsen", "KC QC AC TD JD", "TC KH QH JS TH", "AS"), "KC, TC, exchange")
    for state in draws(deal, seat=0, count=50):
        assert Card.parse("AS") in state.hands[1]
        assert state.turn_up is Card.parse("JS")


@pytest.mark.parametrize("moves", ["close", "close, pass", "close, pass, AC, KC"])
def test_the_exchange_offer_tells_who_is_asked_that_the_nine_is_in_the_talon(moves: str) -> None:
    deal = play(deal_of("sixty-six", "AH KH QH AD TD AC", "JD TH JH KD QD KC", "KS", "9S"), moves)
    for state in draws(deal, seat=1):
        assert Card.parse("9S") in state.talon[state.drawn :]


@pytest.mark.parametrize("moves", ["close, AC", "close, AC, KC, AH"])
def test_no_offer_tells_that_the_closer_has_the_nine(moves: str) -> None:
    deal = play(deal_of("sixty-six", "AH KH 9S AD TD AC", "JD TH JH KD QD KC", "KS"), moves)
    for state in draws(deal, seat=1):
        assert Card.parse("9S") in state.hands[0]
    assert all(Card.parse("9S") in hand for hand in Sampler(View.of(deal, 1)).hands())


def test_the_closer_is_told_nothing_about_the_nine() -> None:
    deal = play(deal_of("sixty-six", "AH KH QH AD TD AC", "JD TH JH KD QD KC", "KS", "9S"), "close, pass")
    held = Counter(Card.parse("9S") in state.hands[1] for state in draws(deal, seat=0))
    assert held[True] > 0
    assert held[False] > 0


def few_unknown() -> Deal:
    """A closed deal in which seat 0 does not know the five cards of the other hand, out of eight."""
    first, second = "AH TH AD TD AC", "KH QH KD QD KC"
    deal = deal_of("schnapsen", first, second, "KS", "TC QC AS TS QS JS JH JD JC")
    return play(deal, "AH, KH, TH, QH, AD, KD, close")


def test_all_hands_that_fit_are_equally_likely() -> None:
    deal = few_unknown()
    view = View.of(deal, 0)
    hands = [frozenset(hand) for hand in Sampler(view).hands()]
    rounds = 200
    seen = Counter(unknown(state, view) for state in draws(deal, 0, rounds * len(hands)))
    assert len(hands) == comb(len(view.unseen), view.opponent_hand_size)
    assert set(seen) == set(hands)
    # A count has a standard deviation of about 14: five of them, since there are many counts.
    assert all(abs(count - rounds) < 70 for count in seen.values()), seen


def constrained() -> tuple[Deal, int]:
    """A deal, and a seat for which some but not all choices of a few unknown cards fit what it has seen."""
    for seed in range(1000):
        playout = Playout(RULE_SETS["trump-change"], seed, dealer=0)
        deal = playout.start()
        for action in playout.moves(deal):
            view = View.of(deal, deal.turn)
            choices = comb(len(view.unseen), view.opponent_hand_size - len(view.opponent_known))
            hands = list(Sampler(view).hands()) if choices < 300 else []
            # Each unknown card is in some hand, so what does not fit is a matter of when cards were drawn.
            if 10 <= len(hands) < choices and {card for hand in hands for card in hand} == set(view.unseen):
                return deal, deal.turn
            deal.apply(action)
    raise AssertionError("no such deal")


def test_constrained_hands_are_equally_likely_too() -> None:
    deal, seat = constrained()
    view = View.of(deal, seat)
    hands = list(map(frozenset, Sampler(view).hands()))
    seen = Counter(unknown(state, view) for state in draws(deal, seat, 200 * len(hands)))
    assert set(seen) == set(hands)
    assert all(abs(count - 200) < 70 for count in seen.values()), seen


def test_the_rest_of_the_talon_comes_in_any_order() -> None:
    deal = deal_of("schnapsen", "AH TH AD TD AC", "KH QH KD QD KC", "KS")
    tops = Counter(state.talon[0] for state in draws(deal, 0, 2800))
    assert set(tops) == set(View.of(deal, 0).unseen)
    assert all(abs(count - 200) < 70 for count in tops.values()), tops
