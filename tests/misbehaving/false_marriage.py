"""Declares a marriage that it does not hold."""

from sixtysix.v1 import cards_pb2, deal_pb2
from tests.misbehaving.raw import RawStream

stream = RawStream()
for decision in stream.decisions():
    held = {action.suit for action in decision.legal_actions if action.kind == deal_pb2.ACTION_KIND_MARRIAGE}
    other = next(suit for suit in cards_pb2.Suit.values() if suit and suit not in held)
    command = stream.answer(decision)
    command.action.action.CopyFrom(deal_pb2.Action(kind=deal_pb2.ACTION_KIND_MARRIAGE, suit=other))  # type: ignore[arg-type]
    stream.send(command)
