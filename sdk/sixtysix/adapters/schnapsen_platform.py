"""Unmodified bots of the teaching platform `schnapsen` 0.0.5 of PyPI, as bots for a tournament.

    python -m sixtysix.adapters.schnapsen_platform rdeep
    python -m sixtysix.adapters.schnapsen_platform my_module:MyBot

The platform has to be installed (``pip install schnapsen==0.0.5``). It is free software under the GNU General Public
License, version 3 or later; this module imports it at run time and has none of its code.

The platform knows neither claims nor closing: the adapter claims as soon as the seat has 66 and never closes. A
marriage is declared and its king led, as the platform does it.
"""

import argparse
import inspect
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from random import Random
from typing import Any, Self

from sixtysix.bot import Bot
from sixtysix.rules import CLAIM, EXCHANGE, MARRIAGES, PASS, Action, Card, Event, EventKind, Outcome, Rank, Stage, View

try:
    from schnapsen import game as platform
except ModuleNotFoundError as error:
    if error.name is None or error.name.partition(".")[0] != "schnapsen":
        raise
    text = "this adapter needs the package schnapsen, which is not installed: pip install schnapsen==0.0.5"
    if __name__ == "__main__":
        sys.exit(f"error: {text}")
    raise ModuleNotFoundError(text, name=error.name) from None

from sixtysix.adapters.platform_state import (
    ENGINE,
    exchange,
    marriage,
    our_card,
    platform_card,
    position,
)

RULE_SETS = ("schnapsen", "schnapsen-short")
USER_ERROR = 1

MakeBot = Callable[[Random], Any]
"""Makes a bot of the platform, with random numbers to use; each match gets its own."""


class PlatformBot(Bot):
    """Plays as a bot of the platform would.

    The bot is asked through `get_move` with a perspective that knows what the seat sees; hidden cards in it are filled
    in at random. `valid_moves` are the moves that the arbiter allows. After a close the talon looks empty, and the
    other hand, which the platform then shows, is a guess.

    Args:
        make: makes a bot of the platform.
        name: shown in logs.
    """

    rule_sets = RULE_SETS
    max_concurrent_matches = 1
    wants_events = True

    def __init__(self, make: MakeBot, name: str = "") -> None:
        self.name = name
        self._make = make

    def for_match(self, rng: Random) -> Self:
        """A copy with a bot of the platform of its own."""
        player = super().for_match(rng)
        player._bot = self._make(Random(rng.getrandbits(64)))
        player._last = None
        return player

    _bot: Any
    _last: "_Asked | None"

    def choose(self, view: View) -> Action:
        """Ask the bot, unless the rules of the platform answer."""
        if view.can_claim:
            return CLAIM
        if view.stage is Stage.LAST_CLAIM:
            return PASS
        if view.declared is not None and view.led is None:
            return Card.of(Rank.KING, view.declared)
        self._last = _Asked(view, Random(self.rng.getrandbits(64)))
        move = self._bot.get_move(self._last.perspective, self._last.position.leader_move)
        return _action(move)

    def on_event(self, event: Event) -> None:
        """Tell the bot of an exchange, its own or the other one's."""
        if event.kind is EventKind.EXCHANGED:
            self._bot.notify_trump_exchange(exchange(event.cards[0].suit))

    def on_deal_end(self, outcome: Outcome) -> None:
        """Tell the bot who has won, with the perspective of its last decision; not if it had none, nor of a draw."""
        if self._last is not None and outcome.winner is not None:
            asked, self._last = self._last, None
            self._bot.notify_game_end(outcome.winner == asked.view.seat, asked.perspective)


class _Asked:
    """A decision and the perspective that the bot gets of it."""

    def __init__(self, view: View, rng: Random) -> None:
        self.view = view
        self.position = position(view, rng)
        state, led = self.position.state, self.position.leader_move
        if led is None:
            self.perspective: platform.PlayerPerspective = _Leading(state, ENGINE)
        else:
            self.perspective = _Following(state, ENGINE, led)
        self.perspective.asked = self

    def moves(self) -> list[platform.Move]:
        return [move for action in self.view.legal_actions if (move := _move(action, self.view)) is not None]


class _Seen:
    """What differs from the platform: the arbiter says what is allowed, and a closed deal is guessed anew each time."""

    asked: _Asked

    def valid_moves(self) -> list[platform.Move]:
        return self.asked.moves()

    def make_assumption(self, leader_move: platform.Move | None, rand: Random) -> platform.GameState:
        if self.asked.view.closing is None:
            return super().make_assumption(leader_move, rand)  # type: ignore[misc]  # a mixin
        return position(self.asked.view, rand).state


class _Leading(_Seen, platform.LeaderPerspective):  # type: ignore[misc]  # no types without the platform
    """The perspective of a seat on lead."""


class _Following(_Seen, platform.FollowerPerspective):  # type: ignore[misc]  # no types without the platform
    """The perspective of a seat that follows."""


def _move(action: Action, view: View) -> platform.Move | None:
    """The platform's move for an action, None where it has none."""
    if isinstance(action, Card):
        return platform.RegularMove(platform_card(action))
    if action is EXCHANGE:
        return exchange(view.trump)
    return marriage(action.suit) if action.suit is not None and action in MARRIAGES else None


def _action(move: platform.Move) -> Action:
    """The action that begins a move of the platform."""
    if move.is_trump_exchange():
        return EXCHANGE
    if move.is_marriage():
        return MARRIAGES[our_card(move.as_marriage().king_card).suit]
    return our_card(move.as_regular_move().card)


def _rand(options: argparse.Namespace) -> MakeBot:
    from schnapsen.bots import RandBot

    return lambda rng: RandBot(rand=rng)


def _bully(options: argparse.Namespace) -> MakeBot:
    from schnapsen.bots import BullyBot

    return lambda rng: BullyBot(rand=rng)


def _rdeep(options: argparse.Namespace) -> MakeBot:
    from schnapsen.bots import RdeepBot

    return lambda rng: RdeepBot(num_samples=options.samples, depth=options.depth, rand=rng)


_BUILT_IN = {"rand": _rand, "bully": _bully, "rdeep": _rdeep}


def load(name: str) -> MakeBot:
    """Find what makes a bot, ``module:Class`` or ``module:function``; raises ValueError saying what is wrong.

    It is called with random numbers where it takes an argument `rand` or `rng`, and otherwise with nothing.
    """
    module_name, colon, attribute = name.partition(":")
    if not colon or not attribute:
        raise ValueError(f"{name!r} is neither {', '.join(_BUILT_IN)} nor of the form module:Class")
    try:
        make = getattr(import_module(module_name), attribute)
    except ModuleNotFoundError as error:
        raise ValueError(f"no module named {error.name!r}") from None
    except AttributeError:
        raise ValueError(f"module {module_name!r} has no {attribute!r}") from None
    parameters = inspect.signature(make).parameters.values()
    random = next((one.name for one in parameters if one.name in ("rand", "rng")), None)
    needed = [one.name for one in parameters if one.default is one.empty and one.name != random]
    if needed:
        raise ValueError(f"{name} needs {', '.join(needed)}: name a function without arguments that makes the bot")
    return lambda rng: make(**({} if random is None else {random: rng}))


def main(arguments: Sequence[str] | None = None) -> int:
    """Play in a tournament; the environment says where. Returns the exit status: 0 done, 1 user error."""
    parser = argparse.ArgumentParser(
        prog="python -m sixtysix.adapters.schnapsen_platform",
        description="Let a bot of the teaching platform schnapsen play in a tournament.",
    )
    parser.add_argument("bot", metavar="BOT", help=f"{', '.join(_BUILT_IN)}, or module:Class, or module:function")
    parser.add_argument("--samples", type=int, default=16, metavar="N", help="of rdeep (default: 16)")
    parser.add_argument("--depth", type=int, default=4, metavar="N", help="of rdeep, in tricks (default: 4)")
    options = parser.parse_args(arguments)
    from sixtysix.client import run

    sys.path.insert(0, "")
    try:
        make = _BUILT_IN[options.bot](options) if options.bot in _BUILT_IN else load(options.bot)
    except ValueError as error:
        print(f"error: {error}", file=sys.stderr)
        return USER_ERROR
    run(PlatformBot(make, options.bot))
    return 0


if __name__ == "__main__":
    sys.exit(main())
