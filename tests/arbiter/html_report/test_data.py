import json
from collections import Counter
from pathlib import Path

import pytest

from arbiter import views
from arbiter.config import parse
from arbiter.html_report import report_data
from arbiter.html_report.data import is_chosen
from arbiter.html_report.progress import progress_json
from arbiter.results import Scoreboard
from arbiter.schedule import ScheduledMatch, round_robin
from arbiter.store import Store
from arbiter.times_report import timed_decisions
from tests.arbiter import played
from tests.arbiter.html_report import tournaments
from tests.arbiter.html_report.tournaments import ENDS
from tests.arbiter.played import summary


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    return tournaments.complete(tmp_path_factory.mktemp("complete"))


def test_the_head_counts_what_was_played(store: Store) -> None:
    head = report_data(store)["tournament"]
    results = [store.match(match_id) for match_id in store.states()]
    deals = sum(len(result.deals) for result in results)
    assert {**head, "decisions": None} == {
        "name": "club",
        "rules": "schnapsen",
        "created": "2026-01-02T03:04:05+00:00",
        "target": 7,
        "finished": True,
        "scheduled": 12,
        "played": 12,
        "void": 1,
        "deals": deals,
        "decisions": None,
    }


def test_standings_and_cross_table_tell_the_same(store: Store) -> None:
    data = report_data(store)
    assert data["bots"] == [line["name"] for line in data["standings"]]
    for line, row in zip(data["standings"], data["cross"], strict=True):
        sums: Counter[str] = Counter()
        for cell in row:
            sums.update(cell or {})
        expected = [line[name] for name in ("won", "drawn", "lost", "deals", "game_points", "game_points_against")]
        assert [sums[name] for name in ("won", "drawn", "lost", "deals", "points", "against")] == expected
    for index, row in enumerate(data["cross"]):
        assert row[index] is None
        assert row.count(None) == 1


def test_every_deal_of_a_bot_is_in_its_endings(store: Store) -> None:
    data = report_data(store)
    for line, endings in zip(data["standings"], data["endings"], strict=True):
        assert sum(endings[name] for name in ENDS) == line["deals"]
    won = sum(sum(one[name] for name in ENDS[:4]) for one in data["endings"])
    lost = sum(sum(one[name] for name in ENDS[5:10]) for one in data["endings"])
    assert won == lost > 0


def test_times_are_those_of_the_clocks(store: Store) -> None:
    data = report_data(store)
    control = parse(store.tournament.config, "store").time_control()
    taken: dict[str, list[int]] = {name: [] for name in data["bots"]}
    for match_id in store.states():
        match = store.match(match_id)
        for one in timed_decisions(match, control):
            if not one.forced:
                taken[match.bots[one.seat]].append(one.elapsed_us - one.allowance_us - one.stall_us)
    for name, line in zip(data["bots"], data["times"], strict=True):
        ordered = sorted(taken[name])
        assert line["decisions"] == len(ordered) == sum(line["bins"].values())
        assert line["median_us"] == ordered[(len(ordered) + 1) // 2 - 1]
    assert data["tournament"]["decisions"] == sum(map(len, taken.values()))


def test_ratings_go_with_the_results(store: Store) -> None:
    data = report_data(store)
    ratings = {one["name"]: one for one in data["ratings"]["ratings"]}
    assert set(ratings) == set(data["bots"])
    # Every pair has played equally often, so the ratings are in the order of the scores.
    by_score = sorted(data["standings"], key=lambda one: -(one["won"] + one["drawn"] / 2))
    elos = [ratings[one["name"]]["elo"] for one in by_score]
    assert elos == sorted(elos, reverse=True)


def test_the_last_point_of_the_progress_is_the_rating(store: Store) -> None:
    data = report_data(store)
    ratings = {one["name"]: one["elo"] for one in data["ratings"]["ratings"]}
    assert data["progress"]["matches"] == list(range(1, 13))
    for name, line in zip(data["bots"], data["progress"]["elo"], strict=True):
        assert len(line) == 12
        assert line[-1] == pytest.approx(ratings[name], abs=0.06)


def test_progress_goes_by_the_start_of_the_matches() -> None:
    # Three wins to one, then even: 400 log10(3) between them, and nothing.
    winners = [0, 0, 1, 0, 1, 1]
    matches = [
        summary(("a", "b"), (7, 3), winner, match_id=f"001-{9 - number:02}", started=f"2026-01-02T03:04:{number:02}")
        for number, winner in enumerate(winners)
    ]
    progress = progress_json(["a", "b"], matches[::-1], points=3)
    assert progress["matches"] == [2, 4, 6]
    assert progress["elo"][0][1:] == [pytest.approx(95.4, abs=0.05), pytest.approx(0, abs=0.05)]
    assert progress["elo"][1] == [pytest.approx(-elo) for elo in progress["elo"][0]]


def test_progress_without_matches_is_empty() -> None:
    assert progress_json(["a", "b"], []) == {"matches": [], "elo": [[], []]}


def test_all_matches_that_count_can_be_replayed(store: Store) -> None:
    data = report_data(store)
    assert [match["id"] for match in data["matches"]] == sorted(store.states())
    assert data["left_out"] == {"hidden": 0, "limit": 0}


def test_a_limit_leaves_out_replays_and_nothing_else(store: Store) -> None:
    full, some, none = report_data(store), report_data(store, 5), report_data(store, 0)
    assert len(some["matches"]) == 5
    assert {match["id"].partition("-")[0] for match in some["matches"]} == {"001", "002", "003"}
    assert some["left_out"] == {"hidden": 0, "limit": 7}
    assert none["matches"] == []
    for part in set(full) - {"matches", "left_out"}:
        assert some[part] == full[part]
    assert report_data(store, None) == full


@pytest.mark.parametrize(("total", "most"), [(10, 3), (12, 5), (7, 7), (5, 9), (1000, 1), (3, 0), (0, 4)])
def test_chosen_matches_are_as_many_as_wanted(total: int, most: int) -> None:
    assert sum(is_chosen(index, total, most) for index in range(total)) == min(total, most)


def test_forfeits_of_deals_and_of_matches(tmp_path: Path) -> None:
    with tournaments.forfeited(tmp_path) as store:
        data = report_data(store)
    played_match = next(match for match in data["matches"] if match["deals"])
    winner, offender = played_match["bots"]
    head = data["tournament"]
    assert (head["played"], head["scheduled"], head["finished"], head["deals"]) == (2, 6, False, 2)
    endings = dict(zip(data["bots"], data["endings"], strict=True))
    assert (endings[offender]["forfeits"], endings[offender]["faults"]) == (1, {"left": 1})
    assert endings[winner]["won_by_forfeit"] == 1
    assert sorted(len(match["deals"]) for match in data["matches"]) == [0, 2]
    assert played_match["deals"][1]["forfeit"]["fault"] == "left"


def test_nothing_played_yet(tmp_path: Path) -> None:
    with played.create(tmp_path, played.config()) as store:
        data = report_data(store)
    assert data["tournament"]["played"] == 0
    assert data["matches"] == []
    assert all(line["median_us"] is None for line in data["times"])


def test_cards_that_may_still_be_played_are_not_in_the_data(tmp_path: Path) -> None:
    config = parse(
        {
            "tournament": {"name": "club", "rules": "schnapsen", "matches_per_pair": 2, "duplicate": True},
            "bots": [{"name": name, "command": ["x"]} for name in ("ada", "bob")],
        },
        "club.toml",
    )
    with Store.create(tmp_path / "results.sqlite", played.tournament(config)) as store:
        first, second = schedule_of(store)
        store.issue([first, second])
        store.fix(played.play_match(first, config.rule_set()))
        before = report_data(store)
        assert before["matches"] == []
        assert before["left_out"] == {"hidden": 1, "limit": 0}
        text = json.dumps({part: value for part, value in before.items() if part != "texts"})
        deal = store.match(first.match_id).deals[0]
        assert "".join(deal.record["talon"]) not in text  # type: ignore[arg-type]
        assert deal.salt not in text
        store.fix(played.play_match(second, config.rule_set(), key=first.match_id))
        after = report_data(store)
    assert [match["id"] for match in after["matches"]] == [first.match_id, second.match_id]
    assert after["left_out"]["hidden"] == 0


def schedule_of(store: Store) -> list[ScheduledMatch]:
    return round_robin(views.bot_names(store.tournament), 2, duplicate=True)


def test_data_are_json_and_tell_no_secret(store: Store) -> None:
    data = report_data(store)
    text = json.dumps(data, allow_nan=False)
    assert json.loads(text)["bots"] == data["bots"]
    assert played.SECRET.hex() not in text
    assert store.match("001-01").deals[0].salt not in text


def test_the_standings_are_those_of_the_other_commands(store: Store) -> None:
    board: Scoreboard = views.scoreboard(store)
    assert report_data(store)["standings"] == views.standings_json(store.tournament, 12, board)["standings"]
