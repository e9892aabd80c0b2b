"""Answers in the matches of others, before it answers in its own."""

from sixtysix.v1 import bot_service_pb2 as pb
from tests.misbehaving.raw import RawStream

OTHERS = ["003-01", "003-02"]

stream = RawStream()
for decision in stream.decisions():
    for match_id in OTHERS:
        stream.send(pb.Command(ready=pb.Ready(match_id=match_id)))
        stream.send(*(stream.answer(decision, match_id=match_id, decision_id=number) for number in range(1, 5)))
    stream.send(stream.answer(decision))
