import pytest

from example_bots.greedy_bot import GreedyBot
from sixtysix.rules import CLAIM, CLOSE, EXCHANGE, MARRIAGES, RULE_SETS, TRUMPS, Card, Suit
from tests.bots.positions import position, view_of

SCHNAPSEN = RULE_SETS["schnapsen"]
OTHER = "KC QC JC QD JD"


@pytest.mark.parametrize(
    ("hand", "points", "expected"),
    [
        ("KS QS AH TH AC", (26, 0), MARRIAGES[Suit.SPADES]),
        ("KH QH KS QS AC", (0, 0), MARRIAGES[Suit.SPADES]),
        ("KH QH JH AC TD", (0, 0), MARRIAGES[Suit.HEARTS]),
        ("JS KH QH AC TD", (0, 0), EXCHANGE),
        ("AS TS JH AC TD", (66, 0), CLAIM),
        ("AS TS JH AC TD", (39, 0), CLOSE),
        ("AS TS JH AC TD", (38, 0), Card.parse("JH")),
        ("AS KS QH AC TD", (0, 0), Card.parse("QH")),
    ],
)
def test_on_lead(hand: str, points: tuple[int, int], expected: object) -> None:
    deal = position(
        SCHNAPSEN, hand, OTHER, "QS" if "KS" not in hand or "QS" not in hand else "JS", face_down=3, points=points
    )
    assert GreedyBot().choose(view_of(deal)) == expected


@pytest.mark.parametrize(
    ("led", "hand", "expected"),
    [
        ("KD", "TD AD JS QH JH", "AD"),  # a plain win, with the most points
        ("TC", "AD AS JS QH JH", "JS"),  # a ten is worth the lowest trump
        ("JC", "AD AS JS QH JH", "JH"),  # a jack is not
        ("QD", "KD QH KH JH TS", "KD"),
        ("JH", "KH QH AD TD TS", "TD"),  # the marriage of hearts stays whole
    ],
)
def test_following(led: str, hand: str, expected: str) -> None:
    rest = [card.text for card in SCHNAPSEN.deck if card.text not in (led, "KS", *hand.split())]
    deal = position(SCHNAPSEN, " ".join([led, *rest[:4]]), hand, "KS", face_down=3)
    deal.apply(Card.parse(led))
    assert GreedyBot().choose(view_of(deal)) == Card.parse(expected)


def test_with_the_talon_gone_it_leads_its_best_winner() -> None:
    deal = position(SCHNAPSEN, "JC AH TS", "QD JD KH", "AS")
    assert GreedyBot().choose(view_of(deal)) == Card.parse("AH")


def test_a_longer_suit_becomes_trump() -> None:
    deal = position(RULE_SETS["trump-change"], "9S AH TH JH AC TD", "KC QC JC QD JD KD", "AS", face_down=4)
    assert GreedyBot().choose(view_of(deal)) == TRUMPS[Suit.HEARTS]
