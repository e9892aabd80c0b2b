"""Says good-bye in the middle of a match."""

from sixtysix.v1 import bot_service_pb2 as pb
from tests.misbehaving.raw import RawStream, wait_for_ever

stream = RawStream()
for _ in stream.decisions():
    stream.send(pb.Command(leave=pb.Leave(reason="no time any more")))
wait_for_ever()
