"""The engine: one deal from the first lead to its outcome, for every rule set.

A `Deal` is the full state, hidden cards included. Players get a `View` of it (`sixtysix.rules.view`).

>>> from sixtysix.rules.ruleset import RULE_SETS
>>> rules = RULE_SETS["schnapsen"]
>>> deal = Deal.from_deck(rules, rules.deck, dealer=1)
>>> deal.turn, str(deal.stage), deal.legal_actions()[:2]
(0, 'lead', (AC, TC))
"""

from collections.abc import Sequence
from enum import StrEnum

from sixtysix.rules import events, scoring
from sixtysix.rules.actions import CLAIM, CLOSE, DRAW, EXCHANGE, MARRIAGES, PASS, TRUMPS, Action, Move
from sixtysix.rules.cards import CARD_COUNT, RANKS_PER_SUIT, Card, Rank, Suit
from sixtysix.rules.errors import IllegalActionError
from sixtysix.rules.events import Event, EventKind
from sixtysix.rules.ruleset import Duty, LastClaim, Leader, RuleSet
from sixtysix.rules.scoring import Closing, Ending, Outcome


class Stage(StrEnum):
    """What kind of decision is due; the values are those of deal records."""

    # The one of Enum is a Python function.
    __hash__ = str.__hash__

    BEFORE_DRAW = "before-draw"
    LEAD = "lead"
    EXCHANGE_OFFER = "exchange-offer"
    FOLLOW = "follow"
    LAST_CLAIM = "last-claim"
    OVER = "over"


# Plain globals: an attribute of an enum class costs a dictionary search at every action.
BEFORE_DRAW, LEAD, EXCHANGE_OFFER, FOLLOW, LAST_CLAIM, OVER = Stage
_KING, _QUEEN = int(Rank.KING), int(Rank.QUEEN)
_SUITS = tuple(Suit)
_KINGS = frozenset(Card.of(Rank.KING, suit) for suit in Suit)
_ACTION_TYPES = (Card, Move)
_new_tuple = tuple.__new__
_PLAYED, _DREW, _DREW_HIDDEN = events.PLAYED, events.DREW, events.DREW_HIDDEN
_TRICK, _NO_DUTY, _FOLLOW_SUIT = EventKind.TRICK, Duty.NONE, Duty.FOLLOW
_BEFORE_DRAW_ACTIONS = (DRAW, CLOSE, CLAIM)
_OFFER_ACTIONS, _PASS_ONLY = (PASS, EXCHANGE), (PASS,)
_LAST_CLAIM_ACTIONS = (CLAIM, PASS)


class Deal:
    """The full state of one deal; `apply` changes it, `copy` branches it.

    Attributes:
        rules: the rule set.
        dealer: seat that dealt.
        carry: game points paid on top to the winner.
        hands: cards held by seat, in the order in which they were received.
        talon: the talon as dealt, top first; in rule sets with the turn-up on top it comes first.
        drawn: how many cards of `talon` are gone.
        turn_up: the face-up trump while it belongs to the talon, also when closed; else None.
        trump: trump suit.
        stage: the decision that is due.
        turn: seat that decides.
        leader: seat that leads or led the present trick.
        led: card on the table, or None.
        declared: suit of a marriage declared on this lead, or None.
        tricks: tricks won by seat.
        trick_points: points of the tricks won, bonus included, by seat.
        marriage_points: points of marriages declared, by seat; they count once a trick is won.
        pending_marriage: points that wait for the trick of the leader.
        closing: who closed, and how both stood then; None while nobody has.
        played: bit mask of the cards played so far.
        used_nines: bit mask of the suits whose nine has served for a trump change.
        shown: by seat, bit mask of the cards that the other seat knows to be in its hand.
        outcome: the result, once over.
        log: by seat, the events that it has seen; None in copies for search.
    """

    __slots__ = (
        "_legal",
        "carry",
        "closing",
        "dealer",
        "declared",
        "drawn",
        "hands",
        "leader",
        "led",
        "log",
        "marriage_points",
        "outcome",
        "pending_marriage",
        "played",
        "rules",
        "shown",
        "stage",
        "talon",
        "trick_points",
        "tricks",
        "trump",
        "turn",
        "turn_up",
        "used_nines",
    )

    def __init__(
        self,
        rules: RuleSet,
        dealer: int,
        hands: tuple[Sequence[Card], Sequence[Card]],
        talon: Sequence[Card],
        turn_up: Card,
        carry: int = 0,
    ) -> None:
        """Start a deal from cards already dealt; `sixtysix.rules.record` checks them if they come from outside."""
        self.rules = rules
        self.dealer = dealer
        self.carry = carry
        self.hands = (list(hands[0]), list(hands[1]))
        self.talon = tuple(talon)
        self.drawn = 0
        self.turn_up: Card | None = turn_up
        self.trump = turn_up.suit
        self.stage = LEAD
        self.turn = self.leader = dealer if rules.first_lead is Leader.DEALER else 1 - dealer
        self.led: Card | None = None
        self.declared: Suit | None = None
        self.tricks = [0, 0]
        self.trick_points = [0, 0]
        self.marriage_points = [0, 0]
        self.pending_marriage = 0
        self.closing: Closing | None = None
        self.played = 0
        self.used_nines = 0
        self.shown = [0, 0]
        self.outcome: Outcome | None = None
        turned = Event(EventKind.TURNED_UP, dealer, (turn_up,), turn_up.suit)
        self.log: tuple[list[Event], list[Event]] | None = (
            [Event(EventKind.DEALT, 0, tuple(hands[0])), turned],
            [Event(EventKind.DEALT, 1, tuple(hands[1])), turned],
        )
        self._legal: tuple[Action, ...] | None = None

    @classmethod
    def from_deck(cls, rules: RuleSet, deck: Sequence[Card], dealer: int, carry: int = 0) -> "Deal":
        """Deal the cards from the top of `deck`, in the packets of the rule set, forehand first."""
        places = rules.tables.places
        forehand, other = [deck[place] for place in places.forehand], [deck[place] for place in places.dealer]
        talon = tuple([deck[place] for place in places.talon])
        hands = (forehand, other) if dealer else (other, forehand)
        return cls(rules, dealer, hands, talon, deck[places.turn_up], carry)

    def copy(self, *, log: bool = False) -> "Deal":
        """An independent copy; without `log` it records no events, which search does not need."""
        new = Deal.__new__(Deal)
        new.rules, new.dealer, new.carry = self.rules, self.dealer, self.carry
        new.hands = (self.hands[0][:], self.hands[1][:])
        new.talon, new.drawn, new.turn_up, new.trump = self.talon, self.drawn, self.turn_up, self.trump
        new.stage, new.turn, new.leader, new.led = self.stage, self.turn, self.leader, self.led
        new.declared, new.pending_marriage = self.declared, self.pending_marriage
        new.tricks, new.trick_points = self.tricks[:], self.trick_points[:]
        new.marriage_points, new.shown = self.marriage_points[:], self.shown[:]
        new.closing, new.played, new.used_nines, new.outcome = (
            self.closing,
            self.played,
            self.used_nines,
            self.outcome,
        )
        new.log = (self.log[0][:], self.log[1][:]) if log and self.log is not None else None
        new._legal = self._legal
        return new

    @property
    def over(self) -> bool:
        """True once there is an outcome."""
        return self.outcome is not None

    @property
    def talon_left(self) -> int:
        """Cards left in the talon, the turn-up included, open or closed."""
        under = self.turn_up is not None and not self.rules.turn_up_on_top
        return len(self.talon) - self.drawn + under

    @property
    def face_down(self) -> int:
        """Face-down cards left in the talon."""
        left = len(self.talon) - self.drawn
        return left - 1 if self.rules.turn_up_on_top and self.turn_up is not None else left

    @property
    def talon_open(self) -> bool:
        """True while cards are drawn: neither closed nor exhausted."""
        return self.closing is None and (self.turn_up is not None or self.drawn < len(self.talon))

    @property
    def duty(self) -> Duty:
        """The second player's duty now."""
        return self.rules.open_duty if self.talon_open else self.rules.closed_duty

    def card_points(self, seat: int) -> int:
        """Points that count now: none without a trick, not even for a marriage."""
        return self.trick_points[seat] + self.marriage_points[seat] if self.tricks[seat] else 0

    def legal_actions(self) -> tuple[Action, ...]:
        """The legal actions of the seat on turn; empty once over.

        Canonical order: cards in the order in which they were received, then claim, exchange, marriages and trump
        changes by suit, close; before drawing draw, close, claim; elsewhere the order of `docs/rules.md`.
        """
        legal = self._legal
        if legal is None:
            stage = self.stage
            if stage is FOLLOW:
                legal = self._follow_actions()
            elif stage is LEAD:
                legal = self._lead_actions()
            else:
                legal = self._other_actions(stage)
            self._legal = legal
        return legal

    def _other_actions(self, stage: Stage) -> tuple[Action, ...]:
        if stage is BEFORE_DRAW:
            return _BEFORE_DRAW_ACTIONS if self._may_close() else (DRAW, CLAIM)
        if stage is EXCHANGE_OFFER:
            return _OFFER_ACTIONS if self._lowest_trump() in self.hands[self.turn] else _PASS_ONLY
        return _LAST_CLAIM_ACTIONS if stage is LAST_CLAIM else ()

    def _lead_actions(self) -> tuple[Action, ...]:
        rules, seat = self.rules, self.turn
        hand = self.hands[seat]
        talon_open = self.talon_open
        if self.declared is not None:
            first = self.declared * RANKS_PER_SUIT
            legal: list[Action] = [card for card in hand if card == first + _KING or card == first + _QUEEN]
            legal.append(CLAIM)
        else:
            legal = [*hand, CLAIM]
            if rules.exchange and talon_open and self._may_exchange(seat):
                legal.append(EXCHANGE)
            if talon_open or rules.marriage_any_lead:
                kings = _KINGS.intersection(hand)
                for king in sorted(kings) if len(kings) > 1 else kings:
                    if king + _QUEEN - _KING in hand:
                        legal.append(MARRIAGES[king // RANKS_PER_SUIT])
            if rules.trump_change and self._may_change_trump(seat):
                legal += [TRUMPS[suit] for suit in _SUITS if suit is not self.trump]
        if talon_open and self._may_close():
            legal.append(CLOSE)
        return tuple(legal)

    def _follow_actions(self) -> tuple[Action, ...]:
        rules, seat, led = self.rules, self.turn, self.led
        assert led is not None
        hand = self.hands[seat]
        talon_open = self.talon_open
        cards = follow_cards(rules, hand, led, self.trump, rules.open_duty if talon_open else rules.closed_duty)
        if rules.exchange_before_following and talon_open and self._may_exchange(seat):
            return (*cards, EXCHANGE)
        return tuple(cards)

    def _lowest_trump(self) -> Card:
        return self.rules.tables.lowest[self.trump]

    def _may_exchange(self, seat: int) -> bool:
        rules = self.rules
        return (
            (self.tricks[seat] > 0 or not rules.exchange_needs_trick)
            and self._lowest_trump() in self.hands[seat]
            and self.turn_up is not None
            and self.face_down >= rules.exchange_min_face_down
        )

    def _may_change_trump(self, seat: int) -> bool:
        return (
            self.tricks[seat] > 0 and not self.used_nines >> self.trump & 1 and self._lowest_trump() in self.hands[seat]
        )

    def _may_close(self) -> bool:
        return self.tricks[self.turn] > 0 or not self.rules.close_needs_trick

    def check(self, action: Action) -> None:
        """Raise IllegalActionError, naming the rule, if the seat on turn may not do this."""
        if not isinstance(action, _ACTION_TYPES):
            raise IllegalActionError(f"not an action: {action!r}")
        legal = self._legal
        if action not in (self.legal_actions() if legal is None else legal):
            from sixtysix.rules.legality import why_illegal  # which imports this module

            raise IllegalActionError(why_illegal(self, action))

    def apply(self, action: Action) -> None:
        """Perform a legal action of the seat on turn; raises IllegalActionError and leaves the state as it was."""
        legal, kind = self._legal, action.__class__
        # What `check` lets through, without the call, as far as it is known already.
        if legal is None or kind not in _ACTION_TYPES or action not in legal:
            self.check(action)
        if isinstance(action, Card):
            self._play(action)
        elif action == DRAW:
            self._draw()
            self.stage = LEAD
        elif action == EXCHANGE:
            self._exchange()
        elif action == CLOSE:
            self._close()
        elif action == CLAIM:
            self._claim()
        elif action == PASS:
            self._pass()
        elif action <= MARRIAGES[-1]:
            self._declare(_SUITS[action - MARRIAGES[0]])
        else:
            self._change_trump(_SUITS[action - TRUMPS[0]])
        self._legal = None

    def forfeit(self, seat: int) -> None:
        """End the deal as lost by `seat`, whoever is on turn."""
        if self.outcome is not None:
            raise IllegalActionError("the deal is over")
        self._end(scoring.forfeited(self._ending(), seat))
        self._legal = None

    def _publish(self, event: Event) -> None:
        if self.log is not None:
            self.log[0].append(event)
            self.log[1].append(event)

    def _play(self, card: Card) -> None:
        seat = self.turn
        self.hands[seat].remove(card)
        self.played |= 1 << card
        if self.shown[seat]:
            self.shown[seat] &= ~(1 << card)
        log = self.log
        if log is not None:
            played = _PLAYED[seat][card]
            log[0].append(played)
            log[1].append(played)
        led = self.led
        if led is None:
            self.led, self.turn, self.stage = card, 1 - seat, FOLLOW
            return
        tables = self.rules.tables
        taken = tables.beats[(self.trump * CARD_COUNT + led) * CARD_COUNT + card]
        winner = seat if taken else self.leader
        points = tables.points[led] + tables.points[card]
        last = not self.hands[winner]
        if last and self.closing is None:
            points += self.rules.last_trick_points
        self.tricks[winner] += 1
        self.trick_points[winner] += points
        if self.pending_marriage:
            if winner == self.leader:
                self.marriage_points[winner] += self.pending_marriage
            self.pending_marriage = 0
        if log is not None:
            # The constructor of a named tuple is a Python function, and this runs for every trick.
            trick = _new_tuple(Event, (_TRICK, winner, (led, card), None, points))
            log[0].append(trick)
            log[1].append(trick)
        self.led = self.declared = None
        self.leader = self.turn = winner
        if last:
            self._after_last_trick(winner)
        elif not self.talon_open:
            self.stage = LEAD
        elif self.rules.close_before_draw:
            self.stage = BEFORE_DRAW
        else:
            self._draw()
            self.stage = LEAD

    def _after_last_trick(self, winner: int) -> None:
        if self.closing is not None or self.rules.last_claim is LastClaim.ALWAYS:
            self.stage = LAST_CLAIM
        else:
            self._end(scoring.unclaimed(self._ending(), winner))

    def _draw(self) -> None:
        winner = self.turn
        for seat in (winner, 1 - winner):
            card: Card | None
            if self.drawn < len(self.talon):
                card = self.talon[self.drawn]
                self.drawn += 1
            else:
                card = self.turn_up
            assert card is not None
            self.hands[seat].append(card)
            face_up = card is self.turn_up
            if face_up:
                self.turn_up = None
                self.shown[seat] |= 1 << card
            if self.log is not None:
                self.log[seat].append(_DREW[seat][card])
                self.log[1 - seat].append(_DREW[seat][card] if face_up else _DREW_HIDDEN[seat])

    def _exchange(self) -> None:
        seat, taken, given = self.turn, self.turn_up, self._lowest_trump()
        assert taken is not None
        self.hands[seat].remove(given)
        self.hands[seat].append(taken)
        self.turn_up = given
        self.shown[seat] = self.shown[seat] & ~(1 << given) | 1 << taken
        self._publish(Event(EventKind.EXCHANGED, seat, (given, taken)))
        if self.stage is EXCHANGE_OFFER:
            self.stage, self.turn = LEAD, self.leader

    def _close(self) -> None:
        seat = self.turn
        points = (self.card_points(0), self.card_points(1))
        self.closing = Closing(seat, points, (self.tricks[0], self.tricks[1]))
        self._publish(Event(EventKind.CLOSED, seat))
        self.stage = LEAD
        if self.rules.exchange_after_close and self._other_may_hold_lowest_trump(seat):
            self.stage, self.turn = EXCHANGE_OFFER, 1 - seat

    def _other_may_hold_lowest_trump(self, closer: int) -> bool:
        # The offer must not tell the closer where the card is, so it depends only on what he cannot rule out.
        lowest = self._lowest_trump()
        return lowest in self.hands[1 - closer] or lowest in self.talon[self.drawn :]

    def _claim(self) -> None:
        self._publish(Event(EventKind.CLAIMED, self.turn, (), None, self.card_points(self.turn)))
        self._end(scoring.claimed(self._ending(), self.turn))

    def _pass(self) -> None:
        seat = self.turn
        passed = Event(EventKind.PASSED, seat)
        if self.stage is EXCHANGE_OFFER:
            if self.log is not None:
                self.log[seat].append(passed)
            self.stage, self.turn = LEAD, self.leader
            return
        self._publish(passed)
        self._end(scoring.unclaimed(self._ending(), seat))

    def _declare(self, suit: Suit) -> None:
        seat, rules = self.turn, self.rules
        points = rules.trump_marriage_points if suit is self.trump else rules.marriage_points
        if rules.marriage_needs_its_trick:
            self.pending_marriage = points
        else:
            self.marriage_points[seat] += points
        self.declared = suit
        pair = (Card.of(Rank.KING, suit), Card.of(Rank.QUEEN, suit))
        self.shown[seat] |= 1 << pair[0] | 1 << pair[1]
        self._publish(Event(EventKind.MARRIAGE, seat, pair, suit, points))

    def _change_trump(self, suit: Suit) -> None:
        seat, nine = self.turn, self._lowest_trump()
        self.used_nines |= 1 << self.trump
        self.trump = suit
        self.shown[seat] |= 1 << nine
        self._publish(Event(EventKind.TRUMP_CHANGED, seat, (nine,), suit))

    def _ending(self) -> Ending:
        points, tricks = (self.card_points(0), self.card_points(1)), (self.tricks[0], self.tricks[1])
        return Ending(self.rules, points, tricks, self.closing, self.carry)

    def _end(self, outcome: Outcome) -> None:
        self.outcome, self.stage = outcome, OVER


def follow_cards(rules: RuleSet, hand: Sequence[Card], led: Card, trump: Suit, duty: Duty) -> Sequence[Card]:
    """The cards of `hand` that `duty` allows in answer to `led`."""
    if duty is _NO_DUTY:
        return hand
    suit = led.suit
    same = [card for card in hand if card.suit is suit]
    if same:
        if duty is _FOLLOW_SUIT:
            return same
        strength = rules.tables.strength
        bar = strength[led]
        return [card for card in same if strength[card] > bar] or same
    if duty is _FOLLOW_SUIT:
        return hand
    return [card for card in hand if card.suit is trump] or hand
