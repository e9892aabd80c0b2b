"""The command line of the SDK: ``python -m sixtysix replay`` and ``python -m sixtysix play``."""

import argparse
import os
import sys
import traceback
from collections.abc import Sequence
from typing import NoReturn

from sixtysix._version import __version__
from sixtysix.commands import DONE, INTERRUPTED, OUR_FAULT, USER_ERROR, CommandError, play, replay
from sixtysix.loading import BotError
from sixtysix.rules import DEAL_LIMIT, RULE_SETS

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


class _Parser(argparse.ArgumentParser):
    """A parser whose usage errors are user errors, with the exit status of all others."""

    def error(self, message: str) -> NoReturn:
        self.exit(USER_ERROR, f"{self.prog}: {message} (--help shows how)\n")


def _count(text: str) -> int:
    value = int(text) if text.isdecimal() else 0
    if value < 1:
        raise argparse.ArgumentTypeError(f"must be a whole number of 1 or more, not {text!r}")
    return value


def _parser() -> argparse.ArgumentParser:
    plain = argparse.RawDescriptionHelpFormatter
    parser = _Parser(
        prog=_PROGRAM,
        description="Tools for authors of bots that play Sixty-Six and Schnapsen.",
        epilog=f"{_REPLAY_EXAMPLE}\n{_PLAY_EXAMPLE}",
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
    playing.add_argument("--json", action="store_true", help="print one JSON object")
    for place, name in (("first", "A"), ("second", "B")):
        playing.add_argument(
            name.lower(),
            metavar=name,
            help=f"the {place} bot: module:Class, or module alone where it defines one bot",
        )
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; returns the exit status: 0 done, 1 user error, 3 interrupted, 4 a fault of this program."""
    options = _parser().parse_args(arguments)
    if not {"", os.getcwd()} & set(sys.path):
        sys.path.insert(0, os.getcwd())
    try:
        if options.command == "replay":
            status = replay(options.file, trace=options.trace)
        else:
            status = play(
                options.rules,
                (options.a, options.b),
                matches=options.matches,
                seed=options.seed,
                deal_limit=options.deal_limit,
                jobs=options.jobs,
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
