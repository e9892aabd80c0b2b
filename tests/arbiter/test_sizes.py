import pytest
from hypothesis import given
from hypothesis import strategies as st

from arbiter.sizes import format_size, parse_size


@pytest.mark.parametrize(
    ("text", "size"), [("512MB", 512_000_000), ("2GiB", 2 << 30), ("1KiB", 1024), ("7B", 7), ("3TB", 3 * 10**12)]
)
def test_amounts(text: str, size: int) -> None:
    assert parse_size(text) == size
    assert format_size(size) == text


@given(st.integers(1, 10**15 - 1))
def test_every_amount_can_be_written(size: int) -> None:
    assert parse_size(format_size(size)) == size


@pytest.mark.parametrize("value", ["", "512", 512, "512 MB", "1.5GB", "-1MB", "MB", "512mb", "1e3MB", None, True])
def test_what_is_no_amount(value: object) -> None:
    with pytest.raises(ValueError, match="expected an amount of memory as text with a unit"):
        parse_size(value)
