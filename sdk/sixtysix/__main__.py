"""The command line of the SDK: ``python -m sixtysix`` with its commands, from `replay` to `new`."""

import argparse
import os
import sys
import traceback
from collections.abc import Sequence
from typing import NoReturn

from sixtysix._version import __version__
from sixtysix.commands import DONE, INTERRUPTED, OUR_FAULT, USER_ERROR, CommandError, play, replay
from sixtysix.human.command import human
from sixtysix.loading import BotError
from sixtysix.rules import DEAL_LIMIT, RULE_SETS
from sixtysix.scaffold.command import languages, new

_PROGRAM = "python -m sixtysix"
_REPLAY_EXAMPLE = f"""\
example:
  {_PROGRAM} replay deals.jsonl
  {_PROGRAM} replay --trace - < deal.json
"""
_PLAY_EXAMPLE = f"""\
example:
  {_PROGRAM} play --rules schnapsen --matches 1000 --seed 7 mybot example_bots.random_bot
  {_PROGRAM} play --rules '{{"base": "schnapsen", "target": 5}}' --json mybot:Careful mybot:Bold

The same seed gives the same cards, whatever the number of processes.
"""
_MOST_SECONDS = 1_000_000
_HUMAN_EXAMPLE = f"""\
example:
  {_PROGRAM} human --rules schnapsen --against mybot:Careful
  SIXTYSIX_TOKEN=... {_PROGRAM} human --address arbiter.example.org:6600

On this machine the person holds seat 0. The same seed gives the same cards.
"""
_CHECK_EXAMPLE = f"""\
example:
  {_PROGRAM} check -- ./my_bot --quiet
  {_PROGRAM} check --only 18 --only 19 -- python my_bot.py
  {_PROGRAM} check --remote my-bot --listen 127.0.0.1:6600

docs/conformance.md describes each scenario.
"""
_RERUN_EXAMPLE = f"""\
example:
  {_PROGRAM} rerun deals.jsonl --seat 0 --bot mybot:Careful
  arbiter records runs/club-night | {_PROGRAM} rerun - --seat 1 --match 003-07 -- ./my_bot
  {_PROGRAM} rerun deals.jsonl --seat 0 --deal 4 -- gdb --args ./my_bot

The bot gets the decisions that the record has; what it answers changes nothing. No clock runs.
"""
_NEW_EXAMPLE = f"""\
example:
  {_PROGRAM} new my_bot
  {_PROGRAM} new fast_bot --language rust
"""


class _Parser(argparse.ArgumentParser):
    """A parser whose usage errors are user errors, with the exit status of all others."""

    def error(self, message: str) -> NoReturn:
        self.exit(USER_ERROR, f"{self.prog}: {message} (--help shows how)\n")


def _count(text: str) -> int:
    value = int(text) if text.isdecimal() else 0
    if value < 1:
        raise argparse.ArgumentTypeError(f"must be a whole number of 1 or more, not {text!r}")
    return value


def _seconds(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value <= _MOST_SECONDS:
        raise argparse.ArgumentTypeError(f"must be a number of seconds above 0, not {text!r}")
    return value


def _parser() -> argparse.ArgumentParser:
    plain = argparse.RawDescriptionHelpFormatter
    parser = _Parser(
        prog=_PROGRAM,
        description="Tools for authors of bots that play Sixty-Six and Schnapsen.",
        epilog=f"{_REPLAY_EXAMPLE}\n{_PLAY_EXAMPLE}\n{_HUMAN_EXAMPLE}\n{_CHECK_EXAMPLE}\n{_RERUN_EXAMPLE}"
        f"\n{_NEW_EXAMPLE}",
        formatter_class=plain,
    )
    parser.add_argument("--version", action="version", version=f"sixtysix {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)

    replaying = commands.add_parser(
        "replay",
        help="replay deal records",
        description="Replay deal records and print where each deal ends, one JSON line per record.",
        epilog=_REPLAY_EXAMPLE,
        formatter_class=plain,
    )
    replaying.add_argument("--trace", action="store_true", help="add the legal actions before each action")
    replaying.add_argument("file", metavar="FILE", help="JSON Lines, or one JSON object; - for standard input")

    playing = commands.add_parser(
        "play",
        help="play two bots against each other",
        description="Play matches between two bots on this machine, without a server.",
        epilog=_PLAY_EXAMPLE,
        formatter_class=plain,
    )
    playing.add_argument(
        "--rules",
        default="schnapsen",
        help=f"a rule set ({', '.join(RULE_SETS)}) or a JSON object that derives one (default: schnapsen)",
    )
    playing.add_argument("--matches", type=_count, default=1000, metavar="N", help="how many (default: 1000)")
    playing.add_argument("--seed", type=int, default=0, metavar="N", help="decides the cards (default: 0)")
    playing.add_argument(
        "--deal-limit",
        type=_count,
        default=DEAL_LIMIT,
        metavar="N",
        help=f"deals after which a match is drawn (default: {DEAL_LIMIT})",
    )
    playing.add_argument(
        "--jobs", type=_count, default=os.cpu_count() or 1, metavar="N", help="processes (default: one per CPU)"
    )
    playing.add_argument(
        "--pairs", action="store_true", help="play the cards of each match twice, with the bots in each other's seats"
    )
    printing = playing.add_mutually_exclusive_group()
    printing.add_argument("--json", action="store_true", help="print one JSON object")
    printing.add_argument("--each", action="store_true", help="print a JSON line for each match instead, as it ends")
    for place, name in (("first", "A"), ("second", "B")):
        playing.add_argument(
            name.lower(),
            metavar=name,
            help=f"the {place} bot: module:Class, or module alone where it defines one bot",
        )

    sitting = commands.add_parser(
        "human",
        help="play a match yourself",
        description="Play a match in the terminal, against a bot on this machine or in a tournament of an arbiter.",
        epilog=_HUMAN_EXAMPLE,
        formatter_class=plain,
    )
    sitting.add_argument(
        "--rules", metavar="RULES", help="a rule set, as in play (default: schnapsen, or that of the tournament)"
    )
    opponent = sitting.add_mutually_exclusive_group()
    opponent.add_argument(
        "--against", metavar="BOT", help="module:Class, or module alone (default: a simple bot that is built in)"
    )
    opponent.add_argument(
        "--address",
        metavar="HOST:PORT",
        help="an arbiter; it knows you by the token in the environment variable SIXTYSIX_TOKEN",
    )
    sitting.add_argument("--seed", type=int, metavar="N", help="decides the cards (default: other ones each time)")
    sitting.add_argument("--record", metavar="FILE", help="add the record of each deal, when it is over, to a file")

    checking = commands.add_parser(
        "check",
        help="check that a bot, in any language, keeps to the protocol",
        description="Lead a bot through numbered scenarios of the protocol, and say where it fails and why.",
        usage="%(prog)s [options] (--remote NAME | -- COMMAND...)",
        epilog=_CHECK_EXAMPLE,
        formatter_class=plain,
    )
    checking.add_argument("--list", action="store_true", help="list the scenarios, and do nothing")
    checking.add_argument(
        "--only", type=_count, action="append", default=[], metavar="N", help="this scenario; may be given again"
    )
    checking.add_argument("--json", action="store_true", help="print one JSON object, with all messages")
    checking.add_argument(
        "--limit", type=_seconds, default=10, metavar="SECONDS", help="how long the bot is waited for (default: 10)"
    )

    rerunning = commands.add_parser(
        "rerun",
        help="ask a bot the decisions of recorded deals",
        description="Ask a bot the decisions of recorded deals; print where it plays otherwise, and how long it takes.",
        usage="%(prog)s [options] FILE (--bot BOT | --remote NAME | -- COMMAND...)",
        epilog=_RERUN_EXAMPLE,
        formatter_class=plain,
    )
    rerunning.add_argument("file", metavar="FILE", help="deal records; - for standard input")
    rerunning.add_argument(
        "--bot", metavar="BOT", help="module:Class, or module alone, in this process, which is best for a debugger"
    )
    rerunning.add_argument("--seat", type=int, choices=(0, 1), required=True, help="whose decisions")
    rerunning.add_argument("--match", metavar="ID", help="only this match")
    rerunning.add_argument("--deal", type=_count, metavar="N", help="only deals of this number in their match")
    rerunning.add_argument("--seed", type=int, default=0, metavar="N", help="random numbers of BOT (default: 0)")
    rerunning.add_argument(
        "--cap",
        type=_seconds,
        default=1,
        metavar="SECONDS",
        help="the cap of a decision that the bot is shown (default: 1); nothing follows from it",
    )
    rerunning.add_argument("--all", action="store_true", help="print every decision")
    rerunning.add_argument("--json", action="store_true", help="print one JSON object")
    for waiting in (checking, rerunning):
        waiting.add_argument("--remote", metavar="NAME", help="wait for a bot that somebody starts")
        waiting.add_argument(
            "--listen", default="127.0.0.1:0", metavar="HOST:PORT", help="where (default: a free port of this machine)"
        )

    making = commands.add_parser(
        "new",
        help="start a project for a bot",
        description="Write a project for a new bot, with a test, into a folder of its name.",
        epilog=_NEW_EXAMPLE,
        formatter_class=plain,
    )
    making.add_argument("name", metavar="NAME", help="of the bot: lower-case letters, digits and _")
    making.add_argument("--language", default="python", help=f"{', '.join(languages())} (default: python)")
    return parser


def _split(arguments: Sequence[str]) -> tuple[Sequence[str], Sequence[str]]:
    """The arguments, and the command of a bot after ``--``."""
    if arguments[:1] not in (["check"], ["rerun"]) or "--" not in arguments:
        return arguments, ()
    place = arguments.index("--")
    return arguments[:place], arguments[place + 1 :]


def _check(options: argparse.Namespace, command: Sequence[str]) -> int:
    # Like rerun it imports grpc, which the other commands do without.
    from sixtysix.conformance.command import check, list_scenarios

    if options.list:
        return list_scenarios()
    return check(
        command,
        options.remote,
        only=options.only,
        address=options.listen,
        limit_s=options.limit,
        as_json=options.json,
    )


def _rerun(options: argparse.Namespace, command: Sequence[str]) -> int:
    from sixtysix.conformance.rerun_command import Wanted, rerun

    wanted = Wanted(options.seat, options.match, options.deal)
    return rerun(
        options.file,
        wanted,
        options.bot,
        command,
        options.remote,
        address=options.listen,
        seed=options.seed,
        cap_us=int(options.cap * 1e6),
        every=options.all,
        as_json=options.json,
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; returns the exit status: 0 done, 1 user error, 3 interrupted, 4 a fault of this program."""
    given, command = _split(list(sys.argv[1:] if arguments is None else arguments))
    options = _parser().parse_args(given)
    if not {"", os.getcwd()} & set(sys.path):
        sys.path.insert(0, os.getcwd())
    try:
        if options.command == "replay":
            status = replay(options.file, trace=options.trace)
        elif options.command == "check":
            status = _check(options, command)
        elif options.command == "rerun":
            status = _rerun(options, command)
        elif options.command == "new":
            status = new(options.name, options.language)
        elif options.command == "human":
            status = human(options.rules, options.against, options.address, options.seed, options.record)
        else:
            status = play(
                options.rules,
                (options.a, options.b),
                matches=options.matches,
                seed=options.seed,
                deal_limit=options.deal_limit,
                jobs=options.jobs,
                pairs=options.pairs,
                each=options.each,
                as_json=options.json,
            )
        sys.stdout.flush()
    except (CommandError, BotError) as error:
        print(f"error: {error}", file=sys.stderr)
        return USER_ERROR
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # Nobody reads on. The interpreter flushes once more at its end, which must not fail again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except OSError as error:
        print(f"error: {error}", file=sys.stderr)
        return USER_ERROR
    except Exception:
        traceback.print_exc()
        print("error: this is a fault of sixtysix itself, please report it", file=sys.stderr)
        return OUR_FAULT
    return status


if __name__ == "__main__":
    sys.exit(main())
