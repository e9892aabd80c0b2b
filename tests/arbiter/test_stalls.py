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
        (0, 10, 0),
        (0, 200, 80),
        (30, 200, 70),
        (30, 60, 30),
        (0, 50, 30),
        (100, 200, 0),
        (0, 1_000, 130),
        (90, 440, 30),
    ],
)
def test_only_what_falls_into_a_decision_is_credited(start_ms: int, end_ms: int, credit_ms: int) -> None:
    meter = StallMeter(0)
    meter.ticked(100 * MS)  # due at 20 ms
    for moment in range(120, 401, 20):
        meter.ticked(moment * MS)
    meter.ran(470 * MS)  # due at 420 ms
    assert meter.total_ns == 130 * MS
    assert meter.overlap_us(start_ms * MS, end_ms * MS) == credit_ms * 1000


def test_a_stall_is_noted_once_by_whatever_runs_first() -> None:
    meter = StallMeter(0)
    meter.ran(120 * MS)
    meter.ticked(121 * MS)
    assert meter.total_ns == 100 * MS
