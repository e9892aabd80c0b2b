"""Sends 10,000 commands in one message with its first answers."""

from sixtysix.v1 import bot_service_pb2 as pb
from tests.misbehaving.raw import RawStream, wait_for_ever

stream = RawStream()
try:
    for number, decision in enumerate(stream.decisions(), start=1):
        junk = [pb.Command(ready=pb.Ready(match_id="no match"))] * 10_000 if number <= 3 else []
        stream.send(*junk, stream.answer(decision))
except Exception as error:
    print(error, flush=True)
wait_for_ever()
