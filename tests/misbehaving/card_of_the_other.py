"""Plays the card that the other has just led."""

from sixtysix.v1 import cards_pb2, deal_pb2
from tests.misbehaving.raw import RawStream

stream = RawStream()
for decision in stream.decisions():
    command = stream.answer(decision)
    led = decision.observation.led_card
    if led != cards_pb2.CARD_UNSPECIFIED:
        command.action.action.CopyFrom(deal_pb2.Action(kind=deal_pb2.ACTION_KIND_PLAY, card=led))
    stream.send(command)
