"""From updates to the hooks of a bot and back to commands. No I/O: `sixtysix.client` moves both."""

import logging
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from random import Random
from typing import TypeVar

from sixtysix.bot import Bot, DealInfo, MatchInfo, MatchReport, Turn
from sixtysix.local import BotFault
from sixtysix.rules import Card, Clock, Move, RuleSet, View
from sixtysix.v1 import bot_service_pb2 as pb
from sixtysix.wire import (
    LaterVersionError,
    action_message,
    read_event,
    read_outcome,
    read_rule_set,
    read_seat,
    read_time_control,
    read_view,
)

_FAULTS = {
    pb.ACTION_STATUS_TOO_LATE: "too late",
    pb.ACTION_STATUS_ILLEGAL: "illegal",
    pb.ACTION_STATUS_MALFORMED: "malformed",
}
_WON = {pb.MATCH_RESULT_WON: True, pb.MATCH_RESULT_LOST: False}
_END_REASONS = {
    pb.MATCH_END_REASON_TARGET: "target",
    pb.MATCH_END_REASON_DEAL_LIMIT: "deal_limit",
    pb.MATCH_END_REASON_FORFEIT: "forfeit",
    pb.MATCH_END_REASON_VOID: "void",
}

_log = logging.getLogger(__name__)

T = TypeVar("T")


@dataclass(slots=True)
class _Match:
    """A match and how far its bot has been told of it; a new stream repeats the present deal."""

    bot: Bot
    rules: RuleSet
    seat: int
    deal_number: int = 0
    events_come: int = 0
    events_told: int = 0
    answered_id: int = 0
    answer: pb.Command | None = None


class Player:
    """All matches of a bot.

    Args:
        bot: the bot; each match is played by what its `for_match` returns.
        seed: with the id of a match it decides the bot's random numbers in that match.
        clock_us: the clock by which arrivals are told.

    Raises WireError for what the arbiter should not have sent, and BotFault if the bot raises an exception or
    returns something that is not a legal action.
    """

    def __init__(self, bot: Bot, seed: int, clock_us: Callable[[], int]) -> None:
        self._bot = bot
        self._seed = seed
        self._clock_us = clock_us
        self._matches: dict[str, _Match] = {}
        self._rules: dict[bytes, RuleSet] = {}
        self._open: dict[str, tuple[pb.Decision, int]] = {}

    def take(self, updates: Iterable[pb.Update], arrived_us: int) -> list[pb.Command]:
        """Follow updates in order; returns what can be said without thinking. Decisions wait for `decide`."""
        commands: list[pb.Command] = []
        for update in updates:
            match update.WhichOneof("update"):
                case "decision":
                    commands += self._decision(update.decision, arrived_us)
                case "event":
                    self._event(update.event)
                case "deal_started":
                    self._deal_started(update.deal_started)
                case "deal_ended":
                    self._deal_ended(update.deal_ended)
                case "match_offered":
                    commands += self._match_offered(update.match_offered)
                case "match_ended":
                    self._match_ended(update.match_ended)
                case "action_result":
                    self._action_result(update.action_result)
                case "welcome":
                    self._welcome(update.welcome)
                case "draining":
                    _log.info("the arbiter shuts down within %d s", update.draining.deadline_us // 1_000_000)
                case "error":
                    _log.warning("the arbiter could not carry out a command: %s", update.error.message)
        return commands

    def decide(self) -> list[pb.Command]:
        """Let the bot answer every open decision, all with one call."""
        if not self._open:
            return []
        asked = list(self._open.values())
        self._open.clear()
        now_us = self._clock_us()
        turns: list[Turn] = []
        for decision, arrived_us in asked:
            match = self._matches[decision.match_id]
            view = read_view(decision, match.rules)
            clock = view.clock
            if clock is not None:
                # The clock runs while the decision waits for others that came before it.
                cap_us = max(0, clock.cap_us - (now_us - arrived_us))
                view.clock = Clock(cap_us, clock.bank_us, clock.opponent_bank_us)
            turns.append(Turn(match.bot, view))
        commands = []
        for (decision, _), turn, action in zip(asked, turns, self._choose(turns), strict=True):
            # A number of the right value is not enough: it was meant as an index.
            if not isinstance(action, Card | Move) or action not in turn.view.legal_actions:
                raise BotFault(_illegal(decision.match_id, turn, action))
            answer = pb.ActionCommand(
                match_id=decision.match_id, decision_id=decision.decision_id, action=action_message(action)
            )
            command = pb.Command(action=answer)
            match = self._matches[decision.match_id]
            match.answered_id, match.answer = decision.decision_id, command
            commands.append(command)
        return commands

    def _choose(self, turns: Sequence[Turn]) -> list[object]:
        try:
            actions: list[object] = list(self._bot.choose_many(turns))
        except Exception as error:
            views = "\n".join(f"  {turn.view!r}, legal: {_listed(turn.view)}" for turn in turns)
            _log.exception("%s failed to choose, with this to decide:\n%s", self._bot.display_name, views)
            raise BotFault(_raised(self._bot, "choose", error)) from error
        if len(actions) != len(turns):
            name = self._bot.display_name
            raise BotFault(f"{name}: choose_many returned {len(actions)} actions for {len(turns)} decisions")
        return actions

    def _welcome(self, welcome: pb.Welcome) -> None:
        # What is still to be decided is sent again.
        self._open.clear()
        if not welcome.resumed:
            self._matches.clear()

    def _match_offered(self, offer: pb.MatchOffered) -> list[pb.Command]:
        match_id = offer.match_id
        if match_id not in self._matches:
            key = offer.rules.SerializeToString()
            rules = self._rules.get(key)
            if rules is None:
                rules = self._rules[key] = read_rule_set(offer.rules)
            seat = read_seat(offer.seat, "match_offered.seat")
            control = read_time_control(offer.time_control)
            bot = self._copy(match_id)
            self._matches[match_id] = _Match(bot, rules, seat)
            info = MatchInfo(match_id, rules, seat, offer.opponent_name, control, offer.deal_limit)
            self._tell(bot, "on_match_start", bot.on_match_start, info)
        return [pb.Command(ready=pb.Ready(match_id=match_id))]

    def _copy(self, match_id: str) -> Bot:
        try:
            return self._bot.for_match(Random(f"{self._seed}/{match_id}"))
        except Exception as error:
            _log.exception("%s failed in for_match", self._bot.display_name)
            raise BotFault(_raised(self._bot, "for_match", error)) from error

    def _deal_started(self, start: pb.DealStarted) -> None:
        match = self._matches[start.match_id]
        match.events_come = 0
        if start.deal_number == match.deal_number:
            return
        match.deal_number, match.events_told = start.deal_number, 0
        dealer = read_seat(start.dealer, "deal_started.dealer")
        info = DealInfo(start.deal_number, dealer, start.own_score, start.opponent_score, start.carry, start.commitment)
        self._tell(match.bot, "on_deal_start", match.bot.on_deal_start, info)

    def _event(self, happened: pb.MatchEvent) -> None:
        match = self._matches[happened.match_id]
        match.events_come += 1
        if match.events_come > match.events_told:
            match.events_told = match.events_come
            with suppress(LaterVersionError):
                self._tell(match.bot, "on_event", match.bot.on_event, read_event(happened.event))

    def _decision(self, decision: pb.Decision, arrived_us: int) -> list[pb.Command]:
        match = self._matches[decision.match_id]
        if match.answer is not None and match.answered_id == decision.decision_id:
            return [match.answer]
        self._open[decision.match_id] = decision, arrived_us
        return []

    def _action_result(self, result: pb.ActionResult) -> None:
        fault = _FAULTS.get(result.status)
        if fault is None:
            return
        if result.status == pb.ACTION_STATUS_TOO_LATE:
            self._open.pop(result.match_id, None)
        said = ": ".join(text for text in (result.message, result.consequence) if text)
        _log.warning("match %s, decision %d: %s (%s)", result.match_id, result.decision_id, fault, said)

    def _deal_ended(self, end: pb.DealEnded) -> None:
        self._open.pop(end.match_id, None)
        match = self._matches[end.match_id]
        with suppress(LaterVersionError):
            self._tell(match.bot, "on_deal_end", match.bot.on_deal_end, read_outcome(end.outcome, match.seat))

    def _match_ended(self, end: pb.MatchEnded) -> None:
        self._open.pop(end.match_id, None)
        match = self._matches.pop(end.match_id, None)
        if match is None:
            return
        report = MatchReport(
            _WON.get(end.result),
            _END_REASONS.get(end.reason, "unknown"),
            end.detail,
            end.own_score,
            end.opponent_score,
            end.own_time_us,
        )
        self._tell(match.bot, "on_match_end", match.bot.on_match_end, report)

    def _tell(self, bot: Bot, name: str, hook: Callable[[T], None], what: T) -> None:
        try:
            hook(what)
        except Exception as error:
            _log.exception("%s failed in %s, told %r", bot.display_name, name, what)
            raise BotFault(_raised(bot, name, error)) from error


def _raised(bot: Bot, where: str, error: Exception) -> str:
    return f"{bot.display_name}: {where} raised {type(error).__name__}: {error}"


def _listed(view: View) -> str:
    return ", ".join(str(action) for action in view.legal_actions)


def _illegal(match_id: str, turn: Turn, action: object) -> str:
    returned = f"returned {action!r} in match {match_id}, which is not a legal action"
    return f"{turn.bot.display_name} {returned}. {turn.view!r}; legal: {_listed(turn.view)}"
