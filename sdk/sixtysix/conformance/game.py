"""A match of the bot against a script, on cards that are chosen for what they bring about."""

from collections.abc import Callable, Sequence
from itertools import chain
from random import Random
from typing import NamedTuple, Protocol

from sixtysix import wire
from sixtysix.conformance import clauses, messages
from sixtysix.conformance.clauses import Clause
from sixtysix.conformance.trial import Failed, Heard, Peer, Trial
from sixtysix.rules import CLOSE, DRAW, PASS, Action, Card, Deal, IllegalActionError, Match, RuleSet, Stage, View
from sixtysix.rules.ruleset import Leader
from sixtysix.timecontrol import TimeControl
from sixtysix.v1 import bot_service_pb2 as pb

CONTROL = TimeControl(ready_us=10_000_000, decision_us=5_000_000, bank_us=2_500_000, increment_us=50_000, lag_us=50_000)
"""Short enough for a bot that takes a share of its bank, long enough for a machine that is busy."""

Opponent = Callable[[Deal], Action]
"""The script: what the other seat does, in a deal in which it is on turn."""


def plain(deal: Deal) -> Action:
    """The first legal card; draws, and passes."""
    legal = deal.legal_actions()
    return PASS if PASS in legal else legal[0]


def leading(leads: Sequence[Card], *before: Action) -> Opponent:
    """Does each of `before` once, as soon as it may, and leads these cards in order; answers with the first legal."""
    wishes, cards = list(before), list(leads)

    def choose(deal: Deal) -> Action:
        legal = deal.legal_actions()
        if wishes and wishes[0] in legal:
            return wishes.pop(0)
        if deal.stage is Stage.LEAD and cards and cards[0] in legal:
            return cards.pop(0)
        return plain(deal)

    return choose


def shuffled(rules: RuleSet, text: str, dealer: int) -> Deal:
    """A deal whose cards follow from a text."""
    deck = list(rules.deck)
    Random(text).shuffle(deck)
    return Deal.from_deck(rules, deck, dealer)


def arranged(rules: RuleSet, dealer: int, hands: tuple[str, str], turn_up: str) -> Deal:
    """A deal with these hands, by seat, and the rest of the pack in its order as talon."""
    cards = tuple([Card.parse(text) for text in hand.split()] for hand in hands)
    trump = Card.parse(turn_up)
    rest = [card for card in rules.deck if card is not trump and card not in chain(*cards)]
    return Deal(rules, dealer, (cards[0], cards[1]), [trump, *rest] if rules.turn_up_on_top else rest, trump)


def dealer_for(rules: RuleSet, leader: int) -> int:
    """Who has to deal so that `leader` leads first."""
    return leader if rules.first_lead is Leader.DEALER else 1 - leader


class Introduced(Protocol):
    """Who plays: what it wishes is in its hello."""

    @property
    def hello(self) -> pb.Hello:
        """How it has introduced itself."""


class Asked(NamedTuple):
    """A decision as the bot was asked it."""

    view: View
    update: pb.Update


class Game:
    """One match: deals, asks the bot, checks its answers and plays the other seat.

    Args:
        match_id: of the match.
        rules: the rule set.
        seat: the bot's seat.
        opponent: plays the other seat.
        control: the clocks.
        deal_limit: deals after which the match is over.

    Attributes:
        asked: the decisions so far.
        deal: the present deal; None before the first.
    """

    def __init__(
        self,
        match_id: str,
        rules: RuleSet,
        seat: int = 0,
        opponent: Opponent = plain,
        control: TimeControl = CONTROL,
        deal_limit: int = 1,
    ) -> None:
        self.match_id = match_id
        self.rules = rules
        self.seat = seat
        self.opponent = opponent
        self.asked: list[Asked] = []
        self.deal: Deal | None = None
        self._control = control
        self._match = Match(rules, 0, deal_limit)
        self._bank_us = control.bank_us
        self._time_us = 0
        self._told = 0
        self._sent_ns = 0
        self._charge: pb.Charge | None = None

    @property
    def score(self) -> tuple[int, int]:
        """Score of the match, by seat."""
        return self._match.score[0], self._match.score[1]

    def offer(self, *, resumed: bool = False) -> pb.Update:
        """The offer of the match."""
        limit = self._match.deal_limit
        return messages.offered(self.match_id, self.rules, self.seat, "script", self._control, limit, resumed)

    def start(self, deal: Deal, number: int | None = None, score: tuple[int, int] | None = None) -> None:
        """Put a deal on the table: the next one or, of a match of which not all is played, this one at this score."""
        self.deal = deal
        self._told = 0
        if number is not None:
            self._match.deals = number - 1
        if score is not None:
            self._match.score[:] = score

    def opening(self, bot: Introduced) -> list[pb.Update]:
        """The start of the deal, and its events so far for a bot that wants them."""
        deal = self._playing()
        number = self._match.deals + 1
        commitment = bytes(32)
        begun = messages.deal_started(self.match_id, number, deal.dealer, self.seat, self.score, deal.carry, commitment)
        self._told = 0
        return [begun, *self.news(bot)]

    def advance(self, bot: Introduced) -> list[pb.Update]:
        """Play on until the bot has to decide or the deal is over; returns the events for a bot that wants them."""
        deal = self._playing()
        while not deal.over:
            if deal.turn != self.seat:
                deal.apply(self.opponent(deal))
            elif deal.stage is Stage.BEFORE_DRAW and not bot.hello.ask_before_draw:
                deal.apply(DRAW)
            else:
                break
        return self.news(bot)

    def view(self) -> View:
        """What the bot sees."""
        return View.of(self._playing(), self.seat, self.score, self._match.deals + 1)

    def decision(self) -> pb.Update:
        """Ask the bot what it does; it is on turn."""
        view = self.view()
        asked = pb.Decision(match_id=self.match_id, decision_id=len(self.asked) + 1, previous_charge=self._charge)
        cap_us = self._control.decision_us
        asked.clock.cap_us = cap_us if len(view.legal_actions) == 1 else min(cap_us, self._bank_us)
        asked.clock.bank_us = self._bank_us
        asked.clock.opponent_bank_us = self._control.bank_us
        wire.fill_decision(asked, view, wire.history_bytes(view.history))
        update = pb.Update(decision=asked)
        self.asked.append(Asked(view, update))
        return update

    def sent(self, sent_ns: int) -> None:
        """The decision went out at this time: the clock runs."""
        self._sent_ns = sent_ns

    def take(self, heard: Heard) -> Action:
        """Check the answer of the bot, its time too, and carry it out; raises Failed."""
        action = self.read(heard.command)
        self._charge_for(heard.arrived_ns, self.asked[-1].update.decision)
        self._playing().apply(action)
        return action

    def read(self, command: pb.Command) -> Action:
        """The action of an answer; raises Failed if it is none, or not legal."""
        deal, view = self._playing(), self.asked[-1].view
        legal = ", ".join(action.text for action in view.legal_actions)
        try:
            action = wire.read_action(command.action.action)
        except wire.WireError as error:
            raise Failed(clauses.ANSWER_IS_LEGAL, f"the answer is no action: {error}; legal: {legal}") from None
        try:
            deal.check(action)
        except IllegalActionError as error:
            problem = f"the answer {action.text!r} is not legal: {error}; legal: {legal}"
            raise Failed(clauses.ANSWER_IS_LEGAL, problem) from None
        return action

    def _charge_for(self, arrived_ns: int, decision: pb.Decision) -> None:
        elapsed_us = (arrived_ns - self._sent_ns) // 1000
        allowance_us = min(elapsed_us, self._control.lag_us)
        charged_us = elapsed_us - allowance_us
        if charged_us > decision.clock.cap_us:
            spent, cap = elapsed_us / 1e6, decision.clock.cap_us / 1e6
            raise Failed(clauses.LATE, f"the answer took {spent:.3f} s, where {cap:.3f} s were left")
        forced = len(decision.legal_actions) == 1
        if not forced:
            self._bank_us += self._control.increment_us - charged_us
            self._time_us += charged_us
        self._charge = pb.Charge(
            decision_id=decision.decision_id,
            elapsed_us=elapsed_us,
            allowance_us=allowance_us,
            charged_us=0 if forced else charged_us,
        )

    def deal_end(self) -> list[pb.Update]:
        """What ends the deal that is over and, if it was the last one, the match."""
        deal = self._playing()
        assert deal.outcome is not None
        number = self._match.deals + 1
        self._match.add(deal.outcome)
        ended = messages.deal_ended(self.match_id, number, deal, self.seat, self.score)
        if not self._match.over:
            return [ended]
        return [ended, messages.match_ended(self.match_id, self._match, self.seat, self._time_us)]

    @property
    def over(self) -> bool:
        """Has the match come to its end?"""
        return self._match.over

    def broken_off(self) -> pb.Update:
        """The end of a match that is not played to its end."""
        return messages.match_void(self.match_id)

    def news(self, bot: Introduced) -> list[pb.Update]:
        """The events that it has not been told yet, if it wants events."""
        deal = self._playing()
        assert deal.log is not None
        if not bot.hello.want_events:
            return []
        news = messages.events(self.match_id, deal, self.seat, self._told)
        self._told += len(news)
        return news

    def _playing(self) -> Deal:
        assert self.deal is not None
        return self.deal


def begin(trial: Trial, peer: Peer, *games: Game) -> None:
    """Offer matches and wait until the bot is ready for all of them."""
    peer.say(*(game.offer() for game in games))
    trial.ready(peer, [game.match_id for game in games])


def ask(
    trial: Trial,
    peer: Peer,
    game: Game,
    before: Sequence[pb.Update] = (),
    clause: Clause = clauses.ANSWER_REPEATS,
) -> Action:
    """Send a decision, after these updates, and carry out its answer, without which the bot fails by `clause`."""
    game.sent(peer.say(*before, game.decision()))
    return game.take(trial.answer(peer, clause))


def play_on(trial: Trial, peer: Peer, game: Game, before: Sequence[pb.Update] = ()) -> None:
    """Play the deal to its end, which is told too; `before` goes with the first message."""
    updates = [*before, *game.advance(peer)]
    while game.deal is not None and not game.deal.over:
        ask(trial, peer, game, updates)
        updates = game.advance(peer)
    peer.say(*updates, *game.deal_end())


def play_deal(trial: Trial, peer: Peer, game: Game, deal: Deal) -> None:
    """Play one deal from its start."""
    game.start(deal)
    play_on(trial, peer, game, game.opening(peer))


def closing_opponent(leads: str) -> Opponent:
    """Closes as soon as it may, and leads these cards."""
    return leading([Card.parse(text) for text in leads.split()], CLOSE)
