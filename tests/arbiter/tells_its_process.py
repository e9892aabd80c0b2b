"""Plays the first legal action that is no claim, and says in a comment which process it is."""

import os

from tests.misbehaving.raw import RawStream

CLAIM = 5

stream = RawStream()
for decision in stream.decisions():
    answer = stream.answer(decision, comment=f"{os.environ.get('SIXTYSIX_BOT_NAME', 'bob')} {os.getpid()}")
    action = next((legal for legal in decision.legal_actions if legal.kind != CLAIM), decision.legal_actions[0])
    answer.action.action.CopyFrom(action)
    stream.send(answer)
