"""Begins without a hello."""

from sixtysix.v1 import bot_service_pb2 as pb
from tests.misbehaving.raw import RawStream, wait_for_ever

stream = RawStream()
stream.send(pb.Command(ready=pb.Ready(match_id="001-01")))
try:
    for update in stream.updates():
        print(update)
except Exception as error:
    print(error, flush=True)
wait_for_ever()
