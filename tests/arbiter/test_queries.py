import sqlite3
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from arbiter.dealing import Dealer, commitment
from arbiter.queries import DEFAULT_PAGE, LARGEST_PAGE, Queries, QueryError
from arbiter.results import Forfeit, MatchResult
from arbiter.store import FILE_NAME, Store
from sixtysix import __version__
from sixtysix.rules import CARDS, RULE_SETS, Card, DealRecord, parse_record
from sixtysix.v1 import bot_service_pb2, cards_pb2, deal_pb2
from sixtysix.v1 import tournament_service_pb2 as pb
from sixtysix.wire import read_action, read_rule_set
from tests.arbiter import played, recorded

ID = played.TOURNAMENT_ID
CONFIG = played.config({"base": "sixty-six", "target": 5}, matches_per_pair=4)
SCHEDULE = played.schedule(CONFIG)
RULES = CONFIG.rule_set()


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with played.create(tmp_path, CONFIG) as store:
        yield store


@pytest.fixture
def queries(tmp_path: Path, store: Store) -> Queries:
    return Queries(tmp_path / FILE_NAME, lambda: "running")


def cards(numbers: Iterable[int]) -> list[Card]:
    return [CARDS[number - 1] for number in numbers]


def refused(call: Callable[..., object], request: object) -> str:
    with pytest.raises(QueryError) as caught:
        call(request)
    return caught.value.status.reason


def test_server_info(queries: Queries) -> None:
    info = queries.get_server_info(pb.GetServerInfoRequest())
    assert info.server_version == __version__
    assert (info.protocol_major, info.protocol_minor) == (1, 0)
    assert [read_rule_set(message) for message in info.rule_sets] == list(RULE_SETS.values())


@pytest.mark.parametrize(
    ("state", "number"),
    [
        ("running", pb.TOURNAMENT_STATE_RUNNING),
        ("finished", pb.TOURNAMENT_STATE_FINISHED),
        ("stopped", pb.TOURNAMENT_STATE_STOPPED),
    ],
)
def test_the_tournament(tmp_path: Path, store: Store, state: str, number: int) -> None:
    store.fix(played.play_match(SCHEDULE[0], RULES))
    store.fix(played.void(SCHEDULE[1]))
    queries = Queries(tmp_path / FILE_NAME, lambda: state)
    listed = queries.list_tournaments(pb.ListTournamentsRequest())
    assert listed.next_page_token == ""
    (tournament,) = listed.tournaments
    assert (tournament.tournament_id, tournament.name, list(tournament.bots)) == (ID, "club", ["ada", "bob", "cy"])
    assert read_rule_set(tournament.rules) == RULES
    assert tournament.state == number
    assert (tournament.scheduled_matches, tournament.played_matches, tournament.void_matches) == (12, 1, 1)
    assert tournament.created_at.ToJsonString() == "2026-01-02T03:04:05Z"
    assert queries.get_standings(pb.GetStandingsRequest(tournament_id=ID)).tournament == tournament


def test_standings_follow_the_store_while_it_is_written(queries: Queries, store: Store) -> None:
    request = pb.GetStandingsRequest(tournament_id=ID)
    assert {line.matches for line in queries.get_standings(request).standings} == {0}
    match = played.play_match(SCHEDULE[0], RULES)
    store.fix(match)
    assert match.winner is not None
    standings = queries.get_standings(request).standings
    winner, loser = match.bots[match.winner], match.bots[1 - match.winner]
    (idle,) = set(played.BOTS) - set(match.bots)
    assert [line.name for line in standings] == [winner, idle, loser]
    assert [line.rank for line in standings] == [1, 2, 3]
    best, worst = standings[0], standings[2]
    assert (best.matches, best.won, best.lost, best.drawn, best.deals) == (1, 1, 0, 0, len(match.deals))
    assert (worst.won, worst.lost) == (0, 1)
    assert (best.game_points, best.game_points_against) == (match.score[match.winner], match.score[1 - match.winner])
    stats = match.seats[match.winner]
    assert (best.faults, best.mean_us, best.worst_us) == (
        stats.faults,
        round(stats.total_us / stats.decisions),
        stats.worst_us,
    )


def test_only_matches_that_have_ended_are_listed(queries: Queries, store: Store) -> None:
    request = pb.ListMatchesRequest(tournament_id=ID)
    assert len(queries.list_matches(request).matches) == 0
    match = played.play_match(SCHEDULE[2], RULES)
    store.fix(replace(match, detail="so", winner=None, reason="deal_limit"))
    listed = queries.list_matches(request)
    assert listed.next_page_token == ""
    (summary,) = listed.matches
    assert (summary.match_id, summary.pairing, summary.number) == (match.match_id, match.pairing, match.number)
    assert list(summary.bots) == list(match.bots)
    assert summary.first_dealer == match.first_dealer + 1
    assert summary.winner == cards_pb2.SEAT_UNSPECIFIED
    assert summary.reason == bot_service_pb2.MATCH_END_REASON_DEAL_LIMIT
    assert (summary.detail, list(summary.score), summary.deals) == ("so", list(match.score), len(match.deals))
    assert [(seat.decisions, seat.total_us, seat.worst_us, seat.faults) for seat in summary.seats] == [
        (20, 20_500, 4_000, 0),
        (10, 3_000, 900, 1),
    ]
    assert summary.started_at.ToJsonString() == "2026-01-02T03:04:06.250Z"
    assert summary.duration_us == 125_000


@pytest.mark.parametrize("size", [1, 2, 3, 4, 12, 100])
def test_pages_are_the_whole_list(queries: Queries, store: Store, size: int) -> None:
    for match in SCHEDULE[:5]:
        store.fix(played.void(match))
    for match in SCHEDULE[3:6]:
        if match in SCHEDULE[:5]:
            store.issue(match)
        store.fix(played.void(match))
    expected = sorted(match.match_id for match in (*SCHEDULE[:5], *SCHEDULE[3:6]))
    found: list[str] = []
    token = ""
    for _ in range(len(expected)):
        page = queries.list_matches(pb.ListMatchesRequest(tournament_id=ID, page_size=size, page_token=token))
        assert len(page.matches) <= size
        found += [match.match_id for match in page.matches]
        token = page.next_page_token
        if not token:
            break
    assert found == expected


def test_a_page_goes_on_where_it_stopped_although_matches_are_added(queries: Queries, store: Store) -> None:
    first, second, third, *_ = sorted(SCHEDULE, key=lambda match: match.match_id)
    store.fix(played.void(second))
    store.fix(played.void(third))
    page = queries.list_matches(pb.ListMatchesRequest(tournament_id=ID, page_size=1))
    assert [match.match_id for match in page.matches] == [second.match_id]
    store.fix(played.void(first))
    rest = pb.ListMatchesRequest(tournament_id=ID, page_size=5, page_token=page.next_page_token)
    assert [match.match_id for match in queries.list_matches(rest).matches] == [third.match_id]


def test_page_sizes(tmp_path: Path) -> None:
    config = played.config(bots=("ada", "bob"), matches_per_pair=LARGEST_PAGE + 2)
    with played.create(tmp_path, config) as store:
        for match in played.schedule(config):
            store.fix(played.void(match))
        queries = Queries(tmp_path / FILE_NAME, lambda: "finished")
        sizes = {0: DEFAULT_PAGE, 7: 7, LARGEST_PAGE: LARGEST_PAGE, 2**32 - 1: LARGEST_PAGE}
        for asked, given in sizes.items():
            page = queries.list_matches(pb.ListMatchesRequest(tournament_id=ID, page_size=asked))
            assert len(page.matches) == given
            assert page.next_page_token


def read_deal(message: pb.DealRecord) -> DealRecord:
    return DealRecord(
        id=None,
        rules=RULES,
        dealer=message.dealer - 1,
        carry=message.carry,
        hands=(tuple(cards(message.first_hand)), tuple(cards(message.second_hand))),
        talon=tuple(cards(message.talon)),
        turn_up=cards([message.turn_up])[0],
        actions=tuple(read_action(recorded.action).text for recorded in message.actions),
    )


def test_a_record_is_the_whole_match(queries: Queries, store: Store) -> None:
    match = played.play_match(SCHEDULE[0], RULES)
    store.fix(match)
    request = pb.GetMatchRecordRequest(tournament_id=ID, match_id=match.match_id)
    record = queries.get_match_record(request).record
    listed = queries.list_matches(pb.ListMatchesRequest(tournament_id=ID))
    assert record.match == listed.matches[0]
    assert record.match.reason == bot_service_pb2.MATCH_END_REASON_TARGET
    assert read_rule_set(record.rules) == RULES
    assert [read_deal(deal) for deal in record.deals] == [parse_record(deal.record) for deal in match.deals]
    for message, deal in zip(record.deals, match.deals, strict=True):
        assert message.number == deal.number
        assert [
            (charge.elapsed_us, charge.allowance_us, charge.stall_us, charge.charged_us, charge.decision_id)
            for charge in (recorded.charge for recorded in message.actions)
        ] == [(*charge, 0) for charge in deal.clock]
        result = deal.result
        assert message.result.winner == (0 if result["winner"] is None else int(str(result["winner"])) + 1)
        assert [message.result.game_points, message.result.carry] == [result["game_points"], result["carry"]]
        assert list(message.result.score_change) == result["score_change"]
        assert list(message.result.card_points) == result["card_points"]
        assert list(message.result.tricks) == result["tricks"]
        assert deal_pb2.Reason.Name(message.result.reason) == f"REASON_{str(result['reason']).upper()}"
        bound = commitment(ID, match.match_id, message.number, message.salt, cards(message.deck))
        assert message.commitment == bound
        assert not message.HasField("forfeit")


def test_a_deal_that_a_fault_ended(queries: Queries, store: Store) -> None:
    forfeit = Forfeit(1, "illegal", "must follow suit")
    deal = played.play_deal(RULES, SCHEDULE[0].match_id, actions=5, forfeit=forfeit)
    deal = replace(deal, record={**deal.record, "comments": {"1": "hm"}})
    store.fix(replace(played.play_match(SCHEDULE[0], RULES), deals=(deal,), reason="forfeit", winner=0))
    request = pb.GetMatchRecordRequest(tournament_id=ID, match_id=SCHEDULE[0].match_id)
    record = queries.get_match_record(request).record
    assert record.match.reason == bot_service_pb2.MATCH_END_REASON_FORFEIT
    assert record.match.winner == cards_pb2.SEAT_FIRST
    (message,) = record.deals
    assert message.result.reason == deal_pb2.REASON_FORFEIT
    assert message.forfeit == pb.Forfeit(seat=cards_pb2.SEAT_SECOND, fault="illegal", detail="must follow suit")
    assert [recorded.comment for recorded in message.actions] == ["", "hm", "", "", ""]


@pytest.mark.parametrize("late", [(1_021_001, 0, 0, 0), None])
def test_the_time_of_what_ended_a_deal(queries: Queries, store: Store, late: tuple[int, int, int, int] | None) -> None:
    forfeit = Forfeit(1, "late", "too late") if late else Forfeit(1, "disconnected", "gone")
    deal = played.play_deal(RULES, SCHEDULE[0].match_id, actions=5, forfeit=forfeit)
    clock = deal.clock[:5] if late is None else (*deal.clock[:5], late)
    store.fix(replace(played.play_match(SCHEDULE[0], RULES), deals=(replace(deal, clock=clock),), reason="forfeit"))
    request = pb.GetMatchRecordRequest(tournament_id=ID, match_id=SCHEDULE[0].match_id)
    (message,) = queries.get_match_record(request).record.deals
    assert len(message.actions) == 5
    assert message.forfeit.HasField("charge") == (late is not None)
    charge = message.forfeit.charge
    assert (charge.elapsed_us, charge.allowance_us, charge.stall_us, charge.charged_us) == (late or (0, 0, 0, 0))


def test_the_pairing_of_every_deal_leads_to_its_cards(tmp_path: Path) -> None:
    """Also in the second half of a duplicate, and where a match was played again."""
    config = recorded.config_of(bots=("ada", "bob"), duplicate=True)
    first, second = recorded.schedule_of(config)
    with Store.create(tmp_path / FILE_NAME, played.tournament(config)) as store:
        for match in (first, second):
            store.issue(match)
            store.fix(played.void(match))
            store.issue(match)
            store.fix(recorded.play(config, match, recorded.honest_seats(match), 2))
    queries = Queries(tmp_path / FILE_NAME, lambda: "running")
    for match in (first, second):
        request = pb.GetMatchRecordRequest(tournament_id=ID, match_id=match.match_id)
        deals = queries.get_match_record(request).record.deals
        assert deals
        for deal in deals:
            assert deal.pairing == f"{first.match_id}#2"
            deck = Dealer(played.SECRET).deck(deal.pairing, deal.number, config.rule_set().deck)
            assert cards(deal.deck) == list(deck)
            assert commitment(ID, deal.pairing, deal.number, deal.salt, deck) == deal.commitment


def test_a_store_that_is_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Store, "open", partial(Store.open, busy_us=1))
    path = tmp_path / FILE_NAME
    with played.create(tmp_path, CONFIG):
        pass
    queries = Queries(path, lambda: "running")
    with closing(sqlite3.connect(path)) as holder:
        holder.execute("PRAGMA journal_mode = DELETE")
        holder.execute("PRAGMA locking_mode = EXCLUSIVE")
        holder.execute("BEGIN EXCLUSIVE")
        assert refused(queries.list_tournaments, pb.ListTournamentsRequest()) == "STORE_AWAY"
        assert refused(queries.list_matches, pb.ListMatchesRequest(tournament_id=ID)) == "STORE_AWAY"


def test_a_deal_that_was_broken_off(queries: Queries, store: Store) -> None:
    deal = played.play_deal(RULES, SCHEDULE[0].match_id, actions=5)
    store.fix(played.void(SCHEDULE[0], [deal]))
    request = pb.GetMatchRecordRequest(tournament_id=ID, match_id=SCHEDULE[0].match_id)
    record = queries.get_match_record(request).record
    assert record.match.reason == bot_service_pb2.MATCH_END_REASON_VOID
    (message,) = record.deals
    assert message.result.reason == deal_pb2.REASON_UNSPECIFIED
    assert list(message.result.tricks) == deal.result["tricks"]


def test_the_record_is_that_of_the_attempt_that_counts(queries: Queries, store: Store) -> None:
    match, request = SCHEDULE[0], pb.GetMatchRecordRequest(tournament_id=ID, match_id=SCHEDULE[0].match_id)

    def recorded() -> tuple[int, int]:
        record = queries.get_match_record(request).record
        return record.match.reason, len(record.deals)

    store.fix(played.void(match))
    assert recorded() == (bot_service_pb2.MATCH_END_REASON_VOID, 0)
    store.issue(match)
    assert recorded() == (bot_service_pb2.MATCH_END_REASON_VOID, 0)
    counted: MatchResult = played.play_match(match, RULES)
    store.fix(counted)
    assert recorded() == (bot_service_pb2.MATCH_END_REASON_TARGET, len(counted.deals))


def test_requests_that_cannot_be_answered(queries: Queries, store: Store) -> None:
    store.fix(played.void(SCHEDULE[0]))
    of_match = queries.get_match_record
    assert refused(queries.get_standings, pb.GetStandingsRequest(tournament_id="no")) == "TOURNAMENT_UNKNOWN"
    assert refused(queries.get_standings, pb.GetStandingsRequest()) == "TOURNAMENT_UNKNOWN"
    assert refused(queries.list_matches, pb.ListMatchesRequest(tournament_id="no")) == "TOURNAMENT_UNKNOWN"
    no_tournament = pb.GetMatchRecordRequest(tournament_id="no", match_id=SCHEDULE[0].match_id)
    assert refused(of_match, no_tournament) == "TOURNAMENT_UNKNOWN"
    unknown = pb.GetMatchRecordRequest(tournament_id=ID, match_id="999-99")
    assert refused(of_match, unknown) == "MATCH_UNKNOWN"
    open_match = pb.GetMatchRecordRequest(tournament_id=ID, match_id=SCHEDULE[1].match_id)
    assert refused(of_match, open_match) == "MATCH_NOT_ENDED"
    assert refused(queries.list_tournaments, pb.ListTournamentsRequest(page_token="x")) == "PAGE_TOKEN_INVALID"
    refused_match = pb.GetMatchRecordRequest(tournament_id=ID, match_id="\0")
    assert refused(of_match, refused_match) == "MATCH_UNKNOWN"
    first = SCHEDULE[0].match_id
    tokens = ("x", f"{SCHEDULE[1].match_id}/1", f"{first}/2", f"{first}/+1", f"{first}/{10**30}", "\0/1", "/1", "/")
    for token in tokens:
        request = pb.ListMatchesRequest(tournament_id=ID, page_token=token)
        assert refused(queries.list_matches, request) == "PAGE_TOKEN_INVALID"


def test_no_card_is_shown_while_another_match_has_it(tmp_path: Path) -> None:
    config = recorded.config_of(bots=("ada", "bob"), duplicate=True)
    first, second = recorded.schedule_of(config)
    with Store.create(tmp_path / FILE_NAME, played.tournament(config)) as store:
        store.issue([first, second])
        store.fix(recorded.play(config, first, recorded.honest_seats(first)))
        queries = Queries(tmp_path / FILE_NAME, lambda: "running")
        request = pb.GetMatchRecordRequest(tournament_id=ID, match_id=first.match_id)
        assert refused(queries.get_match_record, request) == "MATCH_NOT_ENDED"
        store.fix(recorded.play(config, second, recorded.honest_seats(second)))
        assert queries.get_match_record(request).record.deals


def test_many_threads_at_once(queries: Queries, store: Store) -> None:
    def played_so_far(_: int) -> int:
        return queries.get_standings(pb.GetStandingsRequest(tournament_id=ID)).tournament.void_matches

    with ThreadPoolExecutor(4) as threads:
        answers = threads.map(played_so_far, range(40))
        for match in SCHEDULE:
            store.fix(played.void(match))
        assert set(answers) <= set(range(len(SCHEDULE) + 1))
    assert played_so_far(0) == len(SCHEDULE)
