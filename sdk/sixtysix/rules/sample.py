"""Full states that are consistent with a view: what search by determinisation builds on.

What a seat knows of the other hand: cards shown and not yet played, and what the duties rule out. A player who did
not follow suit had no card of it; cards drawn later may be of that suit again, so every fact is kept with its time.
"""

from collections.abc import Iterator
from itertools import combinations
from random import Random

from sixtysix.rules.cards import CARD_COUNT, Card
from sixtysix.rules.deal import Deal, Stage
from sixtysix.rules.events import EventKind
from sixtysix.rules.ruleset import Duty
from sixtysix.rules.view import View

_TRIES = 20
_NEVER = 1 << 30


class Sampler:
    """Draws full states consistent with one view; make it once for many samples.

    The view needs its history: without one, only the cards shown constrain the samples.
    """

    def __init__(self, view: View) -> None:
        self.view = view
        facts = _Facts(view)
        self._facts = facts
        unseen = view.unseen
        self._certain = tuple(card for card in unseen if card is facts.certain)
        self._wanted = view.opponent_hand_size - len(view.opponent_known) - len(self._certain)
        self._pool = [card for card in unseen if facts.released[card] < facts.draws and card not in self._certain]
        self._never_held = [card for card in unseen if facts.released[card] >= facts.draws]
        self._check = any(facts.released[card] >= 0 for card in self._pool)

    def sample(self, rng: Random) -> Deal:
        """A full state; all choices of the other hand that fit are equally likely."""
        hand = self._hand(rng)
        rest = [card for card in self._pool if card not in hand] + self._never_held
        rng.shuffle(rest)
        return _state(self.view, hand, rest)

    def hands(self) -> Iterator[tuple[Card, ...]]:
        """Every choice of unknown cards in the other hand that fits; few once the talon is nearly gone."""
        for choice in combinations(self._pool, self._wanted):
            hand = (*self._certain, *choice)
            if not self._check or self._facts.fits(hand):
                yield hand

    def state(self, hand: tuple[Card, ...], rng: Random) -> Deal:
        """The full state with these unknown cards in the other hand and the rest of the talon at random."""
        rest = [card for card in self._pool if card not in hand] + self._never_held
        rng.shuffle(rest)
        return _state(self.view, hand, rest)

    def _hand(self, rng: Random) -> tuple[Card, ...]:
        for _ in range(_TRIES):
            hand = (*self._certain, *rng.sample(self._pool, self._wanted))
            if not self._check or self._facts.fits(hand):
                return hand
        return rng.choice(list(self.hands()))


def sample(view: View, rng: Random) -> Deal:
    """One full state consistent with everything that the seat of `view` knows."""
    return Sampler(view).sample(rng)


class _Facts:
    """When the other player can have received each card, counted in his draws (0: dealt).

    Attributes:
        draws: his draws so far.
        released: by card, he held it at no time up to this many draws; -1 if nothing is known.
        due: by card, he held it after this many draws at the latest.
        certain: a card that he must hold although he has not shown it, or None.
    """

    def __init__(self, view: View) -> None:
        self.draws = 0
        self.released = [-1] * CARD_COUNT
        self.due = [_NEVER] * CARD_COUNT
        self.certain: Card | None = None
        self._hand_size = view.rules.hand_size
        self._face_up_draws: set[int] = set()
        self._passed_on: list[Card] = []  # cards that he certainly received face down and has shown
        self._read(view)
        self._read_exchange_offer(view)

    def _read(self, view: View) -> None:
        rules, other = view.rules, view.opponent
        left = len(rules.deck) - 2 * rules.hand_size
        closed, led, trump = False, None, view.trump
        received: set[Card] = set()  # face up, so they fill no hidden slot
        for event in view.history:
            kind = event.kind
            if kind is EventKind.TURNED_UP or kind is EventKind.TRUMP_CHANGED:
                assert event.suit is not None
                trump = event.suit
                if kind is EventKind.TRUMP_CHANGED and event.seat == other:
                    self._show(event.cards[0], received)
            elif kind is EventKind.CLOSED:
                closed = True
            elif kind is EventKind.DREW:
                left -= 1
                if event.seat == other:
                    self.draws += 1
                    if event.cards:
                        received.add(event.cards[0])
                        self._face_up_draws.add(self.draws)
            elif kind is EventKind.EXCHANGED and event.seat == other:
                given, taken = event.cards
                self._show(given, received)
                received.add(taken)
            elif kind is EventKind.MARRIAGE and event.seat == other:
                for card in event.cards:
                    self._show(card, received)
            elif kind is EventKind.PLAYED:
                card = event.cards[0]
                if event.seat == other:
                    self._show(card, received)
                    if led is not None:
                        duty = rules.open_duty if left and not closed else rules.closed_duty
                        self._exclude(view, led, card, trump, duty)
                led = card if led is None else None

    def _read_exchange_offer(self, view: View) -> None:
        """After his close this seat is asked for an exchange, unless the lowest trump is with him or turned up."""
        closing, history = view.closing, view.history
        if not view.rules.exchange_after_close or closing is None or closing.seat == view.seat or not history:
            return
        lowest = view.rules.tables.lowest[view.trump]
        asked = view.stage is Stage.EXCHANGE_OFFER or any(event.kind is EventKind.PASSED for event in history)
        if asked:
            self.released[lowest] = self.draws
        else:
            self.certain = lowest

    def _show(self, card: Card, received: set[Card]) -> None:
        if card not in received and self.due[card] == _NEVER:
            self.due[card] = self.draws
            self._passed_on.append(card)

    def _exclude(self, view: View, led: Card, reply: Card, trump: int, duty: Duty) -> None:
        if duty is Duty.NONE:
            return
        strength = view.rules.tables.strength
        for card in view.rules.deck:
            if self.due[card] != _NEVER:
                continue
            if reply.suit is not led.suit:
                held_none = card.suit is led.suit or (duty is Duty.HEAD and card.suit == trump != reply.suit)
            else:
                beaten = strength[reply] < strength[led]
                held_none = duty is Duty.HEAD and beaten and card.suit is led.suit and strength[card] > strength[led]
            if held_none:
                self.released[card] = self.draws

    def fits(self, hand: tuple[Card, ...]) -> bool:
        """Can he have received these cards, and those he has shown, in some order? Earliest due date first."""
        waiting = sorted((*self._passed_on, *hand), key=self.due.__getitem__)
        for slot in range(self.draws + 1):
            if slot in self._face_up_draws:
                continue
            for _ in range(self._hand_size if slot == 0 else 1):
                ready = next((card for card in waiting if self.released[card] < slot), None)
                if ready is None or self.due[ready] < slot:
                    return False
                waiting.remove(ready)
        return not waiting


def _state(view: View, hand: tuple[Card, ...], rest: list[Card]) -> Deal:
    seat, other = view.seat, view.opponent
    deal = Deal.__new__(Deal)
    deal.rules, deal.dealer, deal.carry = view.rules, view.dealer, view.carry
    others = [*view.opponent_known, *hand]
    deal.hands = (list(view.hand), others) if seat == 0 else (others, list(view.hand))
    on_top = view.rules.turn_up_on_top and view.turn_up is not None
    deal.talon = (view.turn_up, *rest) if on_top and view.turn_up is not None else tuple(rest)
    deal.drawn, deal.turn_up, deal.trump = 0, view.turn_up, view.trump
    deal.stage, deal.leader, deal.led, deal.declared = view.stage, view.leader, view.led, view.declared
    deal.turn = seat if view.legal_actions else other
    deal.tricks = _by_seat(seat, view.own_tricks, view.opponent_tricks)
    deal.trick_points = _by_seat(seat, view.own_trick_points, view.opponent_trick_points)
    deal.marriage_points = _by_seat(seat, view.own_marriage_points, view.opponent_marriage_points)
    deal.pending_marriage, deal.closing = view.pending_marriage, view.closing
    deal.played, deal.used_nines = view.played, view.used_nines
    deal.shown = _by_seat(seat, _mask(view.own_shown), _mask(view.opponent_known))
    deal.outcome, deal.log, deal._legal = None, None, None
    return deal


def _by_seat(seat: int, own: int, other: int) -> list[int]:
    return [own, other] if seat == 0 else [other, own]


def _mask(cards: tuple[Card, ...]) -> int:
    return sum(1 << card for card in cards)
