"""Breaks its connection off at every fifth decision, and comes back for the same decision."""

import time

from sixtysix.v1 import bot_service_pb2 as pb
from tests.misbehaving.raw import HELLO, RawStream

session, count = "", 0
broken_off: dict[str, int] = {}
while True:
    stream = RawStream()
    hello = pb.Command()
    hello.CopyFrom(HELLO)
    hello.hello.resume_session_id = session
    stream.send(hello)
    for update in stream.updates():
        kind = update.WhichOneof("update")
        if kind == "welcome":
            print("resumed" if update.welcome.resumed else "a new session", flush=True)
            session = update.welcome.session_id
        elif kind == "match_offered":
            stream.send(pb.Command(ready=pb.Ready(match_id=update.match_offered.match_id)))
        elif kind == "decision":
            decision = update.decision
            before = broken_off.pop(decision.match_id, None)
            if before is not None:
                print("the same decision" if decision.decision_id == before else "another decision", flush=True)
            else:
                count += 1
                if count % 5 == 0:
                    broken_off[decision.match_id] = decision.decision_id
                    break
            stream.send(stream.answer(decision))
    else:
        break
    stream.break_off()
    # The other end needs a moment to see it: whoever is faster has two connections for a moment.
    time.sleep(0.05)
