"""A person as a bot: what a bot is told is shown, and what it has to decide is asked."""

from collections.abc import Sequence

from sixtysix.bot import Bot, DealInfo, MatchInfo, MatchReport
from sixtysix.commands import INTERRUPTED
from sixtysix.human.story import Story, claim_now, seconds
from sixtysix.human.table import Table, UnclearError, rules_in_short
from sixtysix.human.terminal import Look, Terminal, now_us
from sixtysix.rules import CLAIM, Action, Clock, Event, Outcome, View


class Left(SystemExit):
    """The person has left; ends the program with the exit status of an interrupt."""

    def __init__(self) -> None:
        super().__init__(INTERRUPTED)


class Person(Bot):
    """The bot whose moves a person makes.

    Args:
        terminal: where the person reads and types.
        look: how cards are written.
        rule_sets: those that the person wants to play, empty for all.
    """

    name = "human"
    max_concurrent_matches = 1
    ask_before_draw = True
    wants_events = True

    def __init__(self, terminal: Terminal, look: Look, rule_sets: tuple[str, ...] = ()) -> None:
        self.rule_sets = rule_sets
        self._terminal = terminal
        self._look = look

    def on_match_start(self, match: MatchInfo) -> None:
        """Show who plays what."""
        self._story = Story(self._look, match)
        self._terminal.show()
        self._show(self._story.match_start())
        self._terminal.show("Type a number or a card such as 10H; ? helps, q leaves.")

    def on_deal_start(self, deal: DealInfo) -> None:
        """Show the score."""
        self._terminal.show()
        self._show(self._story.deal_start(deal))

    def on_event(self, event: Event) -> None:
        """Show what happens."""
        self._show(self._story.event(event))

    def on_deal_end(self, outcome: Outcome) -> None:
        """Show how the deal ended."""
        self._show(self._story.outcome(outcome))

    def on_match_end(self, report: MatchReport) -> None:
        """Show the result."""
        self._terminal.show()
        self._show(self._story.match_end(report))

    def choose(self, view: View) -> Action:
        """Show the table and ask until the answer is clear; a single legal action needs no question."""
        if len(view.legal_actions) == 1:
            return view.legal_actions[0]
        deadline_us = None if view.clock is None else now_us() + view.clock.cap_us
        table = Table(self._story, view)
        self._terminal.show()
        self._show(table.lines())
        while True:
            text = self._ask(_prompt(view.clock if deadline_us is not None else None), deadline_us)
            if text is None:
                self._terminal.show("Your time is up: what you answer now is probably too late. Answer to go on.")
                deadline_us = None
            elif text == "?":
                self._show(rules_in_short(view.rules))
            elif text.lower() in ("q", "quit", "exit"):
                if self._agrees("Leave? What is not finished is lost.", deadline_us):
                    raise Left
            elif text:
                try:
                    action = table.read(text)
                except UnclearError as problem:
                    self._terminal.show(f"{problem} (? helps)")
                    continue
                if action != CLAIM or view.can_claim or self._agrees(self._false_claim(view), deadline_us):
                    return action

    def _false_claim(self, view: View) -> str:
        has, needs = view.own_card_points, view.rules.claim_points
        return f"You have {has} points, not {needs}: {self._story.claim(claim_now(view))}. Claim all the same?"

    def _agrees(self, question: str, deadline_us: int | None) -> bool:
        answer = self._ask(f"{question} (y/n) ", deadline_us)
        return answer is not None and answer.lower() in ("y", "yes")

    def _ask(self, prompt: str, deadline_us: int | None) -> str | None:
        try:
            text = self._terminal.ask(prompt, deadline_us)
        except EOFError:
            raise Left from None
        return None if text is None else text.strip()

    def _show(self, lines: Sequence[str]) -> None:
        for line in lines:
            self._terminal.show(line)


def _prompt(clock: Clock | None) -> str:
    if clock is None:
        return "your move: "
    return f"your move ({seconds(clock.cap_us)}, {seconds(clock.bank_us)} for the match): "
