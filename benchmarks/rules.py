"""Random against random in this process, next to the package `schnapsen` of PyPI.

Each has an engine, a view of the game and a random bot of its own; matches go to 7 game points. They do not play
quite the same games: in `schnapsen` nobody closes or claims (the engine ends a game at 66). So the length of a match
and the deals a second are shown too.
"""

import time
from dataclasses import dataclass
from random import Random

from benchmarks.report import BenchmarkError, Check, in_turn, median_ratio, show_pairs
from example_bots.random_bot import RandomBot
from sixtysix.local import play_matches
from sixtysix.rules import RULE_SETS

LEAST_RATIO = 4.0
_TARGET = 7


@dataclass(slots=True)
class _Played:
    """Matches and deals played, and the CPU time that they took in seconds."""

    matches: int = 0
    deals: int = 0
    seconds: float = 0.0

    def add(self, matches: int, deals: int, seconds: float) -> float:
        """Count a round and return its matches per CPU-second."""
        self.matches += matches
        self.deals += deals
        self.seconds += seconds
        return matches / seconds


def run(quick: bool) -> list[Check]:
    """Play both in turn."""
    rounds, our_matches, other_matches = (5, 300, 60) if quick else (25, 1_000, 200)
    ours, others = _Played(), _Played()
    pairs = in_turn(
        rounds,
        lambda number: _play_ours(ours, our_matches, number),
        lambda number: _play_others(others, other_matches, number),
    )
    show_pairs("matches per CPU-second", "sixtysix", "schnapsen 0.0.5", pairs)
    for name, played in (("sixtysix", ours), ("schnapsen 0.0.5", others)):
        length, rate = played.deals / played.matches, played.deals / played.seconds
        print(f"  {name}: {length:.2f} deals a match, {rate:,.0f} deals per CPU-second")
    return [Check("rules: matches per CPU-second, times schnapsen 0.0.5", median_ratio(pairs), LEAST_RATIO)]


def _play_ours(played: _Played, matches: int, seed: int) -> float:
    bots = (RandomBot(), RandomBot())
    started = time.process_time()
    deals = sum(result.deals for result in play_matches(RULE_SETS["schnapsen"], bots, range(matches), seed))
    return played.add(matches, deals, time.process_time() - started)


def _play_others(played: _Played, matches: int, seed: int) -> float:
    try:
        from schnapsen.bots import RandBot  # type: ignore[import-not-found]
        from schnapsen.game import SchnapsenGamePlayEngine  # type: ignore[import-not-found]
    except ImportError:
        raise BenchmarkError("the package schnapsen is missing; `make bench` has an environment with it") from None
    engine = SchnapsenGamePlayEngine()
    rng = Random(seed)
    bots = (RandBot(Random(rng.random())), RandBot(Random(rng.random())))
    deals = 0
    started = time.process_time()
    for number in range(matches):
        score = dict.fromkeys(bots, 0)
        leader = number % 2
        while max(score.values()) < _TARGET:
            winner, points, _ = engine.play_game(bots[leader], bots[1 - leader], rng)
            score[winner] += points
            leader = 1 - leader
            deals += 1
    return played.add(matches, deals, time.process_time() - started)
