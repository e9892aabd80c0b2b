import pytest
from hypothesis import given
from hypothesis import strategies as st

from arbiter.clock import Charge, SeatClock
from sixtysix.timecontrol import TimeControl

CONTROL = TimeControl(ready_us=10_000_000, decision_us=1_000_000, bank_us=3_000_000, increment_us=50_000, lag_us=20_000)


@pytest.mark.parametrize(
    ("field", "value"),
    [("ready_us", 0), ("decision_us", 0), ("bank_us", 0), ("increment_us", -1), ("lag_us", -1)],
)
def test_a_time_control_refuses_values_out_of_range(field: str, value: int) -> None:
    values = {"ready_us": 1, "decision_us": 1, "bank_us": 1, "increment_us": 0, "lag_us": 0}
    assert TimeControl(**values).bank_us == 1
    with pytest.raises(ValueError, match=field):
        TimeControl(**{**values, field: value})


@pytest.mark.parametrize(("round_trip_us", "allowance_us"), [(None, 0), (300, 300), (20_000, 20_000), (90_000, 20_000)])
def test_allowance_is_the_round_trip_up_to_the_agreed_lag(round_trip_us: int | None, allowance_us: int) -> None:
    assert SeatClock(CONTROL).allowance_us(round_trip_us) == allowance_us


@pytest.mark.parametrize(
    ("bank_us", "free", "limit_us"),
    [
        (3_000_000, False, 1_000_500),
        (1_000_000, False, 1_000_500),
        (400_000, False, 400_500),
        (0, False, 500),
        (0, True, 1_000_500),
    ],
)
def test_limit_is_cap_or_bank_plus_allowance(bank_us: int, free: bool, limit_us: int) -> None:
    clock = SeatClock(CONTROL)
    clock.bank_us = bank_us
    assert clock.limit_us(500, free) == limit_us


@pytest.mark.parametrize(
    ("bank_us", "elapsed_us", "allowance_us", "stall_us", "free", "charged_us", "late", "bank_after_us"),
    [
        pytest.param(3_000_000, 700_000, 0, 0, False, 700_000, False, 2_350_000, id="plain"),
        pytest.param(3_000_000, 700_000, 20_000, 0, False, 680_000, False, 2_370_000, id="allowance"),
        pytest.param(3_000_000, 700_000, 20_000, 80_000, False, 600_000, False, 2_450_000, id="stall"),
        pytest.param(3_000_000, 10_000, 20_000, 0, False, 0, False, 3_050_000, id="within allowance"),
        pytest.param(3_000_000, 1_000_000, 0, 0, False, 1_000_000, False, 2_050_000, id="exactly the cap"),
        pytest.param(3_000_000, 1_000_001, 0, 0, False, 0, True, 3_000_000, id="over the cap"),
        pytest.param(3_000_000, 1_000_001, 1, 0, False, 1_000_000, False, 2_050_000, id="saved by allowance"),
        pytest.param(3_000_000, 5_000_000, 0, 4_500_000, False, 500_000, False, 2_550_000, id="saved by stall"),
        pytest.param(400_000, 400_000, 0, 0, False, 400_000, False, 50_000, id="exactly the bank"),
        pytest.param(400_000, 400_001, 0, 0, False, 0, True, 400_000, id="over the bank"),
        pytest.param(3_000_000, 600_000, 0, 0, True, 0, False, 3_000_000, id="forced"),
        pytest.param(400_000, 600_000, 0, 0, True, 0, False, 400_000, id="forced, beyond the bank"),
        pytest.param(3_000_000, 1_000_001, 0, 0, True, 0, True, 3_000_000, id="forced, beyond the cap"),
    ],
)
def test_charge(
    bank_us: int,
    elapsed_us: int,
    allowance_us: int,
    stall_us: int,
    free: bool,
    charged_us: int,
    late: bool,
    bank_after_us: int,
) -> None:
    clock = SeatClock(CONTROL)
    clock.bank_us = bank_us
    charge = clock.charge(elapsed_us, allowance_us, stall_us, free)
    assert charge == Charge(elapsed_us, allowance_us, stall_us, charged_us, late)
    assert clock.bank_us == bank_after_us


@given(st.lists(st.tuples(st.integers(0, 2_000_000), st.integers(0, 20_000), st.integers(0, 10_000), st.booleans())))
def test_the_bank_is_never_overdrawn_and_adds_up(decisions: list[tuple[int, int, int, bool]]) -> None:
    clock = SeatClock(CONTROL)
    charged_us = increments = 0
    for elapsed_us, allowance_us, stall_us, free in decisions:
        limit_us = clock.limit_us(allowance_us, free)
        charge = clock.charge(elapsed_us, allowance_us, stall_us, free)
        assert charge.late == (elapsed_us - stall_us > limit_us)
        charged_us += charge.charged_us
        increments += not charge.late and not free
        assert clock.bank_us >= 0
    assert clock.bank_us + charged_us == CONTROL.bank_us + increments * CONTROL.increment_us
