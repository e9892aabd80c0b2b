import io
import itertools
import random
from collections.abc import Sequence
from math import sqrt
from typing import Any

import pytest

from arbiter.comparison import Comparison, Half, MatchReader
from arbiter.comparison_progress import LocalProgress
from arbiter.comparison_report import comparison_json, comparison_lines, live_text
from arbiter.pairs import count_pairs
from arbiter.ratings.sprt import Sprt
from arbiter.results import MatchSummary
from arbiter.schedule import round_robin
from tests.arbiter.played import summary

WIN, DRAW, LOSS = Half(2, 4, 5), Half(1, 0, 5), Half(0, -3, 6)
SCHEDULE = round_robin(["new", "old"], 8, duplicate=True)


def comparison(*, stops: bool = False, elo1: float = 10.0) -> Comparison:
    return Comparison(Sprt(0, elo1), stops=stops)


def of_pairs(pairs: Sequence[tuple[Half, Half]], **options: Any) -> Comparison:
    found = comparison(**options)
    for number, halves in enumerate(pairs):
        for half in halves:
            found.add(number, half)
    return found


def test_pairs_count_by_what_both_matches_gave() -> None:
    found = of_pairs([(LOSS, LOSS), (LOSS, DRAW), (DRAW, DRAW), (WIN, LOSS), (DRAW, WIN), (WIN, WIN), (WIN, WIN)])
    assert found.counts == [1, 1, 2, 1, 2]
    assert (found.pairs, found.left_out, found.verdict) == (7, 0, None)


def test_a_pair_waits_for_its_second_match_and_for_the_pairs_before_it() -> None:
    found = comparison()
    found.add(1, WIN)
    found.add(1, WIN)
    found.add(0, LOSS)
    assert found.pairs == 0
    found.add(0, LOSS)
    assert found.counts == [1, 0, 0, 0, 1]


def test_a_pair_that_is_left_out_holds_up_nobody() -> None:
    found = comparison()
    found.add(0, WIN)
    found.add(1, WIN)
    found.add(1, WIN)
    found.leave_out(0)
    found.add(0, WIN)
    assert (found.counts, found.left_out) == ([0, 0, 0, 0, 1], 1)
    found.leave_out(0)
    assert found.left_out == 1


def test_at_the_end_halves_hold_up_nobody() -> None:
    found = comparison()
    found.add(0, WIN)
    found.add(2, LOSS)
    found.add(2, LOSS)
    found.finish()
    assert (found.counts, found.left_out) == ([1, 0, 0, 0, 0], 1)


def test_the_decision_depends_on_the_order_of_the_pairs_alone() -> None:
    rng = random.Random(3)
    pairs = [(rng.choice((WIN, WIN, LOSS)), rng.choice((WIN, WIN, LOSS))) for _ in range(400)]
    in_order = of_pairs(pairs, stops=True, elo1=40.0)
    assert in_order.verdict == "elo1"
    assert 0 < in_order.pairs < 400
    numbers = list(range(400))
    rng.shuffle(numbers)
    shuffled = comparison(stops=True, elo1=40.0)
    for number in numbers:
        for half in pairs[number]:
            shuffled.add(number, half)
    assert (shuffled.counts, shuffled.verdict) == (in_order.counts, in_order.verdict)
    assert in_order.sprt.verdict(in_order.sprt.llr(in_order.counts)) == "elo1"


def test_a_fixed_number_of_pairs_is_never_stopped() -> None:
    found = of_pairs([(WIN, WIN)] * 200, stops=False, elo1=100.0)
    assert (found.pairs, found.verdict) == (200, None)


def test_game_points_per_deal_with_pairs_as_the_sample() -> None:
    rng = random.Random(7)
    pairs = []
    for _ in range(50):
        first = Half(2, rng.randrange(-7, 8), rng.randrange(3, 12))
        # The second half tends to be the opposite of the first: what pairs are for.
        pairs.append((first, Half(0, -first.margin + rng.randrange(-1, 2), rng.randrange(3, 12))))
    found = of_pairs(pairs)
    margins = [sum(half.margin for half in pair) for pair in pairs]
    deals = [sum(half.deals for half in pair) for pair in pairs]
    ratio = sum(margins) / sum(deals)
    squares = sum((margin - ratio * count) ** 2 for margin, count in zip(margins, deals, strict=True))
    assert found.per_deal == pytest.approx(ratio)
    assert found.per_deal_margin == pytest.approx(1.959963984540054 * sqrt(50 / 49 * squares) / sum(deals))
    assert comparison().per_deal is comparison().per_deal_margin is None


def matches(results: Sequence[str]) -> list[MatchSummary]:
    """Attempts at the matches 1, 2, ... that new won (W), lost (L), drew (D), that were void (V) or not played (X)."""
    found = []
    for match, attempts in zip(SCHEDULE, results, strict=False):
        new = match.bots.index("new")
        for result in attempts:
            winner = {"W": new, "L": 1 - new, "X": new}.get(result)
            found.append(
                summary(
                    match.bots,
                    (7, 3) if winner == 0 else (3, 7),
                    winner,
                    {"V": "void", "X": "forfeit"}.get(result, "target"),  # type: ignore[arg-type]  # reasons, all three
                    0 if result in "VX" else 4,
                    match_id=match.match_id,
                    number=match.number,
                    pairing=match.pairing,
                )
            )
    return found


@pytest.mark.parametrize(
    ("results", "counts", "left_out"),
    [
        (("W", "W", "L", "L"), [1, 0, 0, 0, 1], 0),
        (("W", "L", "D", "W"), [0, 0, 1, 1, 0], 0),
        (("W", "VW", "W", "W"), [0, 0, 0, 0, 1], 1),
        (("VW", "VL", "W", "W"), [0, 0, 1, 0, 1], 0),
        (("W", "VVV", "W", "W"), [0, 0, 0, 0, 1], 1),
        (("X", "W", "W", "W"), [0, 0, 0, 0, 1], 1),
        (("W", "X", "L", "L"), [1, 0, 0, 0, 0], 1),
    ],
)
def test_which_matches_make_a_pair(results: Sequence[str], counts: list[int], left_out: int) -> None:
    for order in itertools.islice(itertools.permutations(range(4)), 0, 24, 5):
        reader = MatchReader(comparison(), SCHEDULE, most_attempts=3)
        by_match = {match: [one for one in matches(results) if one.number == match + 1] for match in order}
        for match in order:
            for attempt in by_match[match]:
                reader.add(attempt)
        assert (reader.comparison.counts, reader.comparison.left_out) == (counts, left_out), order


def test_pairs_are_those_of_the_standings() -> None:
    played = matches(("W", "L", "VW", "W", "VL", "VL", "D", "W"))
    reader = MatchReader(comparison(), SCHEDULE, most_attempts=3)
    for match in played:
        reader.add(match)
    attempts = {match.match_id: sum(one.match_id == match.match_id for one in played) for match in SCHEDULE}
    (of_standings,) = count_pairs(SCHEDULE, attempts, played)
    assert reader.comparison.counts == list(of_standings.counts)
    assert 2 * reader.comparison.left_out == of_standings.single


def test_game_points_are_the_new_bots_in_either_seat() -> None:
    reader = MatchReader(comparison(), SCHEDULE, most_attempts=3)
    for match in matches(("W", "W")):
        reader.add(match)
    assert reader.comparison.per_deal == 1
    assert reader.comparison.deals == 8


def test_what_was_interrupted_is_played_again_with_other_cards() -> None:
    reader = MatchReader(comparison(), SCHEDULE, most_attempts=3)
    first, second, third, fourth = (match.match_id for match in SCHEDULE[:4])
    states = {first: "fixed", second: "issued", third: "issued", fourth: "issued"}
    reader.resume(matches(("W",)), states)
    for match in matches(("", "W", "W", "W")):
        reader.add(match)
    # Both of the second pair were interrupted, so they share their new cards.
    assert (reader.comparison.counts, reader.comparison.left_out) == ([0, 0, 0, 0, 1], 1)


def test_bots_that_do_not_start_are_counted_in_this_run_only() -> None:
    reader = MatchReader(comparison(), SCHEDULE, most_attempts=3)
    reader.resume(matches(("X", "X")), {})
    assert not reader.absent
    reader.add(matches(("", "", "X"))[0])
    assert reader.absent == {"old": 1}


def test_the_report_has_the_figures_of_the_calculator() -> None:
    found = of_pairs([(LOSS, LOSS)] * 20 + [(WIN, LOSS)] * 60 + [(WIN, WIN)] * 40)
    values = comparison_json(["my_bot:New", "./old"], "schnapsen", found, finished=True)
    assert values["pairs"] == [20, 0, 60, 0, 40]
    assert values["elo"] == pytest.approx(58.4512, abs=0.001)
    assert values["margin"] == pytest.approx(44.1946, abs=0.001)
    assert values["llr_logistic"] == pytest.approx(1.056597, rel=1e-3)
    assert values["llr_normalized"] == pytest.approx(1.053159, rel=1e-3)
    assert (values["new"], values["old"], values["verdict"]) == ("my_bot:New", "./old", None)
    text = "\n".join(comparison_lines(["new", "old"], {"base": "schnapsen", "target": 5}, found))
    for shown in ("new (new) against old (old), schnapsen, target 5", "LL 20, LD 0, WL+DD 60", "+58.5 ± 44.2", "+1.06"):
        assert shown in text
    assert live_text(found) == "120 pairs, Elo +58.5 ± 44.2, LLR +1.06 (-2.94 to +2.94)"


def test_the_report_before_the_first_pair() -> None:
    values = comparison_json(["a", "b"], "schnapsen", comparison(), finished=False)
    assert (values["results"], values["elo"], values["points_per_deal"]) == (0, None, None)
    assert "no pair has been played" in comparison_lines(["a", "b"], "schnapsen", comparison())[-1]
    assert live_text(comparison()) == "no pair yet"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_progress_is_a_line_every_five_seconds_and_live_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    found = of_pairs([(WIN, LOSS), (WIN, WIN)])
    plain, live = io.StringIO(), Terminal()
    for stream in (plain, live):
        times = iter([0.0, 1.0, 4.9, 5.0, 6.0])
        progress = LocalProgress(stream, 100, lambda times=times: next(times))  # type: ignore[misc]  # bound now
        for played in (1, 2, 3, 4):
            progress.match_ended(played, found)
        progress.close()
    assert plain.getvalue().startswith("3 of 100 matches, 1 a second, 2 pairs, Elo ")
    assert plain.getvalue().count("\n") == 1
    assert live.getvalue().count("\r") == 4
    assert "\n" not in live.getvalue()
