"""A decision as columns of whole numbers: what its seat could see, what it could do, what it did, what came of it.

Cards and actions are their indices (`sixtysix.rules.CARDS`, `ACTIONS`), sets of them bit masks with bit i for index i.
Standard library only.
"""

from functools import lru_cache
from typing import NamedTuple

from sixtysix.rules import Action, Card, Stage, View

STAGES = (Stage.LEAD, Stage.FOLLOW, Stage.BEFORE_DRAW, Stage.EXCHANGE_OFFER, Stage.LAST_CLAIM)
"""The stages, at the index that stands for them."""

ABSENT = -1
"""The index of a card or a suit where there is none."""

_STAGE_INDEX = {stage: index for index, stage in enumerate(STAGES)}


class Observation(NamedTuple):
    """What a seat could see when it decided; nothing of it depends on a hidden card.

    Attributes:
        stage: index in `STAGES`.
        dealt: 1 if this seat dealt, else 0.
        leads: 1 if this seat leads or led the present trick, else 0.
        own_score: match score before the deal.
        opponent_score: the same of the other seat.
        carry: game points on top for the winner of the deal.
        hand: set of the own cards.
        unseen: set of the cards in the other hand or face down in the talon, nobody knows which.
        played: set of the cards played so far.
        opponent_known: set of the cards known to be in the other hand.
        own_shown: set of the own cards that the other seat knows of.
        trump: suit, 0..3 for clubs, diamonds, hearts, spades.
        turn_up: the face-up card of the talon.
        face_down: number of face-down cards in the talon.
        led: the card on the table.
        declared: suit of the marriage declared on this lead.
        closed: 1 if this seat has closed the talon, -1 if the other has, 0 if nobody.
        own_tricks: tricks won.
        opponent_tricks: the same of the other seat.
        own_trick_points: card points of the tricks won.
        opponent_trick_points: the same of the other seat.
        own_marriage_points: card points of marriages declared, which count once a trick is won.
        opponent_marriage_points: the same of the other seat.
        pending_marriage: card points that wait for the present trick.
        own_points_at_close: card points that counted when the talon was closed; 0 while it is open.
        opponent_points_at_close: the same of the other seat.
        own_tricks_at_close: tricks won when the talon was closed; 0 while it is open.
        opponent_tricks_at_close: the same of the other seat.
        used_nines: set of the suits whose nine has served for a trump change, bit i for suit i.
        legal: set of the legal actions.
    """

    stage: int
    dealt: int
    leads: int
    own_score: int
    opponent_score: int
    carry: int
    hand: int
    unseen: int
    played: int
    opponent_known: int
    own_shown: int
    trump: int
    turn_up: int
    face_down: int
    led: int
    declared: int
    closed: int
    own_tricks: int
    opponent_tricks: int
    own_trick_points: int
    opponent_trick_points: int
    own_marriage_points: int
    opponent_marriage_points: int
    pending_marriage: int
    own_points_at_close: int
    opponent_points_at_close: int
    own_tricks_at_close: int
    opponent_tricks_at_close: int
    used_nines: int
    legal: int


IDENTITY = {
    "tournament": "text",
    "rules": "text",
    "match": "text",
    "cards": "text",
    "deal": "int32",
    "number": "int32",
    "seat": "int8",
    "bot": "text",
    "opponent": "text",
}
"""The columns that say which decision a row is, and their types."""

OBSERVATION = {
    "stage": "int8",
    "dealt": "int8",
    "leads": "int8",
    "own_score": "int32",
    "opponent_score": "int32",
    "carry": "int32",
    "hand": "uint32",
    "unseen": "uint32",
    "played": "uint32",
    "opponent_known": "uint32",
    "own_shown": "uint32",
    "trump": "int8",
    "turn_up": "int8",
    "face_down": "int8",
    "led": "int8",
    "declared": "int8",
    "closed": "int8",
    "own_tricks": "int8",
    "opponent_tricks": "int8",
    "own_trick_points": "int32",
    "opponent_trick_points": "int32",
    "own_marriage_points": "int32",
    "opponent_marriage_points": "int32",
    "pending_marriage": "int32",
    "own_points_at_close": "int32",
    "opponent_points_at_close": "int32",
    "own_tricks_at_close": "int8",
    "opponent_tricks_at_close": "int8",
    "used_nines": "uint8",
    "legal": "uint64",
}
"""The types of the fields of `Observation`."""

OUTCOME = {
    "action": "int8",
    "charged_us": "int64",
    "deal_result": "int8",
    "game_points": "int32",
    "deal_reason": "text",
    "match_result": "int8",
}
"""The columns that say what was done and what came of it, and their types."""

COLUMNS = {**IDENTITY, **OBSERVATION, **OUTCOME}
"""All columns in their order, and their types; "text" is a column of few different texts."""


def observe(view: View) -> Observation:
    """What a view shows to the seat that decides, as columns: for a bot the form in which the data was written."""
    hand, known = mask(view.hand), mask(view.opponent_known)
    seen = hand | known | view.played
    if view.turn_up is not None:
        seen |= 1 << view.turn_up
    closing, seat = view.closing, view.seat
    if closing is None:
        closed, points_at_close, tricks_at_close = 0, (0, 0), (0, 0)
    else:
        closed = 1 if closing.seat == seat else -1
        points_at_close, tricks_at_close = closing.card_points, closing.tricks
    return Observation(
        stage=_STAGE_INDEX[view.stage],
        dealt=int(view.dealer == seat),
        leads=int(view.leader == seat),
        own_score=view.own_score,
        opponent_score=view.opponent_score,
        carry=view.carry,
        hand=hand,
        unseen=_pack(view.rules.deck) & ~seen,
        played=view.played,
        opponent_known=known,
        own_shown=mask(view.own_shown),
        trump=int(view.trump),
        turn_up=ABSENT if view.turn_up is None else int(view.turn_up),
        face_down=view.face_down,
        led=ABSENT if view.led is None else int(view.led),
        declared=ABSENT if view.declared is None else int(view.declared),
        closed=closed,
        own_tricks=view.own_tricks,
        opponent_tricks=view.opponent_tricks,
        own_trick_points=view.own_trick_points,
        opponent_trick_points=view.opponent_trick_points,
        own_marriage_points=view.own_marriage_points,
        opponent_marriage_points=view.opponent_marriage_points,
        pending_marriage=view.pending_marriage,
        own_points_at_close=points_at_close[seat],
        opponent_points_at_close=points_at_close[1 - seat],
        own_tricks_at_close=tricks_at_close[seat],
        opponent_tricks_at_close=tricks_at_close[1 - seat],
        used_nines=view.used_nines,
        legal=mask(view.legal_actions),
    )


def mask(items: tuple[Card, ...] | tuple[Action, ...]) -> int:
    """The bit mask of a set of cards or actions."""
    bits = 0
    for item in items:
        bits |= 1 << item
    return bits


_pack = lru_cache(maxsize=32)(mask)
