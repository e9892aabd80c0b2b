"""Speaks another version of the protocol."""

from sixtysix.v1 import bot_service_pb2 as pb
from tests.misbehaving.raw import RawStream, wait_for_ever

stream = RawStream()
stream.send(pb.Command(hello=pb.Hello(protocol_major=2)))
try:
    for update in stream.updates():
        print(update)
except Exception as error:
    print(error, flush=True)
wait_for_ever()
