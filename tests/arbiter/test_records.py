import json
from dataclasses import replace
from pathlib import Path

import pytest

from arbiter.dealing import Dealer, commitment
from arbiter.records import attempt_id, deck_of, match_records, record_json, records
from arbiter.results import DealResult, Forfeit
from arbiter.schedule import ScheduledMatch
from arbiter.store import MatchStateError
from arbiter.stored import StoredMatch
from arbiter.views import Json
from sixtysix.rules import RULE_SETS, Deal, DealRecord, RuleSet, parse_record, replay_text
from tests.arbiter import played

LATE = Forfeit(1, "late", "no answer within 1.000 s")


def record_of(deal: DealResult, match_id: str = "001-01", attempt: int = 1, cards: str = "001-01") -> Json:
    match = played.void(ScheduledMatch(match_id, match_id[:3], int(match_id[4:]), ("ada", "bob"), 0), [deal])
    return record_json(StoredMatch(attempt, match, None), deal, "7e57", cards)


@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=RULE_SETS)
@pytest.mark.parametrize("dealer", [0, 1])
def test_the_deck_is_rebuilt_from_the_cards_as_dealt(rules: RuleSet, dealer: int) -> None:
    for number in range(1, 6):
        deck = Dealer(played.SECRET).deck("001-01", number, rules.deck)
        assert deck_of(DealRecord.of(Deal.from_deck(rules, deck, dealer))) == deck


def test_a_record_reveals_what_the_commitment_commits_to(tmp_path: Path) -> None:
    config = played.config()
    with played.create(tmp_path, config) as store:
        store.fix(played.play_match(played.schedule(config)[0], config.rule_set()))
        written = list(records(store))
    assert written
    for record in written:
        deck, salt = deck_of(parse_record(record)), bytes.fromhex(record["salt"])
        bound = commitment(record["tournament"], record["cards"], record["deal"], salt, deck)
        assert record["commitment"] == bound.hex()


@pytest.mark.parametrize("rules", RULE_SETS)
def test_the_replay_of_a_record_is_its_result(tmp_path: Path, rules: str) -> None:
    config = played.config({"base": rules, "target": 5})
    with played.create(tmp_path, config) as store:
        for match in played.schedule(config)[:3]:
            store.fix(played.play_match(match, config.rule_set()))
        lines = [json.dumps(record) for record in records(store)]
    results = list(replay_text("\n".join(lines)))
    assert len(results) == len(lines) > 3
    assert results == [json.loads(line)["result"] for line in lines]


def test_every_member_of_a_record() -> None:
    rules = RULE_SETS["schnapsen"]
    deal = played.play_deal(rules, "002-07", 4, dealer=1, carry=2, actions=3)
    record = record_of(deal, "002-08", 3, "002-07")
    assert record == {
        **deal.record,
        "id": "002-08#3/4",
        "tournament": "7e57",
        "match": "002-08",
        "deal": 4,
        "cards": "002-07#3",
        "bots": ["ada", "bob"],
        "void": True,
        "result": {"id": "002-08#3/4", **deal.result},
        "times": [900, 900, 902],
        "clock": [[1000, 100, 0, 900], [1001, 100, 1, 900], [1002, 100, 0, 902]],
        "salt": deal.salt,
        "commitment": deal.commitment,
    }
    assert (record["dealer"], record["carry"], len(record["actions"])) == (1, 2, 3)
    assert record["result"]["over"] is False


def test_a_forfeited_deal_says_why_and_replays_up_to_the_fault() -> None:
    deal = played.play_deal(RULE_SETS["schnapsen"], actions=5, forfeit=LATE)
    record = record_of(deal)
    assert record["forfeit"] == {"seat": 1, "fault": "late", "detail": "no answer within 1.000 s"}
    assert (record["result"]["reason"], record["result"]["winner"]) == ("forfeit", 0)
    (replayed,) = replay_text(json.dumps(record))
    assert (replayed["id"], replayed["over"]) == ("001-01/1", False)


def test_a_time_without_an_action_is_in_the_clock_only() -> None:
    deal = played.play_deal(RULE_SETS["schnapsen"], actions=2, forfeit=LATE)
    late = replace(deal, clock=(*deal.clock, (2_000_000, 0, 0, 2_000_000)))
    record = record_of(late)
    assert record["times"] == [900, 900]
    assert record["clock"][2] == [2_000_000, 0, 0, 2_000_000]


def test_remarks_of_the_bots_are_kept() -> None:
    deal = played.play_deal(RULE_SETS["schnapsen"], actions=2)
    remarked = replace(deal, record={**deal.record, "comments": {"1": "hm"}})
    record = record_of(remarked)
    assert record["comments"] == {"1": "hm"}


@pytest.mark.parametrize(("attempt", "expected"), [(1, "003-07"), (2, "003-07#2")])
def test_each_attempt_at_a_match_has_its_own_name(attempt: int, expected: str) -> None:
    assert attempt_id("003-07", attempt) == expected


def test_void_attempts_are_marked_and_told_apart(tmp_path: Path) -> None:
    config = played.config()
    rules, (first, second, *_) = config.rule_set(), played.schedule(config)
    with played.create(tmp_path, config) as store:
        store.fix(played.void(first, [played.play_deal(rules, first.match_id, actions=7)]))
        store.issue(first)
        counted = played.play_match(first, rules, "again")
        store.fix(counted)
        store.fix(played.play_match(second, rules))
        shown = [(record["id"], record["void"]) for record in records(store, first.match_id)]
        assert shown[:2] == [(f"{first.match_id}/1", True), (f"{first.match_id}#2/1", False)]
        assert len(shown) == 1 + len(counted.deals)
        everything = [record["id"] for record in records(store)]
        assert len(everything) == len(set(everything)) > len(shown)
        of_match = match_records(store.attempt(first.match_id), "7e57", first.match_id)
        assert [record["id"] for record in of_match] == [identity for identity, _ in shown[1:]]


def test_a_match_without_deals_has_no_records(tmp_path: Path) -> None:
    config = played.config()
    match = played.schedule(config)[0]
    with played.create(tmp_path, config) as store:
        store.fix(played.void(match, [played.play_deal(config.rule_set(), match.match_id)]))
        store.issue(match)
        store.fix(played.void(match))
        assert match_records(store.attempt(match.match_id), "7e57", match.match_id) == []
        assert [record["id"] for record in records(store, match.match_id)] == [f"{match.match_id}/1"]


@pytest.mark.parametrize(("match_id", "problem"), [("001-01", "has not ended"), ("999-99", "does not exist")])
def test_records_of_a_match_that_has_none(tmp_path: Path, match_id: str, problem: str) -> None:
    with (
        played.create(tmp_path, played.config()) as store,
        pytest.raises(MatchStateError, match=f"match {match_id} {problem}"),
    ):
        list(records(store, match_id))
