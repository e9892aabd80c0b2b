"""Recorded deals with the match that they belong to, as `arbiter records` prints them; plain deal records too."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from sixtysix.rules import (
    Action,
    DealRecord,
    IllegalActionError,
    NotationError,
    RecordError,
    parse_action,
    parse_record,
)
from sixtysix.rules.record import documents


@dataclass(frozen=True)
class RecordedDeal:
    """A deal and its place in a match.

    Attributes:
        record: the deal.
        actions: what was played, checked.
        match: name of its match; that of the record, or the line, where the record tells none.
        number: of the deal in its match, from 1.
        score: of the match before the deal, by seat, as far as the file tells.
        forfeit: who has lost it by a fault, or None.
    """

    record: DealRecord
    actions: tuple[Action, ...]
    match: str
    number: int
    score: tuple[int, int]
    forfeit: int | None

    def follows(self, before: "RecordedDeal | None") -> bool:
        """Is it of the same match? One that was void comes again under its name."""
        return before is not None and before.match == self.match and before.number < self.number


def read_deals(text: str) -> Iterator[RecordedDeal]:
    """The deals of a text in JSON Lines, or of one JSON object; raises RecordError naming the line."""
    before: RecordedDeal | None = None
    after = (0, 0)
    for line, data in documents(text):
        try:
            if isinstance(data, ValueError):
                raise RecordError(f"not JSON: {data}")
            record = parse_record(data)
            assert isinstance(data, Mapping)
            deal = _read(record, data, line)
            change = _play(deal)
        except RecordError as error:
            raise RecordError(f"line {line}: {error}") from None
        if deal.follows(before):
            deal = replace(deal, score=after)
        yield deal
        before, after = deal, (deal.score[0] + change[0], deal.score[1] + change[1])


def _read(record: DealRecord, data: Mapping[str, Any], line: int) -> RecordedDeal:
    match, number = data.get("match"), data.get("deal", 1)
    if match is not None and not isinstance(match, str):
        raise RecordError(f"match: must be a text, not {match!r}")
    if type(number) is not int or number < 1:
        raise RecordError(f"deal: must be a whole number of 1 or more, not {number!r}")
    fault = data.get("forfeit")
    forfeit = fault.get("seat") if isinstance(fault, Mapping) else None
    if forfeit not in (None, 0, 1):
        raise RecordError(f"forfeit.seat: must be 0 or 1, not {forfeit!r}")
    try:
        actions = tuple(parse_action(token) for token in record.actions)
    except NotationError as error:
        raise RecordError(f"actions: {error}") from None
    return RecordedDeal(record, actions, match or record.id or f"line {line}", number, (0, 0), forfeit)


def _play(recorded: RecordedDeal) -> tuple[int, int]:
    """What the deal has changed in the score of its match; raises RecordError for an action that is not legal."""
    deal = recorded.record.deal()
    for index, action in enumerate(recorded.actions):
        try:
            deal.apply(action)
        except IllegalActionError as error:
            raise RecordError(f"actions[{index}], {action.text!r}: {error}") from None
    if not deal.over and recorded.forfeit is not None:
        deal.forfeit(recorded.forfeit)
    return (0, 0) if deal.outcome is None else deal.outcome.score_change
