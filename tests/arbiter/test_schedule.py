import itertools
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arbiter.schedule import ScheduledMatch, partners, round_robin

SIZES = {"bots": st.integers(2, 9), "half": st.integers(1, 4)}


def schedule(bots: int, half: int) -> tuple[list[str], list[ScheduledMatch]]:
    names = [f"bot{index}" for index in range(bots)]
    return names, round_robin(names, 2 * half)


def test_two_bots() -> None:
    assert round_robin(["a", "b"], 4) == [
        ScheduledMatch("001-01", "001", 1, ("a", "b"), 0),
        ScheduledMatch("001-02", "001", 2, ("b", "a"), 0),
        ScheduledMatch("001-03", "001", 3, ("a", "b"), 1),
        ScheduledMatch("001-04", "001", 4, ("b", "a"), 1),
    ]


def test_pairs_are_numbered_in_the_order_of_the_names() -> None:
    pairs = {match.pairing: set(match.bots) for match in round_robin(["d", "c", "b"], 2)}
    assert pairs == {"001": {"d", "c"}, "002": {"d", "b"}, "003": {"c", "b"}}


@given(**SIZES)
def test_within_a_pair_seats_and_deals_are_shared_equally(bots: int, half: int) -> None:
    names, matches = schedule(bots, half)
    of_pair: dict[str, list[ScheduledMatch]] = {}
    for match in matches:
        of_pair.setdefault(match.pairing, []).append(match)
    assert {frozenset(m[0].bots) for m in of_pair.values()} == {
        frozenset(pair) for pair in itertools.combinations(names, 2)
    }
    for pair_matches in of_pair.values():
        pair = set(pair_matches[0].bots)
        assert all(set(match.bots) == pair for match in pair_matches)
        assert [match.number for match in pair_matches] == list(range(1, 2 * half + 1))
        in_seat_0 = Counter(match.bots[0] for match in pair_matches)
        deals_first = Counter(match.bots[match.first_dealer] for match in pair_matches)
        assert in_seat_0 == deals_first == dict.fromkeys(pair, half)
        if half % 2 == 0:
            combinations = Counter((match.bots, match.first_dealer) for match in pair_matches)
            assert set(combinations.values()) == {half // 2}
            assert len(combinations) == 4


@given(**SIZES)
def test_all_bots_progress_evenly(bots: int, half: int) -> None:
    names, matches = schedule(bots, half)
    played = Counter(dict.fromkeys(names, 0))
    for match in matches:
        played.update(match.bots)
        assert max(played.values()) - min(played.values()) <= (2 if bots % 2 else 1)
    assert set(played.values()) == {(bots - 1) * 2 * half}


@given(**SIZES)
def test_ids_are_unique_and_sort_by_pair_and_number(bots: int, half: int) -> None:
    _, matches = schedule(bots, half)
    by_id = sorted(matches, key=lambda match: match.match_id)
    assert by_id == sorted(matches, key=lambda match: (int(match.pairing), match.number))
    assert len({match.match_id for match in matches}) == len(matches)


def test_ids_still_sort_with_many_matches() -> None:
    ids = [match.match_id for match in round_robin(["a", "b"], 1000)]
    assert ids == sorted(ids)
    assert (ids[0], ids[-1]) == ("001-0001", "001-1000")


@pytest.mark.parametrize(
    ("names", "matches_per_pair", "message"),
    [
        ([], 2, "at least 2 bots, not 0"),
        (["a"], 2, "at least 2 bots, not 1"),
        (["a", "b", "a"], 2, "must differ"),
        (["a", "b"], 3, "even and at least 2, not 3"),
        (["a", "b"], 0, "even and at least 2, not 0"),
        (["a", "b"], -2, "even and at least 2, not -2"),
    ],
)
def test_bad_arguments_are_refused(names: list[str], matches_per_pair: int, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        round_robin(names, matches_per_pair)


@given(**SIZES)
def test_duplicates_share_cards_and_dealer_and_change_seats(bots: int, half: int) -> None:
    names, plain = schedule(bots, half)
    matches = {match.match_id: match for match in round_robin(names, 2 * half, duplicate=True)}
    assert [match.match_id for match in plain] == list(matches)
    shared = partners(matches.values())
    assert shared.keys() == matches.keys()
    for match in matches.values():
        partner = matches[shared[match.match_id]]
        assert partner.cards == match.cards
        assert partner.bots == match.bots[::-1]
        assert partner.first_dealer == match.first_dealer
        assert match.second_half == (match.number % 2 == 0)
    assert Counter(Counter(match.cards for match in matches.values()).values()) == {2: len(matches) // 2}


def test_matches_that_are_no_duplicates_have_cards_of_their_own() -> None:
    matches = round_robin(["a", "b", "c"], 2)
    assert [match.cards for match in matches] == [match.match_id for match in matches]
    assert partners(matches) == {}
