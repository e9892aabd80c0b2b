"""Seats without bots or sockets, in virtual time."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from random import Random

import trio

from arbiter.policy import Fault
from arbiter.seat import DealStart, MatchEnd, Offer, Question, Reply, SeatGoneError
from sixtysix.rules import CLAIM, Action, Deal, Event, Outcome, RuleSet, View

Choice = Action | Reply | SeatGoneError
Chooser = Callable[[Question], Choice]
Answered = Callable[[Reply | SeatGoneError], None]


def honest(seed: int = 0) -> Chooser:
    """Random legal actions, and claims only when they are correct."""
    rng = Random(seed)

    def choose(question: Question) -> Choice:
        view = question.view
        if view.can_claim:
            return CLAIM
        return rng.choice([action for action in view.legal_actions if action is not CLAIM] or [CLAIM])

    return choose


def scripted(first: Sequence[Choice | None], then: Chooser) -> Chooser:
    """The given answers in order (None: an honest one), then the others."""
    script: Iterator[Choice | None] = iter(first)

    def choose(question: Question) -> Choice:
        choice = next(script, None)
        return then(question) if choice is None else choice

    return choose


@dataclass
class FakeSeat:
    """A seat that answers by a function after a fixed time, and keeps all that it was told."""

    name: str
    choose: Chooser = field(default_factory=honest)
    think_us: int = 1_000
    stall_us: int = 0
    round_trip_us: int | None = None
    ask_before_draw: bool = False
    gone: bool = False
    ready_fault: SeatGoneError | None = None
    offers: list[Offer] = field(default_factory=list)
    starts: list[DealStart] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    questions: list[Question] = field(default_factory=list)
    refusals: list[tuple[int, Fault, str, str]] = field(default_factory=list)
    deal_ends: list[tuple[int, Outcome, tuple[int, int]]] = field(default_factory=list)
    match_ends: list[MatchEnd] = field(default_factory=list)

    async def get_ready(self, offer: Offer) -> None:
        self.offers.append(offer)
        await trio.sleep(0.001)
        if self.ready_fault is not None:
            raise self.ready_fault

    def start_deal(self, start: DealStart) -> None:
        self.starts.append(start)

    def see(self, events: Sequence[Event]) -> None:
        self.events.extend(events)

    def ask(self, question: Question, answer: Answered) -> None:
        self.questions.append(question)
        trio.lowlevel.spawn_system_task(self._think, question, answer)

    async def _think(self, question: Question, answer: Answered) -> None:
        await trio.sleep(self.think_us / 1e6)
        answer(self._reply(question))

    def _reply(self, question: Question) -> Reply | SeatGoneError:
        choice = self.choose(question)
        if isinstance(choice, SeatGoneError):
            self.gone = True
            return choice
        if isinstance(choice, Reply):
            return choice
        if self.think_us - self.stall_us > question.limit_us:
            return Reply(None, question.limit_us + 1)
        return Reply(choice, self.think_us, self.stall_us)

    def refuse(self, decision_id: int, fault: Fault, message: str, consequence: str) -> None:
        self.refusals.append((decision_id, fault, message, consequence))

    def end_deal(self, number: int, outcome: Outcome, score: tuple[int, int]) -> None:
        self.deal_ends.append((number, outcome, score))

    def end_match(self, end: MatchEnd) -> None:
        self.match_ends.append(end)

    @property
    def views(self) -> list[View]:
        return [question.view for question in self.questions]


class SeededShoe:
    """Decks from a seed."""

    def __init__(self, rules: RuleSet, seed: int = 0) -> None:
        self._rules = rules
        self._seed = seed

    def deal(self, number: int, dealer: int, carry: int) -> tuple[Deal, bytes, bytes]:
        deck = list(self._rules.deck)
        Random(f"{self._seed}/{number}").shuffle(deck)
        return Deal.from_deck(self._rules, deck, dealer, carry), bytes(16), bytes(32)


class FixedShoe:
    """One deal, over and over."""

    def __init__(self, deal: Deal) -> None:
        self._deal = deal

    def deal(self, number: int, dealer: int, carry: int) -> tuple[Deal, bytes, bytes]:
        return self._deal.copy(log=True), bytes(16), bytes(32)
