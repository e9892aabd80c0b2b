"""A comparison that the arbiter plays: a tournament of two bots with duplicates, which may end early."""

import json
import sys
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from arbiter import comparison_progress, directory, logs
from arbiter.comparison import Comparison, MatchReader
from arbiter.config import TournamentConfig, parse
from arbiter.contenders import Contender
from arbiter.directory import DirectoryError
from arbiter.results import MatchSummary
from arbiter.schedule import round_robin

FILE = "comparison.json"
"""What is compared, and by which test: a comparison is resumed as it was begun."""
_MOST_ABSENT = 3


class ComparisonError(Exception):
    """The comparison cannot be played, or not to its end; the message says why."""


@dataclass(frozen=True, slots=True)
class Options:
    """How the matches are played; texts are as in the tournament file.

    Attributes:
        rules: name of a rule set, or a table.
        matches: even.
        concurrency: matches at once.
        decision: the most that one decision may take.
        bank: thinking time for a match.
    """

    rules: str | dict[str, Any]
    matches: int
    concurrency: int
    decision: str
    bank: str


def configuration(bots: tuple[Contender, Contender], options: Options, out: Path | None) -> TournamentConfig:
    """Return the tournament of the new and the old bot; by default its directory is named after them.

    Raises ConfigError for options that a tournament cannot have.
    """
    new, old = bots
    tournament: dict[str, Any] = {
        "name": f"{new.name}-against-{old.name}",
        "rules": options.rules,
        "matches_per_pair": options.matches,
        "concurrency": options.concurrency,
        "duplicate": True,
    }
    if out is not None:
        tournament["out"] = str(out)
    data = {
        "tournament": tournament,
        "time": {"decision": options.decision, "bank": options.bank},
        "bots": [{"name": bot.name, "command": list(bot.command)} for bot in bots],
    }
    return parse(data, "options")


def prepare(config: TournamentConfig, plan: dict[str, Any], *, force: bool) -> None:
    """Make the directory of a comparison; `plan` is kept in it.

    Raises DirectoryError if it holds something that is not to be replaced, or cannot be written.
    """
    out = config.tournament.out
    directory.prepare(out, config, force=force)
    try:
        (out / FILE).write_text(f"{json.dumps(plan, indent=2)}\n", encoding="utf-8")
    except OSError as error:
        raise DirectoryError(f"{out / FILE}: cannot be written: {error.strerror}") from error


def check_plan(out: Path, plan: dict[str, Any]) -> None:
    """Raise ComparisonError unless the comparison in a directory was begun with this plan."""
    path = out / FILE
    try:
        before = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ComparisonError(f"{out}: holds no comparison that could go on: {path.name}: {error.strerror}") from error
    except ValueError as error:
        raise ComparisonError(f"{path}: not JSON: {error}") from error
    if not isinstance(before, dict):
        raise ComparisonError(f"{path}: expected a JSON object")
    changed = [name for name in {**before, **plan} if before.get(name) != plan.get(name)]
    if changed:
        lines = [f"{name} was {before.get(name)!r} and is {plan.get(name)!r}" for name in changed]
        raise ComparisonError("\n".join([f"{out}: cannot be resumed, the comparison has changed:", *lines]))


def play(config: TournamentConfig, comparison: Comparison, *, resume: bool, quiet: bool) -> bool:
    """Play the matches, or what is left of them, until all are played or the comparison has decided.

    Returns:
        False if the user has interrupted it: what had ended is kept.

    Raises:
        ComparisonError: a bot does not start, or the tournament cannot be played.
    """
    from arbiter import hosting
    from arbiter.tournament import MOST_ATTEMPTS, Interrupted, TournamentError, run_tournament

    out, names = config.tournament.out, [bot.name for bot in config.bots]
    schedule = round_robin(names, config.tournament.matches_per_pair, duplicate=True)
    reader = MatchReader(comparison, schedule, MOST_ATTEMPTS)
    if resume:
        with directory.open_store(out) as store:
            reader.resume(store.summaries(), store.states())
        if comparison.verdict is not None:
            return True

    def enough(match: MatchSummary) -> bool:
        reader.add(match)
        return comparison.verdict is not None or max(reader.absent.values(), default=0) >= _MOST_ABSENT

    with (
        logs.to_file(out / directory.LOG_FILE, append=resume),
        comparison_progress.reporter_for(sys.stderr, comparison, quiet=quiet) as reporter,
    ):
        try:
            hosting.run(partial(run_tournament, config, out, reporter, resume=resume, enough=enough))
        except TournamentError as error:
            raise ComparisonError(str(error)) from error
        except Interrupted:
            return False
    for name, times in reader.absent.items():
        if times >= _MOST_ABSENT:
            raise ComparisonError(
                f"{name} was not ready for several matches, so there is nothing to compare: "
                f"{out / directory.BOT_LOGS} has what it said"
            )
    if comparison.verdict is None:
        comparison.finish()
    return True
