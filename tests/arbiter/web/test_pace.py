import pytest

from arbiter.web.pace import WINDOW_S, Pace


def test_nothing_can_be_told_before_a_match_has_ended() -> None:
    pace = Pace(100.0)
    assert pace.per_second is None
    pace.add(110.0, 0)
    assert pace.per_second is None
    assert pace.seconds_for(5) is None


def test_the_beginning_counts_from_the_start() -> None:
    pace = Pace(100.0)
    pace.add(102.0, 3)
    pace.add(104.0, 1)
    assert pace.per_second == 1.0
    assert pace.seconds_for(30) == 30.0
    assert pace.seconds_for(0) == 0.0


def test_no_time_has_passed() -> None:
    pace = Pace(100.0)
    pace.add(100.0, 3)
    assert pace.per_second is None


def test_what_is_long_ago_does_not_count() -> None:
    pace = Pace(0.0)
    for second in range(1, 61):
        pace.add(float(second), 10)
    for second in range(61, 121):
        pace.add(float(second), 2)
    assert pace.per_second == pytest.approx(2.0)


def test_a_long_silence_counts() -> None:
    pace = Pace(0.0)
    pace.add(1.0, 5)
    pace.add(1.0 + 2 * WINDOW_S, 6)
    assert pace.per_second == pytest.approx(6 / (2 * WINDOW_S))
    pace.add(1.0 + 4 * WINDOW_S, 0)
    assert pace.per_second is None
