from collections.abc import Sequence

import pytest

from arbiter.pairs import PairCount, count_pairs
from arbiter.results import MatchSummary
from arbiter.schedule import ScheduledMatch, round_robin
from tests.arbiter.played import summary

SCHEDULE = round_robin(["ada", "bob"], 4, duplicate=True)


def played(results: Sequence[str], schedule: Sequence[ScheduledMatch] = SCHEDULE) -> list[MatchSummary]:
    """Matches that ada won (W), lost (L), drew (D), that were void (V) or not played (-)."""
    found = []
    for match, result in zip(schedule, results, strict=True):
        if result == "-":
            continue
        ada = match.bots.index("ada")
        winner = {"W": ada, "L": 1 - ada}.get(result)
        reason = "void" if result == "V" else "target"
        found.append(
            summary(
                match.bots,
                (0, 0),
                winner,
                reason,  # type: ignore[arg-type]  # one of the two reasons above
                match_id=match.match_id,
                pairing=match.pairing,
            )
        )
    return found


@pytest.mark.parametrize(
    ("results", "attempts", "counts", "single"),
    [
        ("LLWW", (1, 1, 1, 1), (1, 0, 0, 0, 1), 0),
        ("WLDD", (1, 1, 1, 1), (0, 0, 2, 0, 0), 0),
        ("LDDW", (1, 1, 1, 1), (0, 1, 0, 1, 0), 0),
        ("WWW-", (1, 1, 1, 1), (0, 0, 0, 0, 1), 1),
        ("WVLL", (1, 1, 1, 1), (1, 0, 0, 0, 0), 1),
        ("WWLL", (1, 2, 1, 1), (1, 0, 0, 0, 0), 2),
        ("WWLL", (2, 2, 1, 1), (1, 0, 0, 0, 1), 0),
        ("----", (1, 1, 1, 1), (0, 0, 0, 0, 0), 0),
    ],
)
def test_pairs_by_class(
    results: str, attempts: tuple[int, ...], counts: tuple[int, int, int, int, int], single: int
) -> None:
    issued = {match.match_id: attempt for match, attempt in zip(SCHEDULE, attempts, strict=True)}
    (count,) = count_pairs(SCHEDULE, issued, played(results))
    assert count == PairCount(("ada", "bob"), counts, single)
    assert count.pairs == sum(counts)


def test_a_match_that_was_void_first_counts_once() -> None:
    issued = dict.fromkeys((match.match_id for match in SCHEDULE), 1)
    (count,) = count_pairs(SCHEDULE, issued, [*played("VV--"), *played("WWLL")])
    assert count == PairCount(("ada", "bob"), (1, 0, 0, 0, 1), 0)


def test_every_two_bots_have_a_line() -> None:
    schedule = round_robin(["ada", "bob", "cy"], 2, duplicate=True)
    counts = count_pairs(schedule, {}, [])
    assert {frozenset(count.bots) for count in counts} == {
        frozenset(pair) for pair in (("ada", "bob"), ("ada", "cy"), ("bob", "cy"))
    }
    assert all(count.pairs == count.single == 0 for count in counts)
