from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from arbiter.config import TournamentConfig
from arbiter.rating_sources import SourceError, collect, read_csv
from arbiter.ratings.matches import Matches
from arbiter.ratings.table import rate
from arbiter.results import MatchResult, MatchSummary, Reason, Scoreboard, SeatStats
from arbiter.schedule import ScheduledMatch
from arbiter.store import FILE_NAME, Store
from arbiter.views import scoreboard
from tests.arbiter import played, recorded

CONFIG = played.config()
FAULTLESS = SeatStats(decisions=0, total_us=0, worst_us=0, faults=0)
FAULTY = replace(FAULTLESS, faults=1)


def ended(
    match: ScheduledMatch, winner: int | None, reason: Reason, score: tuple[int, int], faults: int
) -> MatchResult:
    """A match without deals, as a bot that is gone leaves it."""
    result = played.void(match)
    seats = (FAULTY if faults else FAULTLESS, FAULTLESS)
    return replace(result, winner=winner, reason=reason, score=score, seats=seats)


def store_with(
    folder: Path,
    results: Iterable[MatchResult],
    config: TournamentConfig = CONFIG,
    name: str = played.TOURNAMENT_ID,
) -> Path:
    """A tournament with these results; a match that comes twice is issued twice."""
    folder.mkdir()
    with Store.create(folder / FILE_NAME, replace(played.tournament(config), id=name)) as store:
        schedule = {match.match_id: match for match in recorded.schedule_of(config)}
        for result in results:
            store.issue(schedule[result.match_id])
            store.fix(result)
    return folder


def played_through(config: TournamentConfig) -> list[MatchResult]:
    rules = config.rule_set()
    return [played.play_match(match, rules) for match in recorded.schedule_of(config)]


def counts(matches: Matches) -> dict[str, tuple[int, int, int]]:
    return {line.name: (line.won, line.drawn, line.lost) for line in rate(matches).ratings}


def of_board(board: Scoreboard) -> dict[str, tuple[int, int, int]]:
    return {line.name: (line.won, line.drawn, line.lost) for line in board.standings()}


def test_outcomes_are_summaries_in_short(place: str) -> None:
    first, second, third, *_ = recorded.schedule_of(CONFIG)
    rules = CONFIG.rule_set()
    with Store.create(place, played.tournament(CONFIG)) as store:
        store.issue([first, second, third])
        store.fix([played.void(first), played.play_match(second, rules), ended(third, 0, "forfeit", (3, 0), 1)])
        store.issue(first)
        store.fix(played.play_match(first, rules))
        found, summaries = list(store.outcomes()), list(store.summaries())
    attempts = [(first.match_id, 1), (first.match_id, 2), (second.match_id, 1), (third.match_id, 1)]
    assert [(outcome.cards, outcome.attempt) for outcome in found] == sorted(attempts)
    assert [outcome[2:] for outcome in found] == [
        (
            *match.bots,
            match.first_dealer,
            match.winner,
            match.reason,
            *match.score,
            match.deals,
            sum(seat.faults for seat in match.seats),
        )
        for match in summaries
    ]


def test_a_tournament_counts_as_in_its_standings(tmp_path: Path) -> None:
    with recorded.with_faults(tmp_path / "club") as store:
        board = scoreboard(store)
        summaries: list[MatchSummary] = [match for match in store.summaries() if not match.void]
    matches = collect([tmp_path / "club"], [])
    assert counts(matches) == of_board(board)
    assert (len(matches), matches.void) == (board.played, board.void)
    lost = [
        match.bots[1 - match.winner] for match in summaries if match.reason == "forfeit" and match.winner is not None
    ]
    assert sorted(matches.forfeits.elements()) == sorted(lost) != []
    lines = {line.name: line for line in rate(matches).ratings}
    for standing in board.standings():
        line = lines[standing.name]
        difference = standing.game_points - standing.game_points_against
        assert (line.deals, line.forfeits) == (standing.deals, lost.count(standing.name))
        assert line.points_per_deal == pytest.approx(difference / standing.deals)


def test_the_first_dealer_comes_first(tmp_path: Path) -> None:
    config = recorded.config_of(matches_per_pair=4)
    summaries = sorted(played_through(config), key=lambda match: match.match_id)
    columns = collect([store_with(tmp_path / "club", summaries, config)], []).columns()
    assert {match.first_dealer for match in summaries} == {0, 1}
    names = [bot.name for bot in config.bots]
    for index, match in enumerate(summaries):
        assert names[columns.first[index]] == match.bots[match.first_dealer]
        assert columns.score[index] == (0.5 if match.winner is None else float(match.winner == match.first_dealer))
        margin = match.score[match.first_dealer] - match.score[1 - match.first_dealer]
        assert (columns.margin[index], columns.deals[index]) == (margin, len(match.deals))


def test_a_withdrawn_bot_loses_only_what_was_tried(tmp_path: Path) -> None:
    schedule = played.schedule(CONFIG)
    results = [
        ended(schedule[0], 1, "forfeit", (0, 0), 1),
        *(ended(match, 1, "forfeit", (0, 0), 0) for match in schedule[1:3]),
        ended(schedule[3], None, "void", (0, 0), 1),
    ]
    out = store_with(tmp_path / "club", results)
    matches = collect([out], [])
    (tried, *others) = (match.bots[0] for match in schedule[:3])
    assert len(matches) == 1
    assert matches.forfeits == {tried: 1}
    assert sorted(matches.walkovers.elements()) == sorted(others)
    assert matches.void == 1
    with Store.open(out / FILE_NAME) as store:
        board = scoreboard(store)
    assert board.played == 3
    assert board.walkovers == {(match.bots[1], match.bots[0]): 1 for match in schedule[1:3]}


def test_bots_without_a_match_are_in_the_pool(tmp_path: Path) -> None:
    matches = collect([store_with(tmp_path / "club", [])], [])
    assert matches.names == list(played.BOTS)


@pytest.mark.parametrize("duplicate", [False, True])
def test_matches_with_the_same_cards_are_one_unit(tmp_path: Path, duplicate: bool) -> None:
    config = recorded.config_of(matches_per_pair=4, duplicate=duplicate)
    columns = collect([store_with(tmp_path / "club", played_through(config), config)], []).columns()
    assert len(columns.unit) == 12
    assert columns.units == (6 if duplicate else 12)
    bots = [frozenset(pair) for pair in zip(columns.first.tolist(), columns.second.tolist(), strict=True)]
    of_units = set(zip(columns.unit.tolist(), bots, strict=True))
    assert len(of_units) == columns.units


def test_a_half_that_was_played_again_is_alone(tmp_path: Path) -> None:
    config = recorded.config_of(matches_per_pair=4, duplicate=True)
    results = played_through(config)
    again = next(match for match in recorded.schedule_of(config) if match.match_id == "002-03")
    matches = collect([store_with(tmp_path / "club", [played.void(again), *results], config)], [])
    assert (len(matches), matches.void, matches.columns().units) == (12, 1, 7)


def test_tournaments_are_rated_together(tmp_path: Path) -> None:
    results = played_through(CONFIG)
    first = store_with(tmp_path / "first", results[:4], name="1")
    second = store_with(tmp_path / "second", results[4:], name="2")
    whole = store_with(tmp_path / "whole", results, name="3")
    assert rate(collect([first, second], [])).ratings == rate(collect([whole], [])).ratings
    assert rate(collect([second, first], [])).ratings == rate(collect([whole], [])).ratings


def test_a_file_is_rated_together_with_a_tournament(tmp_path: Path) -> None:
    file = tmp_path / "more.csv"
    file.write_text("ada,zoe,1\nzoe,ada,0.5\n", encoding="utf-8")
    found = counts(collect([store_with(tmp_path / "club", [])], [file, file]))
    assert found == {"ada": (2, 2, 0), "bob": (0, 0, 0), "cy": (0, 0, 0), "zoe": (0, 2, 2)}


def test_a_tournament_counts_once(tmp_path: Path) -> None:
    out = store_with(tmp_path / "club", [])
    with pytest.raises(SourceError, match=f"{FILE_NAME}: the same tournament as {out}"):
        collect([out, out / FILE_NAME], [])


def test_other_rules_are_refused_unless_that_is_wanted(tmp_path: Path) -> None:
    other = played.config({"base": "schnapsen", "target": 5})
    first = store_with(tmp_path / "first", played_through(CONFIG), name="1")
    second = store_with(tmp_path / "second", played_through(other), other, name="2")
    with pytest.raises(SourceError, match=r"second: is played by other rules \(schnapsen, target 5\) than .*first"):
        collect([first, second], [])
    assert len(collect([first, second], [], mixed_rules=True)) == 12


def test_the_same_rules_by_another_name_are_the_same(tmp_path: Path) -> None:
    names = {"schnapsen-short": "schnapsen-short", "derived": {"base": "schnapsen", "target": 5}}
    stores = [store_with(tmp_path / name, [], played.config(rules), name) for name, rules in names.items()]
    assert collect(stores, []).names == list(played.BOTS)


@pytest.mark.parametrize(
    "text",
    [
        "ann,ben,1\nben,ann,0.5\ncy,ann,0\n",
        "first,second,score\nann,ben,1\n\nben, ann ,.5\n cy,ann,0.0\n",
        "Score;First".replace(";", ",") + ",round,SECOND\n1,ann,7,ben\n0.50,ben,8,ann\n0,cy,9,ann\n",
        '"ann","ben",1\r\nben,ann,0.5\r\ncy,ann,0',
    ],
)
def test_forms_of_a_file(text: str) -> None:
    matches = Matches()
    read_csv(matches, text.splitlines(keepends=True), "x.csv")
    assert counts(matches) == {"ann": (2, 1, 0), "ben": (0, 1, 1), "cy": (0, 0, 1)}
    assert matches.columns().first.tolist() == [0, 1, 2]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("ann,ben,1\nann,ben\n", "x.csv line 2: has 2 fields, not 3 (first,second,score)"),
        ("ann,ben,1,0\n", "x.csv line 1: has 4 fields, not 3 (first,second,score)"),
        ("ann,ben,2\n", "x.csv line 1: the score is '2', not 1, 0.5 or 0"),
        ("ann,ben,\n", "x.csv line 1: the score is '', not 1, 0.5 or 0"),
        ("ann,ben,nan\n", "x.csv line 1: the score is 'nan', not 1, 0.5 or 0"),
        ("winner,loser,result\n", "x.csv line 1: the score is 'result', not 1, 0.5 or 0"),
        ("first,second,score\nann,,1\n", "x.csv line 2: a name is empty"),
        ("ann, ann,1\n", "x.csv line 1: ann against itself"),
        ('ann,"ben,1\n', "x.csv line 1: unexpected end of data"),
    ],
)
def test_faults_of_a_file_are_named_with_their_line(text: str, message: str) -> None:
    with pytest.raises(SourceError) as caught:
        read_csv(Matches(), text.splitlines(keepends=True), "x.csv")
    assert str(caught.value) == message


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"none\.csv: cannot be read: No such file"):
        collect([], [tmp_path / "none.csv"])
    (tmp_path / "latin.csv").write_bytes(b"J\xf6rg,ben,1\n")
    with pytest.raises(SourceError, match=r"latin\.csv: is not UTF-8 text"):
        collect([], [tmp_path / "latin.csv"])
    (tmp_path / "marked.csv").write_bytes(b"\xef\xbb\xbffirst,second,score\nann,ben,1\n")
    assert collect([], [tmp_path / "marked.csv"]).names == ["ann", "ben"]
