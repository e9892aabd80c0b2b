"""Ends its process at the beginning of the second deal, when nothing may have been asked."""

import os

from sixtysix.v1 import bot_service_pb2 as pb
from tests.misbehaving.raw import HELLO, RawStream

stream = RawStream()
stream.send(HELLO)
for update in stream.updates():
    kind = update.WhichOneof("update")
    if kind == "match_offered":
        stream.send(pb.Command(ready=pb.Ready(match_id=update.match_offered.match_id)))
    elif kind == "decision":
        stream.send(stream.answer(update.decision))
    elif kind == "deal_started" and update.deal_started.deal_number == 2:
        os._exit(4)
