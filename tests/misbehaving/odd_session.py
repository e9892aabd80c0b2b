"""Asks for a session whose name has other than ASCII characters."""

from sixtysix.v1 import bot_service_pb2 as pb
from tests.misbehaving.raw import HELLO, RawStream

first = RawStream()
first.send(HELLO)
for update in first.updates():
    if update.WhichOneof("update") == "welcome":
        break
hello = pb.Command()
hello.CopyFrom(HELLO)
hello.hello.resume_session_id = "Zirkel-Übung ♥"
stream = RawStream()
stream.send(hello)
for update in stream.updates():
    kind = update.WhichOneof("update")
    if kind == "match_offered":
        stream.send(pb.Command(ready=pb.Ready(match_id=update.match_offered.match_id)))
    elif kind == "decision":
        stream.send(stream.answer(update.decision))
