import pytest

from arbiter.stalls import THRESHOLD_NS, TICK_NS, StallMeter

MS = 1_000_000


def test_a_tick_on_time_is_no_stall() -> None:
    meter = StallMeter(0)
    for number in range(1, 10):
        meter.ticked(number * TICK_NS + THRESHOLD_NS)
    assert meter.total_ns == 0


@pytest.mark.parametrize(
    ("start_ms", "end_ms", "credit_ms"),
    [
        (0, 1, 0),
        (0, 200, 98),
        (30, 200, 70),
        (30, 60, 30),
        (0, 50, 48),
        (100, 200, 0),
        (0, 1_000, 166),
        (90, 440, 48),
    ],
)
def test_only_what_falls_into_a_decision_is_credited(start_ms: int, end_ms: int, credit_ms: int) -> None:
    meter = StallMeter(0)
    meter.ticked(100 * MS)  # due at 2 ms
    for moment in range(102, 401, 2):
        meter.ticked(moment * MS)
    meter.ran(470 * MS)  # due at 402 ms
    assert meter.total_ns == 166 * MS
    assert meter.overlap_us(start_ms * MS, end_ms * MS) == credit_ms * 1000


def test_a_stall_is_noted_once_by_whatever_runs_first() -> None:
    meter = StallMeter(0)
    meter.ran(120 * MS)
    meter.ticked(121 * MS)
    assert meter.total_ns == 118 * MS


@pytest.mark.parametrize(("end_ms", "credit_ms"), [(5, 1), (6, 2), (7, 0), (20, 0)])
def test_a_short_stall_counts_for_what_arrives_in_it(end_ms: int, credit_ms: int) -> None:
    meter = StallMeter(0)
    meter.ticked(2 * MS)
    meter.ticked(6 * MS)  # due at 4 ms
    assert meter.overlap_us(0, end_ms * MS) == credit_ms * 1000
