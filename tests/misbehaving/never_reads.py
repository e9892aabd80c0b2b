"""Has the arbiter answer without end, and reads none of the answers."""

import time

from sixtysix.v1 import bot_service_pb2 as pb
from tests.misbehaving.raw import RawStream

stream = RawStream()
next(stream.decisions())
JUNK = [pb.Command(ready=pb.Ready(match_id="x" * 200))] * 20
while True:
    stream.send(*JUNK)
    while stream.backlog > 20:
        time.sleep(0.001)
