"""A tournament from its configuration to its standings: who plays when, and that nothing is lost."""

import gc
import secrets
import signal
import socket
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import structlog
import trio

from arbiter import directory
from arbiter.config import TournamentConfig
from arbiter.dealing import Dealer, commitment, new_secret
from arbiter.directory import DirectoryError
from arbiter.launcher import Launcher, LaunchError
from arbiter.listening import Settings
from arbiter.lobby import Lobby
from arbiter.match_runner import MatchRunner, Terms
from arbiter.progress import Reporter
from arbiter.queries import Queries
from arbiter.recorder import Recorder
from arbiter.records import attempt_id
from arbiter.remote_seat import RemoteSeat
from arbiter.results import MatchResult, MatchSummary, Reason, Scoreboard, SeatStats
from arbiter.resume import differences
from arbiter.schedule import ScheduledMatch, round_robin
from arbiter.status import StreamStatus
from arbiter.store import Store, StoreError, TournamentRow
from arbiter.tls import TlsError
from arbiter.tokens import Credentials, TokenError, bot_name, credentials, second_key
from arbiter.transport import ListenError, open_transport
from arbiter.web.address import WebError, listening
from arbiter.web.page import LivePage, Page
from sixtysix.rules import Deal, RuleSet

_log = structlog.get_logger()
MOST_ATTEMPTS = 3
"""How often a match that was void is played again before it is left void."""
_POLITE_S = 2.0
_COLLECT_AFTER = 20_000
_STORE_PATIENCE_S = 60.0
_EXPECTED = (DirectoryError, ListenError, LaunchError, StoreError, TlsError, TokenError, WebError)


class TournamentError(Exception):
    """The tournament cannot be played as configured: the organiser's fault; the message says what and where."""


class Interrupted(Exception):
    """The organiser stopped the tournament; everything that had ended is kept."""


class _Shoe:
    """The decks of one attempt at one match."""

    def __init__(self, tournament_id: str, dealer: Dealer, rules: RuleSet, cards: str, attempt: int) -> None:
        self._tournament_id = tournament_id
        self._dealer = dealer
        self._rules = rules
        # A match that is played again gets fresh cards.
        self._key = attempt_id(cards, attempt)

    def deal(self, number: int, dealer: int, carry: int) -> tuple[Deal, bytes, bytes]:
        deck = self._dealer.deck(self._key, number, self._rules.deck)
        salt = self._dealer.salt(self._key, number)
        bound = commitment(self._tournament_id, self._key, number, salt, deck)
        return Deal.from_deck(self._rules, deck, dealer, carry), salt, bound


async def run_tournament(
    config: TournamentConfig,
    out: Path,
    reporter: Reporter,
    *,
    resume: bool = False,
    enough: Callable[[MatchSummary], bool] | None = None,
) -> Scoreboard:
    """Play a whole tournament into the directory `out`, or what is left of one that did not end.

    Without `resume` the directory holds no results yet; with it, those of the same configuration. `enough` is asked
    about each attempt at a match that has ended: when it says so, the matches in play are the last.

    Raises TournamentError for what the organiser has to mend, Interrupted after SIGINT or SIGTERM.
    """
    try:
        tokens, settings = credentials(config), Settings.of(config.server)
        with listening(config.web) as listener, _store(config, out, resume) as store:
            _check_unchanged(store.tournament.config, config)
            page = _page(config, listener, out, reporter)
            tournament = _Tournament(config, out, store, tokens, settings, reporter, enough, page)
            return await tournament.run()
    except _EXPECTED as error:
        raise TournamentError(str(error)) from error


def _store(config: TournamentConfig, out: Path, resume: bool) -> Store:
    url = None if config.store is None else config.store.url
    return directory.resume_store(out, url) if resume else directory.create_store(out, _new_row(config), url)


def _new_row(config: TournamentConfig) -> TournamentRow:
    return TournamentRow(
        id=secrets.token_hex(8),
        name=config.tournament.name,
        config=config.to_toml_dict(),
        secret=new_secret().hex(),
        created=datetime.now(UTC).isoformat(timespec="seconds"),
    )


def _page(config: TournamentConfig, listener: socket.socket | None, out: Path, reporter: Reporter) -> Page:
    if config.web is None or listener is None:
        return Page()
    return LivePage(config.web, listener, out, _hidden(config), reporter.note)


def _hidden(config: TournamentConfig) -> list[str]:
    """The variables of the environment that hold tokens."""
    return [bot.token_env for bot in config.bots if bot.token_env is not None]


def _check_unchanged(before: Mapping[str, Any], config: TournamentConfig) -> None:
    changed = differences(before, config.to_toml_dict())
    if changed:
        raise TournamentError("\n".join(["cannot be resumed, the configuration has changed:", *changed]))


class _Tournament:
    def __init__(
        self,
        config: TournamentConfig,
        out: Path,
        store: Store,
        tokens: Credentials,
        settings: Settings,
        reporter: Reporter,
        enough: Callable[[MatchSummary], bool] | None,
        page: Page,
    ) -> None:
        self._config, self._out, self._store, self._row = config, out, store, store.tournament
        self._reporter = reporter
        self._enough, self._is_enough = enough, False
        self._page = page
        self._rules = config.rule_set()
        self._dealer = Dealer(bytes.fromhex(self._row.secret))
        self._tokens, self._settings = tokens, settings
        self._names = [bot.name for bot in config.bots]
        self._terms = Terms(self._rules, config.time_control(), config.fault_policy(), config.tournament.deal_limit)
        self._board = Scoreboard(self._names)
        self._state = "running"
        self._busy: Counter[str] = Counter()
        self._freed = trio.Event()
        # Starts of each bot that failed, one after another.
        self._failed_starts: Counter[str] = Counter()
        self._recorder = Recorder(store.fix, self._fixed, reporter.note, _STORE_PATIENCE_S)
        limits = {bot.name: bot.concurrency for bot in config.bots}
        self._lobby = Lobby(
            self._rules,
            tokens.hashes,
            {key: limits[bot_name(key)] for key in tokens.hashes},
            config.faults.reconnect_us,
            on_connect=reporter.bot_connected,
            on_dismissed=self._bot_dismissed,
            hello_us=config.server.hello_us,
            local=tokens.local,
        )
        self._launcher: Launcher

    async def run(self) -> Scoreboard:
        # What is loaded by now stays; and what a match leaves behind has few cycles to look for.
        gc.freeze()
        gc.set_threshold(_COLLECT_AFTER, 20, 50)
        settings = self._config.tournament
        schedule = round_robin(self._names, settings.matches_per_pair, settings.duplicate)
        logs = self._out / "logs"
        logs.mkdir(exist_ok=True)
        queries = Queries(self._out, lambda: self._state)
        interrupted = False
        started = trio.current_time()
        async with (
            _unwrapped(),
            open_transport(self._settings, self._lobby.authenticate, self._lobby, queries) as transport,
        ):
            self._lobby.transport = transport
            async with trio.open_nursery() as watchers:
                bots = {bot.name: bot for bot in self._config.bots if bot.command is not None}
                local = {key: bots[bot_name(key)] for key in self._tokens.local}
                self._launcher = Launcher(
                    local,
                    self._tokens.local,
                    transport.local_address,
                    logs,
                    self._bot_exited,
                    watchers,
                    hidden=_hidden(self._config),
                )
                watchers.start_soon(self._lobby.keep_watch)
                watchers.start_soon(transport.alarm.run)
                watchers.start_soon(self._page.run)
                self._reporter.started(self._row.name, self._rules, len(schedule), self._names, transport.address)
                if self._page.address is not None:
                    self._reporter.note(f"the live page is at {self._page.address}")
                status: StreamStatus | None = None
                try:
                    interrupted = await self._until_signal(schedule)
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
                        await self._page.end("stopped" if status else "finished")
                    watchers.cancel_scope.cancel()
        if interrupted:
            raise Interrupted
        self._reporter.finished(self._board, trio.current_time() - started)
        return self._board

    async def _what_is_left(self, schedule: list[ScheduledMatch]) -> list[ScheduledMatch]:
        """Count what has been played, make void what was interrupted, and return what is still to be played."""
        interrupted = [_interrupted(match) for match, _ in await self._recorder.call(Store.issued, self._store)]
        if interrupted:
            await self._recorder.call(self._store.fix, interrupted)
        for summary in await self._recorder.call(_summaries, self._store):
            self._board.add(summary)
        states = await self._recorder.call(Store.states, self._store)
        left = [match for match in schedule if states.get(match.match_id) != "fixed"]
        if self._board.played or interrupted:
            self._reporter.note(
                f"resumed: {self._board.played} matches kept, {len(interrupted)} interrupted and void, "
                f"{len(left)} left to play"
            )
        return left

    async def _until_signal(self, schedule: list[ScheduledMatch]) -> bool:
        """Play all matches that are left; True if a signal ended it before."""
        interrupted = False
        with trio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
            async with trio.open_nursery() as nursery:

                async def listen() -> None:
                    nonlocal interrupted
                    async for _ in signals:
                        interrupted = True
                        nursery.cancel_scope.cancel()

                nursery.start_soon(listen)
                left = await self._what_is_left(schedule)
                await self._page.begin()
                if left:
                    await self._gather_bots()
                async with trio.open_nursery() as writing:
                    writing.start_soon(self._recorder.run)
                    await self._play_all(left)
                    self._recorder.close()
                nursery.cancel_scope.cancel()
        return interrupted

    async def _gather_bots(self) -> None:
        """Start the local bots and wait for them, as long as a match would; wait for remote bots without limit."""
        remote = [bot.name for bot in self._config.bots if bot.command is None]
        local = list(self._tokens.local)
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
            while waiting and not self._is_enough:
                self._freed = trio.Event()
                playable = self._next_playable(waiting) if self._busy.total() < 2 * most else None
                if playable is None:
                    await self._freed.wait()
                    continue
                match = waiting.pop(playable)
                self._busy.update(self._keys(match))
                nursery.start_soon(self._play_match, match)

    def _next_playable(self, waiting: list[ScheduledMatch]) -> int | None:
        # The list runs backwards, so that taking from near its end is cheap.
        busy, participants = self._busy, self._lobby.participants
        free = {key for key in self._tokens.hashes if busy[key] < participants[key].capacity}
        if len(free) < 2:
            return None
        names = {bot_name(key) for key in free}
        for index in range(len(waiting) - 1, -1, -1):
            first, second = waiting[index].bots
            # By name first: most of those that have to wait are told from it, and a schedule may be long.
            if first in names and second in names and free.issuperset(self._keys(waiting[index])):
                return index
        return None

    def _keys(self, match: ScheduledMatch) -> tuple[str, str]:
        """Who plays: with duplicates, local bots have a process for first and one for second halves."""
        first, second = (second_key(name) if match.second_half else name for name in match.bots)
        return (
            first if first in self._tokens.hashes else match.bots[0],
            second if second in self._tokens.hashes else match.bots[1],
        )

    async def _play_match(self, match: ScheduledMatch) -> None:
        try:
            for _ in range(MOST_ATTEMPTS):
                result = await self._attempt(match)
                written = await self._recorder.put(result)
                if not result.void or self._withdrawn(match):
                    return
                await written.wait()
        finally:
            self._busy.subtract(self._keys(match))
            self._freed.set()

    async def _attempt(self, match: ScheduledMatch) -> MatchResult:
        attempt = await self._recorder.issue(match, self._store.issue)
        self._page.issued(match, attempt)
        withdrawn = self._withdrawn(match)
        if withdrawn:
            return _walkover(match, withdrawn)
        keys = self._keys(match)
        for key in keys:
            try:
                self._launcher.ensure_running(key)
            except LaunchError as error:
                self._bot_exited(key, str(error))
        seats = [RemoteSeat(self._lobby.participants[key]) for key in keys]
        shoe = _Shoe(self._row.id, self._dealer, self._rules, match.cards, attempt)
        runner = MatchRunner(match, (seats[0], seats[1]), self._terms, shoe)
        with self._page.playing(match, runner):
            result = await runner.play()
        for seat in seats:
            self._count_start(seat.name, seat.is_ready)
        _log.info(
            "match ended",
            match_id=match.match_id,
            attempt=attempt,
            bots=list(match.bots),
            winner=None if result.winner is None else match.bots[result.winner],
            reason=result.reason,
            score=list(result.score),
            deals=len(result.deals),
            detail=result.detail or None,
        )
        return result

    def _count_start(self, name: str, started: bool) -> None:
        limit = self._config.faults.withdraw
        if self._failed_starts[name] >= limit:
            return
        self._failed_starts[name] = 0 if started else self._failed_starts[name] + 1
        if self._failed_starts[name] >= limit:
            self._reporter.note(f"{name} is withdrawn: it was not ready {limit} times in a row")

    def _withdrawn(self, match: ScheduledMatch) -> list[int]:
        """The seats whose bots have been withdrawn."""
        limit = self._config.faults.withdraw
        return [seat for seat, name in enumerate(match.bots) if self._failed_starts[name] >= limit]

    def _fixed(self, result: MatchResult) -> None:
        self._board.add(result)
        self._page.stored(result)
        summary = result.summary()
        if self._enough is not None and self._enough(summary):
            self._is_enough = True
        self._reporter.match_ended(summary, self._board)

    def _bot_dismissed(self, key: str, detail: str) -> None:
        self._reporter.note(detail)
        if self._launcher.is_running(key):
            self._lobby.participants[key].process_ended(detail)
            self._launcher.dismiss(key)

    def _bot_exited(self, key: str, detail: str) -> None:
        self._lobby.participants[key].process_ended(detail)
        self._reporter.note(detail)


def _summaries(store: Store) -> list[MatchSummary]:
    return list(store.summaries())


def _interrupted(match: ScheduledMatch) -> MatchResult:
    return _unplayed(match, None, "void", "interrupted: the arbiter ended before the match did")


def _walkover(match: ScheduledMatch, withdrawn: list[int]) -> MatchResult:
    names = " and ".join(match.bots[seat] for seat in withdrawn)
    if len(withdrawn) == 2:
        return _unplayed(match, None, "void", f"{names}: withdrawn")
    return _unplayed(match, 1 - withdrawn[0], "forfeit", f"{names}: withdrawn")


def _unplayed(match: ScheduledMatch, winner: int | None, reason: Reason, detail: str) -> MatchResult:
    nothing = SeatStats(decisions=0, total_us=0, worst_us=0, faults=0)
    return MatchResult(
        match_id=match.match_id,
        pairing=match.pairing,
        number=match.number,
        bots=match.bots,
        first_dealer=match.first_dealer,
        winner=winner,
        reason=reason,
        detail=detail,
        score=(0, 0),
        seats=(nothing, nothing),
        started=datetime.now(UTC).isoformat(timespec="milliseconds"),
        seconds=0.0,
        deals=(),
    )


@asynccontextmanager
async def _unwrapped() -> AsyncIterator[None]:
    """Let an expected error out of the exception groups of the nurseries: one alone, or one of many that are expected.

    When a store stays away, several matches find out.
    """
    try:
        yield
    except BaseExceptionGroup as group:
        errors = list(_leaves(group))
        if len(errors) > 1 and not all(isinstance(error, _EXPECTED) for error in errors):
            raise
        raise errors[0] from None


def _leaves(group: BaseExceptionGroup[BaseException]) -> Iterator[BaseException]:
    for error in group.exceptions:
        if isinstance(error, BaseExceptionGroup):
            yield from _leaves(error)
        else:
            yield error
