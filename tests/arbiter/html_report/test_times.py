from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arbiter.html_report.times import Times, bin_of

SHARES = (0.5, 0.95, 0.99)


def times_of(values: list[int]) -> Times:
    times = Times()
    for value in values:
        times.add(value)
    return times


def test_quantiles_are_those_that_one_would_count() -> None:
    assert times_of(list(range(1, 101))).quantiles_us(SHARES) == [50, 95, 99]
    assert times_of([7]).quantiles_us(SHARES) == [7, 7, 7]
    assert times_of([0, 0, 0, 900]).quantiles_us(SHARES) == [0, 900, 900]


def test_without_decisions_there_are_no_quantiles() -> None:
    assert times_of([]).quantiles_us(SHARES) == []
    assert times_of([]).bins() == {}


@given(st.lists(st.integers(0, 10**9), min_size=1))
def test_quantiles_are_those_of_the_sorted_times_to_three_digits(values: list[int]) -> None:
    ordered = sorted(values)
    for share, found in zip(SHARES, times_of(values).quantiles_us(SHARES), strict=True):
        place = next(place for place in range(1, len(values) + 1) if place >= share * len(values))
        exact = ordered[place - 1]
        assert abs(found - exact) <= Fraction(exact, 200)


@pytest.mark.parametrize(
    ("time_us", "expected"),
    [(0, 0), (1, 0), (2, 1), (9, 3), (10, 4), (17, 4), (18, 5), (999, 11), (1000, 12), (10**6, 24), (10**9, 36)],
)
def test_bins_divide_decades_into_four(time_us: int, expected: int) -> None:
    assert bin_of(time_us) == expected


@given(st.lists(st.integers(0, 10**8)))
def test_every_decision_is_in_one_bin(values: list[int]) -> None:
    bins = times_of(values).bins()
    assert sum(bins.values()) == times_of(values).total == len(values)
    assert list(bins) == sorted(bins)
