"""What ``python -m sixtysix rerun`` does."""

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from typing import Any, NamedTuple

from sixtysix.commands import DONE, CommandError, read_text
from sixtysix.conformance.command import candidate_of, listen
from sixtysix.conformance.process import StartError
from sixtysix.conformance.recorded import RecordedDeal, read_deals
from sixtysix.conformance.rerun import Choice, LocalSeat, RemoteSeat, Seat
from sixtysix.conformance.rerun import rerun as ask_all
from sixtysix.conformance.server import ListenError
from sixtysix.conformance.trial import FOR_EVER_S, Failed
from sixtysix.loading import load_bot
from sixtysix.rules import RecordError
from sixtysix.series import blamed_on_bots

_POLITE_S = 2.0
"""For the bot to end by itself, as after a tournament."""


class Wanted(NamedTuple):
    """Which decisions: the seat and, unless None, the match and the number of the deal."""

    seat: int
    match: str | None
    deal: int | None


def rerun(
    file: str,
    wanted: Wanted,
    bot: str | None,
    command: Sequence[str],
    remote: str | None,
    *,
    address: str,
    seed: int,
    cap_us: int,
    every: bool,
    as_json: bool,
) -> int:
    """Ask a bot the decisions of a file of records and print its choices; returns the exit status.

    Raises CommandError for what cannot be used and for a bot that breaks off, BotError for one that fails here.
    """
    deals = _chosen(file, wanted)
    output = sys.stdout
    choices: list[Choice] = []
    # A bot that prints must not spoil the report.
    with redirect_stdout(sys.stderr), _seated(bot, command, remote, address, seed) as seat:
        for choice in ask_all(deals, wanted.seat, seat, cap_us):
            choices.append(choice)
            if not as_json and (every or choice.differs):
                print(_as_text(choice), file=output, flush=True)
    if as_json:
        print(json.dumps(_as_json(choices)))
    else:
        print(_summary(choices))
    return DONE


def _chosen(file: str, wanted: Wanted) -> list[RecordedDeal]:
    shown = "standard input" if file == "-" else file
    try:
        deals = list(read_deals(read_text(file)))
    except RecordError as error:
        raise CommandError(f"{shown}: {error}") from None
    if not deals:
        raise CommandError(f"{shown} has no deal records")
    matches = {deal.match for deal in deals}
    if wanted.match is not None and wanted.match not in matches:
        raise CommandError(f"--match: {shown} has no match {wanted.match!r} (the first is {deals[0].match!r})")
    chosen = [deal for deal in deals if wanted.match in (None, deal.match) and wanted.deal in (None, deal.number)]
    if not chosen:
        raise CommandError(f"--deal: there is no deal {wanted.deal}")
    return chosen


@contextmanager
def _seated(bot: str | None, command: Sequence[str], remote: str | None, address: str, seed: int) -> Iterator[Seat]:
    if bot is not None:
        if command or remote is not None:
            raise CommandError("expected one bot: --bot BOT, --remote NAME or -- COMMAND...")
        with blamed_on_bots(bot):
            yield LocalSeat(load_bot(bot), seed)
        return
    if not command and remote is None:
        raise CommandError("no bot: expected --bot BOT, --remote NAME or -- COMMAND...")
    try:
        with listen(address) as server:
            trial = candidate_of(server, command, remote).trial(FOR_EVER_S, on_terminal=True)
            try:
                seat = RemoteSeat(trial)
                yield seat
                seat.finish()
            finally:
                trial.close(_POLITE_S)
    except (ListenError, StartError, Failed) as error:
        raise CommandError(str(error)) from None


def _where(choice: Choice) -> str:
    return f"match {choice.match}, deal {choice.deal}, action {choice.index}"


def _as_text(choice: Choice) -> str:
    view = choice.view
    hand = " ".join(card.text for card in view.hand)
    led = "" if view.led is None else f", {view.led.text} is led"
    legal = ", ".join(action.text for action in view.legal_actions)
    chosen = choice.problem if choice.chosen is None else f"the bot plays {choice.chosen.text}"
    if not choice.differs:
        chosen = "the bot too"
    return (
        f"{_where(choice)}, {view.stage.value}: the record has {choice.recorded_text}, {chosen} "
        f"({choice.elapsed_us / 1000:.1f} ms)\n"
        f"  hand {hand}, trump {view.trump}{led}, points {view.own_card_points}:{view.opponent_card_points}; "
        f"legal: {legal}"
    )


def _summary(choices: Sequence[Choice]) -> str:
    free = [choice for choice in choices if choice.free]
    other = sum(choice.differs for choice in free)
    line = f"{len(choices)} decisions, {len(free)} with a choice: {len(free) - other} as recorded, {other} otherwise"
    if not choices:
        return line
    longest = max(choices, key=lambda choice: choice.elapsed_us)
    mean_ms = sum(choice.elapsed_us for choice in choices) / len(choices) / 1000
    return f"{line}\ntime: {mean_ms:.1f} ms on average, longest {longest.elapsed_us / 1000:.1f} ms ({_where(longest)})"


def _as_json(choices: Sequence[Choice]) -> dict[str, Any]:
    free = [choice for choice in choices if choice.free]
    return {
        "decisions": len(choices),
        "free": len(free),
        "otherwise": sum(choice.differs for choice in free),
        "elapsed_us": sum(choice.elapsed_us for choice in choices),
        "choices": [
            {
                "match": choice.match,
                "deal": choice.deal,
                "action": choice.index,
                "stage": choice.view.stage.value,
                "hand": [card.text for card in choice.view.hand],
                "legal": [action.text for action in choice.view.legal_actions],
                "recorded": None if choice.recorded is None else choice.recorded.text,
                "chosen": None if choice.chosen is None else choice.chosen.text,
                "problem": choice.problem,
                "elapsed_us": choice.elapsed_us,
            }
            for choice in choices
        ],
    }
