import pytest

from arbiter.ratings.live import live_ratings
from arbiter.ratings.table import rate
from arbiter.results import Scoreboard
from tests.arbiter import played
from tests.arbiter.ratings.pools import collected

COUNTS = {("a", "b"): (6, 2, 3), ("b", "c"): (5, 0, 4), ("c", "a"): (2, 1, 7), ("a", "d"): (3, 0, 0)}


def board() -> Scoreboard:
    found = Scoreboard(["d", "c", "a", "b"])
    for bots, (won, drawn, lost) in COUNTS.items():
        for times, winner in ((won, 0), (drawn, None), (lost, 1)):
            for _ in range(times):
                found.add(played.summary(bots, (7, 3), winner))
    return found


def test_ratings_while_a_tournament_is_played_are_those_of_its_end() -> None:
    live, listed = live_ratings(board()), rate(collected(COUNTS))
    assert [line.name for line in live.lines] == [line.name for line in listed.ratings]
    assert [line.elo for line in live.lines] == pytest.approx([line.elo for line in listed.ratings], abs=1e-4)
    assert [line.error for line in live.lines] == pytest.approx([line.error for line in listed.ratings], abs=1e-4)
    assert live.leader_is_best == pytest.approx(listed.leader_is_best, abs=4)


def test_matches_that_were_not_played_do_not_count() -> None:
    with_walkovers = board()
    for bots, winner in ((("a", "b"), 1), (("b", "a"), 1), (("c", "a"), 0)):
        with_walkovers.add(played.summary(bots, (0, 0), winner, "forfeit", deals=0))
    assert live_ratings(with_walkovers) == live_ratings(board())


def test_before_the_first_match() -> None:
    live = live_ratings(Scoreboard(["b", "a"]))
    assert [(line.name, line.elo) for line in live.lines] == [("a", 0), ("b", 0)]
    assert live.leader_is_best == pytest.approx(50, abs=4)
