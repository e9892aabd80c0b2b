from itertools import islice
from random import Random

import pytest

from example_bots.counting_bot import CountingBot, sure_tricks
from example_bots.greedy_bot import GreedyBot
from example_bots.search import Endgame
from sixtysix.rules import RULE_SETS, Card, Deal, pretty
from tests.bots.positions import is_endgame, position, reached, view_of

SCHNAPSEN = RULE_SETS["schnapsen"]


def is_choice_with_the_talon_gone(deal: Deal) -> bool:
    return is_endgame(deal) and deal.closing is None and len(deal.legal_actions()) > 1


@pytest.mark.parametrize("name", ["schnapsen", "sixty-six", "mariage"])
def test_with_the_talon_gone_every_choice_is_exact(name: str) -> None:
    bot = CountingBot()
    greedy_errors = 0
    for deal in islice(reached(RULE_SETS[name], "exact", is_choice_with_the_talon_gone), 60):
        values = Endgame(deal.rules, None, deal.carry).values(deal)
        best = max(values.values())
        assert values[bot.choose(view_of(deal))] == best
        greedy_errors += values[GreedyBot().choose(view_of(deal))] < best
    assert greedy_errors > 0


@pytest.mark.parametrize(
    ("hand", "sure"),
    [
        ("AS TS JH AC TD", "A♠ 10♠ A♣"),  # two trumps against it, which two leads draw
        ("AS QS JH AC TD", "A♠"),  # two trumps against it, of which one may stay
        ("AS TS KS AC TC", "A♠ 10♠ K♠ A♣ 10♣"),
        ("QS JH JD AC TC", ""),
    ],
)
def test_sure_tricks(hand: str, sure: str) -> None:
    others = [card.text for card in SCHNAPSEN.deck if card.text not in ("JS", *hand.split())]
    deal = position(SCHNAPSEN, hand, " ".join(others[:5]), "JS", face_down=5)
    assert pretty(sure_tricks(view_of(deal))) == sure


def test_it_leads_the_sure_winner_that_is_enough() -> None:
    deal = position(SCHNAPSEN, "JH QH AS TD KD", "KC QC JC QD JD", "JS", face_down=5, points=(58, 20))
    assert CountingBot().lead(view_of(deal)) == Card.parse("AS")


@pytest.mark.parametrize(
    ("points", "expected"),
    [
        ((59, 58), "JH"),
        ((59, 59), "QS"),  # the trick brings seat 1, which follows, to 66
        ((60, 58), "QS"),  # it would bring seat 0 to 66
    ],
)
def test_following_it_counts_what_the_trick_is_worth(points: tuple[int, int], expected: str) -> None:
    deal = position(SCHNAPSEN, "KD QC JC TC AH", "JH AC QS KH TH", "KS", face_down=3, points=points)
    deal.apply(Card.parse("KD"))
    assert CountingBot().choose(view_of(deal)) == Card.parse(expected)


def test_a_closed_deal_with_few_hands_possible_is_searched() -> None:
    deal = position(SCHNAPSEN, "JH QH", "QD JD", "KS", face_down=1)
    deal.apply(next(action for action in deal.legal_actions() if str(action) == "close"))
    bot = CountingBot().for_match(Random(1))
    assert set(bot.exact_values(view_of(deal))) == {Card.parse("JH"), Card.parse("QH")}


def test_a_closed_deal_with_many_hands_possible_is_not() -> None:
    deal = position(SCHNAPSEN, "AS TS JH AC TD", "KC QC JC QD JD", "JS", face_down=5)
    deal.apply(next(action for action in deal.legal_actions() if str(action) == "close"))
    assert CountingBot().exact_values(view_of(deal)) == {}
