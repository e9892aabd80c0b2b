"""What the end of a deal is worth: the scoring tables of all rule sets, over one description of the end."""

from enum import StrEnum
from typing import NamedTuple

from sixtysix.rules.ruleset import (
    BothOver,
    ClosedUnclaimed,
    CloserBeaten,
    CloserFails,
    Measure,
    RuleSet,
    Unclaimed,
)

Pair = tuple[int, int]
"""Two numbers, for seat 0 and seat 1."""


class Reason(StrEnum):
    """Why a deal ended; the values are those of deal records."""

    CLAIM = "claim"
    FALSE_CLAIM = "false_claim"
    FAILED_CLOSE = "failed_close"
    CLOSER_BEATEN = "closer_beaten"
    LAST_TRICK = "last_trick"
    HIGHER_TOTAL = "higher_total"
    DRAW = "draw"
    TIE = "tie"
    BOTH_OVER_66 = "both_over_66"
    FORFEIT = "forfeit"


class Closing(NamedTuple):
    """Who closed the talon, and how both stood at that moment."""

    seat: int
    card_points: Pair
    tricks: Pair


class Ending(NamedTuple):
    """A deal at the moment at which it ends."""

    rules: RuleSet
    card_points: Pair
    tricks: Pair
    closing: Closing | None
    carry: int


class Outcome(NamedTuple):
    """The result of a deal.

    Attributes:
        winner: seat, or None for a draw.
        game_points: worth of the deal without the carry.
        score_change: what both match scores change by, carry and zero-sum included.
        carry: what the next deal starts with.
        reason: why it ended.
        card_points: points that count at the end; those of a player without a trick are 0.
        tricks: tricks won.
    """

    winner: int | None
    game_points: int
    score_change: Pair
    carry: int
    reason: Reason
    card_points: Pair
    tricks: Pair


def claimed(end: Ending, seat: int) -> Outcome:
    """The deal ends because `seat` claims 66, rightly or not."""
    rules, other, closing = end.rules, 1 - seat, end.closing
    correct = end.card_points[seat] >= rules.claim_points
    if not correct:
        if closing is not None and closing.seat == seat and rules.closer_fails is not CloserFails.NO_PENALTY:
            return _failed_close(end, closing)
        value = rules.false_claim if end.tricks[other] else rules.false_claim_trickless
        return _won(end, other, value, Reason.FALSE_CLAIM)
    if rules.both_over is BothOver.CARRY and end.card_points[other] > rules.claim_points:
        return _nobody(end, Reason.BOTH_OVER_66, carry=end.carry + 1)
    if closing is None:
        return _won(end, seat, _by_loser(end, other), Reason.CLAIM)
    if closing.seat == seat:
        if rules.closer_measure is Measure.AT_CLOSE:
            value = _graded(rules, closing.card_points[other], closing.tricks[other])
        else:
            value = _by_loser(end, other)
        return _won(end, seat, value, Reason.CLAIM)
    match rules.closer_beaten:
        case CloserBeaten.FLAT:
            value = 2
        case CloserBeaten.AS_FAILED_CLOSE:
            value = _failed_close_value(end, closing)
        case CloserBeaten.AS_CLAIM:
            value = _by_loser(end, other)
    return _won(end, seat, value, Reason.CLOSER_BEATEN)


def unclaimed(end: Ending, last_trick_winner: int) -> Outcome:
    """All cards are played and nobody claims."""
    rules, closing = end.rules, end.closing
    if closing is not None:
        reached = end.card_points[closing.seat] >= rules.claim_points
        if rules.closed_unclaimed is ClosedUnclaimed.TIE_AT_66 and reached:
            return _nobody(end, Reason.TIE, carry=end.carry + 1)
        if rules.closed_unclaimed is ClosedUnclaimed.DRAW or rules.closer_fails is CloserFails.NO_PENALTY:
            return _nobody(end, Reason.DRAW, carry=end.carry)
        return _failed_close(end, closing)
    match rules.unclaimed:
        case Unclaimed.LAST_TRICK:
            value = _by_loser(end, 1 - last_trick_winner)
            return _won(end, last_trick_winner, value, Reason.LAST_TRICK)
        case Unclaimed.LAST_TRICK_FLAT:
            return _won(end, last_trick_winner, 1, Reason.LAST_TRICK)
        case Unclaimed.TIE:
            return _nobody(end, Reason.TIE, carry=end.carry + 1)
        case Unclaimed.DRAW:
            return _nobody(end, Reason.DRAW, carry=end.carry)
        case Unclaimed.HIGHER_TOTAL:
            first, second = end.card_points
            if first == second:
                return _nobody(end, Reason.DRAW, carry=end.carry)
            return _won(end, 0 if first > second else 1, 1, Reason.HIGHER_TOTAL)


def forfeited(end: Ending, seat: int) -> Outcome:
    """`seat` loses the deal at once: never cheaper than the worst that could still happen to it."""
    other, closing = 1 - seat, end.closing
    closed_early = closing is not None and closing.seat == seat and not closing.tricks[other]
    least = end.rules.forfeit
    value = max(3, least) if closed_early or not all(end.tricks) else least
    return _won(end, other, value, Reason.FORFEIT)


def _graded(rules: RuleSet, loser_points: int, loser_tricks: int) -> int:
    if not loser_tricks:
        return 3
    return 2 if loser_points < rules.schneider_points else 1


def _by_loser(end: Ending, loser: int) -> int:
    return _graded(end.rules, end.card_points[loser], end.tricks[loser])


def _failed_close_value(end: Ending, closing: Closing) -> int:
    if end.rules.closer_fails is CloserFails.CLOSER_TRICKLESS:
        return 2 if end.tricks[closing.seat] else 3
    return 2 if closing.tricks[1 - closing.seat] else 3


def _failed_close(end: Ending, closing: Closing) -> Outcome:
    return _won(end, 1 - closing.seat, _failed_close_value(end, closing), Reason.FAILED_CLOSE)


def _won(end: Ending, winner: int, value: int, reason: Reason) -> Outcome:
    gain, loss = value + end.carry, -value if end.rules.zero_sum else 0
    change = (gain, loss) if winner == 0 else (loss, gain)
    return Outcome(winner, value, change, 0, reason, end.card_points, end.tricks)


def _nobody(end: Ending, reason: Reason, carry: int) -> Outcome:
    return Outcome(None, 0, (0, 0), carry, reason, end.card_points, end.tricks)
