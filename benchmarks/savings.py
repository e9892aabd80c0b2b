"""How many matches tell `counting_bot` from `greedy_bot`: plain, in duplicate pairs, and by game points per deal.

A number of matches is enough when the 95 % interval, as wide as it is expected to be, just leaves out equality. To find
the difference not in every second comparison but in nine of ten takes 2.7 times as many.
"""

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass

from arbiter.ratings.elo import K, Z, estimate
from benchmarks.report import Check
from example_bots.counting_bot import CountingBot
from example_bots.greedy_bot import GreedyBot
from sixtysix.rules import RULE_SETS
from sixtysix.series import Series, Tally, play_series

LEAST_SAVING = 1.5
_NAMES = ("example_bots.counting_bot", "example_bots.greedy_bot")
_JOBS = 2


@dataclass(frozen=True, slots=True)
class _Played:
    """A tally with its name."""

    name: str
    tally: Tally

    @property
    def by_matches(self) -> float:
        """Matches needed if only who won them counts: until the margin of normalised Elo is as much as the figure."""
        tally = self.tally
        nelo = estimate(tally.pairs or (tally.wins[1], tally.draws, tally.wins[0])).nelo
        assert nelo is not None
        return (K * Z / nelo) ** 2

    @property
    def by_points(self) -> float:
        """Matches needed if game points per deal count."""
        assert self.tally.interval is not None
        assert self.tally.per_deal is not None
        low, high = self.tally.interval
        return self.tally.matches * ((high - low) / 2 / self.tally.per_deal) ** 2


def run(quick: bool) -> list[Check]:
    """Play both ways."""
    matches = 1_000 if quick else 10_000
    ways = [_play("plain matches", matches, pairs=False), _play("duplicate pairs", matches, pairs=True)]
    base = ways[0].by_matches
    for way in ways:
        wins, tally = way.tally.wins, way.tally
        print(f"  {way.name}: {wins[0]}-{wins[1]}, {tally.deals} deals, {tally.per_deal:+.4f} game points a deal")
        if tally.pairs is not None:
            print(f"    pairs {tally.pairs}: Elo {estimate(tally.pairs).elo:+.1f}")
        shown: tuple[tuple[str, Callable[[_Played], float]], ...] = (
            ("who won", lambda way: way.by_matches),
            ("game points per deal", lambda way: way.by_points),
        )
        for measure, needed in shown:
            print(f"    by {measure}: {needed(way):.1f} matches needed, {base / needed(way):.1f} times fewer")
    return [Check("savings: plain matches for one in a duplicate pair", base / ways[1].by_matches, LEAST_SAVING)]


def _play(name: str, matches: int, *, pairs: bool) -> _Played:
    series = Series(RULE_SETS["schnapsen"], _NAMES, matches, seed=1, deal_limit=100, pairs=pairs)
    tally = Tally(pairs=[0] * 5 if pairs else None)
    with closing(play_series(series, (CountingBot(), GreedyBot()), _JOBS)) as results:
        for result in results:
            tally.add(result)
    return _Played(name, tally)
