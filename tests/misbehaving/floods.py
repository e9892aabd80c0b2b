"""Sends commands that mean nothing as fast as it can while it plays, and reads the answers."""

import threading
import time

from sixtysix.v1 import bot_service_pb2 as pb
from tests.misbehaving.raw import RawStream, wait_for_ever

stream = RawStream()
JUNK = [pb.Command(ready=pb.Ready(match_id="no match"))] * 100


def flood() -> None:
    while True:
        stream.send(*JUNK)
        while stream.backlog > 20:
            time.sleep(0.001)


try:
    for number, decision in enumerate(stream.decisions()):
        if number == 0:
            threading.Thread(target=flood, daemon=True).start()
        stream.send(stream.answer(decision))
except Exception as error:
    print(error, flush=True)
wait_for_ever()
