"""Many matches between two bots, in several processes: who wins, and by how much a deal."""

import multiprocessing
import signal
import sys
from collections.abc import Generator, Iterator
from dataclasses import dataclass, field
from math import sqrt
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess

from sixtysix.bot import Bot
from sixtysix.loading import BotError, author_frames, describe, load_bot
from sixtysix.local import BotFault, LocalResult, play_matches
from sixtysix.rules import RuleSet

Z_95 = 1.959963984540054
"""Two-sided 95 % quantile of the normal distribution."""


@dataclass(frozen=True, slots=True)
class Series:
    """What is to be played.

    Attributes:
        rules: the rule set.
        names: the two bots, as `load_bot` reads them.
        matches: how many matches.
        seed: decides the cards of all matches.
        deal_limit: deals after which a match is drawn.
    """

    rules: RuleSet
    names: tuple[str, str]
    matches: int
    seed: int
    deal_limit: int


@dataclass(slots=True)
class Tally:
    """The sum of the matches played; the order in which they are added does not matter.

    Attributes:
        matches: matches added.
        wins: matches won, by bot.
        draws: matches drawn at the deal limit.
        deals: deals in all matches.
        game_points: game points won in all deals, by bot.
    """

    matches: int = 0
    wins: list[int] = field(default_factory=lambda: [0, 0])
    draws: int = 0
    deals: int = 0
    game_points: list[int] = field(default_factory=lambda: [0, 0])
    _margin_squares: int = 0
    _margin_deals: int = 0
    _deal_squares: int = 0

    def add(self, result: LocalResult) -> None:
        """Count a match."""
        self.matches += 1
        self.deals += result.deals
        if result.winner is None:
            self.draws += 1
        else:
            self.wins[result.winner] += 1
        for bot in (0, 1):
            self.game_points[bot] += result.game_points[bot]
        margin = result.game_points[0] - result.game_points[1]
        self._margin_squares += margin * margin
        self._margin_deals += margin * result.deals
        self._deal_squares += result.deals * result.deals

    @property
    def per_deal(self) -> float | None:
        """Game points per deal of the first bot minus the second; None before the first deal."""
        return (self.game_points[0] - self.game_points[1]) / self.deals if self.deals else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """95 % interval of `per_deal`; None with fewer than two matches.

        Deals of one match depend on each other through its length, so the matches are the sample: with margin m and
        d deals a match, the ratio r = sum m / sum d has the variance n/(n-1) sum (m - r d)^2 / (sum d)^2.
        """
        ratio, n = self.per_deal, self.matches
        if ratio is None or n < 2:
            return None
        total, deals = self.game_points[0] - self.game_points[1], self.deals
        # sum (m - r d)^2, times deals^2: whole numbers, so nothing cancels.
        spread = (
            deals * deals * self._margin_squares
            - 2 * total * deals * self._margin_deals
            + total * total * self._deal_squares
        )
        half = Z_95 * sqrt(n / (n - 1) * spread) / (deals * deals)
        return ratio - half, ratio + half


def play_series(series: Series, bots: tuple[Bot, Bot], jobs: int) -> Generator[LocalResult, None, None]:
    """Play the matches in `jobs` processes and yield each result as it comes; the results do not depend on `jobs`.

    Raises BotError if a bot fails. Closing the generator ends the processes.
    """
    jobs = min(jobs, series.matches)
    if jobs == 1:
        return _play(series, bots, range(series.matches))
    return _play_in_processes(series, jobs)


def _play(series: Series, bots: tuple[Bot, Bot], numbers: range) -> Generator[LocalResult, None, None]:
    number = numbers.start
    try:
        for result in play_matches(series.rules, bots, numbers, series.seed, series.deal_limit):
            yield result
            number += numbers.step
    except BotFault as fault:
        raise BotError(f"match {number}: {fault}") from None
    except (Exception, SystemExit) as error:
        if not author_frames(error):
            raise
        raise BotError(describe(f"match {number}", error)) from error


def _play_in_processes(series: Series, jobs: int) -> Generator[LocalResult, None, None]:
    processes, pipes = _start(series, jobs)
    try:
        yield from _collect(pipes)
    finally:
        for process in processes:
            process.terminate()
            process.join()


def _start(series: Series, jobs: int) -> tuple[list[SpawnProcess], list[Connection]]:
    # Spawned, not forked: a bot may hold threads, and every platform then does the same.
    context = multiprocessing.get_context("spawn")
    processes, pipes = [], []
    # Children inherit that an interrupt is ignored: it ends this process, which ends them.
    on_interrupt = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        for job in range(jobs):
            reader, writer = context.Pipe(duplex=False)
            numbers = range(job, series.matches, jobs)
            process = context.Process(target=_work, args=(series, numbers, writer), daemon=True)
            process.start()
            writer.close()
            processes.append(process)
            pipes.append(reader)
    finally:
        signal.signal(signal.SIGINT, on_interrupt)
    return processes, pipes


def _collect(pipes: list[Connection]) -> Iterator[LocalResult]:
    running = set(pipes)
    while running:
        for pipe in wait(list(running)):
            assert isinstance(pipe, Connection)
            try:
                message: LocalResult | str | None = pipe.recv()
            except EOFError:
                raise BotError("a process that plays matches ended by itself: a bot has stopped it") from None
            if message is None:
                running.remove(pipe)
            elif isinstance(message, str):
                raise BotError(message)
            else:
                yield message


def _work(series: Series, numbers: range, pipe: Connection) -> None:
    sys.stdout = sys.stderr  # standard output is the report's
    try:
        bots = (load_bot(series.names[0]), load_bot(series.names[1]))
        for result in _play(series, bots, numbers):
            pipe.send(result)
        pipe.send(None)
    except BotError as error:
        pipe.send(str(error))
    except BrokenPipeError:
        return  # nobody waits for the results any more
