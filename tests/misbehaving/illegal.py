"""Plays a card that it does not hold."""

from sixtysix.v1 import cards_pb2, deal_pb2
from tests.misbehaving.raw import RawStream

stream = RawStream()
for decision in stream.decisions():
    held = set(decision.observation.hand)
    other = next(card for card in cards_pb2.Card.values() if card and card not in held)
    command = stream.answer(decision)
    command.action.action.CopyFrom(deal_pb2.Action(kind=deal_pb2.ACTION_KIND_PLAY, card=other))  # type: ignore[arg-type]
    stream.send(command)
