"""Answers decisions that it was not asked yet."""

from tests.misbehaving.raw import RawStream

stream = RawStream()
for decision in stream.decisions():
    stream.send(stream.answer(decision, decision_id=decision.decision_id + 2))
