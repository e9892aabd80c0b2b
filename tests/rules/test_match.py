import pytest

from sixtysix.rules import DEAL_LIMIT, RULE_SETS, Match, Outcome, Reason

NOBODY = Outcome(None, 0, (0, 0), 0, Reason.DRAW, (0, 0), (0, 0))


def win(seat: int, value: int, loss: int = 0, carry: int = 0) -> Outcome:
    change = (value + carry, -loss) if seat == 0 else (-loss, value + carry)
    return Outcome(seat, value, change, 0, Reason.CLAIM, (0, 0), (0, 0))


def play(match: Match, *outcomes: Outcome) -> Match:
    for outcome in outcomes:
        match.add(outcome)
    return match


@pytest.mark.parametrize("name", RULE_SETS)
def test_a_match_starts_level(name: str) -> None:
    match = Match(RULE_SETS[name], first_dealer=1)
    assert (match.score, match.dealer, match.carry, match.deals) == ([0, 0], 1, 0, 0)
    assert (match.over, match.winner, match.deal_limit) == (False, None, DEAL_LIMIT)


@pytest.mark.parametrize(
    ("name", "dealers"),
    [
        # seat 0 deals first; then seat 1 wins, nobody wins, seat 1 wins, seat 0 wins, nobody wins
        ("sixty-six", [0, 1, 1, 1, 0, 0]),
        ("mariage", [0, 1, 0, 1, 0, 1]),
        ("sechsundsechzig", [0, 1, 0, 1, 0, 1]),
        ("trump-change", [0, 1, 0, 1, 0, 1]),
        ("schnapsen", [0, 1, 0, 1, 0, 1]),
        ("schnapsen-short", [0, 1, 0, 1, 0, 1]),
        ("schnapsen-vienna", [0, 1, 0, 1, 0, 1]),
    ],
)
def test_who_deals_next(name: str, dealers: list[int]) -> None:
    match = Match(RULE_SETS[name], first_dealer=0)
    seen = [match.dealer]
    for outcome in (win(1, 1), NOBODY, win(1, 1), win(0, 1), NOBODY):
        match.add(outcome)
        seen.append(match.dealer)
    assert seen == dealers


@pytest.mark.parametrize(
    ("name", "target"),
    [(name, 5 if name == "schnapsen-short" else 7) for name in RULE_SETS],
)
def test_the_target_wins_the_match(name: str, target: int) -> None:
    match = Match(RULE_SETS[name], first_dealer=0)
    for _ in range(target - 1):
        assert not play(match, win(1, 1)).over
    assert play(match, win(1, 1)).over
    assert (match.winner, match.score, match.deals) == (1, [0, target], target)


def test_the_target_may_be_passed() -> None:
    match = play(Match(RULE_SETS["schnapsen"], 0), win(0, 3), win(0, 3), win(0, 3))
    assert (match.winner, match.score) == (0, [9, 0])


def test_a_zero_sum_balance_falls_with_losses() -> None:
    match = play(Match(RULE_SETS["trump-change"], 0), win(0, 3, 3), win(0, 3, 3), win(1, 2, 2), win(0, 2, 2))
    assert (match.score, match.over) == ([6, -6], False)
    assert play(match, win(0, 1, 1)).winner == 0


def test_the_loser_of_a_zero_sum_match_may_be_below_zero_by_less_than_the_winner_has() -> None:
    match = play(Match(RULE_SETS["trump-change"], 0), win(0, 3, 3, carry=2), win(0, 3, 3))
    assert (match.score, match.winner) == ([8, -6], 0)


def test_the_carry_is_that_of_the_last_deal() -> None:
    match = Match(RULE_SETS["mariage"], 0)
    for carry in (1, 2):
        play(match, NOBODY._replace(carry=carry, reason=Reason.TIE))
        assert match.carry == carry
    play(match, win(0, 1, carry=2))
    assert (match.carry, match.score) == (0, [3, 0])


def test_a_match_is_drawn_at_the_deal_limit() -> None:
    match = Match(RULE_SETS["schnapsen"], 0, deal_limit=3)
    assert not play(match, NOBODY, NOBODY).over
    assert play(match, win(0, 1)).over
    assert match.winner is None


def test_reaching_the_target_in_the_last_deal_wins() -> None:
    match = play(Match(RULE_SETS["schnapsen"], 0, deal_limit=3), win(0, 3), win(0, 3), win(0, 1))
    assert (match.over, match.winner) == (True, 0)
