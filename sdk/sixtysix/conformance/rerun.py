"""Asks a bot the decisions of recorded deals. What it answers is compared and changes nothing."""

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from sixtysix.bot import Bot
from sixtysix.client import hello_of
from sixtysix.conformance import clauses
from sixtysix.conformance.game import Game
from sixtysix.conformance.recorded import RecordedDeal
from sixtysix.conformance.server import FINE
from sixtysix.conformance.trial import Failed, Peer, Trial
from sixtysix.link import monotonic_us
from sixtysix.player import Player
from sixtysix.rules import DEAL_LIMIT, DRAW, Action, Stage, View
from sixtysix.timecontrol import TimeControl
from sixtysix.v1 import bot_service_pb2 as pb

BANK_CAPS = 60
"""The bank that the bot is shown, in caps of a decision."""


class Seat(Protocol):
    """The bot that is asked."""

    @property
    def hello(self) -> pb.Hello:
        """How it has introduced itself."""

    def tell(self, updates: Sequence[pb.Update]) -> None:
        """Say something that asks for nothing."""

    def offer(self, update: pb.Update, match_id: str) -> None:
        """Offer a match and wait until the bot is ready."""

    def ask(self, updates: Sequence[pb.Update]) -> tuple[pb.Command, int]:
        """Say something that ends with a decision; returns the answer and the microseconds that it took."""


class LocalSeat:
    """A bot in this process, which is what a debugger likes best; goes through the same messages.

    Raises BotFault if it fails.
    """

    def __init__(self, bot: Bot, seed: int) -> None:
        self.hello = hello_of(bot)
        self._player = Player(bot, seed, monotonic_us)

    def tell(self, updates: Sequence[pb.Update]) -> None:
        """Say something."""
        self._player.take(updates, monotonic_us())

    def offer(self, update: pb.Update, match_id: str) -> None:
        """Offer a match; it is ready when this returns."""
        self._player.take([update], monotonic_us())

    def ask(self, updates: Sequence[pb.Update]) -> tuple[pb.Command, int]:
        """Let it choose."""
        self._player.take(updates, monotonic_us())
        started_ns = time.perf_counter_ns()
        (command,) = self._player.decide()
        return command, (time.perf_counter_ns() - started_ns) // 1000


class RemoteSeat:
    """A bot in a process of its own. It is not pinged: one that stands at a breakpoint could not answer.

    Raises Failed if it goes away or breaks the protocol.
    """

    def __init__(self, trial: Trial) -> None:
        self._trial = trial
        self._peer: Peer = trial.accept()
        self.hello = self._peer.hello
        trial.welcome(self._peer)

    def tell(self, updates: Sequence[pb.Update]) -> None:
        """Say something."""
        self._peer.say(*updates)

    def offer(self, update: pb.Update, match_id: str) -> None:
        """Offer a match and wait until it is ready."""
        self._peer.say(update)
        self._trial.ready(self._peer, [match_id])

    def ask(self, updates: Sequence[pb.Update]) -> tuple[pb.Command, int]:
        """Send it all in one message and wait, for as long as it takes."""
        sent_ns = self._peer.say(*updates)
        heard = self._trial.answer(self._peer)
        return heard.command, (heard.arrived_ns - sent_ns) // 1000

    def finish(self) -> None:
        """Tell it that all is over, and let it end."""
        self._peer.end(FINE)


@dataclass(frozen=True, slots=True)
class Choice:
    """A decision of a record, put to the bot.

    Attributes:
        match, deal: where it is.
        index: of the action in the record, from 0.
        view: what the seat saw.
        recorded: what was played; None where the deal was lost by a fault instead.
        chosen: what the bot plays; None if it was not asked, or if its answer is not legal.
        problem: why `chosen` is None; else empty.
        elapsed_us: microseconds that the bot took.
    """

    match: str
    deal: int
    index: int
    view: View
    recorded: Action | None
    chosen: Action | None
    problem: str
    elapsed_us: int

    @property
    def free(self) -> bool:
        """Was there a choice?"""
        return len(self.view.legal_actions) > 1

    @property
    def differs(self) -> bool:
        """Does the bot play otherwise?"""
        return self.chosen is None or self.chosen is not self.recorded

    @property
    def recorded_text(self) -> str:
        """What was played, for people."""
        return "a forfeit" if self.recorded is None else self.recorded.text


def rerun(deals: Iterable[RecordedDeal], seat: int, bot: Seat, cap_us: int) -> Iterator[Choice]:
    """Ask every decision of `seat`, in order."""
    control = TimeControl(ready_us=cap_us, decision_us=cap_us, bank_us=BANK_CAPS * cap_us)
    game: Game | None = None
    before: RecordedDeal | None = None
    for number, recorded in enumerate(deals, start=1):
        if game is None or game.over or not recorded.follows(before):
            if game is not None and not game.over:
                bot.tell([game.broken_off()])
            # A match may occur twice in the file, and once only on a stream.
            rules = recorded.record.rules
            game = Game(f"{recorded.match}#{number}", rules, seat, control=control, deal_limit=DEAL_LIMIT)
            bot.offer(game.offer(), game.match_id)
        yield from _deal(recorded, game, bot)
        before = recorded if game.deal is not None and game.deal.over else None
    if game is not None and not game.over:
        bot.tell([game.broken_off()])


def _deal(recorded: RecordedDeal, game: Game, bot: Seat) -> Iterator[Choice]:
    deal = recorded.record.deal()
    game.start(deal, recorded.number, recorded.score)
    updates = game.opening(bot)
    forfeited = () if recorded.forfeit is None else (None,)
    for index, action in enumerate((*recorded.actions, *forfeited)):
        # The arbiter draws for a bot that does not wish to be asked.
        drawn = action is DRAW and not bot.hello.ask_before_draw
        if deal.turn == game.seat and not deal.over and not drawn:
            choice, updates = _ask(recorded, index, action, game, bot, updates)
            yield choice
        if action is not None:
            deal.apply(action)
        elif recorded.forfeit is not None and not deal.over:
            deal.forfeit(recorded.forfeit)
        updates += game.news(bot)
    if deal.over:
        updates += game.deal_end()
    if updates:
        bot.tell(updates)


def _ask(
    recorded: RecordedDeal, index: int, action: Action | None, game: Game, bot: Seat, updates: list[pb.Update]
) -> tuple[Choice, list[pb.Update]]:
    """One decision, and the updates that are still to be sent."""
    view = game.view()
    chosen, problem, elapsed_us = None, "not asked: the bot does not wish to be asked before drawing", 0
    if view.stage is not Stage.BEFORE_DRAW or bot.hello.ask_before_draw:
        command, elapsed_us = bot.ask([*updates, game.decision()])
        updates = []
        try:
            chosen, problem = game.read(command), ""
        except Failed as failure:
            if failure.clause is not clauses.ANSWER_IS_LEGAL:
                raise
            problem = str(failure)
    return Choice(recorded.match, recorded.number, index, view, action, chosen, problem, elapsed_us), updates
