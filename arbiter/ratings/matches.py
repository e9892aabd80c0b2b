"""Results of matches, collected from anywhere and counted. Pure."""

from array import array
from collections import Counter
from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np

from arbiter.ratings.bradley_terry import Floats, Ints, Scores


@dataclass(frozen=True, slots=True)
class Columns:
    """Matches as columns, one entry for each.

    Attributes:
        first: the player that dealt first, or is named first.
        second: the other player.
        score: of the first player: 1, 0.5 or 0.
        margin: game points of the first player minus those of the second.
        deals: played; 0 if unknown.
        unit: number of the independent unit, from 0: the match itself, or the pair that shared its cards.
    """

    first: Ints
    second: Ints
    score: Floats
    margin: Floats
    deals: Floats
    unit: Ints

    @property
    def units(self) -> int:
        """How many independent units there are."""
        return int(self.unit.max(initial=-1)) + 1


class Matches:
    """Matches that count, of players who are known by their names.

    Attributes:
        names: of the players, in the order in which they appeared.
        forfeits: for each name, matches lost by forfeit; they count.
        walkovers: for each name, matches lost without being played, because it was withdrawn; they do not count.
        void: matches that were void; they do not count.
    """

    def __init__(self) -> None:
        self.names: list[str] = []
        self.forfeits: Counter[str] = Counter()
        self.walkovers: Counter[str] = Counter()
        self.void = 0
        self._numbers: dict[str, int] = {}
        self._columns = {name: array("q") for name in ("first", "second", "half_points", "margin", "deals", "unit")}
        self._units = 0
        self._open: dict[Hashable, int] = {}

    def __len__(self) -> int:
        return len(self._columns["first"])

    def player(self, name: str) -> int:
        """Return the number of a player, who thereby belongs to the pool even without a match."""
        number = self._numbers.get(name)
        if number is None:
            number = self._numbers[name] = len(self.names)
            self.names.append(name)
        return number

    def add(
        self,
        first: str,
        second: str,
        half_points: int,
        *,
        margin: int = 0,
        deals: int = 0,
        shared: Hashable = None,
    ) -> None:
        """Count a match.

        Args:
            first: the player that dealt first, or is named first.
            second: another player.
            half_points: of the first player: 2 for a win, 1 for a draw, 0 for a loss.
            margin: game points of the first player minus those of the second.
            deals: played; 0 if unknown.
            shared: equal for two matches with the same cards; None for a match with cards of its own.
        """
        columns = self._columns
        columns["first"].append(self.player(first))
        columns["second"].append(self.player(second))
        columns["half_points"].append(half_points)
        columns["margin"].append(margin)
        columns["deals"].append(deals)
        unit = None if shared is None else self._open.pop(shared, None)
        if unit is None:
            unit = self._units
            self._units += 1
            if shared is not None:
                self._open[shared] = unit
        columns["unit"].append(unit)

    def columns(self) -> Columns:
        """Return the matches so far as columns."""
        taken = {name: np.array(column, dtype=np.int64) for name, column in self._columns.items()}
        return Columns(
            first=taken["first"],
            second=taken["second"],
            score=taken["half_points"] / 2,
            margin=taken["margin"].astype(np.float64),
            deals=taken["deals"].astype(np.float64),
            unit=taken["unit"],
        )


class Pairings:
    """The pairings in which matches were played, so that the same matches can be counted with different weights."""

    def __init__(self, players: int, columns: Columns) -> None:
        self._players = players
        self._columns = columns
        keys, self._of_match = np.unique(columns.first * players + columns.second, return_inverse=True)
        self._first, self._second = keys // players, keys % players

    def scores(self, weights: Floats | None = None) -> Scores:
        """Return the results by pairing; each match counts once, or as often as its weight says."""
        score = self._columns.score if weights is None else self._columns.score * weights
        size = len(self._first)
        return Scores(
            self._players,
            self._first,
            self._second,
            np.bincount(self._of_match, weights, size).astype(np.float64),
            np.bincount(self._of_match, score, size).astype(np.float64),
        )


@dataclass(frozen=True, slots=True)
class Tally:
    """Sums over the matches of each player, in the order of their numbers.

    Attributes:
        won: matches.
        drawn: matches.
        lost: matches.
        deals: played in matches whose deals are known.
        per_deal: game points per deal minus those of the opponents; NaN without deals.
        per_deal_deviation: standard deviation of `per_deal`; NaN with fewer than two units.
    """

    won: Ints
    drawn: Ints
    lost: Ints
    deals: Ints
    per_deal: Floats
    per_deal_deviation: Floats


def tally(players: int, columns: Columns) -> Tally:
    """Return what each player has won and scored.

    Game points per deal are the ratio r = sum m / sum d over independent units with margin m and d deals; the variance
    is c/(c-1) sum (m - r d)^2 / (sum d)^2 for c units (W. G. Cochran, Sampling Techniques, 1977, section 6.3).
    """
    first, second, score = columns.first, columns.second, columns.score

    def count(of_first: float, of_second: float) -> Ints:
        both = np.bincount(first[score == of_first], minlength=players)
        return np.asarray(both + np.bincount(second[score == of_second], minlength=players), dtype=np.int64)

    lower, upper = np.minimum(first, second), np.maximum(first, second)
    # Both matches of a unit are between the same two players.
    of_lower, of_upper = np.zeros(columns.units, np.int64), np.zeros(columns.units, np.int64)
    of_lower[columns.unit], of_upper[columns.unit] = lower, upper
    margin = np.bincount(columns.unit, np.where(first == lower, columns.margin, -columns.margin), columns.units)
    deals = np.bincount(columns.unit, columns.deals, columns.units)
    played = deals > 0
    player = np.concatenate([of_lower[played], of_upper[played]])
    margins, lengths = np.concatenate([margin[played], -margin[played]]), np.tile(deals[played], 2)
    units = np.bincount(player, minlength=players)
    total = np.bincount(player, lengths, players)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.bincount(player, margins, players) / total
        spread = np.bincount(player, (margins - ratio[player] * lengths) ** 2, players)
        deviation = np.where(units > 1, np.sqrt(units / (units - 1) * spread) / total, np.nan)
    return Tally(count(1, 0), count(0.5, 0.5), count(0, 1), total.astype(np.int64), ratio, deviation)
