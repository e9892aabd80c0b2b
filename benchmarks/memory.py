"""Resident memory of the arbiter in the course of one long tournament."""

from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.report import Check, show_table
from benchmarks.tournament import MatchEnded, Plan, started
from example_bots.random_bot import RandomBot

MOST_RATIO = 1.1
_AT_ONCE = 64


def run(quick: bool) -> list[Check]:
    """Play on until the last of the marks; as many matches as at the first are at play then."""
    marks = (200, 500, 1_000, 2_000) if quick else (2_000, 5_000, 10_000, 20_000)
    plan = Plan(2, _AT_ONCE, marks[-1] + 2 * _AT_ONCE, 2, RandomBot)
    at_marks: list[MatchEnded] = []
    with TemporaryDirectory() as folder, started(plan, Path(folder)) as running:
        for count, ended in enumerate(running.ends(), start=1):
            if count in marks:
                at_marks.append(ended)
                if count == marks[-1]:
                    break
    rows = [
        (f"{mark:,}", f"{ended.memory_kib / 1024:.1f}", f"{ended.peak_kib / 1024:.1f}")
        for mark, ended in zip(marks, at_marks, strict=True)
    ]
    show_table([("matches ended", "resident MiB", "peak MiB"), *rows])
    growth = at_marks[-1].memory_kib / at_marks[0].memory_kib
    what = f"memory: resident after {marks[-1]:,} matches, times that after {marks[0]:,}"
    return [Check(what, growth, MOST_RATIO, at_most=True)]
