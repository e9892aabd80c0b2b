"""When to write to a bot: at once, or a little later with more in the same message. Pure.

As in Nagle's algorithm: a bot that has nothing to answer is written to at once. While it has, what is for it is
gathered until it is as much as that, or for a moment. A bot that answers many decisions with one message, as the SDK's
bots do with many matches at once, takes them together anyway: for it, more is gathered until it has answered. So there
is one large message each way at a time, instead of many small ones.
"""

PATIENCE_S = 0.002
"""How long updates wait for others at most, while the bot has something to answer."""
LONG_PATIENCE_S = 0.02
"""The same for a bot that answers many at once."""
_MANY = 4


class Gathering:
    """Counts what one bot has to answer: decisions, offers and pings."""

    __slots__ = ("_at_once", "_overdue", "_unanswered")

    def __init__(self) -> None:
        self._unanswered = 0
        # Written before the patience was at its end the last time: nothing waits for these.
        self._overdue = 0
        self._at_once = 0

    @property
    def patience_s(self) -> float:
        """How long what is queued may wait."""
        return LONG_PATIENCE_S if self._answers_many else PATIENCE_S

    def is_enough(self, queued: int) -> bool:
        """Is it time to write so many updates?"""
        return not self._unanswered or (queued > self._unanswered and not self._answers_many)

    def written(self, asking: int) -> None:
        """A message has gone out; so many of its updates want an answer."""
        self._unanswered += asking

    def answered(self, commands: int) -> None:
        """A message has come in."""
        overdue = min(self._overdue, commands)
        self._overdue -= overdue
        self._unanswered = max(0, self._unanswered - (commands - overdue))
        # Single commands between the answers, such as to be ready for another match, do not count at once.
        self._at_once = max(commands, self._at_once // 2)

    def give_up(self) -> None:
        """The patience is at its end: whatever the bot has to answer, nothing waits for that again."""
        self._overdue += self._unanswered
        self._unanswered = 0

    @property
    def _answers_many(self) -> bool:
        return self._at_once >= _MANY
