import pytest

from arbiter.results import (
    MatchResult,
    MatchSummary,
    Scoreboard,
    SeatStats,
    Standing,
    WinDrawLoss,
    cross_table,
    standings,
)
from tests.arbiter.played import summary


def test_every_figure_of_a_standing() -> None:
    first = summary(
        ("a", "b"), (7, 2), 0, deals=4, seats=(SeatStats(10, 5_000, 900, 0), SeatStats(8, 16_000, 4_500, 1))
    )
    second = summary(
        ("b", "a"),
        (3, 3),
        None,
        "deal_limit",
        6,
        seats=(SeatStats(2, 4_000, 3_000, 1), SeatStats(10, 1_000, 200, 0)),
    )
    assert standings(["b", "a"], [first, second]) == [
        Standing(1, "a", 2, 1, 0, 1, 10, 5, 10, 0, mean_ms=0.3, worst_ms=0.9),
        Standing(2, "b", 2, 0, 1, 1, 5, 10, 10, 2, mean_ms=2.0, worst_ms=4.5),
    ]


def test_before_the_first_match_all_share_the_first_rank() -> None:
    table = standings(["b", "a"], [])
    assert [(line.rank, line.name, line.matches, line.mean_ms) for line in table] == [
        (1, "a", 0, 0.0),
        (1, "b", 0, 0.0),
    ]


@pytest.mark.parametrize(
    ("matches", "expected"),
    [
        pytest.param([summary(("a", "b"), (7, 6), 0)], [(1, "a"), (2, "c"), (3, "b")], id="wins"),
        pytest.param(
            [summary(("a", "b"), (0, 7), 1), summary(("b", "a"), (3, 3), None), summary(("c", "a"), (7, 0), 0)],
            [(1, "b"), (2, "c"), (3, "a")],
            id="a draw is half a win",
        ),
        pytest.param(
            [summary(("a", "c"), (7, 6), 0), summary(("b", "c"), (7, 0), 0)],
            [(1, "b"), (2, "a"), (3, "c")],
            id="difference of game points",
        ),
        pytest.param(
            [summary(("b", "c"), (7, 1), 0), summary(("a", "c"), (7, 1), 0)],
            [(1, "a"), (1, "b"), (3, "c")],
            id="shared rank, then a gap",
        ),
    ],
)
def test_ranking(matches: list[MatchSummary], expected: list[tuple[int, str]]) -> None:
    assert [(line.rank, line.name) for line in standings(["c", "b", "a"], matches)] == expected


def test_void_matches_are_counted_apart() -> None:
    seats = (SeatStats(5, 5, 5, 1), SeatStats(5, 5, 5, 1))
    board = Scoreboard(["a", "b"])
    board.add(summary(("a", "b"), (5, 0), None, "void", seats=seats))
    assert (board.played, board.void) == (0, 1)
    assert board.standings() == standings(["a", "b"], [])
    board.add(summary(("a", "b"), (7, 0), 0))
    assert (board.played, board.void) == (1, 1)


def test_cross_table_is_seen_from_each_bot() -> None:
    matches = [
        summary(("a", "b"), (7, 0), 0),
        summary(("b", "a"), (7, 0), 0),
        summary(("b", "a"), (7, 0), 0),
        summary(("a", "b"), (3, 3), None),
        summary(("c", "a"), (0, 0), None, "void"),
    ]
    table = cross_table(["a", "b", "c"], matches)
    assert table["a"] == {"b": WinDrawLoss(won=1, drawn=1, lost=2), "c": WinDrawLoss()}
    assert table["b"]["a"] == WinDrawLoss(won=2, drawn=1, lost=1)
    assert table["c"] == {"a": WinDrawLoss(), "b": WinDrawLoss()}


def test_a_result_counts_as_its_summary_does() -> None:
    short = summary(("a", "b"), (7, 0), 0, "forfeit", deals=0)
    result = short.result(())
    assert isinstance(result, MatchResult)
    assert result.summary() == short
    assert not result.void
    assert standings(["a", "b"], [result]) == standings(["a", "b"], [short])


def test_an_unknown_bot_is_refused_and_nothing_counted() -> None:
    board = Scoreboard(["a", "b"])
    with pytest.raises(ValueError, match="match 001-01: no bot is named 'x'"):
        board.add(summary(("a", "x"), (7, 0), 0))
    assert board.played == 0
    assert board.standings() == standings(["a", "b"], [])
