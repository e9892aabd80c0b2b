"""The figures are those of `arbiter report`, and tell no card of a match whose cards can still be played."""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arbiter.config import parse
from arbiter.html_report import report_data
from arbiter.results import DealResult, Forfeit, MatchResult
from arbiter.schedule import ScheduledMatch, round_robin
from arbiter.store import Store
from arbiter.web import figures as module
from arbiter.web.figures import Figures
from tests.arbiter import played
from tests.arbiter.html_report import tournaments

LONG_S = 60.0
OWN = {"matches", "left_out", "faults", "behind", "most_matches"}


def whole(figures: Figures, seconds: float = LONG_S) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(figures.snapshot(seconds).whole)
    return data


def as_json(value: object) -> Any:
    return json.loads(json.dumps(value))


def test_the_figures_are_those_of_the_report(tmp_path: Path) -> None:
    with tournaments.complete(tmp_path) as store:
        expected = as_json(report_data(store))
    figures = Figures(tmp_path)
    data = whole(figures)
    for key in expected.keys() - {"matches", "left_out"}:
        assert data[key] == expected[key], key
    assert data["left_out"] == {"hidden": 0, "limit": 0}
    assert data["behind"] == 0
    rows = {row["id"]: row for row in data["matches"]}
    assert len(rows) == len(expected["matches"]) == 12
    for match in expected["matches"]:
        row = rows[match["id"]]
        deals = json.loads(figures.deals(match["id"]) or b"")
        assert {**row, "deals": deals} == {**match, "played": len(match["deals"])}


def test_matches_that_end_are_added(tmp_path: Path) -> None:
    config = played.config(matches_per_pair=4)
    schedule = played.schedule(config)
    with played.create(tmp_path, config) as store:
        figures = Figures(tmp_path)
        first = figures.snapshot(LONG_S)
        assert (first.played, first.scheduled, first.behind) == (0, 12, 0)
        assert json.loads(first.whole)["matches"] == []
        for match in schedule[:3]:
            store.fix(played.play_match(match, config.rule_set()))
        figures.ended([(match.match_id, 1) for match in schedule[:3]])
        second = figures.snapshot(LONG_S)
        ids = [match.match_id for match in schedule[:3]]
        assert sorted(row["id"] for row in json.loads(second.change)["matches"]) == sorted(ids)
        store.fix(played.play_match(schedule[3], config.rule_set()))
        figures.ended([(schedule[3].match_id, 1)])
        third = figures.snapshot(LONG_S)
        assert [row["id"] for row in json.loads(third.change)["matches"]] == [schedule[3].match_id]
        assert len(json.loads(third.whole)["matches"]) == 4
        assert third.played == 4
        expected = as_json(report_data(store))
        for key in expected.keys() - {"matches", "left_out"}:
            assert json.loads(third.whole)[key] == expected[key], key


def test_what_takes_long_may_be_behind_and_the_standings_are_not(tmp_path: Path) -> None:
    with tournaments.complete(tmp_path) as store:
        expected = as_json(report_data(store))
    figures = Figures(tmp_path)
    data = whole(figures, 0.0)
    assert data["behind"] == 12
    assert data["matches"] == []
    for key in ("standings", "cross", "ratings", "progress"):
        assert data[key] == expected[key]
    assert whole(figures)["endings"] == expected["endings"]


def test_the_latest_matches_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_MATCHES", 5)
    with tournaments.complete(tmp_path) as store:
        started = sorted((match.started, match.match_id) for match in store.summaries() if not match.void)
    figures = Figures(tmp_path)
    data = whole(figures)
    assert [row["id"] for row in data["matches"]] == [match_id for _, match_id in started[-5:]]
    assert data["left_out"] == {"hidden": 0, "limit": 7}
    assert data["most_matches"] == 5
    assert figures.deals(started[-1][1]) is not None
    assert figures.deals(started[0][1]) is None
    assert figures.deals("nonsense") is None


def test_faults_are_listed_by_their_kind(tmp_path: Path) -> None:
    with tournaments.forfeited(tmp_path, "played AS out of turn"):
        data = whole(Figures(tmp_path))
    first, second, *_ = played.schedule(played.config())
    expected: list[dict[str, Any]] = [
        {"match": first.match_id, "deal": 2, "bot": first.bots[1], "fault": "left"},
        {"match": second.match_id, "deal": None, "bot": second.bots[0], "fault": None},
    ]
    assert sorted(data["faults"], key=lambda fault: fault["match"]) == sorted(expected, key=lambda one: one["match"])
    assert "AS" not in json.dumps(data["faults"])


def duplicate(directory: Path) -> tuple[Store, list[ScheduledMatch], Any]:
    """A store with everything issued of a tournament whose matches share their cards."""
    directory.mkdir(exist_ok=True)
    base = played.config(matches_per_pair=4).to_toml_dict()
    base["tournament"]["duplicate"] = True
    config = parse(base, "club.toml")
    schedule = round_robin(played.BOTS, 4, duplicate=True)
    store = Store.create(directory / "results.sqlite", played.tournament(config))
    store.issue(schedule)
    return store, schedule, config.rule_set()


def test_a_first_half_is_hidden_until_the_second_has_ended(tmp_path: Path) -> None:
    store, schedule, rules = duplicate(tmp_path)
    figures = Figures(tmp_path)
    with store:
        second = next(match for match in schedule if match.second_half)
        first = next(match for match in schedule if match.match_id == second.cards)
        store.fix(played.play_match(first, rules, first.cards))
        figures.ended([(first.match_id, 1)])
        data = whole(figures)
        assert data["matches"] == []
        assert data["left_out"] == {"hidden": 1, "limit": 0}
        assert data["tournament"]["played"] == 1
        assert figures.deals(first.match_id) is None
        store.fix(played.play_match(second, rules, second.cards))
        figures.ended([(second.match_id, 1)])
        snapshot = figures.snapshot(LONG_S)
    rows = {row["id"] for row in json.loads(snapshot.change)["matches"]}
    assert rows == {first.match_id, second.match_id}
    assert json.loads(snapshot.whole)["left_out"] == {"hidden": 0, "limit": 0}
    assert figures.deals(first.match_id) is not None


CARD = re.compile(r"\b([AKQJT9])([CDHS])\b")


def renamed(value: Any, suits: Callable[[str], str]) -> Any:
    """The same with other names of the suits: nothing but the cards tells the difference."""
    if isinstance(value, str):
        text = CARD.sub(lambda card: card[1] + suits(card[2]), value)
        kind, _, suit = text.partition(" ")
        return f"{kind} {suits(suit)}" if kind in ("marriage", "trump") and suit in "CDHS" else text
    if isinstance(value, dict):
        return {key: renamed(each, suits) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(renamed(each, suits) for each in value)
    return value


def with_other_suits(match: MatchResult, suits: Callable[[str], str]) -> MatchResult:
    return replace(
        match, detail=renamed(match.detail, suits), deals=tuple(_renamed_deal(d, suits) for d in match.deals)
    )


def _renamed_deal(deal: DealResult, suits: Callable[[str], str]) -> DealResult:
    forfeit = deal.forfeit and replace(deal.forfeit, detail=renamed(deal.forfeit.detail, suits))
    return replace(deal, record=renamed(deal.record, suits), salt=deal.salt[::-1], forfeit=forfeit)


def with_a_fault(match: MatchResult, rules: Any) -> MatchResult:
    """Its first deal was forfeited by an illegal card, which the result names."""
    forfeit = Forfeit(1, "illegal", "AH: not in hand, which is KS QS")
    deal = played.play_deal(rules, "001-01", dealer=match.first_dealer, actions=3, forfeit=forfeit)
    deal = replace(deal, record={**deal.record, "comments": {"0": "I have AH and TH"}})
    detail = "bob: illegal: AH: not in hand"
    return replace(match, deals=(deal,), reason="forfeit", winner=0, detail=detail, score=(2, 0))


@settings(max_examples=20, deadline=None)
@given(data=st.data())
def test_no_card_of_a_match_that_is_hidden_makes_a_difference(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    order = data.draw(st.permutations("CDHS").filter(lambda order: "".join(order) != "CDHS"))
    suits = dict(zip("CDHS", order, strict=True))
    stores = [duplicate(tmp_path_factory.mktemp("store")) for _ in range(2)]
    _, schedule, rules = stores[0]
    ended = data.draw(st.lists(st.sampled_from(schedule), min_size=1, unique_by=lambda match: match.match_id))
    faulty = data.draw(st.sets(st.sampled_from([match.match_id for match in ended])))
    ids = {match.match_id for match in ended}
    partner = {match.match_id: match.cards for match in schedule if match.second_half}
    partner |= {first: second for second, first in partner.items()}
    hidden = {match_id for match_id in ids if partner[match_id] not in ids}
    shown = []
    for other, (store, _, _) in enumerate(stores):
        with store:
            for match in ended:
                result = played.play_match(match, rules, match.cards)
                if match.match_id in faulty:
                    result = with_a_fault(result, rules)
                if other and match.match_id in hidden:
                    result = with_other_suits(result, suits.__getitem__)
                store.fix(result)
        figures = Figures(Path(store._name).parent)
        snapshot = figures.snapshot(LONG_S)
        shown.append((snapshot, [figures.deals(match.match_id) for match in schedule]))
    assert shown[0] == shown[1]
    rows = json.loads(shown[0][0].whole)["matches"]
    assert {row["id"] for row in rows} == ids - hidden
    assert [match.match_id for match, deals in zip(schedule, shown[0][1], strict=True) if deals is not None] == [
        match.match_id for match in schedule if match.match_id in ids - hidden
    ]


def test_renaming_the_suits_changes_what_may_be_seen(tmp_path: Path) -> None:
    # Otherwise the test above could not fail.
    config = played.config()
    match = played.schedule(config)[0]
    result = played.play_match(match, config.rule_set())
    suits = dict(zip("CDHS", "DHSC", strict=True)).__getitem__
    shown = []
    for number, each in enumerate((result, with_other_suits(result, suits))):
        folder = tmp_path / str(number)
        folder.mkdir()
        with played.create(folder, config) as store:
            store.fix(each)
        figures = Figures(folder)
        data = whole(figures)
        shown.append((data.pop("matches"), figures.deals(match.match_id), data))
    assert shown[0][1] != shown[1][1]
    assert shown[0][2] == shown[1][2]
