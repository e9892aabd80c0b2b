"""What an arbiter says, made from the engine, for the tests of the client."""

from random import Random

from sixtysix import wire
from sixtysix.rules import Deal, Outcome, View, rule_set
from sixtysix.timecontrol import TimeControl
from sixtysix.v1 import bot_service_pb2 as pb

RULES = rule_set("schnapsen")
CONTROL = TimeControl(ready_us=5_000_000, decision_us=1_000_000, bank_us=30_000_000)


def new_deal(seed: int = 0) -> Deal:
    """A shuffled deal; seat 0 leads."""
    deck = list(RULES.deck)
    Random(seed).shuffle(deck)
    return Deal.from_deck(RULES, deck, dealer=1)


def welcome(session_id: str = "first", resumed: bool = False) -> pb.Update:
    return pb.Update(welcome=pb.Welcome(session_id=session_id, protocol_major=1, resumed=resumed))


def offered(match_id: str, seat: int = 0, resumed: bool = False) -> pb.Update:
    return pb.Update(
        match_offered=pb.MatchOffered(
            match_id=match_id,
            rules=wire.rule_set_message(RULES),
            seat=wire.seat_number(seat),
            opponent_name="other",
            time_control=wire.time_control_message(CONTROL),
            deal_limit=100,
            resumed=resumed,
        )
    )


def deal_started(match_id: str, number: int = 1) -> pb.Update:
    start = pb.DealStarted(
        match_id=match_id, deal_number=number, dealer=wire.seat_number(1), own_score=1, carry=2, commitment=b"c"
    )
    return pb.Update(deal_started=start)


def event(match_id: str, deal: Deal, index: int) -> pb.Update:
    happened = View.of(deal, 0).history[index]
    return pb.Update(event=pb.MatchEvent(match_id=match_id, event=wire.event_message(happened)))


def decision(match_id: str, decision_id: int, deal: Deal, cap_us: int = 1_000_000) -> pb.Update:
    view = View.of(deal, deal.turn)
    asked = pb.Decision(match_id=match_id, decision_id=decision_id)
    asked.clock.cap_us = cap_us
    asked.clock.bank_us = CONTROL.bank_us
    asked.clock.opponent_bank_us = CONTROL.bank_us
    wire.fill_decision(asked, view, wire.history_bytes(view.history))
    return pb.Update(decision=asked)


def deal_ended(match_id: str, outcome: Outcome, number: int = 1) -> pb.Update:
    end = pb.DealEnded(match_id=match_id, deal_number=number, outcome=wire.outcome_message(outcome, 0))
    return pb.Update(deal_ended=end)


def match_ended(match_id: str) -> pb.Update:
    end = pb.MatchEnded(
        match_id=match_id,
        result=pb.MATCH_RESULT_WON,
        reason=pb.MATCH_END_REASON_TARGET,
        own_score=7,
        opponent_score=3,
        own_time_us=12,
    )
    return pb.Update(match_ended=end)


def action_result(match_id: str, decision_id: int, status: pb.ActionStatus, message: str = "") -> pb.Update:
    result = pb.ActionResult(match_id=match_id, decision_id=decision_id, status=status, message=message)
    return pb.Update(action_result=result)


def ping(nonce: int) -> pb.Update:
    return pb.Update(ping=pb.Ping(nonce=nonce))


def finished(deal: Deal) -> Outcome:
    """Play a deal to its end with the first legal actions."""
    while deal.outcome is None:
        deal.apply(deal.legal_actions()[0])
    return deal.outcome


def kinds(commands: list[pb.Command]) -> list[str | None]:
    return [command.WhichOneof("command") for command in commands]
