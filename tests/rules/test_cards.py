import pickle
from copy import deepcopy

import pytest

from sixtysix.rules import (
    ACTIONS,
    CARDS,
    MARRIAGES,
    TRUMPS,
    Card,
    Move,
    NotationError,
    Rank,
    Suit,
    parse_action,
    pretty,
)


def test_cards_are_numbered_by_suit_and_rank() -> None:
    assert [str(card) for card in CARDS[:7]] == ["AC", "TC", "KC", "QC", "JC", "9C", "AD"]
    assert [int(card) for card in CARDS] == list(range(24))
    assert all(Card.of(card.rank, card.suit) is card for card in CARDS)


def test_actions_stand_at_their_own_index() -> None:
    assert [int(action) for action in ACTIONS] == list(range(37))
    assert [action.text for action in ACTIONS[24:]] == [
        "draw", "exchange", "close", "claim", "pass",
        "marriage C", "marriage D", "marriage H", "marriage S",
        "trump C", "trump D", "trump H", "trump S",
    ]  # fmt: skip
    assert [move.suit for move in (*MARRIAGES, *TRUMPS)] == [*Suit, *Suit]


@pytest.mark.parametrize("action", ACTIONS, ids=str)
def test_the_canonical_text_is_read_back(action: Card | Move) -> None:
    assert parse_action(action.text) is action
    assert str(action) == repr(action) == action.text


@pytest.mark.parametrize("action", ACTIONS, ids=str)
def test_copies_are_the_same_object(action: Card | Move) -> None:
    assert pickle.loads(pickle.dumps(action)) is action
    assert deepcopy(action) is action


@pytest.mark.parametrize(
    ("text", "card"),
    [
        ("TH", "TH"), ("th", "TH"), ("10H", "TH"), ("10h", "TH"), ("10♥", "TH"), ("T♥", "TH"), ("t♥", "TH"),
        ("as", "AS"), ("A♠", "AS"), ("kd", "KD"), ("K♦", "KD"), ("9c", "9C"), ("9♣", "9C"), ("jS", "JS"),
    ],
)  # fmt: skip
def test_spellings_of_a_card(text: str, card: str) -> None:
    assert Card.parse(text).text == card
    assert parse_action(text).text == card


@pytest.mark.parametrize(
    "text",
    ["", " ", "A", "S", "SA", "1S", "0S", "10", "100S", "8S", "AX", "AS ", " AS", "A S", "ASH", "♥", "10♥♥", "1S0"],
)
def test_texts_that_are_no_card(text: str) -> None:
    with pytest.raises(NotationError, match="not a card"):
        Card.parse(text)


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("marriage h", "marriage H"),
        ("marriage ♥", "marriage H"),
        ("trump s", "trump S"),
        ("trump ♠", "trump S"),
    ],
)
def test_spellings_of_a_suit_in_an_action(text: str, action: str) -> None:
    assert parse_action(text).text == action


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "not an action: ''"),
        ("play", "not an action: 'play'"),
        ("Claim", "not an action: 'Claim'"),
        ("CLOSE", "not an action: 'CLOSE'"),
        ("claim ", "not an action: 'claim '"),
        ("exchange 9S", "not an action: 'exchange 9S'"),
        ("marriage", "'marriage' needs a suit"),
        ("trump", "'trump' needs a suit"),
        ("marriage X", "not a suit: 'X'"),
        ("marriage  H", "not a suit: ' H'"),
        ("marriage KH", "not a suit: 'KH'"),
        ("trump ", "not a suit: ''"),
        ("AS KS", "not an action: 'AS KS'"),
    ],
)
def test_texts_that_are_no_action(text: str, problem: str) -> None:
    with pytest.raises(NotationError, match="^" + problem.replace("'", "['\"]")):
        parse_action(text)


@pytest.mark.parametrize("text", ["X", "", "HH", "10"])
def test_texts_that_are_no_suit(text: str) -> None:
    with pytest.raises(NotationError, match="use C, D, H or S"):
        Suit.parse(text)


@pytest.mark.parametrize("index", [-1, 24, 1000])
def test_there_is_no_card_outside_the_table(index: int) -> None:
    with pytest.raises(ValueError, match=r"0\.\.23"):
        Card(index)


@pytest.mark.parametrize("index", [-1, 23, 37])
def test_there_is_no_move_outside_the_table(index: int) -> None:
    with pytest.raises(ValueError, match=r"24\.\.36"):
        Move(index)


def test_people_see_symbols_and_10() -> None:
    assert pretty([Card.parse("TH"), Card.parse("9S"), Card.parse("AC"), Card.parse("KD")]) == "10♥ 9♠ A♣ K♦"
    assert parse_action("marriage D").pretty == "marriage ♦"
    assert parse_action("close").pretty == "close"
    assert [str(rank) for rank in Rank] == list("ATKQJ9")
