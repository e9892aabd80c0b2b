"""What must hold in every state that legal actions can reach; used by tests and by the arbiter's own checks."""

from sixtysix.rules.deal import Deal, Stage
from sixtysix.rules.errors import InvariantError
from sixtysix.rules.view import cards_of


def check(deal: Deal) -> None:
    """Raise InvariantError, naming what does not hold, if the state is impossible."""
    _check_cards(deal)
    _check_points(deal)
    _check_turn(deal)


def _expect(holds: bool, what: str) -> None:
    if not holds:
        raise InvariantError(what)


def _check_cards(deal: Deal) -> None:
    rules = deal.rules
    places = [*deal.hands[0], *deal.hands[1], *deal.talon[deal.drawn :], *cards_of(deal.played)]
    if deal.turn_up is not None and not rules.turn_up_on_top:
        places.append(deal.turn_up)
    _expect(sorted(places) == sorted(rules.deck), "every card of the pack is in exactly one place")
    for seat in (0, 1):
        held = set(deal.hands[seat])
        _expect(held.issuperset(cards_of(deal.shown[seat])), f"cards shown by seat {seat} are in its hand")
    on_table = 0 if deal.led is None else 1
    played = len(cards_of(deal.played))
    _expect(
        played == 2 * sum(deal.tricks) + on_table,
        "cards played are those of the tricks and the one on the table",
    )
    sizes = [len(hand) for hand in deal.hands]
    if deal.led is not None:
        sizes[deal.leader] += 1
    _expect(sizes[0] == sizes[1], "both hands have the same size between tricks")


def _check_points(deal: Deal) -> None:
    rules = deal.rules
    of_cards = sum(rules.tables.points[card] for card in cards_of(deal.played))
    if deal.led is not None:
        of_cards -= rules.tables.points[deal.led]
    all_played = not deal.hands[0] and not deal.hands[1]
    bonus = rules.last_trick_points if all_played and deal.closing is None else 0
    _expect(sum(deal.trick_points) == of_cards + bonus, "trick points are the points of the cards in tricks")
    allowed = {0, rules.marriage_points, rules.trump_marriage_points}
    _expect(deal.pending_marriage in allowed, "a waiting marriage has the points of a marriage")
    for seat in (0, 1):
        _expect(deal.tricks[seat] > 0 or deal.card_points(seat) == 0, "a player without a trick has no points")


def _check_turn(deal: Deal) -> None:
    over = deal.outcome is not None
    _expect(over == (deal.stage is Stage.OVER), "a deal is over when it has an outcome")
    _expect(over == (not deal.legal_actions()), "there is a legal action until the deal is over")
    legal = deal.legal_actions()
    _expect(len(set(legal)) == len(legal), "no action is listed twice")
    if deal.led is not None and not over:
        _expect(deal.turn != deal.leader, "with a card on the table the other player is on turn")
    if deal.stage in (Stage.LEAD, Stage.BEFORE_DRAW, Stage.LAST_CLAIM):
        _expect(deal.turn == deal.leader, "the leader is on turn")
