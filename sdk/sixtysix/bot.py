"""The interface of a bot: subclass `Bot`, write `choose`.

>>> class First(Bot):
...     def choose(self, view):
...         return view.legal_actions[0]
"""

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from random import Random
from typing import NamedTuple, Self

from sixtysix.rules import Action, Event, Outcome, RuleSet, View
from sixtysix.timecontrol import TimeControl


@dataclass(frozen=True, slots=True)
class MatchInfo:
    """What a bot is told when a match is offered.

    Attributes:
        match_id: identifier, unique in the tournament.
        rules: the whole rule set.
        seat: own seat.
        opponent: the other bot's name, empty if it is hidden.
        time_control: the clocks, or None where none run.
        deal_limit: deals after which the match is drawn.
    """

    match_id: str
    rules: RuleSet
    seat: int
    opponent: str
    time_control: TimeControl | None
    deal_limit: int


class DealInfo(NamedTuple):
    """What a bot is told when a deal starts.

    Attributes:
        number: number of the deal in the match, from 1.
        dealer: seat that deals.
        own_score, opponent_score: match score so far.
        carry: game points paid on top to the winner of this deal.
        commitment: SHA-256 that binds the arbiter to the deck, empty in local play.
    """

    number: int
    dealer: int
    own_score: int
    opponent_score: int
    carry: int
    commitment: bytes = b""


@dataclass(frozen=True, slots=True)
class MatchReport:
    """What a bot is told when a match has ended.

    Attributes:
        won: True, False, or None for a drawn or void match.
        reason: ``target``, ``deal_limit``, ``forfeit`` or ``void``.
        detail: a sentence, for instance what was forfeited and why.
        own_score, opponent_score: final score.
        own_time_us: microseconds charged to this bot in the match.
    """

    won: bool | None
    reason: str
    detail: str
    own_score: int
    opponent_score: int
    own_time_us: int = 0


class Turn(NamedTuple):
    """One decision that is due: the bot of that match and its view."""

    bot: "Bot"
    view: View


class Bot:
    """A player. Only `choose` has to be written.

    Each match is played by a shallow copy of the bot made by `for_match`: attributes set in `on_match_start` or later
    belong to that match alone, large tables made in ``__init__`` are shared by all.

    Attributes:
        name: shown in logs; in a tournament the organiser's name for the bot counts.
        version, author: free texts.
        rule_sets: names of the rule sets it can play; empty for all.
        max_concurrent_matches: how many matches it plays at once over one connection.
        ask_before_draw: be asked before drawing, where the rules allow closing then; otherwise cards are drawn.
        wants_events: call `on_event`; the view's history has the same events anyway.
        rng: random numbers of this match, reproducible from the seed; use them instead of `random`.
    """

    name: str = ""
    version: str = ""
    author: str = ""
    rule_sets: tuple[str, ...] = ()
    max_concurrent_matches: int = 64
    ask_before_draw: bool = False
    wants_events: bool = False
    rng: Random = Random(0)

    def choose(self, view: View) -> Action:
        """Return one of ``view.legal_actions``."""
        raise NotImplementedError(f"{type(self).__name__} needs a method choose(self, view)")

    def choose_many(self, turns: Sequence[Turn]) -> Sequence[Action]:
        """Answer decisions of several matches together, in order; override it to evaluate them in one batch."""
        return [turn.bot.choose(turn.view) for turn in turns]

    def on_match_start(self, match: MatchInfo) -> None:
        """A match was offered; the bot is ready when this returns."""

    def on_deal_start(self, deal: DealInfo) -> None:
        """A deal starts."""

    def on_event(self, event: Event) -> None:
        """Something happened that this seat may see; only with `wants_events`."""

    def on_deal_end(self, outcome: Outcome) -> None:
        """A deal has ended."""

    def on_match_end(self, report: MatchReport) -> None:
        """The match has ended."""

    def for_match(self, rng: Random) -> Self:
        """The bot that plays one match."""
        bot = copy(self)
        bot.rng = rng
        return bot

    @property
    def display_name(self) -> str:
        """`name`, or the name of the class."""
        return self.name or type(self).__name__
