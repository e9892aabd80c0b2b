"""Sends a message of 1 MiB."""

from tests.misbehaving.raw import RawStream, wait_for_ever

stream = RawStream()
try:
    for decision in stream.decisions():
        command = stream.answer(decision)
        command.action.comment = "x" * (1 << 20)
        stream.send(command)
except Exception as error:
    print(error, flush=True)
wait_for_ever()
