"""Answers with an action that is not set."""

from sixtysix.v1 import deal_pb2
from tests.misbehaving.raw import RawStream

stream = RawStream()
for decision in stream.decisions():
    command = stream.answer(decision)
    command.action.action.CopyFrom(deal_pb2.Action())
    stream.send(command)
