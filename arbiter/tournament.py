"""A tournament from its configuration to its standings: who plays when, and that nothing is lost."""

import os
import secrets
import signal
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

import structlog
import trio

from arbiter.config import TournamentConfig
from arbiter.dealing import Dealer, commitment, new_secret
from arbiter.launcher import Launcher, LaunchError
from arbiter.lobby import Lobby
from arbiter.match_runner import MatchRunner, Terms
from arbiter.progress import Reporter
from arbiter.queries import Queries
from arbiter.records import attempt_id
from arbiter.remote_seat import RemoteSeat
from arbiter.results import MatchResult, Scoreboard
from arbiter.schedule import ScheduledMatch, round_robin
from arbiter.status import StreamStatus
from arbiter.store import FILE_NAME, Store, StoreError, TournamentRow
from arbiter.transport import ListenError, open_transport
from sixtysix.rules import Deal, RuleSet

_T = TypeVar("_T")
_log = structlog.get_logger()
MOST_ATTEMPTS = 3
"""How often a match that was void is played again before it is left void."""
_POLITE_S = 2.0


class TournamentError(Exception):
    """The tournament cannot be played as configured: the organiser's fault; the message says what and where."""


class Interrupted(Exception):
    """The organiser stopped the tournament; everything that had ended is kept."""


class _Shoe:
    """The decks of one attempt at one match."""

    def __init__(self, tournament_id: str, dealer: Dealer, rules: RuleSet, match_id: str, attempt: int) -> None:
        self._tournament_id = tournament_id
        self._dealer = dealer
        self._rules = rules
        # A match that is played again gets fresh cards.
        self._key = attempt_id(match_id, attempt)

    def deal(self, number: int, dealer: int, carry: int) -> tuple[Deal, bytes, bytes]:
        deck = self._dealer.deck(self._key, number, self._rules.deck)
        salt = self._dealer.salt(self._key, number)
        bound = commitment(self._tournament_id, self._key, number, salt, deck)
        return Deal.from_deck(self._rules, deck, dealer, carry), salt, bound


async def run_tournament(config: TournamentConfig, out: Path, reporter: Reporter) -> Scoreboard:
    """Play a whole tournament into the directory `out`, which exists and holds no results yet.

    Raises TournamentError for what the organiser has to mend, Interrupted after SIGINT or SIGTERM.
    """
    secret = new_secret()
    row = TournamentRow(
        id=secrets.token_hex(8),
        name=config.tournament.name,
        config=config.to_toml_dict(),
        secret=secret.hex(),
        created=datetime.now(UTC).isoformat(timespec="seconds"),
    )
    tokens = tokens_of(config)
    path = out / FILE_NAME
    try:
        with Store.create(path, row) as store:
            tournament = _Tournament(config, out, store, row, Dealer(secret), tokens, reporter)
            return await tournament.run(path)
    except (ListenError, LaunchError, StoreError) as error:
        raise TournamentError(str(error)) from error


def tokens_of(config: TournamentConfig) -> dict[str, str]:
    """The bearer token of each bot: from the environment for remote bots, fresh ones for local bots.

    Raises TournamentError for a remote bot whose variable is not set, or one that cannot be told from another.
    """
    tokens = {}
    for bot in config.bots:
        if bot.token_env is None:
            tokens[bot.name] = secrets.token_urlsafe(24)
            continue
        token = os.environ.get(bot.token_env, "")
        if not token:
            raise TournamentError(
                f"bot {bot.name}: the environment variable {bot.token_env}, which holds its token, is not set"
            )
        tokens[bot.name] = token
    if len(set(tokens.values())) != len(tokens):
        raise TournamentError("two bots have the same token: nobody could tell who connects")
    return tokens


class _Tournament:
    def __init__(
        self,
        config: TournamentConfig,
        out: Path,
        store: Store,
        row: TournamentRow,
        dealer: Dealer,
        tokens: dict[str, str],
        reporter: Reporter,
    ) -> None:
        self._config, self._out, self._store, self._row, self._dealer = config, out, store, row, dealer
        self._reporter = reporter
        self._rules = config.rule_set()
        self._tokens = tokens
        self._names = [bot.name for bot in config.bots]
        self._terms = Terms(self._rules, config.time_control(), config.fault_policy(), config.tournament.deal_limit)
        self._board = Scoreboard(self._names)
        self._state = "running"
        self._busy: Counter[str] = Counter()
        self._freed = trio.Event()
        # One writer at a time, and never in the way of the matches.
        self._writing = trio.CapacityLimiter(1)
        limits = {bot.name: bot.concurrency for bot in config.bots}
        self._lobby = Lobby(
            self._rules,
            tokens,
            limits,
            config.faults.reconnect_us,
            on_connect=reporter.bot_connected,
            on_dismissed=self._bot_dismissed,
        )
        self._launcher: Launcher

    async def run(self, path: Path) -> Scoreboard:
        matches = round_robin(self._names, self._config.tournament.matches_per_pair)
        await self._write(self._store.issue, matches)
        logs = self._out / "logs"
        logs.mkdir(exist_ok=True)
        queries = Queries(path, lambda: self._state)
        listen = self._config.server.listen
        interrupted = False
        started = trio.current_time()
        async with (
            _unwrapped(),
            open_transport(listen, self._lobby.authenticate, self._lobby, queries) as transport,
        ):
            self._lobby.transport = transport
            async with trio.open_nursery() as watchers:
                local = {bot.name: bot for bot in self._config.bots if bot.command is not None}
                self._launcher = Launcher(local, self._tokens, transport.address, logs, self._bot_exited, watchers)
                watchers.start_soon(self._lobby.keep_watch)
                self._reporter.started(self._row.name, self._rules, len(matches), self._names, transport.address)
                status: StreamStatus | None = None
                try:
                    interrupted = await self._until_signal(matches)
                except BaseException:
                    status = StreamStatus("DRAINING", "the arbiter is shutting down")
                    raise
                finally:
                    self._state = "stopped" if interrupted or status else "finished"
                    if interrupted:
                        status = StreamStatus("DRAINING", "the organiser has stopped the tournament")
                    self._lobby.close(status)
                    with trio.CancelScope(shield=True):
                        await self._launcher.end_all(0.0 if status else _POLITE_S)
                    watchers.cancel_scope.cancel()
        if interrupted:
            raise Interrupted
        self._reporter.finished(self._board, trio.current_time() - started)
        return self._board

    async def _until_signal(self, matches: list[ScheduledMatch]) -> bool:
        """Play all matches; True if a signal ended it before."""
        interrupted = False
        with trio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
            async with trio.open_nursery() as nursery:

                async def listen() -> None:
                    nonlocal interrupted
                    async for _ in signals:
                        interrupted = True
                        nursery.cancel_scope.cancel()

                nursery.start_soon(listen)
                await self._gather_bots()
                await self._play_all(matches)
                nursery.cancel_scope.cancel()
        return interrupted

    async def _gather_bots(self) -> None:
        """Start the local bots and wait for them, as long as a match would; wait for remote bots without limit."""
        remote = [bot.name for bot in self._config.bots if bot.command is None]
        local = [bot.name for bot in self._config.bots if bot.command is not None]
        for name in local:
            self._launcher.ensure_running(name)
        if remote:
            self._reporter.waiting(remote, self._lobby.transport.address)
            for name in remote:
                await self._lobby.participants[name].wait_connected()
        with trio.move_on_after(self._terms.control.ready_us / 1e6):
            for name in local:
                while self._launcher.is_running(name) and not self._lobby.participants[name].connected:
                    await trio.sleep(0.02)

    async def _play_all(self, matches: list[ScheduledMatch]) -> None:
        """Play the matches in the order of the schedule, as far as the bots have places."""
        waiting = list(reversed(matches))
        most = self._config.tournament.concurrency
        async with trio.open_nursery() as nursery:
            while waiting:
                self._freed = trio.Event()
                playable = self._next_playable(waiting) if self._busy.total() < 2 * most else None
                if playable is None:
                    await self._freed.wait()
                    continue
                match = waiting.pop(playable)
                self._busy.update(match.bots)
                nursery.start_soon(self._play_match, match)

    def _next_playable(self, waiting: list[ScheduledMatch]) -> int | None:
        # The list runs backwards, so that taking from near its end is cheap.
        full = {name for name in self._names if self._busy[name] >= self._lobby.participants[name].capacity}
        if len(self._names) - len(full) < 2:
            return None
        for index in range(len(waiting) - 1, -1, -1):
            if full.isdisjoint(waiting[index].bots):
                return index
        return None

    async def _play_match(self, match: ScheduledMatch) -> None:
        try:
            for attempt in range(1, MOST_ATTEMPTS + 1):
                if attempt > 1:
                    await self._write(self._store.issue, match)
                result = await self._attempt(match, attempt)
                await self._write(self._store.fix, result)
                self._board.add(result)
                self._reporter.match_ended(result.summary(), self._board)
                if not result.void:
                    return
        finally:
            self._busy.subtract(match.bots)
            self._freed.set()

    async def _attempt(self, match: ScheduledMatch, attempt: int) -> MatchResult:
        for name in match.bots:
            try:
                self._launcher.ensure_running(name)
            except LaunchError as error:
                self._bot_exited(name, str(error))
        first, second = (RemoteSeat(self._lobby.participants[name]) for name in match.bots)
        shoe = _Shoe(self._row.id, self._dealer, self._rules, match.match_id, attempt)
        result = await MatchRunner(match, (first, second), self._terms, shoe).play()
        _log.info(
            "match ended",
            match_id=match.match_id,
            bots=list(match.bots),
            winner=None if result.winner is None else match.bots[result.winner],
            reason=result.reason,
            score=list(result.score),
            deals=len(result.deals),
            detail=result.detail or None,
        )
        return result

    def _bot_dismissed(self, name: str, detail: str) -> None:
        self._reporter.note(detail)
        if self._launcher.is_running(name):
            self._lobby.participants[name].process_ended(detail)
            self._launcher.dismiss(name)

    def _bot_exited(self, name: str, detail: str) -> None:
        self._lobby.participants[name].process_ended(detail)
        self._reporter.note(detail)

    async def _write(self, call: Callable[[_T], object], argument: _T) -> None:
        await trio.to_thread.run_sync(call, argument, limiter=self._writing)


@asynccontextmanager
async def _unwrapped() -> AsyncIterator[None]:
    """Let a single expected error out of the exception groups of the nurseries."""
    try:
        yield
    except BaseExceptionGroup as group:
        error: BaseException = group
        while isinstance(error, BaseExceptionGroup) and len(error.exceptions) == 1:
            error = error.exceptions[0]
        if isinstance(error, BaseExceptionGroup):
            raise
        raise error from None
