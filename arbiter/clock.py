"""The clock of one seat in one match: pure arithmetic on integer microseconds.

A match gives each seat a bank. A decision may take at most the cap and never more than the bank; what it
took is taken from the bank, then the increment is added. The way over the network is not thinking time: each
decision has an allowance of the best round trip seen lately, never more than the agreed lag. Stalls of the
arbiter itself are credited.
"""

from typing import NamedTuple

from sixtysix.rules import Deal, Stage
from sixtysix.timecontrol import TimeControl


def is_free(deal: Deal) -> bool:
    """Is the decision that is due free of charge? It is if it is forced, except an offered exchange.

    That one is charged even if it can only be passed: the price would tell who holds the card.
    """
    return deal.stage is not Stage.EXCHANGE_OFFER and len(deal.legal_actions()) == 1


class Charge(NamedTuple):
    """What one decision cost and why: the evidence kept for a disputed forfeit.

    Attributes:
        elapsed_us: from the writing of the decision to the arrival of the answer.
        allowance_us: network time that was not charged.
        stall_us: time the arbiter itself stood still meanwhile, not charged.
        charged_us: taken from the bank; 0 for a forced and for a late decision.
        late: the answer came after the limit.
    """

    elapsed_us: int
    allowance_us: int
    stall_us: int
    charged_us: int
    late: bool


class SeatClock:
    """The bank of one seat and what its decisions cost.

    Attributes:
        control: the time control of the match.
        bank_us: thinking time left; never negative.
    """

    __slots__ = ("bank_us", "control")

    def __init__(self, control: TimeControl) -> None:
        self.control = control
        self.bank_us = control.bank_us

    def allowance_us(self, round_trip_us: int | None) -> int:
        """Return the network time that the next decision is not charged for.

        Args:
            round_trip_us: the best recent round trip of the in-stream ping; None if none was measured yet.
        """
        if round_trip_us is None:
            return 0
        return min(self.control.lag_us, round_trip_us)

    def limit_us(self, allowance_us: int, free: bool = False) -> int:
        """Return how long after the decision was written an answer is still in time.

        Args:
            allowance_us: as returned by `allowance_us` for this decision.
            free: the decision is forced (one legal action), so the bank does not bound it.
        """
        return self._thinking_limit_us(free) + allowance_us

    def charge(self, elapsed_us: int, allowance_us: int, stall_us: int = 0, free: bool = False) -> Charge:
        """Settle one decision and return what it cost.

        A late decision leaves the bank as it was: its price is set by the fault policy. A forced one costs
        nothing and brings no increment, yet is late beyond the cap, for it may not hang the match.

        Args:
            elapsed_us: from the writing of the decision to the answer, or to the moment of giving up.
            allowance_us: as returned by `allowance_us` for this decision.
            stall_us: how long the arbiter itself stood still while the decision was open.
            free: the decision is forced.
        """
        net_us = max(0, elapsed_us - allowance_us - stall_us)
        late = net_us > self._thinking_limit_us(free)
        charged_us = 0 if late or free else net_us
        if not late and not free:
            self.bank_us += self.control.increment_us - net_us
        return Charge(elapsed_us, allowance_us, stall_us, charged_us, late)

    def _thinking_limit_us(self, free: bool) -> int:
        return self.control.decision_us if free else min(self.control.decision_us, self.bank_us)
