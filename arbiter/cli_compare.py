"""``arbiter compare`` and ``arbiter sprt``: is the new version of a bot better than the old one?"""

import os
import secrets
import shlex
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from arbiter import comparison_local, comparison_run, directory
from arbiter.cli_elo import Alpha, Beta, Elo0, Elo1, Normalized, sprt_of
from arbiter.comparison import Comparison
from arbiter.comparison_local import LocalPlayError
from arbiter.comparison_progress import LocalProgress
from arbiter.comparison_report import comparison_json, comparison_lines
from arbiter.comparison_run import ComparisonError, Options
from arbiter.console import AsJson, CommandError, CommandInterrupted, print_json, print_lines
from arbiter.contenders import Contender, ContenderError, check_loads, contenders
from sixtysix.rules import RuleSetError, parse_spec, rule_set

_BOT = "module:Class, a Python file, or a command in quotes."
Old = Annotated[str, typer.Argument(metavar="OLD", help=f"The bot to compare with: {_BOT}")]
New = Annotated[str, typer.Argument(metavar="NEW", help=f"The bot in question: {_BOT}")]
Rules = Annotated[str, typer.Option("--rules", metavar="RULES", help="A rule set, or a JSON object that derives one.")]
Matches = Annotated[int, typer.Option("--matches", metavar="N", min=2, max=1_000_000, help="An even number.")]
MostMatches = Annotated[
    int, typer.Option("--matches", metavar="N", min=2, max=1_000_000, help="The most that are played, an even number.")
]
Local = Annotated[
    bool, typer.Option("--local", help="Play without a server and without clocks: much faster, bots in Python only.")
]
Seed = Annotated[
    int | None, typer.Option("--seed", metavar="N", help="With --local: decides the cards; otherwise they are secret.")
]
Decision = Annotated[
    str | None, typer.Option("--decision", metavar="TIME", help="The most that one decision may take.  [default: 1s]")
]
Bank = Annotated[
    str | None, typer.Option("--bank", metavar="TIME", help="Thinking time for a whole match.  [default: 30s]")
]
Concurrency = Annotated[
    int | None,
    typer.Option("--concurrency", metavar="N", min=1, max=10_000, help="Matches at once.  [default: one per CPU]"),
]
Out = Annotated[
    Path | None,
    typer.Option("--out", metavar="DIR", help="Directory of the results.  [default: runs/NEW-against-OLD]"),
]
Resume = Annotated[bool, typer.Option("--resume", help="Go on with the comparison in the directory.")]
Force = Annotated[bool, typer.Option("--force", help="Replace the comparison in the directory.")]
Quiet = Annotated[bool, typer.Option("--quiet", help="Report no progress.")]

_COMPARE = "Example: arbiter compare old_bot.py my_bot.py --matches 400"
_SPRT = "Example: arbiter sprt --local example_bots.greedy_bot my_bot:MyBot --elo0 0 --elo1 20"


def add_to(app: typer.Typer) -> None:
    """Register the commands."""
    app.command(epilog=_COMPARE)(compare)
    app.command(epilog=_SPRT)(sprt)


def compare(
    context: typer.Context,
    old: Old,
    new: New,
    rules: Rules = "schnapsen",
    matches: Matches = 1000,
    elo0: Elo0 = 0.0,
    elo1: Elo1 = 10.0,
    alpha: Alpha = 0.05,
    beta: Beta = 0.05,
    normalized: Normalized = False,
    local: Local = False,
    seed: Seed = None,
    decision: Decision = None,
    bank: Bank = None,
    concurrency: Concurrency = None,
    out: Out = None,
    resume: Resume = False,
    force: Force = False,
    quiet: Quiet = False,
    as_json: AsJson = False,
) -> None:
    """Play a fixed number of duplicate matches between two bots and say how much better the new one is.

    Every deal is played twice, with the bots in each other's seats. Figures are the new bot's.
    """
    comparison = Comparison(sprt_of(elo0, elo1, alpha, beta, normalized), stops=False)
    way = _Way("compare", old, new, rules, matches, local, seed, decision, bank, concurrency, out, resume, force)
    way.play(context, comparison, quiet, as_json)


def sprt(
    context: typer.Context,
    old: Old,
    new: New,
    rules: Rules = "schnapsen",
    matches: MostMatches = 20_000,
    elo0: Elo0 = 0.0,
    elo1: Elo1 = 10.0,
    alpha: Alpha = 0.05,
    beta: Beta = 0.05,
    normalized: Normalized = False,
    local: Local = False,
    seed: Seed = None,
    decision: Decision = None,
    bank: Bank = None,
    concurrency: Concurrency = None,
    out: Out = None,
    resume: Resume = False,
    force: Force = False,
    quiet: Quiet = False,
    as_json: AsJson = False,
) -> None:
    """Play duplicate matches between two bots until it is decided whether the new one is better by elo0 or by elo1.

    Every deal is played twice, with the bots in each other's seats. Figures are the new bot's.
    """
    comparison = Comparison(sprt_of(elo0, elo1, alpha, beta, normalized), stops=True)
    way = _Way("sprt", old, new, rules, matches, local, seed, decision, bank, concurrency, out, resume, force)
    way.play(context, comparison, quiet, as_json)


class _Way:
    """What was asked for besides the test, checked."""

    def __init__(
        self,
        command: str,
        old: str,
        new: str,
        rules: str,
        matches: int,
        local: bool,
        seed: int | None,
        decision: str | None,
        bank: str | None,
        concurrency: int | None,
        out: Path | None,
        resume: bool,
        force: bool,
    ) -> None:
        if matches % 2:
            raise CommandError(f"--matches: expected an even number, since matches are played in pairs, not {matches}")
        if force and resume:
            raise CommandError("--force replaces a comparison and --resume goes on with it: choose one")
        served = {
            "--decision": decision,
            "--bank": bank,
            "--concurrency": concurrency,
            "--out": out,
            "--resume": resume or None,
            "--force": force or None,
        }
        for option, value in served.items():
            if local and value is not None:
                raise CommandError(f"{option} is not for --local, which has no server, no clocks and no directory")
        if seed is not None and not local:
            raise CommandError("--seed is for --local: the arbiter's cards are secret until they have been played")
        self._command, self._local, self._resume, self._force = command, local, resume, force
        self._rules, self._spec, self._matches = rules, _rules_spec(rules), matches
        self._seed = secrets.randbelow(10**9) if seed is None else seed
        self._out = out
        self._options = Options(
            self._spec, matches, concurrency or os.cpu_count() or 1, decision or "1s", bank or "30s"
        )
        try:
            old_bot, new_bot = contenders(old, new)
            self._bots: tuple[Contender, Contender] = (new_bot, old_bot)
            if not local:
                check_loads(old_bot)
                check_loads(new_bot)
        except ContenderError as error:
            raise CommandError(str(error)) from error

    def play(self, context: typer.Context, comparison: Comparison, quiet: bool, as_json: bool) -> None:
        """Play, and print how it ended."""
        try:
            if self._local:
                finished, hint = self._play_local(comparison, quiet)
            else:
                finished, hint = self._play(context, comparison, quiet)
        except (ComparisonError, ContenderError) as error:
            raise CommandError(str(error)) from error
        if as_json:
            texts = [bot.text for bot in self._bots]
            print_json(comparison_json(texts, self._spec, comparison, finished=finished))
        else:
            print_lines(comparison_lines([bot.name for bot in self._bots], self._spec, comparison))
        if not finished:
            raise CommandInterrupted(f"interrupted; {hint}")
        if not as_json:
            print_lines(["", hint])

    def _play_local(self, comparison: Comparison, quiet: bool) -> tuple[bool, str]:
        progress = LocalProgress(None if quiet else sys.stderr, self._matches)
        try:
            finished = comparison_local.play(
                self._bots,
                self._rules,
                self._matches,
                self._seed,
                comparison,
                lambda played: progress.match_ended(played, comparison),
            )
        except LocalPlayError as error:
            raise RuntimeError(str(error)) from error
        finally:
            progress.close()
        return finished, f"the same cards again: --seed {self._seed}"

    def _play(self, context: typer.Context, comparison: Comparison, quiet: bool) -> tuple[bool, str]:
        config = comparison_run.configuration(self._bots, self._options, self._out)
        out = config.tournament.out
        new, old = self._bots
        plan: dict[str, Any] = {
            "command": self._command,
            "old": old.text,
            "new": new.text,
            **asdict(comparison.sprt),
        }
        if self._resume:
            comparison_run.check_plan(out, plan)
        with directory.held(out):
            if not self._resume:
                comparison_run.prepare(config, plan, force=self._force)
            context.obj.reports = out
            finished = comparison_run.play(config, comparison, resume=self._resume, quiet=quiet)
        shown = shlex.quote(str(out))
        if finished:
            return True, f"Match by match: arbiter show {shown}"
        return False, "every match that had ended is kept: to go on, run the same command with --resume"


def _rules_spec(text: str) -> str | dict[str, Any]:
    try:
        spec = parse_spec(text)
        rule_set(spec)
    except RuleSetError as error:
        raise CommandError(f"--rules: {error}") from error
    return spec
