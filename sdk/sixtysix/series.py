"""Many matches between two bots, in several processes: who wins, and by how much a deal."""

import multiprocessing
import signal
import sys
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
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
        pairs: play the cards of each match twice, with the bots in each other's seats.
    """

    rules: RuleSet
    names: tuple[str, str]
    matches: int
    seed: int
    deal_limit: int
    pairs: bool = False


@dataclass(slots=True)
class Tally:
    """The sum of the matches played; the order in which they are added does not matter.

    Attributes:
        matches: matches added.
        wins: matches won, by bot.
        draws: matches drawn at the deal limit.
        deals: deals in all matches.
        game_points: game points won in all deals, by bot.
        pairs: of duplicate matches, by what the first bot won in both: 0, 1/2, 1, 3/2 or 2 matches. None where matches
            are not played in pairs.
    """

    matches: int = 0
    wins: list[int] = field(default_factory=lambda: [0, 0])
    draws: int = 0
    deals: int = 0
    game_points: list[int] = field(default_factory=lambda: [0, 0])
    pairs: list[int] | None = None
    _halves: dict[int, LocalResult] = field(default_factory=dict)
    _samples: int = 0
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
        if self.pairs is None:
            self._add_sample([result])
            return
        other = self._halves.pop(result.number // 2, None)
        if other is None:
            self._halves[result.number // 2] = result
            return
        self.pairs[_half_points(result) + _half_points(other)] += 1
        self._add_sample([result, other])

    def _add_sample(self, matches: Sequence[LocalResult]) -> None:
        margin = sum(match.game_points[0] - match.game_points[1] for match in matches)
        deals = sum(match.deals for match in matches)
        self._samples += 1
        self._margin_squares += margin * margin
        self._margin_deals += margin * deals
        self._deal_squares += deals * deals

    @property
    def per_deal(self) -> float | None:
        """Game points per deal of the first bot minus the second; None before the first deal."""
        return (self.game_points[0] - self.game_points[1]) / self.deals if self.deals else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """95 % interval of `per_deal`; None with fewer than two matches or pairs.

        Deals of one match depend on each other through its length, and those of a pair through the cards. So matches
        or pairs are the sample: with margin m and d deals in each, the ratio r = sum m / sum d has the variance
        n/(n-1) sum (m - r d)^2 / (sum d)^2.
        """
        ratio, n = self.per_deal, self._samples
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


def _half_points(result: LocalResult) -> int:
    return 1 if result.winner is None else 2 * int(result.winner == 0)


def play_series(series: Series, bots: tuple[Bot, Bot], jobs: int) -> Generator[LocalResult, None, None]:
    """Play the matches in `jobs` processes and yield each result as it comes; the results do not depend on `jobs`.

    Pairs are played in two processes or more, an even number of them: each plays either first halves or second ones,
    so that no bot remembers, in the second half, what its opponent was dealt.

    Raises BotError if a bot fails. Closing the generator ends the processes.
    """
    jobs = min(jobs, series.matches)
    if series.pairs:
        jobs += jobs % 2
    if jobs == 1:
        return _play(series, bots, range(series.matches))
    return _play_in_processes(series, jobs)


def _play(series: Series, bots: tuple[Bot, Bot], numbers: range) -> Generator[LocalResult, None, None]:
    results = play_matches(series.rules, bots, numbers, series.seed, series.deal_limit, pairs=series.pairs)
    for number in numbers:
        with blamed_on_bots(f"match {number}"):
            result = next(results)
        yield result


@contextmanager
def blamed_on_bots(where: str) -> Iterator[None]:
    """Turn what a bot does wrong meanwhile into a BotError that starts with `where`."""
    try:
        yield
    except BotFault as fault:
        raise BotError(f"{where}: {fault}") from None
    except (Exception, SystemExit) as error:
        if not author_frames(error):
            raise
        raise BotError(describe(where, error)) from error


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
