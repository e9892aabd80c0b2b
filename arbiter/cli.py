"""The command line: ``arbiter init``, ``arbiter run`` and so on."""

import json
import os
import shlex
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from rich.console import RenderableType
from rich.text import Text
from typer.main import get_command

from arbiter import (
    cli_compare,
    cli_elo,
    cli_exports,
    cli_ratings,
    cli_report,
    directory,
    logs,
    match_report,
    progress,
    records,
    report,
    rules_report,
    times_report,
    tls,
    tokens,
    verify,
    views,
)
from arbiter.config import ConfigError, TournamentConfig, load, parse
from arbiter.console import (
    DONE,
    INTERRUPTED,
    OUR_FAULT,
    USER_ERROR,
    AsJson,
    CommandError,
    CommandInterrupted,
    Directory,
    print_json,
    print_lines,
    print_notes,
    print_parts,
    writing,
)
from arbiter.crash import write_report
from arbiter.directory import DirectoryError
from arbiter.results import Scoreboard
from arbiter.reveal import Reveal
from arbiter.store import StoreError
from arbiter.template import TEMPLATE
from arbiter.tls import TlsError
from arbiter.tokens import TokenError
from arbiter.web.address import WebError, listening
from sixtysix._version import __version__
from sixtysix.rules import RULE_SETS, RuleSetError, rule_set

app = typer.Typer(
    add_completion=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Example: arbiter init, then arbiter run tournament.toml",
)


@dataclass
class _Session:
    """What `main` has to know of the command that runs.

    Attributes:
        reports: directory for the report of a fault.
    """

    reports: Path


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit status.

    0 done, 1 mistake of the user (wrong usage too), 3 interrupted, 4 fault of the arbiter itself.

    Args:
        arguments: without the name of the program; those of the process by default.
    """
    session = _Session(Path(tempfile.gettempdir()))
    for stream in (sys.stdout, sys.stderr):
        # Where the terminal has no ♥, a question mark is better than a traceback.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    try:
        _run_command(list(sys.argv[1:] if arguments is None else arguments), session)
    except typer.Exit as stop:
        return stop.exit_code
    except typer.TyperException as error:
        return _complain(f"{error.format_message()} (--help shows how)", USER_ERROR)
    except (CommandError, ConfigError, DirectoryError, StoreError, TlsError, TokenError, WebError) as error:
        return _complain(str(error), USER_ERROR)
    except CommandInterrupted as error:
        return _complain(str(error), INTERRUPTED)
    except KeyboardInterrupt:
        return _complain("interrupted", INTERRUPTED)
    except BrokenPipeError:
        # Nobody reads on. The interpreter flushes once more at its end, which must not fail again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except Exception as error:
        report_file = write_report(error, session.reports)
        return _complain(f"fault of the arbiter itself ({type(error).__name__}), report: {report_file}", OUR_FAULT)
    return DONE


def _run_command(arguments: list[str], session: _Session) -> None:
    command = get_command(app)
    with command.make_context("arbiter", arguments, obj=session) as context:
        command.invoke(context)
    with writing():
        sys.stdout.flush()


def _complain(text: str, status: int) -> int:
    print_notes([text])
    return status


def _show_version(wanted: bool) -> None:
    if wanted:
        print_lines([f"arbiter {__version__}"])
        raise typer.Exit


@app.callback()
def arbiter(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_show_version, is_eager=True)
    ] = False,
) -> None:
    """Run tournaments of programs that play Sixty-Six and Schnapsen."""


@app.command(epilog="Example: arbiter init club-night.toml")
def init(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file to write.")] = Path("tournament.toml"),
    force: Annotated[bool, typer.Option("--force", help="Overwrite the file if it exists.")] = False,
) -> None:
    """Write a commented tournament file to start from."""
    try:
        with file.open("w" if force else "x", encoding="utf-8") as target:
            target.write(TEMPLATE)
    except FileExistsError as error:
        raise CommandError(f"{file}: exists already; --force overwrites it") from error
    except OSError as error:
        raise CommandError(f"{file}: cannot be written: {error.strerror}") from error
    print_lines([f"{file} is written. Edit it, then: arbiter run {shlex.quote(str(file))}"])


@app.command(epilog="Example: arbiter run tournament.toml")
def run(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The tournament file.")],
    force: Annotated[bool, typer.Option("--force", help="Replace the tournament in the directory `out`.")] = False,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the tournament in the directory `out`.")] = False,
    store: Annotated[
        str | None, typer.Option("--store", metavar="URL", help="Keep the results in this database, not in a file.")
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="Report no progress.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the standings as JSON.")] = False,
) -> None:
    """Play a tournament and print its standings and ratings.

    Progress goes to standard error, the cross-table, the standings and the ratings to standard output.
    """
    config = load(file)
    if store is not None:
        config = parse({**config.to_toml_dict(), "store": {"url": store}}, "--store")
    out = config.tournament.out
    if force and resume:
        raise CommandError("--force replaces a tournament and --resume goes on with it: choose one")
    # Before anything of an earlier tournament is replaced.
    tokens.credentials(config)
    tls.load(config.server)
    with listening(config.web):
        pass
    if resume:
        if not out.is_dir():
            raise CommandError(f"{out}: there is no tournament to go on with")
        directory.check_resumable(out)
    with directory.held(out):
        if not resume:
            directory.prepare(out, config, force=force)
        context.obj.reports = out
        board = _play(config, out, quiet, resume)
    with directory.open_store(out) as results:
        tournament, scheduled = results.tournament, results.scheduled
    if as_json:
        print_json(views.standings_json(tournament, scheduled, board))
        return
    shown = shlex.quote(str(out))
    print_parts([report.cross_table(board), Text(""), report.standings_table(board), Text("")])
    cli_ratings.print_ratings(out)
    print_lines([""])
    print_lines([f"Look at it again: arbiter standings {shown}   match by match: arbiter show {shown}"])


def _play(config: TournamentConfig, out: Path, quiet: bool, resume: bool) -> Scoreboard:
    from arbiter import hosting
    from arbiter.tournament import Interrupted, TournamentError, run_tournament

    token_env = {bot.name: bot.token_env for bot in config.bots if bot.token_env is not None}
    with (
        logs.to_file(out / directory.LOG_FILE, append=resume),
        progress.reporter_for(sys.stderr, token_env, quiet=quiet) as reporter,
    ):
        try:
            return hosting.run(partial(run_tournament, config, out, reporter, resume=resume))
        except TournamentError as error:
            raise CommandError(str(error)) from error
        except Interrupted as error:
            shown = shlex.quote(str(out))
            raise CommandInterrupted(
                f"interrupted; every match that had ended is kept: arbiter standings {shown}; "
                "to go on, run it again with --resume"
            ) from error


@app.command(epilog="Example: arbiter standings runs/tournament --cross")
def standings(
    path: Directory,
    as_json: AsJson = False,
    cross: Annotated[bool, typer.Option("--cross", help="Print the cross-table too.")] = False,
) -> None:
    """Print the standings, also while matches are played."""
    with directory.open_store(path) as store:
        tournament, scheduled = store.tournament, store.scheduled
        board = views.scoreboard(store)
        pairs = views.pair_counts(store) if views.is_duplicate(tournament) else []
    if as_json:
        values = views.standings_json(tournament, scheduled, board)
        if pairs:
            values["pairs"] = views.pairs_json(pairs)
        print_json({**values, "cross_table": views.cross_table_json(board)} if cross else values)
        return
    heading = f"{tournament.name}: {report.rules_text(views.rules_spec(tournament))}"
    parts: list[RenderableType] = [Text(f"{heading}, {report.progress_text(scheduled, board)}"), Text("")]
    if cross:
        parts += [report.cross_table(board), Text("")]
    parts.append(report.standings_table(board))
    if pairs:
        parts += [Text(""), report.pairs_table(pairs)]
    print_parts(parts)


@app.command(epilog="Example: arbiter show runs/tournament 001-01")
def show(
    path: Directory,
    match: Annotated[
        str | None, typer.Argument(metavar="MATCH", help="Id of a match; without it, all are listed.")
    ] = None,
    times: Annotated[
        bool, typer.Option("--times", help="Print the clocks of the match, decision by decision.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """List the matches, or print one trick by trick."""
    if times and match is None:
        raise CommandError("--times is about one match: name it")
    with directory.open_store(path) as store:
        if match is None:
            if as_json:
                print_json([views.match_json(summary) for summary in store.summaries()])
            else:
                print_lines(report.match_lines(store.summaries(), views.bot_names(store.tournament)))
            return
        reveal = Reveal(store)
        stored = reveal.match(store, match)
        result = stored.result
        rules = rule_set(views.rules_spec(store.tournament))
        if times:
            control = parse(store.tournament.config, str(path)).time_control()
            if as_json:
                print_json(times_report.times_json(result, control))
            else:
                print_parts(times_report.times_report(result, rules, control))
            return
        if as_json:
            deals = records.match_records(stored, store.tournament.id, reveal.cards(match))
            print_json({**views.match_json(result.summary()), "records": deals})
            return
    print_parts(match_report.match_report(result, rules))


@app.command("records", epilog="Example: arbiter records runs/tournament | python -m sixtysix replay -")
def print_records(
    path: Directory,
    match: Annotated[
        str | None, typer.Argument(metavar="MATCH", help="Id of a match; without it, all are printed.")
    ] = None,
) -> None:
    """Print the deal records as JSON Lines."""
    with directory.open_store(path) as store:
        print_lines(json.dumps(record) for record in records.records(store, match))


cli_exports.add_to(app)
cli_elo.add_to(app)
cli_compare.add_to(app)
cli_ratings.add_to(app)
cli_report.add_to(app)


@app.command("verify", epilog="Example: arbiter verify runs/tournament")
def verify_tournament(
    path: Annotated[
        Path,
        typer.Argument(metavar="DIR|FILE", help="Directory of a tournament, or what `arbiter export` has written."),
    ],
    as_json: AsJson = False,
) -> None:
    """Check all that is recorded: shuffles, actions, scores, clocks and standings."""
    try:
        checked = verify.verify(path)
    except OSError as error:
        raise CommandError(f"{path}: cannot be read: {error.strerror}") from error
    if as_json:
        print_json(checked.to_json())
        if checked.error is not None:
            raise typer.Exit(USER_ERROR)
        return
    if checked.error is not None:
        raise CommandError(f"{path}: {checked.error}")
    print_lines(checked.lines())


@app.command(epilog="Example: arbiter rules schnapsen")
def rules(
    name: Annotated[str | None, typer.Argument(metavar="NAME", help=f"One of {', '.join(RULE_SETS)}.")] = None,
    as_json: AsJson = False,
) -> None:
    """Compare the rule sets, or describe one of them."""
    if name is None:
        if as_json:
            print_json([rules_report.rule_set_json(each) for each in RULE_SETS.values()])
        else:
            print_parts(rules_report.rule_sets_report())
        return
    try:
        chosen = rule_set(name)
    except RuleSetError as error:
        raise CommandError(str(error)) from error
    if as_json:
        print_json(rules_report.rule_set_json(chosen))
    else:
        print_parts(rules_report.rule_set_report(chosen))


token_app = typer.Typer(help="Make, list and revoke the tokens of bots that connect from elsewhere.")
app.add_typer(token_app, name="token")
BotName = Annotated[str, typer.Argument(metavar="NAME", help="The bot, as the tournament file names it.")]
TokenFile = Annotated[Path, typer.Option("--file", help="The file of hashes, `tokens` in the tournament file.")]


@token_app.command("new", epilog="Example: arbiter token new guest")
def new_token(name: BotName, file: TokenFile = tokens.DEFAULT_FILE) -> None:
    """Print a fresh token, once, and keep its hash."""
    token = tokens.add(file, name)
    print_lines([token])
    print(f"Only its hash is kept, in {file}: give the token to the author of {name} now.", file=sys.stderr)


@token_app.command("list", epilog="Example: arbiter token list")
def list_tokens(file: TokenFile = tokens.DEFAULT_FILE) -> None:
    """List the bots that have a token, since when, and its hash."""
    print_lines(f"{name}  {entry.created}  {entry.hash}" for name, entry in tokens.read_file(file).items())


@token_app.command("revoke", epilog="Example: arbiter token revoke guest")
def revoke_token(name: BotName, file: TokenFile = tokens.DEFAULT_FILE) -> None:
    """Forget the token of a bot; a tournament that runs takes note when it is resumed."""
    tokens.revoke(file, name)


if __name__ == "__main__":
    sys.exit(main())
