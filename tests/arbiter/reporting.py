"""A reporter that keeps what it is told."""

from collections.abc import Sequence

from arbiter.results import MatchSummary, Scoreboard
from sixtysix.rules import RuleSet


class KeepingReporter:
    def __init__(self) -> None:
        self.address = ""
        self.connected: list[str] = []
        self.awaited: list[str] = []
        self.ended: list[MatchSummary] = []
        self.notes: list[str] = []
        self.seconds: float | None = None

    def started(self, name: str, rules: RuleSet, scheduled: int, bots: Sequence[str], address: str) -> None:
        self.address = address

    def waiting(self, names: Sequence[str], address: str) -> None:
        self.awaited.extend(names)

    def bot_connected(self, name: str) -> None:
        self.connected.append(name)

    def match_ended(self, summary: MatchSummary, board: Scoreboard) -> None:
        self.ended.append(summary)

    def note(self, text: str) -> None:
        self.notes.append(text)

    def finished(self, board: Scoreboard, seconds: float) -> None:
        self.seconds = seconds
