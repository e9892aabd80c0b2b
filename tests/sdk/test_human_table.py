"""The table before a decision, and what may be typed."""

from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from sixtysix import Action, DealInfo, MatchInfo, View
from sixtysix.human.person import Person
from sixtysix.human.story import Story
from sixtysix.human.table import Table, UnclearError, rules_in_short
from sixtysix.human.terminal import Look
from sixtysix.rules import ACTIONS, Deal, IllegalActionError, parse_action, parse_record
from tests.rules.hiding_pairs import hiding_pair, seen_by, swapped
from tests.rules.playouts import Playout, playouts
from tests.sdk.scripted_person import ScriptedTerminal, cards_in

SCHNAPSEN = {
    "rules": "schnapsen",
    "dealer": 1,
    "hands": [["KC", "JH", "QS", "KS", "AD"], ["AC", "JC", "QH", "JS", "TD"]],
    "talon": ["QC", "AH", "KH", "JD", "QD", "TC", "KD", "TS", "AS"],
    "turn_up": "TH",
}


def position(*actions: str, record: dict[str, object] = SCHNAPSEN) -> Deal:
    deal = parse_record({**record, "actions": list(actions)}).deal()
    for text in actions:
        deal.apply(parse_action(text))
    return deal


def match_of(deal: Deal, seat: int) -> MatchInfo:
    return MatchInfo("m", deal.rules, seat, "Rival", None, 100)


def table_of(deal: Deal) -> Table:
    return Table(Story(Look(), match_of(deal, deal.turn)), View.of(deal, deal.turn))


def test_the_table_on_lead() -> None:
    assert table_of(position("exchange", "KC", "AC", "JC", "TH", "marriage S", "QS", "JS")).lines() == [
        "  points      you 37 (2 tricks); Rival 15 (1 trick)",
        "  trump       ♥, talon J♥ under 3 face-down cards",
        "  last trick  Q♠ J♠ to you",
        "  marriages   you ♠ 20",
        "  hand        1 A♥  2 K♥  3 A♦  4 Q♦  5 K♠",
        "  or          6 claim (37 of 66: Rival would get 2 game points)",
        "              7 close (nobody draws; you need a claim of 66, otherwise Rival gets 2 game points)",
    ]


def test_the_table_when_following_in_a_closed_deal() -> None:
    deal = position("exchange", "KC", "AC", "JC", "TH", "marriage S", "QS", "JS", "close", "AD")
    assert table_of(deal).lines() == [
        "  points      you 15 (1 trick); Rival 37 (2 tricks)",
        "  trump       ♥, talon J♥ under 3 face-down cards",
        "  closed      by Rival: nobody draws; Rival needs a claim of 66, otherwise you get 2 game points",
        "  last trick  Q♠ J♠ to Rival",
        "  marriages   Rival ♠ 20",
        "  seen        Rival holds K♠",
        "  table       A♦, led by Rival",
        "  hand        (Q♥)  (10♣)  (Q♣)  1 10♦  2 J♦",
    ]


def test_a_marriage_waits_for_a_trick() -> None:
    deal = position("marriage S", "QS")
    assert table_of(deal).lines()[0] == "  points      you 0 (0 tricks); Rival 0 (0 tricks, 20 wait for a trick)"


def test_the_leader_hears_what_a_claim_and_a_close_would_bring() -> None:
    assert table_of(position()).lines()[-4:] == [
        "  or          6 claim (0 of 66: Rival would get 3 game points)",
        "              7 exchange J♥ for 10♥",
        "              8 marriage ♠ (20)",
        "              9 close (nobody draws; you need a claim of 66, otherwise Rival gets 3 game points)",
    ]


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("1", "JH"), ("th", None), ("jh", "JH"), ("J♥", "JH"), (" ad ", "AD"), ("claim", "claim"), ("CLOSE", "close"),
        ("exchange", "exchange"), ("marriage", "marriage S"), ("Marriage  s", "marriage S"),
        ("marriage ♠", "marriage S"),
    ],
)  # fmt: skip
def test_an_action_may_be_typed_in_several_ways(typed: str, meant: str | None) -> None:
    table = table_of(position())
    if meant is None:
        with pytest.raises(UnclearError):
            table.read(typed)
    else:
        assert table.read(typed) is parse_action(meant)


@pytest.mark.parametrize(
    ("actions", "typed", "problem"),
    [
        ([], "0", "there is no 0: the numbers are 1 to 9"),
        ([], "10", "there is no 10: the numbers are 1 to 9"),
        ([], "as", "A♠ is not in the hand"),
        ([], "marriage h", "a marriage needs king and queen in the hand: K♥ Q♥ missing"),
        ([], "draw", "cards are drawn by themselves in this rule set"),
        (["KC"], "claim", "no claim with a card on the table"),
        (["close", "KC"], "td", "must follow suit: K♣ was led (A♣)"),
        (["close", "KC"], "jc", "must head the trick: a card higher than K♣ has to be played (A♣)"),
        ([], "help", "not an action: 'help' (a card, draw, exchange, marriage S, trump S, close, claim or pass)"),
    ],
)
def test_what_is_not_possible_is_refused_with_the_rule(actions: list[str], typed: str, problem: str) -> None:
    with pytest.raises(UnclearError) as caught:
        table_of(position(*actions)).read(typed)
    assert str(caught.value) == problem


def test_without_colour_and_symbols_cards_are_plain_letters() -> None:
    deal = position("close", "KC")
    story = Story(Look(symbols=False), match_of(deal, 1))
    text = "\n".join([*Table(story, View.of(deal, 1)).lines(), *rules_in_short(deal.rules)])
    assert text.isascii()
    assert "(QH)" in text
    assert "1 AC" in text
    assert "trump       hearts, talon 10H under 9 face-down cards" in text


@given(playouts())
def test_every_choice_can_be_typed_by_its_number_and_by_its_name(playout: Playout) -> None:
    deal, _ = playout.play(unfinished=True)
    table = table_of(deal)
    assert sorted(table.choices) == sorted(deal.legal_actions())
    for number, action in enumerate(table.choices, start=1):
        assert table.read(str(number)) is action
        assert table.read(action.text) is action
        assert table.read(action.pretty) is action


@settings(max_examples=50)
@given(playouts())
def test_the_reason_of_a_refusal_is_that_of_the_engine(playout: Playout) -> None:
    deal, _ = playout.play(unfinished=True)
    table = table_of(deal)
    for action in set(ACTIONS) - set(deal.legal_actions()):
        with pytest.raises(IllegalActionError) as expected:
            deal.check(action)
        with pytest.raises(UnclearError) as caught:
            table.read(action.text)
        assert str(caught.value) == str(expected.value)


# What the person must not see.


def transcript(deal: Deal, actions: Sequence[Action], seat: int) -> list[str]:
    """What the person in `seat` reads while these actions are played, one text for each of them."""
    typed: list[str] = []
    terminal = ScriptedTerminal(lambda lines, prompt: "y" if prompt.endswith("(y/n) ") else typed.pop(0))
    person = Person(terminal, Look())
    person.on_match_start(match_of(deal, seat))
    person.on_deal_start(DealInfo(1, deal.dealer, 0, 0, deal.carry))
    assert deal.log is not None
    told, texts = 0, []
    for action in [*actions, None]:
        for event in deal.log[seat][told:]:
            person.on_event(event)
        told = len(deal.log[seat])
        if action is not None and deal.turn == seat:
            typed[:] = ["?", action.text]
            assert person.choose(View.of(deal, seat)) is action
        texts.append(terminal.text)
        if action is not None:
            deal.apply(action)
    if deal.outcome is not None:
        person.on_deal_end(deal.outcome)
        texts[-1] = terminal.text
    return texts


@settings(max_examples=100)
@given(playouts(), st.integers(0, 1))
def test_the_person_reads_of_no_card_that_his_seat_has_not_seen(playout: Playout, seat: int) -> None:
    _, actions = playout.play()
    for count, text in enumerate(transcript(playout.start(), actions, seat)):
        assert cards_in(text) <= seen_by(seat, playout.start(), actions[:count])


@settings(max_examples=100)
@given(playouts(), st.integers(0, 1), st.integers(0, 1 << 32))
def test_hidden_cards_make_no_difference_to_what_the_person_reads(playout: Playout, seat: int, seed: int) -> None:
    pair = hiding_pair(playout, seat, Random(seed))
    assume(pair is not None)
    assert pair is not None
    first = transcript(playout.start(), pair.actions, seat)
    second = transcript(swapped(playout.start(), *pair.swapped), pair.actions, seat)
    assert first == second
