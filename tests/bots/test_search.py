from itertools import islice
from random import Random

import pytest

from example_bots.search import Endgame, gain
from sixtysix.rules import CLAIM, RULE_SETS, Action, Deal, RuleSet, Stage, rule_set
from tests.bots.positions import is_endgame, random_deal, reached

# The trump changes of this rule set make the plain search slow.
MOST_CARDS = {"trump-change": 3}
DERIVED = [
    rule_set({"base": "trump-change", "both_over": "carry", "unclaimed": "higher-total", "last_claim": "closed"}),
    rule_set({"base": "schnapsen", "closed_duty": "none", "claim_points": 50}),
    rule_set({"base": "mariage", "marriage_any_lead": True, "marriage_needs_its_trick": True, "zero_sum": True}),
]


def plain_values(deal: Deal) -> dict[Action, int]:
    """The values by a search of all lines of play with the engine itself, without false claims."""
    seat, values = deal.turn, {}
    for action in deal.legal_actions():
        if action == CLAIM and deal.card_points(seat) < deal.rules.claim_points:
            continue
        after = deal.copy()
        after.apply(action)
        if after.outcome is not None:
            values[action] = gain(after.outcome, seat)
        else:
            best = max(plain_values(after).values())
            values[action] = best if after.turn == seat else -best
    return values


def small_endgames(rules: RuleSet, most_cards: int, seed: str, count: int) -> list[Deal]:
    def is_small(deal: Deal) -> bool:
        return is_endgame(deal) and max(len(hand) for hand in deal.hands) <= most_cards

    return list(islice(reached(rules, seed, is_small), count))


@pytest.mark.parametrize("rules", [*RULE_SETS.values(), *DERIVED], ids=lambda rules: rules.name)
def test_the_search_agrees_with_a_search_of_all_lines_of_play(rules: RuleSet) -> None:
    most_cards = MOST_CARDS.get(rules.name, 4)
    deals = [deal for cards in range(most_cards + 1) for deal in small_endgames(rules, cards, f"{cards}", 25)]
    for deal in deals:
        expected = plain_values(deal)
        endgame = Endgame(rules, deal.closing, deal.carry)
        assert endgame.values(deal) == expected
        best = max(expected.values())
        assert Endgame(rules, deal.closing, deal.carry).value(deal, deal.turn) == best
        assert endgame.value(deal, 1 - deal.turn) == -best


@pytest.mark.parametrize("name", ["schnapsen", "trump-change"])
def test_the_positions_compared_have_every_kind_of_decision(name: str) -> None:
    deals = [deal for cards in range(4) for deal in small_endgames(RULE_SETS[name], cards, f"{cards}", 25)]
    stages = {deal.stage for deal in deals}
    assert stages >= {Stage.LEAD, Stage.LAST_CLAIM}
    assert {deal.closing is None for deal in deals} == {True, False}
    followed = [deal.copy() for deal in deals if deal.stage is Stage.LEAD]
    for deal in followed:
        deal.apply(deal.hands[deal.turn][0])
        endgame = Endgame(deal.rules, deal.closing, deal.carry)
        assert deal.stage is Stage.FOLLOW
        assert endgame.values(deal) == plain_values(deal)


def test_one_search_serves_several_positions_of_a_deal() -> None:
    (deal,) = small_endgames(RULE_SETS["schnapsen"], 4, "shared", 1)
    shared = Endgame(deal.rules, deal.closing, deal.carry)
    while not deal.over:
        fresh = Endgame(deal.rules, deal.closing, deal.carry)
        values = fresh.values(deal)
        assert shared.values(deal) == values
        deal.apply(max(values, key=values.__getitem__))


def test_a_deal_with_cards_to_draw_has_no_exact_value() -> None:
    deal = random_deal(RULE_SETS["schnapsen"], Random(1))
    with pytest.raises(ValueError, match="before the last draw"):
        Endgame(deal.rules, deal.closing, deal.carry).value(deal, 0)
