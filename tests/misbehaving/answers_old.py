"""Answers its first decision again and again."""

from tests.misbehaving.raw import RawStream

stream = RawStream()
decisions = stream.decisions()
first = next(decisions)
stream.send(stream.answer(first))
for _ in decisions:
    old = stream.answer(first)
    old.action.action.Clear()
    stream.send(old)
