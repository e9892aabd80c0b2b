"""What holds in every deal: random cards, random legal actions, all rule sets."""

from collections.abc import Callable
from copy import deepcopy

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sixtysix.rules import (
    ACTIONS,
    Deal,
    DealRecord,
    IllegalActionError,
    InvariantError,
    Outcome,
    Reason,
    Stage,
    parse_record,
    replay,
)
from sixtysix.rules.invariants import check
from sixtysix.rules.record import outcome_json
from tests.rules.playouts import Playout, playouts
from tests.rules.positions import deal_of, play
from tests.rules.slow_rules import Table

STATE = [name for name in Deal.__slots__ if name != "_legal"]


def state(deal: Deal) -> dict[str, object]:
    """Everything in a deal but the legal actions that it remembers."""
    return {name: deepcopy(getattr(deal, name)) for name in STATE}


@settings(max_examples=500)
@given(playouts())
def test_the_invariants_hold_after_every_action(playout: Playout) -> None:
    deal = playout.start()
    check(deal)
    for action in playout.moves(deal):
        deal.apply(action)
        check(deal)


@settings(max_examples=500)
@given(playouts())
def test_a_second_reading_of_the_rules_allows_the_same(playout: Playout) -> None:
    deal = playout.start()
    table = Table.of(deal)
    for action in playout.moves(deal):
        assert {legal.text for legal in deal.legal_actions()} == table.legal()
        assert len(set(deal.legal_actions())) == len(deal.legal_actions())
        deal.apply(action)
        table.do(action.text)
        assert (deal.stage.value, deal.turn) == (table.stage, table.turn)
        assert [{card.text for card in hand} for hand in deal.hands] == [set(hand) for hand in table.hands]
        assert (deal.tricks, [deal.card_points(0), deal.card_points(1)]) == (table.tricks, table.counting())


@given(playouts())
def test_the_replay_of_its_record_ends_where_the_deal_ended(playout: Playout) -> None:
    deal, done = playout.play()
    record = DealRecord.of(playout.start(), done, id="x")
    assert replay(parse_record(record.to_json())) == {"id": "x", **outcome_json(deal)}
    trace = replay(record, trace=True)["trace"]
    assert len(trace) == len(done) + (not deal.over)
    assert all(action.text in step["legal"] for action, step in zip(done, trace, strict=False))


@given(playouts(), st.integers(0, 1 << 16))
def test_copies_are_independent(playout: Playout, choice: int) -> None:
    deal, _ = playout.play()
    before = state(deal)
    for log in (False, True):
        copy = deal.copy(log=log)
        assert state(copy) == {**before, "log": before["log"] if log else None}
        assert copy.legal_actions() == deal.legal_actions()
        while not copy.over:
            legal = copy.legal_actions()
            copy.apply(legal[choice % len(legal)])
        assert state(deal) == before


@settings(max_examples=300)
@given(playouts())
def test_illegal_actions_leave_the_state_untouched(playout: Playout) -> None:
    deal, _ = playout.play()
    before = state(deal)
    legal = deal.legal_actions()
    for action in ACTIONS:
        if action not in legal:
            with pytest.raises(IllegalActionError):
                deal.apply(action)
    assert state(deal) == before
    assert deal.legal_actions() == legal


@given(playouts())
def test_a_log_grows_only_and_is_the_same_for_both_but_for_what_is_private(playout: Playout) -> None:
    deal = playout.start()
    for action in playout.moves(deal):
        assert deal.log is not None
        before = tuple(list(log) for log in deal.log)
        deal.apply(action)
        for seat in (0, 1):
            assert deal.log[seat][: len(before[seat])] == before[seat]
        hidden = [
            event for seat in (0, 1) for event in deal.log[seat] if event not in deal.log[1 - seat]
        ]  # fmt: skip
        assert {event.kind.name for event in hidden} <= {"DEALT", "DREW", "PASSED"}


@given(playouts())
def test_a_deal_uses_the_deck_from_top_to_bottom(playout: Playout) -> None:
    deal, rules = playout.start(), playout.rules
    assert deal.turn_up is not None
    hands, deck = [list(hand) for hand in deal.hands], []
    for number, size in enumerate((*rules.packets, 0)):
        if number == rules.turn_up_after:
            deck.append(deal.turn_up)
        for seat in (1 - deal.dealer, deal.dealer):
            deck += hands[seat][:size]
            del hands[seat][:size]
    assert hands == [[], []]
    assert tuple(deck) + deal.talon[rules.turn_up_on_top :] == playout.deck


def middle() -> Deal:
    """A deal in which something can go wrong: a card on the table, a trick won, a marriage shown."""
    return play(deal_of("schnapsen", "AH KH QH AD TD", "TH JH JS KD QD", "KS"), "AH, TH, marriage H, KH")


def test_the_state_to_be_spoilt_is_good() -> None:
    check(middle())


def give_away(deal: Deal) -> None:
    deal.hands[0].append(deal.hands[1][0])


def lose(deal: Deal) -> None:
    deal.hands[0].pop()


def draw_alone(deal: Deal) -> None:
    deal.hands[0].append(deal.talon[deal.drawn])
    deal.drawn += 1


def show_what_is_not_held(deal: Deal) -> None:
    deal.shown[0] = 1 << deal.hands[1][0]


def play_from_the_hand(deal: Deal) -> None:
    deal.played |= 1 << deal.hands[0].pop()


def find_a_point(deal: Deal) -> None:
    deal.trick_points[0] += 1


def wait_for_odd_points(deal: Deal) -> None:
    deal.pending_marriage = 30


def end_without_outcome(deal: Deal) -> None:
    deal.stage = Stage.OVER


def win_without_end(deal: Deal) -> None:
    deal.outcome = Outcome(0, 1, (1, 0), 0, Reason.CLAIM, (66, 33), (3, 2))


def follow_oneself(deal: Deal) -> None:
    deal.turn = deal.leader


def lead_out_of_turn(deal: Deal) -> None:
    deal.led, deal.stage = None, Stage.LEAD


@pytest.mark.parametrize(
    ("spoil", "what"),
    [
        (give_away, "every card of the pack is in exactly one place"),
        (lose, "every card of the pack is in exactly one place"),
        (draw_alone, "both hands have the same size"),
        (show_what_is_not_held, "cards shown by seat 0 are in its hand"),
        (play_from_the_hand, "cards played are those of the tricks"),
        (find_a_point, "trick points are the points of the cards in tricks"),
        (wait_for_odd_points, "a waiting marriage has the points of a marriage"),
        (end_without_outcome, "a deal is over when it has an outcome"),
        (win_without_end, "a deal is over when it has an outcome"),
        (follow_oneself, "with a card on the table the other player is on turn"),
        (lead_out_of_turn, "cards played are those of the tricks"),
    ],
)
def test_a_spoilt_state_is_noticed(spoil: Callable[[Deal], None], what: str) -> None:
    deal = middle()
    spoil(deal)
    with pytest.raises(InvariantError, match=what):
        check(deal)
