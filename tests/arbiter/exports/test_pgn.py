from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arbiter.exports.matches import match_rows
from arbiter.exports.pgn import pgn_lines
from arbiter.policy import Fault
from tests.arbiter import recorded
from tests.arbiter.exports.pgn_reader import Game, read_games
from tests.arbiter.exports.rows import row

GOLDEN = Path(__file__).parents[2] / "data/club.pgn"
WHITE = '[White "{}"]\n'


def games_of(*lines: str) -> list[Game]:
    return read_games("".join(lines))


def test_a_tournament_in_which_everything_happens(tmp_path: Path) -> None:
    with recorded.with_faults(tmp_path / "out") as store:
        text = "".join(pgn_lines(match_rows(store)))
        counted = [match for match in store.summaries() if not match.void]
    assert text == GOLDEN.read_text(encoding="utf-8")
    games = read_games(text)
    assert len(games) == len(counted) == 6
    for game, match in zip(games, counted, strict=True):
        assert match.winner is not None
        winner = game.tags["White" if game.result == "1-0" else "Black"]
        assert winner == match.bots[match.winner]
        assert {game.tags["White"], game.tags["Black"]} == set(match.bots)
        assert game.tags["Black"] == match.bots[match.first_dealer] == game.tags["FirstDealer"]
        assert (game.tags["MatchId"], game.tags["Deals"]) == (match.match_id, str(match.deals))
        points = {game.tags[color]: int(game.tags[f"{color}GamePoints"]) for color in ("White", "Black")}
        assert points == dict(zip(match.bots, match.score, strict=True))


def test_the_tags_of_a_match() -> None:
    (game,) = games_of(*pgn_lines([row()]))
    assert game.result == "1-0"
    assert game.tags == {
        "Event": "club",
        "Site": "?",
        "Date": "2026.01.02",
        "Round": "1.2",
        "White": "ada",
        "Black": "bob",
        "Result": "1-0",
        "BlackGamePoints": "3",
        "Cards": "001-02",
        "Deals": "4",
        "FirstDealer": "bob",
        "MatchId": "001-02",
        "RuleSet": "schnapsen",
        "Termination": "normal",
        "TournamentId": "7e57",
        "UTCDate": "2026.01.02",
        "UTCTime": "23:04:06",
        "WhiteGamePoints": "7",
    }


@pytest.mark.parametrize(("score", "result"), [(1.0, "0-1"), (0.5, "1/2-1/2"), (0.0, "1-0")])
def test_results(score: float, result: str) -> None:
    (game,) = games_of(*pgn_lines([row(score=score)]))
    assert game.result == game.tags["Result"] == result


@pytest.mark.parametrize(
    ("reason", "fault", "termination"),
    [
        ("target", "", "normal"),
        ("deal_limit", "", "adjudication"),
        ("forfeit", "illegal", "rules infraction"),
        ("forfeit", "malformed", "rules infraction"),
        ("forfeit", "protocol", "rules infraction"),
        ("forfeit", "late", "time forfeit"),
        ("forfeit", "disconnected", "abandoned"),
        ("forfeit", "left", "abandoned"),
        ("forfeit", "not_ready", "abandoned"),
        ("forfeit", "", "adjudication"),
    ],
)
def test_terminations(reason: str, fault: str, termination: str) -> None:
    (game,) = games_of(*pgn_lines([row(reason=reason, fault=fault)]))
    assert game.tags["Termination"] == termination
    assert game.tags.get("Fault", "") == fault


def test_every_fault_has_a_termination() -> None:
    for fault in Fault:
        (game,) = games_of(*pgn_lines([row(reason="forfeit", fault=fault.value)]))
        assert game.tags["Termination"] != "adjudication"


def test_the_date_is_that_of_utc() -> None:
    (game,) = games_of(*pgn_lines([row(started="2026-01-01T00:30:00+02:00")]))
    assert (game.tags["Date"], game.tags["UTCTime"]) == ("2025.12.31", "22:30:00")


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ('the "best"', r"the \"best\""),
        ("back\\slash", r"back\\slash"),
        ('all\\"]', r"all\\\"]"),
        ("[White]", "[White]"),
        ("Žofie ♠", "Žofie ♠"),
        ("two\nlines\t", "two lines "),
        ("", ""),
    ],
)
def test_odd_names(name: str, written: str) -> None:
    lines = list(pgn_lines([row(second=name)]))
    assert WHITE.format(written) in lines
    (game,) = games_of(*lines)
    assert game.tags["White"] == name.replace("\n", " ").replace("\t", " ")


@given(st.text(st.characters(exclude_categories=["C", "Z"]), max_size=100), st.text(max_size=100))
def test_any_name_can_be_read_again(second: str, tournament: str) -> None:
    lines = list(pgn_lines([row(second=second, tournament=tournament), row()]))
    game, other = games_of(*lines)
    assert game.tags["White"] == second
    assert len(game.tags["Event"]) == len(tournament)
    assert other.tags["White"] == "ada"
    assert all(line.count("\n") == 1 for line in lines if line.startswith("["))


def test_each_tag_has_a_line_of_its_own_as_simple_readers_want_it() -> None:
    lines = "".join(pgn_lines([row(), row(score=1.0)])).splitlines()
    found = [line for line in lines if line.startswith(('[White "', '[Black "', '[Result "'))]
    assert found == [
        '[White "ada"]',
        '[Black "bob"]',
        '[Result "1-0"]',
        '[White "ada"]',
        '[Black "bob"]',
        '[Result "0-1"]',
    ]
    assert all(line == "" or line in ("1-0", "0-1") or line.endswith('"]') for line in lines)


def test_nothing_played_is_an_empty_file() -> None:
    assert list(pgn_lines([])) == []
