from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sixtysix import wire
from sixtysix.rules import ACTIONS, RULE_SETS, Clock, Deal, Outcome, Reason, RuleSet, View, rule_set
from sixtysix.timecontrol import TimeControl
from sixtysix.v1 import bot_service_pb2, deal_pb2, rules_pb2
from tests.rules.hiding_pairs import hiding_pair
from tests.rules.playouts import Playout, playouts


def decision_bytes(deal: Deal, seat: int) -> bytes:
    """All that the seat is sent for a decision, as bytes."""
    view = View.of(deal, seat, (3, 5), 2)
    history = wire.history_bytes(view.history)
    decision = bot_service_pb2.Decision()
    wire.fill_decision(decision, view, history)
    return decision.SerializeToString(deterministic=True)


@given(playouts())
def test_a_view_is_the_same_at_the_other_end(playout: Playout) -> None:
    deal, _ = playout.play()
    if deal.over:
        return
    view = View.of(deal, deal.turn, (3, 5), 2)
    view.clock = Clock(1_000_000, 2_000_000, 3_000_000)
    decision = bot_service_pb2.Decision.FromString(decision_bytes(deal, deal.turn))
    clock = decision.clock
    clock.cap_us, clock.bank_us, clock.opponent_bank_us = view.clock
    read = wire.read_view(decision, playout.rules)
    assert read == view
    assert read.unseen == view.unseen


@given(playouts(), st.integers(0, 1), st.randoms(use_true_random=False))
def test_what_a_seat_cannot_tell_apart_is_the_same_on_the_wire(playout: Playout, seat: int, rng: object) -> None:
    pair = hiding_pair(playout, seat, rng)  # type: ignore[arg-type]  # hypothesis calls its Random a Random
    if pair is None:
        return
    first, second = pair.deals
    if first.over or first.turn != seat:
        logs = [[] if deal.log is None else deal.log[seat] for deal in pair.deals]
        sent = [[wire.event_message(event).SerializeToString() for event in log] for log in logs]
        assert sent[0] == sent[1]
        return
    assert decision_bytes(first, seat) == decision_bytes(second, seat)


@pytest.mark.parametrize("action", ACTIONS, ids=str)
def test_every_action_survives_the_wire(action: object) -> None:
    message = wire.action_message(action)  # type: ignore[arg-type]  # ids need plain objects
    assert wire.read_action(deal_pb2.Action.FromString(message.SerializeToString())) is action


@pytest.mark.parametrize(
    ("kind", "card", "suit", "named"),
    [
        (0, 0, 0, "action.kind: 0"),
        (0, 1, 0, "action.card"),
        (9, 0, 0, "action.kind: 9"),
        (1, 0, 0, "action.card: 0"),
        (1, 25, 0, "action.card: 25"),
        (1, 3, 2, "action.suit"),
        (2, 3, 0, "action.card"),
        (5, 0, 1, "action.suit"),
        (7, 0, 0, "action.suit: 0"),
        (7, 0, 5, "action.suit: 5"),
        (7, 4, 1, "action.card"),
        (8, 0, 9, "action.suit: 9"),
    ],
)
def test_an_action_that_is_none_is_refused(kind: int, card: int, suit: int, named: str) -> None:
    message = deal_pb2.Action(kind=kind, card=card, suit=suit)  # type: ignore[arg-type]  # unknown numbers
    with pytest.raises(wire.WireError, match=named):
        wire.read_action(message)


DERIVED = rule_set({"base": "schnapsen", "target": 5, "open_duty": "follow"})


@pytest.mark.parametrize("rules", [*RULE_SETS.values(), DERIVED], ids=lambda rules: rules.name)
def test_rule_sets_survive_the_wire(rules: RuleSet) -> None:
    data = wire.rule_set_message(rules).SerializeToString()
    read = wire.read_rule_set(rules_pb2.RuleSet.FromString(data))
    assert read == rules
    assert read.hash == rules.hash


def test_rules_that_are_not_what_their_hash_says_are_refused() -> None:
    message = wire.rule_set_message(RULE_SETS["schnapsen"])
    message.target = 9
    with pytest.raises(wire.WireError, match=r"rules\.hash"):
        wire.read_rule_set(message)


@pytest.mark.parametrize(
    ("field", "value", "named"),
    [("unclaimed", 99, "unclaimed: 99"), ("unclaimed", 0, "unclaimed: 0"), ("hand_size", 0, "hand_size")],
)
def test_rules_that_cannot_be_played_are_refused(field: str, value: int, named: str) -> None:
    message = wire.rule_set_message(RULE_SETS["schnapsen"])
    setattr(message, field, value)
    with pytest.raises(wire.WireError, match=named):
        wire.read_rule_set(message)


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("reason", Reason)
def test_outcomes_survive_the_wire(seat: int, reason: Reason) -> None:
    outcome = Outcome(1, 2, (-2, 3), 1, reason, (40, 66), (3, 4))
    for told in (outcome, outcome._replace(winner=None)):
        assert wire.read_outcome(wire.outcome_message(told, seat), seat) == told


def test_an_unknown_reason_is_refused() -> None:
    message = wire.outcome_message(Outcome(1, 2, (0, 2), 0, Reason.CLAIM, (40, 66), (3, 4)), 0)
    message.reason = 77  # type: ignore[assignment]  # an unknown number
    with pytest.raises(wire.WireError, match=r"outcome\.reason: 77"):
        wire.read_outcome(message, 0)


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"stage": 17}, "decision.stage: 17"),
        ({"seat": 0}, "observation.seat: 0"),
        ({"trump": 9}, "observation.trump: 9"),
        ({"hand": [1, 77]}, "observation.hand: 77"),
    ],
)
def test_a_decision_with_a_wrong_field_is_refused(change: dict[str, object], named: str) -> None:
    rules = RULE_SETS["schnapsen"]
    decision = bot_service_pb2.Decision.FromString(decision_bytes(Deal.from_deck(rules, rules.deck, 1), 0))
    for field, value in change.items():
        if field == "stage":
            decision.stage = value  # type: ignore[assignment]
        elif field == "hand":
            decision.observation.hand.extend(value)  # type: ignore[arg-type]
        else:
            setattr(decision.observation, field, value)
    with pytest.raises(wire.WireError, match=named):
        wire.read_view(decision, rules)


def test_time_controls_survive_the_wire() -> None:
    control = TimeControl(1, 2, 3, 4, 5)
    message = wire.time_control_message(control)
    assert wire.read_time_control(message) == control
    message.bank_us = 0
    with pytest.raises(wire.WireError, match="bank_us"):
        wire.read_time_control(message)
    assert replace(control, lag_us=0).lag_us == 0
