"""Answers every decision several times: the same again, another one, an old and a future one."""

from tests.misbehaving.raw import RawStream

stream = RawStream()
for decision in stream.decisions():
    right = stream.answer(decision)
    other = stream.answer(decision)
    other.action.action.CopyFrom(decision.legal_actions[-1])
    stream.send(
        stream.answer(decision, decision_id=max(1, decision.decision_id - 2)),
        stream.answer(decision, decision_id=decision.decision_id + 2),
        stream.answer(decision, match_id="no such match"),
        right,
        right,
        other,
    )
