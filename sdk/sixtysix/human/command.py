"""What ``python -m sixtysix human`` does."""

import json
import os
import secrets
import sys
from contextlib import ExitStack, redirect_stdout
from typing import TextIO

from sixtysix.commands import DONE, INTERRUPTED, CommandError, read_rule_set
from sixtysix.human.opponent import Sparring
from sixtysix.human.person import Left, Person
from sixtysix.human.terminal import Console, look_for
from sixtysix.loading import load_bot
from sixtysix.local import play_match
from sixtysix.rules import DealRecord
from sixtysix.series import blamed_on_bots

_DEFAULT_RULES = "schnapsen"
_STANDARD_INPUT = 0
_MOST_SEED = 1_000_000
"""Seeds made here are short, since people type them."""


def human(rules: str | None, against: str | None, address: str | None, seed: int | None, record: str | None) -> int:
    """Let a person play a match here, or all matches that an arbiter offers; returns the exit status.

    Raises CommandError and BotError for what cannot be used, and SystemExit as `sixtysix.client.run`.
    """
    console, look = Console(_STANDARD_INPUT, sys.stdout), look_for(sys.stdout, os.environ)
    if address is not None:
        if seed is not None or record is not None:
            option = "--seed" if record is None else "--record"
            raise CommandError(f"{option} goes with a match on this machine; an arbiter deals, and keeps the records")
        names = () if rules is None else (read_rule_set(rules).name,)
        return _at_arbiter(Person(console, look, names), address, console)
    try:
        _here(Person(console, look), rules or _DEFAULT_RULES, against, seed, record, console)
    except Left:
        return INTERRUPTED
    return DONE


def _at_arbiter(person: Person, address: str, console: Console) -> int:
    from sixtysix.client import run  # and with it grpc, which no match on this machine needs

    console.show(f"Waiting for the arbiter at {address}; Ctrl-C leaves.")
    run(person, address=address)
    console.show("The tournament is over.")
    return DONE


def _here(
    person: Person, rules: str, against: str | None, seed: int | None, record: str | None, console: Console
) -> None:
    rule_set = read_rule_set(rules)
    seed = secrets.randbelow(_MOST_SEED) if seed is None else seed
    with ExitStack() as stack:
        # What the bot prints must not be taken for what happens at the table.
        stack.enter_context(redirect_stdout(sys.stderr))
        bot = Sparring() if against is None else load_bot(against)
        if bot.rule_sets and rule_set.name not in bot.rule_sets:
            raise CommandError(f"{against} plays only {', '.join(bot.rule_sets)}, not {rule_set.name}")
        file = None if record is None else stack.enter_context(_opened(record))
        stack.enter_context(blamed_on_bots("the match"))
        # The cards and the dealer of the first of the matches that `play` plays with this seed.
        play_match(rule_set, (person, bot), f"{seed}/0", on_record=None if file is None else _Writer(file))
    console.show(f"The same cards again: --seed {seed}")


class _Writer:
    """Adds records to a file, one line each, at once."""

    def __init__(self, file: TextIO) -> None:
        self._file = file

    def __call__(self, record: DealRecord) -> None:
        print(json.dumps(record.to_json()), file=self._file, flush=True)


def _opened(path: str) -> TextIO:
    try:
        return open(path, "a", encoding="utf-8")
    except OSError as error:
        raise CommandError(f"cannot write {path}: {error.strerror}") from None
