"""The time control of a match."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TimeControl:
    """How much time a player has; all values in microseconds.

    Attributes:
        ready_us: to get ready for a match.
        decision_us: the cap of a single decision.
        bank_us: for all decisions of a match together.
        increment_us: added to the bank after each decision.
        lag_us: most that is not charged of a decision, for the way through the network.

    Raises ValueError if a value is negative, or 0 where time is needed.
    """

    ready_us: int
    decision_us: int
    bank_us: int
    increment_us: int = 0
    lag_us: int = 0

    def __post_init__(self) -> None:
        for name, least in (
            ("ready_us", 1),
            ("decision_us", 1),
            ("bank_us", 1),
            ("increment_us", 0),
            ("lag_us", 0),
        ):
            if getattr(self, name) < least:
                raise ValueError(f"{name} must be {least} or more, not {getattr(self, name)}")
