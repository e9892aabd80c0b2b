"""Rating many players by many results: out of a CSV file, and out of the store of a tournament.

The results follow the model, with strengths that are known, so the ratings can be checked: nineteen of twenty strengths
should lie within the errors.
"""

import csv
import time
from collections.abc import Callable, Iterator
from itertools import combinations, islice
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import numpy as np
import sqlalchemy as sa

from arbiter import database, schema
from arbiter.config import parse
from arbiter.rating_sources import collect
from arbiter.ratings.bradley_terry import ELO
from arbiter.ratings.matches import Matches
from arbiter.ratings.table import RatingList, rate
from arbiter.store import FILE_NAME, Store, TournamentRow
from benchmarks.report import BenchmarkError, Check, show_table

MOST_SECONDS = 20.0
_LEAST_WITHIN = 0.9
_TIMES = ("decisions", "total_us", "worst_us", "faults")
Result = tuple[str, str, int]
"""Two players, and 1 if the first has won."""


def run(quick: bool) -> list[Check]:
    """Rate one and the same set of results from both sources."""
    players, results = (100, 20_000) if quick else (1_000, 1_000_000)
    strengths = {f"bot{number:04}": Random(number).gauss(0, 1) for number in range(players)}
    rows = [("source", "CPU-seconds to read", "CPU-seconds to rate", "within the error")]
    checks = []
    with TemporaryDirectory() as folder:
        file, out = Path(folder) / "matches.csv", Path(folder) / "tournament"
        _write_csv(file, strengths, results)
        _write_store(out, strengths, results)
        sources: dict[str, Callable[[], Matches]] = {
            "CSV file": lambda: collect([], [file]),
            "store": lambda: collect([out], []),
        }
        for name, read in sources.items():
            started = time.process_time()
            matches = read()
            read_at = time.process_time()
            listed = rate(matches)
            done = time.process_time()
            within = _within(listed, strengths)
            rows.append((name, f"{read_at - started:.2f}", f"{done - read_at:.2f}", f"{within:.3f}"))
            if within < _LEAST_WITHIN:
                raise BenchmarkError(f"only {within:.0%} of the strengths lie within the errors")
            checks.append(Check(f"ratings: CPU-seconds, {name}", done - started, MOST_SECONDS, at_most=True))
    print(f"  {results:,} results of {players:,} players")
    show_table(rows)
    return checks


def _results(strengths: dict[str, float], count: int) -> Iterator[Result]:
    """Yield results in the order of a round-robin that goes on until there are enough."""
    rng = Random(1)
    pairs = list(combinations(strengths, 2))
    for index in range(count):
        first, second = pairs[index % len(pairs)]
        if index // len(pairs) % 2:
            first, second = second, first
        chance = 1 / (1 + np.exp(strengths[second] - strengths[first]))
        yield first, second, int(rng.random() < chance)


def _write_csv(file: Path, strengths: dict[str, float], count: int) -> None:
    with file.open("w", encoding="utf-8", newline="") as target:
        writer = csv.writer(target)
        writer.writerow(["first", "second", "score"])
        writer.writerows(_results(strengths, count))


def _write_store(out: Path, strengths: dict[str, float], count: int) -> None:
    bots = [{"name": name, "command": ["{python}", "-c", "pass"]} for name in strengths]
    settings = {"name": "benchmark", "rules": "schnapsen", "matches_per_pair": 2}
    config = parse({"tournament": settings, "bots": bots}, "benchmark")
    out.mkdir()
    row = TournamentRow("benchmark", "benchmark", config.to_toml_dict(), "00" * 32, "2026-01-01T00:00:00+00:00")
    Store.create(out / FILE_NAME, row).close()
    engine = database.make_engine(database.address(out / FILE_NAME), 1_000_000)
    with engine.begin() as connection:
        numbered = enumerate(_results(strengths, count))
        while some := list(islice(numbered, 10_000)):
            _insert(connection, some)
    engine.dispose()


def _insert(connection: sa.Connection, some: list[tuple[int, Result]]) -> None:
    matches, results = [], []
    for index, (first, second, won) in some:
        key = {"tournament_id": "benchmark", "match_id": f"{index:07}", "attempt": 1}
        about = {"pairing": "", "number": 1, "bot0": first, "bot1": second, "first_dealer": 0, "cards": f"{index:07}"}
        score = {"winner": 1 - won, "score0": 7 * won, "score1": 7 - 7 * won, "deals": 9, "reason": "target"}
        nothing = dict.fromkeys((f"{name}{seat}" for seat in (0, 1) for name in _TIMES), 0)
        matches.append({**key, **about, "state": "fixed"})
        results.append({**key, **score, "detail": "", "started": "", "seconds": 1.0, **nothing})
    connection.execute(schema.matches.insert(), matches)
    connection.execute(schema.results.insert(), results)


def _within(listed: RatingList, strengths: dict[str, float]) -> float:
    """Return the share of players whose true strength is within the error."""
    average = float(np.mean(list(strengths.values())))
    hits = [abs(line.elo - (strengths[line.name] - average) * ELO) <= line.error for line in listed.ratings]
    return float(np.mean(hits))
