"""The answers of TournamentService, read from the store. Knows protobuf, not grpc."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from arbiter import directory, views
from arbiter.messages import record_message, standing_message, summary_message, tournament_message
from arbiter.records import attempt_id
from arbiter.results import MatchSummary, Scoreboard
from arbiter.reveal import Reveal
from arbiter.schedule import round_robin
from arbiter.status import StreamStatus
from arbiter.store import MatchStateError, Store, StoreAwayError
from sixtysix._version import __version__
from sixtysix.rules import RULE_SETS, rule_set
from sixtysix.v1 import tournament_service_pb2
from sixtysix.wire import PROTOCOL_MAJOR, PROTOCOL_MINOR, rule_set_message

DEFAULT_PAGE, LARGEST_PAGE = 100, 1000
"""Elements of a page if a request does not say how many, and at most."""


class QueryError(Exception):
    """The request cannot be answered: the client's mistake.

    Attributes:
        status: what to tell the client.
    """

    def __init__(self, status: StreamStatus) -> None:
        super().__init__(status.message)
        self.status = status


class Queries:
    """One method for each call of TournamentService. Blocking; may be used from several threads.

    Each raises QueryError while the store is away too.

    Every call reads the store anew and leaves nothing open, so answers are those of the moment.

    Args:
        path: directory of the tournament, or a file with the results themselves.
        state: says whether the tournament is ``running``, ``finished`` or ``stopped``.
    """

    def __init__(self, path: Path, state: Callable[[], str]) -> None:
        self._path = path
        self._state = state

    def get_server_info(
        self, request: tournament_service_pb2.GetServerInfoRequest
    ) -> tournament_service_pb2.GetServerInfoResponse:
        """What the arbiter is, and the rule sets that it ships."""
        return tournament_service_pb2.GetServerInfoResponse(
            server_version=__version__,
            protocol_major=PROTOCOL_MAJOR,
            protocol_minor=PROTOCOL_MINOR,
            rule_sets=[rule_set_message(rules) for rules in RULE_SETS.values()],
        )

    def list_tournaments(
        self, request: tournament_service_pb2.ListTournamentsRequest
    ) -> tournament_service_pb2.ListTournamentsResponse:
        """The one tournament of the store; raises QueryError for any page token."""
        if request.page_token:
            raise _invalid_page_token(request.page_token)
        with self._opened() as store:
            tournament = self._tournament(store, views.scoreboard(store))
        return tournament_service_pb2.ListTournamentsResponse(tournaments=[tournament])

    def get_standings(
        self, request: tournament_service_pb2.GetStandingsRequest
    ) -> tournament_service_pb2.GetStandingsResponse:
        """The standings; raises QueryError for an unknown tournament."""
        with self._store(request.tournament_id) as store:
            board = views.scoreboard(store)
            tournament = self._tournament(store, board)
        standings = [standing_message(standing) for standing in board.standings()]
        return tournament_service_pb2.GetStandingsResponse(tournament=tournament, standings=standings)

    def list_matches(
        self, request: tournament_service_pb2.ListMatchesRequest
    ) -> tournament_service_pb2.ListMatchesResponse:
        """A page of the matches that have ended; raises QueryError for an unknown tournament or page token."""
        size = min(request.page_size or DEFAULT_PAGE, LARGEST_PAGE)
        with self._store(request.tournament_id) as store:
            page = _page(store, request.page_token, size + 1)
        return tournament_service_pb2.ListMatchesResponse(
            matches=[summary_message(match) for _, match in page[:size]],
            next_page_token=_page_token(*page[size - 1]) if len(page) > size else "",
        )

    def get_match_record(
        self, request: tournament_service_pb2.GetMatchRecordRequest
    ) -> tournament_service_pb2.GetMatchRecordResponse:
        """A match with its deals.

        Raises QueryError for an unknown tournament or match, and for one that has not ended, or that has the cards of
        one that has not.
        """
        with self._store(request.tournament_id) as store:
            if "\0" in request.match_id:
                # PostgreSQL takes no text that has one.
                raise QueryError(StreamStatus("MATCH_UNKNOWN", f"match {request.match_id!r} does not exist"))
            try:
                reveal = Reveal(store)
                stored = reveal.match(store, request.match_id)
            except MatchStateError as error:
                reason = "MATCH_NOT_ENDED" if _is_scheduled(store, request.match_id) else "MATCH_UNKNOWN"
                raise QueryError(StreamStatus(reason, str(error))) from error
            rules = rule_set(views.rules_spec(store.tournament))
        pairing = attempt_id(reveal.cards(request.match_id), stored.attempt)
        return tournament_service_pb2.GetMatchRecordResponse(record=record_message(stored.result, rules, pairing))

    @contextmanager
    def _opened(self) -> Iterator[Store]:
        try:
            with directory.open_store(self._path) as store:
                yield store
        except StoreAwayError as error:
            raise QueryError(StreamStatus("STORE_AWAY", "the results cannot be read now; ask again later")) from error

    @contextmanager
    def _store(self, tournament_id: str) -> Iterator[Store]:
        with self._opened() as store:
            if tournament_id != store.tournament.id:
                raise QueryError(StreamStatus("TOURNAMENT_UNKNOWN", f"no tournament has the id {tournament_id!r}"))
            yield store

    def _tournament(self, store: Store, board: Scoreboard) -> tournament_service_pb2.Tournament:
        return tournament_message(store.tournament, store.scheduled, board, self._state())


def _page_token(attempt: int, match: MatchSummary) -> str:
    """What comes after a match; stays right while matches are added."""
    return f"{match.match_id}/{attempt}"


def _page(store: Store, token: str, size: int) -> list[tuple[int, MatchSummary]]:
    if not token:
        return store.page(None, size)
    form = re.fullmatch(r"([^\0]*)/([1-9][0-9]{0,8})", token)
    if form is None:
        raise _invalid_page_token(token)
    try:
        return store.page((form[1], int(form[2])), size)
    except MatchStateError as error:
        raise _invalid_page_token(token) from error


def _is_scheduled(store: Store, match_id: str) -> bool:
    per_pair = store.tournament.config["tournament"]["matches_per_pair"]
    schedule = round_robin(views.bot_names(store.tournament), per_pair)
    return any(match.match_id == match_id for match in schedule)


def _invalid_page_token(token: str) -> QueryError:
    return QueryError(StreamStatus("PAGE_TOKEN_INVALID", f"no answer gave the page token {token!r}"))
