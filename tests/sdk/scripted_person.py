"""A person for tests: what he reads is kept, what he types comes from a function."""

import re
from collections.abc import Callable

from sixtysix.rules import Card

_CARD = re.compile(r"(?<!\w)(?:10|[ATKQJ9])[♣♦♥♠]")


class ScriptedTerminal:
    """Implements `sixtysix.human.terminal.Terminal`.

    Args:
        answer: called with all lines so far and the prompt; None stands for a deadline that has passed.

    Attributes:
        lines: what was shown, prompts with their answers among it.
        deadlines: those of all questions.
    """

    def __init__(self, answer: Callable[[list[str], str], str | None]) -> None:
        self.lines: list[str] = []
        self.deadlines: list[int | None] = []
        self._answer = answer

    def show(self, text: str = "") -> None:
        self.lines.append(text)

    def ask(self, prompt: str, deadline_us: int | None = None) -> str | None:
        self.deadlines.append(deadline_us)
        answer = self._answer(self.lines, prompt)
        self.lines.append(f"{prompt}{answer}")
        return answer

    @property
    def text(self) -> str:
        return "\n".join(self.lines)


def typing(*answers: str) -> ScriptedTerminal:
    """A person who types these lines, and then ends the input."""
    waiting = iter(answers)

    def answer(lines: list[str], prompt: str) -> str:
        for text in waiting:
            return text
        raise EOFError

    return ScriptedTerminal(answer)


def first_choice(lines: list[str], prompt: str) -> str:
    """A person who takes what is listed first, and says yes to every question."""
    return "y" if prompt.endswith("(y/n) ") else "1"


def cards_in(text: str) -> set[Card]:
    """The cards that a text names."""
    return {Card.parse(found) for found in _CARD.findall(text)}
