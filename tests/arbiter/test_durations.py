import pytest
from hypothesis import given
from hypothesis import strategies as st

from arbiter.durations import format_duration, parse_duration


@pytest.mark.parametrize(
    ("text", "duration_us"),
    [
        ("250us", 250),
        ("50ms", 50_000),
        ("1.5s", 1_500_000),
        ("10s", 10_000_000),
        ("2m", 120_000_000),
        ("1h", 3_600_000_000),
        ("0s", 0),
        ("1000h", 3_600_000_000_000),
    ],
)
def test_durations(text: str, duration_us: int) -> None:
    assert parse_duration(text) == duration_us


@pytest.mark.parametrize(
    "value",
    [
        "",
        "s",
        "10",
        "10 s",
        " 10s",
        "10s ",
        "10s\n",
        "-1s",
        "+1s",
        "1e3s",
        "1,5s",
        ".5s",
        "1.s",
        "10S",
        "10sec",
        "1d",
        "\u0661s",
        "0.5us",
        "0.0000001s",
        "1001h",
        "9" * 5000 + "h",
        10,
        1.5,
        True,
        None,
        ["10s"],
    ],
)
def test_bad_durations(value: object) -> None:
    with pytest.raises(ValueError, match="expected a duration"):
        parse_duration(value)


@given(st.integers(0, 3_600_000_000_000))
def test_durations_can_be_written_and_read_back(duration_us: int) -> None:
    assert parse_duration(format_duration(duration_us)) == duration_us


@pytest.mark.parametrize(
    ("duration_us", "text"),
    [
        (0, "0s"),
        (1, "1us"),
        (50_000, "50ms"),
        (90_000_000, "90s"),
        (120_000_000, "2m"),
    ],
)
def test_durations_are_written_in_the_largest_whole_unit(duration_us: int, text: str) -> None:
    assert format_duration(duration_us) == text
