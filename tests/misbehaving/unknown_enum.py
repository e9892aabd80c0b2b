"""Answers with a kind of action that does not exist."""

from tests.misbehaving.raw import RawStream

stream = RawStream()
for decision in stream.decisions():
    command = stream.answer(decision)
    command.action.action.Clear()
    command.action.action.kind = 99  # type: ignore[assignment]
    stream.send(command)
