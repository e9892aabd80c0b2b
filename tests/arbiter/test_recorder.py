from collections.abc import Sequence

import pytest
import trio

from arbiter.recorder import QUEUE, Recorder
from arbiter.results import MatchResult
from arbiter.schedule import ScheduledMatch
from arbiter.store import StoreAwayError, StoreError
from tests.arbiter.played import summary


def result(match_id: str) -> MatchResult:
    return summary(("ada", "bob"), (7, 0), 0, match_id=match_id).result(())


class FakeStore:
    """Keeps what it is given, after failing as often as it is told to."""

    def __init__(self, *errors: StoreError) -> None:
        self.errors = list(errors)
        self.batches: list[list[str]] = []

    def fix(self, results: Sequence[MatchResult]) -> None:
        if self.errors:
            raise self.errors.pop(0)
        self.batches.append([one.match_id for one in results])


class Told:
    def __init__(self) -> None:
        self.fixed: list[str] = []
        self.notes: list[str] = []

    def on_fixed(self, one: MatchResult) -> None:
        self.fixed.append(one.match_id)


def recorder(store: FakeStore, told: Told, patience_s: float = 60) -> Recorder:
    return Recorder(store.fix, told.on_fixed, told.notes.append, patience_s)


async def test_results_that_wait_are_written_together_and_in_order() -> None:
    store, told = FakeStore(), Told()
    writer = recorder(store, told)
    events = [await writer.put(result(str(number))) for number in range(100)]
    writer.close()
    await writer.run()
    assert [len(batch) for batch in store.batches] == [64, 36]
    assert told.fixed == [str(number) for number in range(100)]
    assert all(event.is_set() for event in events)


async def test_a_store_that_is_away_is_tried_again(autojump_clock: trio.testing.MockClock) -> None:
    away = StoreAwayError("held by another process")
    store, told = FakeStore(away, away, away), Told()
    writer = recorder(store, told)
    written = await writer.put(result("1"))
    writer.close()
    await writer.run()
    assert (store.batches, told.fixed, written.is_set()) == ([["1"]], ["1"], True)
    assert told.notes == ["the store is away, trying again for 60 s: held by another process"]
    assert trio.current_time() == pytest.approx(0.1 + 0.2 + 0.4)


async def test_each_time_that_a_store_is_away_is_told_once(autojump_clock: trio.testing.MockClock) -> None:
    away = StoreAwayError("the disk is full")
    store, told = FakeStore(*[away] * 4), Told()
    writer = recorder(store, told)
    async with trio.open_nursery() as nursery:
        for number in range(5):
            nursery.start_soon(writer.call, store.fix, [result(str(number))])
    assert told.notes == ["the store is away, trying again for 60 s: the disk is full"]
    store.errors = [away]
    await writer.call(store.fix, [])
    assert len(told.notes) == 2


async def test_patience_has_an_end(autojump_clock: trio.testing.MockClock) -> None:
    store, told = FakeStore(*[StoreAwayError("the disk is full")] * 1000), Told()
    writer = recorder(store, told, patience_s=20)
    await writer.put(result("1"))
    with pytest.raises(StoreAwayError, match="the disk is full"):
        await writer.run()
    assert told.fixed == []
    assert 20 <= trio.current_time() <= 25


async def test_other_errors_are_not_tried_again(autojump_clock: trio.testing.MockClock) -> None:
    store, told = FakeStore(StoreError("not a tournament database")), Told()
    writer = recorder(store, told)
    await writer.put(result("1"))
    with pytest.raises(StoreError, match="not a tournament database"):
        await writer.run()
    assert trio.current_time() == 0


async def test_matches_wait_when_the_store_is_too_far_behind() -> None:
    writer = recorder(FakeStore(), Told())
    for number in range(QUEUE):
        await writer.put(result(str(number)))
    with trio.move_on_after(0.01) as scope:
        await writer.put(result("one too many"))
    assert scope.cancelled_caught


async def test_what_has_ended_is_written_also_when_the_tournament_is_stopped() -> None:
    store, told = FakeStore(), Told()
    writer = recorder(store, told)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(writer.run)
        await trio.testing.wait_all_tasks_blocked()
        for number in range(3):
            await writer.put(result(str(number)))
        nursery.cancel_scope.cancel()
    assert told.fixed == ["0", "1", "2"]


class FakeIssuer:
    """Counts attempts, and fails as often as it is told to."""

    def __init__(self, *errors: StoreError) -> None:
        self.errors = list(errors)
        self.batches: list[list[str]] = []

    def issue(self, matches: Sequence[ScheduledMatch]) -> dict[str, int]:
        if self.errors:
            raise self.errors.pop(0)
        self.batches.append([match.match_id for match in matches])
        return {match.match_id: len(self.batches) for match in matches}


async def issued(writer: Recorder, issuer: FakeIssuer, count: int) -> dict[str, int]:
    attempts: dict[str, int] = {}

    async def issue(match: ScheduledMatch) -> None:
        attempts[match.match_id] = await writer.issue(match, issuer.issue)

    async with trio.open_nursery() as nursery:
        for number in range(1, count + 1):
            nursery.start_soon(issue, ScheduledMatch(f"001-{number}", "001", number, ("ada", "bob"), 0))
    return attempts


async def test_matches_that_wait_to_be_issued_are_issued_together() -> None:
    issuer = FakeIssuer()
    attempts = await issued(recorder(FakeStore(), Told()), issuer, 20)
    assert len(issuer.batches) <= 2
    assert attempts == {match_id: number for number, ids in enumerate(issuer.batches, 1) for match_id in ids}
    assert len(attempts) == 20


async def test_a_store_that_cannot_issue_ends_it_for_all(autojump_clock: trio.testing.MockClock) -> None:
    issuer = FakeIssuer(StoreError("it is full"))
    with pytest.RaisesGroup(StoreError):
        await issued(recorder(FakeStore(), Told()), issuer, 3)
    assert issuer.batches == []
