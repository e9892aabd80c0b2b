"""What a seat may see of a deal, as a type of its own, and what an author wants to ask of it.

A view is built by allow-list from the public state and the seat's own cards; nothing else of the deal is reachable
from it. The same view is built on the other side of the wire from an observation.
"""

from collections.abc import Sequence
from typing import NamedTuple

from sixtysix.rules.actions import CLAIM, Action
from sixtysix.rules.cards import CARDS, Card, Suit
from sixtysix.rules.deal import Deal, Stage
from sixtysix.rules.events import Event
from sixtysix.rules.ruleset import RuleSet
from sixtysix.rules.scoring import Closing


class Clock(NamedTuple):
    """Time for a decision, in microseconds.

    Attributes:
        cap_us: most for this decision, lag allowance not included.
        bank_us: what is left for the match.
        opponent_bank_us: the same for the other player.
    """

    cap_us: int
    bank_us: int
    opponent_bank_us: int


class View:
    """Everything that one seat knows of a deal when it has to decide.

    Attributes:
        rules: the rule set.
        seat: the seat whose view this is.
        deal_number: number of the deal in the match, from 1.
        dealer: seat that dealt.
        own_score, opponent_score: match score before this deal.
        carry: game points paid on top to the winner of this deal.
        stage: the kind of decision.
        hand: own cards, in the order in which they were received.
        trump: trump suit.
        turn_up: the face-up trump while it belongs to the talon, else None.
        face_down: face-down cards in the talon.
        closing: who closed, with both players' points and tricks at that moment (by seat); None while open.
        leader: seat that leads or led the present trick.
        led: card on the table, or None.
        declared: suit of the marriage declared on this lead, or None.
        own_tricks, opponent_tricks: tricks won.
        own_trick_points, opponent_trick_points: points of the tricks won, any bonus included.
        own_marriage_points, opponent_marriage_points: points declared; they count once a trick is won.
        pending_marriage: points of a marriage that waits for the present trick.
        used_nines: bit mask of suits whose nine has served for a trump change.
        played: bit mask of the cards played so far.
        opponent_known: cards known to be in the other hand.
        own_shown: own cards that the other player knows of.
        legal_actions: what may be done now, in canonical order; empty when the other seat is on turn.
        clock: time for the decision, or None where no clock runs.
    """

    __slots__ = (
        "_history",
        "_length",
        "carry",
        "clock",
        "closing",
        "deal_number",
        "dealer",
        "declared",
        "face_down",
        "hand",
        "leader",
        "led",
        "legal_actions",
        "opponent_known",
        "opponent_marriage_points",
        "opponent_score",
        "opponent_trick_points",
        "opponent_tricks",
        "own_marriage_points",
        "own_score",
        "own_shown",
        "own_trick_points",
        "own_tricks",
        "pending_marriage",
        "played",
        "rules",
        "seat",
        "stage",
        "trump",
        "turn_up",
        "used_nines",
    )

    rules: RuleSet
    seat: int
    deal_number: int
    dealer: int
    own_score: int
    opponent_score: int
    carry: int
    stage: Stage
    hand: tuple[Card, ...]
    trump: Suit
    turn_up: Card | None
    face_down: int
    closing: Closing | None
    leader: int
    led: Card | None
    declared: Suit | None
    own_tricks: int
    opponent_tricks: int
    own_trick_points: int
    opponent_trick_points: int
    own_marriage_points: int
    opponent_marriage_points: int
    pending_marriage: int
    used_nines: int
    played: int
    opponent_known: tuple[Card, ...]
    own_shown: tuple[Card, ...]
    legal_actions: tuple[Action, ...]
    clock: Clock | None
    _history: Sequence[Event]
    _length: int

    @classmethod
    def of(cls, deal: Deal, seat: int, score: tuple[int, int] | list[int] = (0, 0), deal_number: int = 1) -> "View":
        """What `seat` sees of `deal`, in a match that stands at `score` (by seat)."""
        other = 1 - seat
        view = cls.__new__(cls)
        view.rules = deal.rules
        view.seat = seat
        view.deal_number = deal_number
        view.dealer = deal.dealer
        view.own_score = score[seat]
        view.opponent_score = score[other]
        view.carry = deal.carry
        view.stage = deal.stage
        view.hand = tuple(deal.hands[seat])
        view.trump = deal.trump
        view.turn_up = deal.turn_up
        view.face_down = deal.face_down
        view.closing = deal.closing
        view.leader = deal.leader
        view.led = deal.led
        view.declared = deal.declared
        tricks, trick_points, marriage_points = deal.tricks, deal.trick_points, deal.marriage_points
        view.own_tricks = tricks[seat]
        view.opponent_tricks = tricks[other]
        view.own_trick_points = trick_points[seat]
        view.opponent_trick_points = trick_points[other]
        view.own_marriage_points = marriage_points[seat]
        view.opponent_marriage_points = marriage_points[other]
        view.pending_marriage = deal.pending_marriage
        view.used_nines = deal.used_nines
        view.played = deal.played
        shown = deal.shown
        view.opponent_known = cards_of(shown[other]) if shown[other] else ()
        view.own_shown = cards_of(shown[seat]) if shown[seat] else ()
        view.legal_actions = deal.legal_actions() if deal.turn == seat else ()
        view.clock = None
        # The seat's own log only grows, so the view needs no copy of it.
        log = deal.log
        view._history = () if log is None else log[seat]
        view._length = len(view._history)
        return view

    @property
    def history(self) -> tuple[Event, ...]:
        """Every event of the deal that this seat has seen; empty for a deal that keeps no log."""
        return tuple(self._history[: self._length])

    @property
    def opponent(self) -> int:
        """The other seat."""
        return 1 - self.seat

    @property
    def own_card_points(self) -> int:
        """Own points that count now: none without a trick."""
        return self.own_trick_points + self.own_marriage_points if self.own_tricks else 0

    @property
    def opponent_card_points(self) -> int:
        """The other player's points that count now."""
        return self.opponent_trick_points + self.opponent_marriage_points if self.opponent_tricks else 0

    @property
    def points_needed(self) -> int:
        """Points still missing for a correct claim, 0 if none."""
        return max(0, self.rules.claim_points - self.own_card_points)

    @property
    def can_claim(self) -> bool:
        """True if a claim is legal now and correct."""
        return self.own_card_points >= self.rules.claim_points and CLAIM in self.legal_actions

    @property
    def talon_open(self) -> bool:
        """True while cards are drawn: neither closed nor exhausted."""
        return self.closing is None and (self.face_down > 0 or self.turn_up is not None)

    @property
    def opponent_hand_size(self) -> int:
        """Cards in the other hand."""
        if self.led is None:
            return len(self.hand)
        return len(self.hand) - 1 if self.leader != self.seat else len(self.hand) + 1

    @property
    def unseen(self) -> tuple[Card, ...]:
        """Cards whose place is unknown: in the other hand or face down in the talon."""
        seen = self.played
        for card in (*self.hand, *self.opponent_known):
            seen |= 1 << card
        if self.turn_up is not None:
            seen |= 1 << self.turn_up
        return tuple(card for card in self.rules.deck if not seen >> card & 1)

    def points(self, card: Card) -> int:
        """Card points of a card."""
        return self.rules.tables.points[card]

    def beats(self, led: Card, reply: Card) -> bool:
        """Would `reply` take a trick led with `led`, with the present trump?"""
        return bool(self.rules.tables.beats[(self.trump * len(CARDS) + led) * len(CARDS) + reply])

    def would_win(self, card: Card) -> bool:
        """Does playing `card` surely win the trick?

        Following: exactly. Leading: no card that the other player may hold beats it, whatever the duties.
        """
        if self.led is not None and self.leader != self.seat:
            return self.beats(self.led, card)
        return not any(self.beats(card, other) for other in (*self.unseen, *self.opponent_known))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, View):
            return NotImplemented
        names = [name for name in self.__slots__ if not name.startswith("_")]
        return self.history == other.history and all(getattr(self, name) == getattr(other, name) for name in names)

    __hash__ = None  # type: ignore[assignment]  # a view is compared in tests, never a key

    def __repr__(self) -> str:
        hand = " ".join(card.text for card in self.hand)
        return f"<View seat {self.seat}, {self.stage.value}, hand {hand}, trump {self.trump}>"


def cards_of(mask: int) -> tuple[Card, ...]:
    """The cards of a bit mask, in index order."""
    low, middle, high = _CARDS_OF_BYTE
    return low[mask & 0xFF] + middle[mask >> 8 & 0xFF] + high[mask >> 16]


# Looked up: to try each bit takes longer than the rest of a view.
_CARDS_OF_BYTE = tuple(
    tuple(tuple(card for card in CARDS[first : first + 8] if byte >> (card - first) & 1) for byte in range(256))
    for first in (0, 8, 16)
)
