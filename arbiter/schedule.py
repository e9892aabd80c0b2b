"""Who plays whom, in which seat, and who deals first: a pure function of names and numbers."""

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ScheduledMatch:
    """One match to be played.

    Attributes:
        match_id: unique in the tournament and sortable: pairing and number, such as "003-07".
        pairing: id of the pair of bots, such as "003"; pairs are numbered from 1 in the order of the names.
        number: of the match within its pair, from 1.
        bots: the names in seat 0 and seat 1.
        first_dealer: the seat (0 or 1) that deals first.
        cards: key of the decks: the match itself or, for the second half of a duplicate, the first half.
    """

    match_id: str
    pairing: str
    number: int
    bots: tuple[str, str]
    first_dealer: int
    cards: str = ""

    def __post_init__(self) -> None:
        """Give a match cards of its own unless it shares them."""
        if not self.cards:
            object.__setattr__(self, "cards", self.match_id)

    @property
    def second_half(self) -> bool:
        """Is this the half of a duplicate in which the cards have been played before?"""
        return self.cards != self.match_id


def partners(matches: Iterable[ScheduledMatch]) -> dict[str, str]:
    """Return, for each match that shares its cards, the match that it shares them with."""
    seconds = {match.match_id: match.cards for match in matches if match.second_half}
    return seconds | {first: second for second, first in seconds.items()}


def round_robin(names: Sequence[str], matches_per_pair: int, duplicate: bool = False) -> list[ScheduledMatch]:
    """Return all matches of a round-robin in playing order.

    With `duplicate`, each match of even number has the cards of the one before it and the same seat deals first, but
    the bots have changed seats: each bot plays the hands that the other had.

    Within a pair each bot sits in seat 0 and deals first equally often (and in each combination, if
    `matches_per_pair` is a multiple of 4). The order is by rounds in which every bot plays once (with an odd
    number of bots, one rests), so that all bots progress evenly.

    Args:
        names: at least 2 different names.
        matches_per_pair: even, at least 2.
        duplicate: play each deal twice, with the seats changed.

    Raises:
        ValueError: an argument is outside its range.
    """
    if len(names) < 2:
        raise ValueError(f"a round-robin needs at least 2 bots, not {len(names)}")
    if len(set(names)) != len(names):
        raise ValueError("the names of the bots must differ")
    if matches_per_pair < 2 or matches_per_pair % 2:
        raise ValueError(f"matches_per_pair must be even and at least 2, not {matches_per_pair}")
    pairs = list(itertools.combinations(range(len(names)), 2))
    pair_digits = max(3, len(str(len(pairs))))
    number_digits = max(2, len(str(matches_per_pair)))
    pairings = {pair: f"{index:0{pair_digits}}" for index, pair in enumerate(pairs, start=1)}
    rounds = _rounds(len(names))
    matches = []
    for number in range(1, matches_per_pair + 1):
        seats_swapped = number % 2 == 0
        # Seats change every match and the dealer's seat every two: neither follows from the other.
        first_dealer = (number - 1) // 2 % 2
        for first, second in itertools.chain.from_iterable(rounds):
            pairing = pairings[first, second]
            matches.append(
                ScheduledMatch(
                    match_id=f"{pairing}-{number:0{number_digits}}",
                    pairing=pairing,
                    number=number,
                    bots=(names[second], names[first]) if seats_swapped else (names[first], names[second]),
                    first_dealer=first_dealer,
                    cards=f"{pairing}-{number - 1:0{number_digits}}" if duplicate and seats_swapped else "",
                )
            )
    return matches


def _rounds(count: int) -> list[list[tuple[int, int]]]:
    """Return the rounds of the circle method for bots 0 .. count - 1, each pair in ascending order."""
    # With an odd count, whoever meets the extra place rests.
    places = list(range(count + count % 2))
    rounds = []
    for _ in range(len(places) - 1):
        meetings = zip(places[: len(places) // 2], reversed(places), strict=False)
        rounds.append([(min(pair), max(pair)) for pair in meetings if max(pair) < count])
        places = [places[0], places[-1], *places[1:-1]]
    return rounds
