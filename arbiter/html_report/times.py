"""How long the decisions of a bot took, on a logarithmic scale. No I/O."""

import math
from collections import Counter
from collections.abc import Sequence

BINS_PER_DECADE = 4
_DIGITS = 3


class Times:
    """Times of decisions, counted in memory that does not grow with their number.

    Times are kept to three digits, as they are shown.
    """

    def __init__(self) -> None:
        self._counts: Counter[int] = Counter()

    def add(self, time_us: int) -> None:
        """Count a decision that took so many microseconds, 0 or more."""
        digits = len(str(time_us))
        self._counts[time_us if digits <= _DIGITS else round(time_us, _DIGITS - digits)] += 1

    @property
    def total(self) -> int:
        """Decisions counted."""
        return self._counts.total()

    def quantiles_us(self, shares: Sequence[float]) -> list[int]:
        """Return, for each share of (0, 1] in ascending order, the least time that so many decisions did not exceed.

        Empty without decisions.
        """
        found: list[int] = []
        total, so_far = self.total, 0
        for time_us in sorted(self._counts):
            so_far += self._counts[time_us]
            while len(found) < len(shares) and so_far >= shares[len(found)] * total:
                found.append(time_us)
        return found

    def bins(self) -> dict[int, int]:
        """Return the number of decisions by bin: n has those from 10 ** (n / 4) to below 10 ** ((n + 1) / 4) us.

        What took less than a microsecond is in bin 0.
        """
        bins: Counter[int] = Counter()
        for time_us, count in self._counts.items():
            bins[bin_of(time_us)] += count
        return dict(sorted(bins.items()))


def bin_of(time_us: int) -> int:
    """Return the bin of a time; see `Times.bins`."""
    return math.floor(BINS_PER_DECADE * math.log10(time_us)) if time_us > 0 else 0
