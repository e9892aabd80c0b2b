"""What a benchmark measures, and how it is shown."""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median


class BenchmarkError(Exception):
    """A benchmark could not be carried out as meant, so it has no figures; the message says why."""


@dataclass(frozen=True, slots=True)
class Check:
    """A figure that has a target.

    Attributes:
        what: names the figure.
        value: the figure.
        limit: the least value that is good enough, or the greatest if `at_most`.
        at_most: whether smaller is better.
    """

    what: str
    value: float
    limit: float
    at_most: bool = False

    @property
    def met(self) -> bool:
        return self.value <= self.limit if self.at_most else self.value >= self.limit

    @property
    def target(self) -> str:
        return f"at {'most' if self.at_most else 'least'} {self.limit:g}"


@dataclass(frozen=True, slots=True)
class Pair:
    """What one round measured: ours, and what it is compared with, both in the same unit."""

    ours: float
    other: float

    @property
    def ratio(self) -> float:
        return self.ours / self.other


def in_turn(rounds: int, ours: Callable[[int], float], other: Callable[[int], float]) -> list[Pair]:
    """Measure both in each round, with its number from 0; who comes first alternates."""
    pairs = []
    for number in range(rounds):
        if number % 2 == 0:
            measured = ours(number)
            pairs.append(Pair(measured, other(number)))
        else:
            measured = other(number)
            pairs.append(Pair(ours(number), measured))
    return pairs


def median_ratio(pairs: Sequence[Pair]) -> float:
    """Median of the ratios within the rounds: what slows the machine down for a while slows both sides."""
    return median(pair.ratio for pair in pairs)


def show_pairs(unit: str, ours: str, other: str, pairs: Sequence[Pair]) -> None:
    """Print the rounds and their medians."""
    rows = [(str(number), pair.ours, pair.other, pair.ratio) for number, pair in enumerate(pairs, start=1)]
    rows.append(
        (
            "median",
            median(pair.ours for pair in pairs),
            median(pair.other for pair in pairs),
            median_ratio(pairs),
        )
    )
    table = [("round", ours, other, "ratio")]
    table += [(name, f"{first:,.0f}", f"{second:,.0f}", f"{ratio:.2f}") for name, first, second, ratio in rows]
    print(f"  in {unit}")
    show_table(table)


def show_table(rows: Sequence[Sequence[str]]) -> None:
    """Print rows of texts, the first of them a heading: first column to the left, the others to the right."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        cells = [
            row[0].ljust(widths[0]),
            *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)),
        ]
        print("  " + "  ".join(cells).rstrip())
    sys.stdout.flush()


def show_checks(checks: Sequence[Check]) -> bool:
    """Print the figures with their targets; True if all are met."""
    verdicts = [(check.what, f"{check.value:.2f}", check.target, "met" if check.met else "MISSED") for check in checks]
    show_table([("figure", "value", "target", ""), *verdicts])
    return all(check.met for check in checks)
