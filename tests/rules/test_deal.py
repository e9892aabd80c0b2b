"""What may be done and what follows from it, rule by rule; the value of a deal has tests of its own."""

from random import Random
from typing import NamedTuple

import pytest

from sixtysix.rules import (
    CLAIM,
    RULE_SETS,
    Card,
    Deal,
    EventKind,
    IllegalActionError,
    Reason,
    Stage,
    Suit,
    parse_action,
)
from sixtysix.rules.deal import follow_cards
from sixtysix.rules.ruleset import Duty
from tests.rules.positions import cards, deal_of, legal, play

UNDER = ("sixty-six", "mariage", "sechsundsechzig")
CHANGE = ("trump-change",)
SCHNAPSEN = ("schnapsen", "schnapsen-short", "schnapsen-vienna")
ALL = (*UNDER, *CHANGE, *SCHNAPSEN)
ASKED_BEFORE_DRAWING = ("sixty-six", "mariage", "trump-change")
EVERY = pytest.mark.parametrize("name", ALL)

# L is the lowest rank of the pack; cards after the bar are dealt only in games with six cards.
FIRST_HAS_LOWEST = ("LS AH KH QH AD | TD", "TH JH KD QD KC | JC")
SECOND_HAS_LOWEST = ("AH KH QH AD TD | AC", "LS TH JH KD QD | KC")
LOWEST_IN_TALON = ("AH KH QH AD TD | AC", "JD TH JH KD QD | KC")
MANY_CHOICES = ("LS KH QH KD QD | AC", "JH JD TD AD TC | AH")


def position(name: str, hands: tuple[str, str], turn_up: str = "KS", talon: str = "", carry: int = 0) -> Deal:
    """A deal of this rule set with seat 0 on lead and spades as trump."""
    first, second = (_for_pack(name, hand) for hand in hands)
    return deal_of(name, first, second, _for_pack(name, turn_up), _for_pack(name, talon), carry)


def _for_pack(name: str, text: str) -> str:
    if name in SCHNAPSEN:
        return text.partition(" |")[0].replace("L", "J")
    return text.replace(" |", "").replace("L", "9")


def advance(deal: Deal, text: str) -> Deal:
    """Apply actions separated by commas, and draw where the rule set asks and the text says nothing."""
    for token in filter(None, text.split(", ")):
        _settle(deal, token)
        deal.apply(parse_action(_for_pack(deal.rules.name, token)))
    _settle(deal, "")
    return deal


def _settle(deal: Deal, token: str) -> None:
    if deal.stage is Stage.BEFORE_DRAW and token not in ("draw", "close", "claim"):
        deal.apply(parse_action("draw"))


def exhausted(name: str, hands: tuple[str, str] = SECOND_HAS_LOWEST) -> Deal:
    """The lead after the last draw; every trick is the first card of each hand that may be played."""
    deal = position(name, hands)
    while deal.talon_left:
        advance(deal, str(deal.legal_actions()[0]))
    return deal


def refuse(deal: Deal, text: str, reason: str) -> None:
    action = parse_action(_for_pack(deal.rules.name, text))
    assert action not in deal.legal_actions()
    with pytest.raises(IllegalActionError) as caught:
        deal.apply(action)
    assert reason in str(caught.value)


class Case(NamedTuple):
    """After `moves`, which of the actions in question are legal, and why the others are not."""

    names: tuple[str, ...]
    hands: tuple[str, str]
    moves: str
    allowed: str = ""
    refused: str = ""
    reason: str = ""


TRICK = "AH, TH"  # seat 0 wins a trick and leads again
CASES = {
    # exchange
    "needs a trick in the games with 24 cards": Case(
        UNDER, FIRST_HAS_LOWEST, "", refused="exchange", reason="the exchange needs a trick won"
    ),
    "needs none in schnapsen": Case(SCHNAPSEN, FIRST_HAS_LOWEST, "", allowed="exchange"),
    "with a trick, on lead": Case((*UNDER, *SCHNAPSEN), FIRST_HAS_LOWEST, TRICK, allowed="exchange"),
    "not in trump-change": Case(CHANGE, FIRST_HAS_LOWEST, TRICK, refused="exchange", reason="no exchange"),
    "only the lowest trump": Case(
        (*UNDER, *SCHNAPSEN), SECOND_HAS_LOWEST, TRICK, refused="exchange", reason="the lowest trump, is not"
    ),
    "once: the card is gone": Case(
        (*UNDER, *SCHNAPSEN), FIRST_HAS_LOWEST, f"{TRICK}, exchange", refused="exchange", reason="is not in the hand"
    ),
    "not after a marriage": Case(
        (*UNDER, *SCHNAPSEN), FIRST_HAS_LOWEST, f"{TRICK}, marriage H", refused="exchange", reason="after declaring"
    ),
    "not after closing": Case(
        (*UNDER, *SCHNAPSEN), FIRST_HAS_LOWEST, f"{TRICK}, close", refused="exchange", reason="talon was closed"
    ),
    "not by the follower": Case(
        ("sixty-six", "sechsundsechzig", *SCHNAPSEN), SECOND_HAS_LOWEST, "KH, TH, KD, AD, AH",
        refused="exchange", reason="only the player on lead may exchange",
    ),
    "but in mariage": Case(("mariage",), SECOND_HAS_LOWEST, "KH, TH, KD, AD, AH", allowed="exchange"),
    "with a trick there, too": Case(
        ("mariage",), SECOND_HAS_LOWEST, "AH", refused="exchange", reason="the exchange needs a trick won"
    ),
    "and the card there, too": Case(
        ("mariage",), LOWEST_IN_TALON, "KH, TH, KD, AD, AH", refused="exchange", reason="is not in the hand"
    ),
    # trump change
    "no other game has it": Case(
        (*UNDER, *SCHNAPSEN), FIRST_HAS_LOWEST, TRICK, refused="trump H, trump S", reason="no trump change"
    ),
    "a change needs a trick": Case(
        CHANGE, FIRST_HAS_LOWEST, "", refused="trump C, trump D, trump H", reason="needs a trick won"
    ),
    "a change to any other suit": Case(CHANGE, FIRST_HAS_LOWEST, TRICK, allowed="trump C, trump D, trump H"),
    "not to the present trump": Case(
        CHANGE, FIRST_HAS_LOWEST, TRICK, refused="trump S", reason="♠ is trump already"
    ),
    "a change needs the nine of trumps": Case(
        CHANGE, SECOND_HAS_LOWEST, TRICK, refused="trump H", reason="a trump change needs 9♠ in the hand"
    ),
    "of the present trump": Case(
        CHANGE, FIRST_HAS_LOWEST, f"{TRICK}, trump H", refused="trump S", reason="a trump change needs 9♥ in the hand"
    ),
    "a change in a closed deal": Case(CHANGE, FIRST_HAS_LOWEST, f"{TRICK}, close", allowed="trump H"),
    "no change after a marriage": Case(
        CHANGE, FIRST_HAS_LOWEST, f"{TRICK}, marriage H", refused="trump D", reason="after declaring a marriage"
    ),
    "no change by the follower": Case(
        CHANGE, FIRST_HAS_LOWEST, f"{TRICK}, AD", refused="trump H", reason="the trump is changed on lead"
    ),
    "the nine need not be led, a marriage may follow": Case(
        CHANGE, FIRST_HAS_LOWEST, f"{TRICK}, trump H", allowed="9S, KH, QH, AD, TD, marriage H, claim, close"
    ),
    # marriages
    "on the first lead": Case(ALL, FIRST_HAS_LOWEST, "", allowed="marriage H"),
    "both cards": Case(
        ALL, SECOND_HAS_LOWEST, "", refused="marriage D", reason="needs king and queen in the hand: K♦ Q♦ missing"
    ),
    "on lead": Case(ALL, FIRST_HAS_LOWEST, "AD", refused="marriage D", reason="a marriage is declared on lead"),
    "then its king or queen, a claim or a close": Case(
        ALL, FIRST_HAS_LOWEST, f"{TRICK}, marriage H", allowed="KH, QH, claim, close"
    ),
    "but no other card": Case(
        ALL, FIRST_HAS_LOWEST, f"{TRICK}, marriage H", refused="LS, AD", reason="its king or queen must be led"
    ),
    "one a lead": Case(
        ALL, MANY_CHOICES, "marriage H", refused="marriage D, marriage H", reason="one marriage a lead"
    ),
    "not after closing, in the games with 24 cards": Case(
        UNDER, FIRST_HAS_LOWEST, f"{TRICK}, close", refused="marriage H", reason="closed or exhausted"
    ),
    "also after closing, where any lead will do": Case(
        (*CHANGE, *SCHNAPSEN), FIRST_HAS_LOWEST, f"{TRICK}, close", allowed="marriage H"
    ),
    # closing
    "on the first lead, too": Case((*UNDER, *SCHNAPSEN), FIRST_HAS_LOWEST, "", allowed="close"),
    "in trump-change with a trick": Case(
        CHANGE, FIRST_HAS_LOWEST, "", refused="close", reason="closing needs a trick won"
    ),
    "with a trick everywhere": Case(ALL, FIRST_HAS_LOWEST, TRICK, allowed="close"),
    "not by the follower of a trick": Case(
        ALL, FIRST_HAS_LOWEST, "AH", refused="close", reason="only the player on lead may close"
    ),
    "not twice": Case(ALL, FIRST_HAS_LOWEST, f"{TRICK}, close", refused="close", reason="already closed"),
    # claiming, drawing, passing
    "a claim from the first lead on": Case(ALL, FIRST_HAS_LOWEST, "", allowed="claim"),
    "a claim after an exchange": Case(
        (*UNDER, *SCHNAPSEN), FIRST_HAS_LOWEST, f"{TRICK}, exchange", allowed="claim, close, marriage H"
    ),
    "a claim after a close": Case(ALL, FIRST_HAS_LOWEST, f"{TRICK}, close", allowed="claim"),
    "no claim with a card on the table": Case(
        ALL, FIRST_HAS_LOWEST, "AH", refused="claim", reason="no claim with a card on the table"
    ),
    "no drawing on lead": Case(
        ASKED_BEFORE_DRAWING, FIRST_HAS_LOWEST, TRICK, refused="draw", reason="only just after a trick"
    ),
    "no drawing at all": Case(
        ("sechsundsechzig", *SCHNAPSEN), FIRST_HAS_LOWEST, TRICK, refused="draw", reason="drawn by themselves"
    ),
    "nothing to pass": Case(ALL, FIRST_HAS_LOWEST, TRICK, refused="pass", reason="there is nothing to pass"),
    "the other hand": Case(ALL, FIRST_HAS_LOWEST, TRICK, refused="JH, KD", reason="is not in the hand"),
    "any card on an open talon": Case(
        (*UNDER, *SCHNAPSEN), FIRST_HAS_LOWEST, "AH", allowed="TH, JH, KD, QD, KC"
    ),
    "the suit led in trump-change": Case(CHANGE, FIRST_HAS_LOWEST, "AH", allowed="TH, JH"),
    "and no other": Case(
        CHANGE, FIRST_HAS_LOWEST, "AH", refused="KD, QD, KC, JC", reason="must follow suit: A♥ was led (10♥ J♥)"
    ),
}  # fmt: skip


@pytest.mark.parametrize(("name", "case"), [
    pytest.param(name, case, id=f"{what}: {name}") for what, case in CASES.items() for name in case.names
])  # fmt: skip
def test_what_is_legal(name: str, case: Case) -> None:
    deal = advance(position(name, case.hands), case.moves)
    for token in filter(None, case.allowed.split(", ")):
        assert parse_action(_for_pack(name, token)) in deal.legal_actions(), token
    for token in filter(None, case.refused.split(", ")):
        refuse(deal, token, case.reason)


@pytest.mark.parametrize(
    ("names", "moves", "expected"),
    [
        (UNDER, TRICK, "9S, KH, QH, KD, QD, AC, claim, exchange, marriage D, marriage H, close"),
        (CHANGE, TRICK, "9S, KH, QH, KD, QD, KS, claim, marriage D, marriage H, trump C, trump D, trump H, close"),
        (SCHNAPSEN, "", "JS, KH, QH, KD, QD, claim, exchange, marriage D, marriage H, close"),
        (ALL, "marriage D", None),
    ],
)
def test_the_canonical_order_on_lead(names: tuple[str, ...], moves: str, expected: str | None) -> None:
    first, second = "LS KH QH KD QD | AH", "JH JD TD AD TC | TH"
    for name in names:
        deal = advance(position(name, (first, second), talon="AC JC"), moves)
        close = "" if name in CHANGE else ", close"
        assert legal(deal) == (expected or f"KD, QD, claim{close}")


def test_the_canonical_order_elsewhere() -> None:
    for name in ASKED_BEFORE_DRAWING:
        assert legal(play(position(name, FIRST_HAS_LOWEST), TRICK)) == "draw, close, claim"
    deal = advance(position("mariage", SECOND_HAS_LOWEST), "KH, TH, KD, AD, AH")
    assert legal(deal).endswith(", exchange")
    assert legal(play(position("sixty-six", SECOND_HAS_LOWEST), "close")) == "pass, exchange"
    assert legal(play(position("sixty-six", LOWEST_IN_TALON), "close")) == "pass"


class TestDealing:
    @pytest.mark.parametrize(
        ("names", "hand", "talon", "pack"), [(UNDER, 6, 11, 24), (CHANGE, 6, 12, 24), (SCHNAPSEN, 5, 9, 20)]
    )
    def test_sizes(self, names: tuple[str, ...], hand: int, talon: int, pack: int) -> None:
        for name in names:
            deal = Deal.from_deck(RULE_SETS[name], RULE_SETS[name].deck, dealer=0)
            assert [len(deal.hands[0]), len(deal.hands[1]), len(deal.talon)] == [hand, hand, talon]
            assert deal.talon_left == pack - 2 * hand
            assert deal.face_down == deal.talon_left - 1

    @pytest.mark.parametrize("dealer", [0, 1])
    @pytest.mark.parametrize(
        ("names", "forehand", "other", "turn_up"),
        [
            (UNDER, [0, 1, 2, 6, 7, 8], [3, 4, 5, 9, 10, 11], 12),
            (CHANGE, [0, 2, 4, 6, 8, 10], [1, 3, 5, 7, 9, 11], 12),
            (SCHNAPSEN, [0, 1, 2, 7, 8], [3, 4, 5, 9, 10], 6),
        ],
    )
    def test_packets(
        self, names: tuple[str, ...], forehand: list[int], other: list[int], turn_up: int, dealer: int
    ) -> None:
        for name in names:
            deck = list(RULE_SETS[name].deck)
            Random(1).shuffle(deck)
            deal = Deal.from_deck(RULE_SETS[name], deck, dealer, carry=1)
            assert deal.hands[1 - dealer] == [deck[place] for place in forehand]
            assert deal.hands[dealer] == [deck[place] for place in other]
            assert (deal.turn_up, deal.trump) == (deck[turn_up], deck[turn_up].suit)
            rest = [card for place, card in enumerate(deck) if place not in (*forehand, *other, turn_up)]
            assert list(deal.talon) == ([deck[turn_up], *rest] if name in CHANGE else rest)
            assert (deal.dealer, deal.carry) == (dealer, 1)

    @pytest.mark.parametrize("dealer", [0, 1])
    @EVERY
    def test_first_lead(self, name: str, dealer: int) -> None:
        deal = Deal.from_deck(RULE_SETS[name], RULE_SETS[name].deck, dealer)
        assert deal.turn == deal.leader == (dealer if name in CHANGE else 1 - dealer)
        assert deal.stage is Stage.LEAD


class TestTricks:
    @pytest.mark.parametrize(
        ("led", "reply", "trump", "winner", "points"),
        [
            ("TH", "AH", "S", 1, 21),
            ("AH", "TH", "S", 0, 21),
            ("KH", "TH", "S", 1, 14),
            ("QH", "KH", "S", 1, 7),
            ("JH", "QH", "S", 1, 5),
            ("9H", "JH", "S", 1, 2),
            ("JH", "9H", "S", 0, 2),
            ("9H", "9D", "S", 0, 0),
            ("AH", "9S", "S", 1, 11),
            ("9S", "AH", "S", 0, 11),
            ("JS", "QS", "S", 1, 5),
            ("AS", "TS", "S", 0, 21),
            ("JH", "AC", "S", 0, 13),
            ("JH", "AC", "C", 1, 13),
        ],
    )
    def test_who_takes(self, led: str, reply: str, trump: str, winner: int, points: int) -> None:
        rules = RULE_SETS["sixty-six"]
        others = [card for card in rules.deck if card.text not in (led, reply, "K" + trump)]
        hands = ([Card.parse(led), *others[:5]], [Card.parse(reply), *others[5:10]])
        deal = play(Deal(rules, 1, hands, others[10:], Card.parse("K" + trump)), f"{led}, {reply}")
        assert deal.turn == deal.leader == winner
        assert (deal.tricks[winner], deal.tricks[1 - winner]) == (1, 0)
        assert (deal.trick_points[winner], deal.trick_points[1 - winner]) == (points, 0)

    @pytest.mark.parametrize(
        ("name", "to_winner", "to_loser"),
        [*((name, "QC", "AS") for name in (*UNDER, *SCHNAPSEN)), ("trump-change", "KS", "QC")],
    )
    def test_the_winner_draws_first_and_leads(self, name: str, to_winner: str, to_loser: str) -> None:
        deal = advance(position(name, FIRST_HAS_LOWEST, talon="QC AS"), "QH, TH")
        assert (deal.stage, deal.turn, deal.leader, deal.led) == (Stage.LEAD, 1, 1, None)
        assert (deal.hands[1][-1].text, deal.hands[0][-1].text) == (to_winner, to_loser)

    @pytest.mark.parametrize(("name", "tricks"), [*((n, 6) for n in UNDER), *((n, 5) for n in SCHNAPSEN)])
    def test_the_turn_up_is_drawn_last_by_the_loser(self, name: str, tricks: int) -> None:
        deal = exhausted(name)
        assert deal.hands[1 - deal.turn][-1] is Card.parse("KS")
        assert (deal.turn_up, deal.talon_left, sum(deal.tricks)) == (None, 0, tricks)

    def test_the_turn_up_on_top_is_drawn_first(self) -> None:
        deal = advance(position("trump-change", FIRST_HAS_LOWEST), TRICK)
        assert (deal.turn_up, deal.trump, deal.face_down) == (None, Suit.SPADES, 10)
        assert deal.hands[0][-1] is Card.parse("KS")

    @pytest.mark.parametrize(
        ("names", "bonus", "stage"),
        [
            (("sixty-six", "sechsundsechzig"), 10, Stage.OVER),
            (("mariage", "trump-change"), 10, Stage.LAST_CLAIM),
            (SCHNAPSEN, 0, Stage.OVER),
        ],
    )
    def test_the_last_trick_of_an_open_deal(self, names: tuple[str, ...], bonus: int, stage: Stage) -> None:
        for name in names:
            deal = exhausted(name)
            while deal.hands[0] or deal.hands[1]:
                last = list(deal.trick_points)
                deal.apply(deal.legal_actions()[0])
            assert deal.stage is stage
            assert sum(deal.trick_points) == 120 + bonus
            assert deal.trick_points[1 - deal.leader] == last[1 - deal.leader]
            if stage is Stage.LAST_CLAIM:
                assert (deal.turn, legal(deal)) == (deal.leader, "claim, pass")
                refuse(deal, "AH", "all cards are played")
                refuse(deal, "draw", "drawn")
                refuse(deal, "close", "exhausted")

    @EVERY
    def test_the_last_trick_of_a_closed_deal(self, name: str) -> None:
        deal = advance(position(name, FIRST_HAS_LOWEST), f"{TRICK}, close")
        while deal.hands[0] or deal.hands[1]:
            deal.apply(deal.legal_actions()[0])
        assert (deal.stage, deal.turn, legal(deal)) == (Stage.LAST_CLAIM, deal.leader, "claim, pass")
        played = sum(deal.rules.tables.points[card] for card in deal.rules.deck if deal.played >> card & 1)
        assert sum(deal.trick_points) == played
        refuse(deal, "close", "already closed")
        deal.apply(parse_action("pass"))
        assert deal.over


class TestDuties:
    @pytest.mark.parametrize(
        ("duty", "led", "hand", "allowed"),
        [
            (Duty.NONE, "KH", "AH 9H AS JC", "AH 9H AS JC"),
            (Duty.HEAD, "KH", "AH TH 9H AS JC", "AH TH"),
            (Duty.HEAD, "TH", "KH 9H AS JC", "KH 9H"),
            (Duty.HEAD, "AH", "TH 9H AS JC", "TH 9H"),
            (Duty.HEAD, "KH", "AS JS JC", "AS JS"),
            (Duty.HEAD, "KH", "AD JC", "AD JC"),
            (Duty.HEAD, "KS", "AS 9S JC", "AS"),
            (Duty.HEAD, "AS", "TS 9S JC", "TS 9S"),
            (Duty.HEAD, "AS", "AD JC", "AD JC"),
            (Duty.FOLLOW, "KH", "AH 9H AS JC", "AH 9H"),
            (Duty.FOLLOW, "KH", "9H AS JC", "9H"),
            (Duty.FOLLOW, "KH", "AS JC", "AS JC"),
            (Duty.FOLLOW, "KS", "9S AS JC", "9S AS"),
            (Duty.FOLLOW, "KS", "AD JC", "AD JC"),
        ],
    )
    def test_what_a_duty_allows(self, duty: Duty, led: str, hand: str, allowed: str) -> None:
        found = follow_cards(RULE_SETS["sixty-six"], cards(hand), Card.parse(led), Suit.SPADES, duty)
        assert tuple(found) == cards(allowed)

    @pytest.mark.parametrize(
        ("names", "while_drawing", "afterwards"),
        [((*UNDER, *SCHNAPSEN), Duty.NONE, Duty.HEAD), (CHANGE, Duty.FOLLOW, Duty.FOLLOW)],
    )
    def test_which_duty_holds_when(self, names: tuple[str, ...], while_drawing: Duty, afterwards: Duty) -> None:
        for name in names:
            assert position(name, FIRST_HAS_LOWEST).duty is while_drawing
            assert advance(position(name, FIRST_HAS_LOWEST), f"{TRICK}, close").duty is afterwards
            assert exhausted(name).duty is afterwards

    def test_a_void_player_need_not_trump_in_trump_change(self) -> None:
        deal = position("trump-change", ("AC KC KD QD JD TD", "9S AH TH KH QH JH"))
        assert legal(play(deal, "AC")) == "9S, AH, TH, KH, QH, JH"

    def test_the_trump_of_the_moment_takes_the_trick(self) -> None:
        deal = advance(position("trump-change", FIRST_HAS_LOWEST, talon="AC 9C"), f"{TRICK}, trump D, AD, KD")
        assert (deal.leader, deal.trump) == (0, Suit.DIAMONDS)
        deal = advance(position("trump-change", FIRST_HAS_LOWEST, talon="AC 9C"), f"{TRICK}, trump C, KS, KC")
        assert (deal.leader, deal.tricks) == (1, [1, 1])


class TestMarriages:
    @pytest.mark.parametrize("name", [*UNDER, *SCHNAPSEN])
    def test_it_counts_once_a_trick_is_won_before_or_after(self, name: str) -> None:
        deal = advance(position(name, FIRST_HAS_LOWEST), "marriage H, QH, TH")
        assert (deal.marriage_points, deal.card_points(0), deal.card_points(1)) == ([20, 0], 0, 13)
        advance(deal, "KD, AD")
        assert deal.card_points(0) == 20 + 15
        deal = advance(position(name, FIRST_HAS_LOWEST), f"{TRICK}, marriage H")
        assert deal.card_points(0) == 20 + 21

    @pytest.mark.parametrize("name", ALL)
    def test_in_trumps_it_is_worth_40(self, name: str) -> None:
        deal = advance(position(name, ("KS QS AH AD TD | TC", "TH JH KD QD KC | JC"), turn_up="TS"), "marriage S")
        assert sum(deal.marriage_points) + deal.pending_marriage == 40

    @pytest.mark.parametrize(("lead", "points"), [("KH, JH", (26, 0)), ("QH, AH", (0, 14))])
    def test_in_trump_change_it_needs_the_trick_that_it_leads(self, lead: str, points: tuple[int, int]) -> None:
        hands = ("9S TC KH QH AD TD", "AH JH KD QD TH JC")
        deal = advance(position("trump-change", hands), f"marriage H, {lead}")
        assert (deal.card_points(0), deal.card_points(1), deal.pending_marriage) == (*points, 0)

    def test_in_trump_change_its_worth_is_that_of_the_trump_when_declared(self) -> None:
        deal = advance(position("trump-change", FIRST_HAS_LOWEST), f"{TRICK}, trump H, marriage H")
        assert (deal.pending_marriage, deal.card_points(0)) == (40, 21)
        assert advance(deal, "KH, JH").marriage_points == [40, 0]

    def test_a_waiting_marriage_does_not_count_for_a_claim(self) -> None:
        deal = advance(position("trump-change", FIRST_HAS_LOWEST), f"{TRICK}, marriage H, claim")
        assert deal.outcome is not None
        assert (deal.outcome.reason, deal.outcome.card_points) == (Reason.FALSE_CLAIM, (21, 0))


class TestExchange:
    @pytest.mark.parametrize("name", [*UNDER, *SCHNAPSEN])
    def test_both_cards_change_place(self, name: str) -> None:
        deal = advance(position(name, FIRST_HAS_LOWEST), f"{TRICK}, exchange")
        lowest = deal.rules.tables.lowest[Suit.SPADES]
        assert (deal.turn_up, deal.hands[0][-1]) == (lowest, Card.parse("KS"))
        assert lowest not in deal.hands[0]
        assert (deal.stage, deal.turn, deal.shown[0]) == (Stage.LEAD, 0, 1 << Card.parse("KS"))

    def test_the_follower_in_mariage_still_has_to_follow(self) -> None:
        deal = advance(position("mariage", SECOND_HAS_LOWEST), "KH, TH, KD, AD, AH, exchange")
        assert (deal.stage, deal.turn, deal.turn_up) == (Stage.FOLLOW, 1, Card.parse("9S"))
        assert Card.parse("KS") in deal.legal_actions()
        refuse(deal, "exchange", "is not in the hand")

    @EVERY
    def test_not_once_the_talon_is_gone(self, name: str) -> None:
        refuse(exhausted(name), "exchange", "no exchange" if name in CHANGE else "no longer under the talon")

    @pytest.mark.parametrize(
        ("names", "least"), [(UNDER, 1), (("schnapsen", "schnapsen-short"), 2), (("schnapsen-vienna",), 1)]
    )
    def test_how_many_face_down_cards_must_be_left(self, names: tuple[str, ...], least: int) -> None:
        """Seat 0 keeps the lowest trump, always on lead with a trick won: until when may it exchange?"""
        for name in names:
            deal, seen = position(name, FIRST_HAS_LOWEST), []
            while deal.talon_left:
                if deal.stage is Stage.LEAD and deal.turn == 0 and deal.tricks[0]:
                    may = parse_action("exchange") in deal.legal_actions()
                    assert may == (deal.face_down >= least)
                    seen.append(deal.face_down)
                keep = deal.rules.tables.lowest[Suit.SPADES]
                advance(deal, str(next(action for action in deal.legal_actions() if action is not keep)))
            assert 1 in seen


class TestExchangeOffer:
    @pytest.mark.parametrize(
        ("hands", "turn_up", "offered"),
        [
            (SECOND_HAS_LOWEST, "KS", "pass, exchange"),
            (LOWEST_IN_TALON, "KS", "pass"),
            (FIRST_HAS_LOWEST, "KS", None),
            (LOWEST_IN_TALON, "9S", None),
        ],
    )
    def test_who_is_asked(self, hands: tuple[str, str], turn_up: str, offered: str | None) -> None:
        deal = play(position("sixty-six", hands, turn_up), "close")
        if offered is None:
            assert (deal.stage, deal.turn) == (Stage.LEAD, 0)
        else:
            assert (deal.stage, deal.turn, legal(deal)) == (Stage.EXCHANGE_OFFER, 1, offered)

    @pytest.mark.parametrize("name", [name for name in ALL if name != "sixty-six"])
    def test_no_other_game_has_it(self, name: str) -> None:
        deal = advance(position(name, SECOND_HAS_LOWEST), f"{TRICK}, close")
        assert (deal.stage, deal.turn) == (Stage.LEAD, 0)

    @pytest.mark.parametrize("moves", ["close", "AH, TH, close", "AH, TH, draw, close", "marriage H, close"])
    def test_it_follows_every_close_and_the_closer_goes_on(self, moves: str) -> None:
        deal = play(position("sixty-six", SECOND_HAS_LOWEST), moves)
        assert (deal.stage, deal.turn, deal.tricks[1]) == (Stage.EXCHANGE_OFFER, 1, 0)
        deal.apply(parse_action("exchange"))
        assert (deal.stage, deal.turn, deal.turn_up) == (Stage.LEAD, 0, Card.parse("9S"))
        assert Card.parse("KS") in deal.hands[1]

    @pytest.mark.parametrize(
        ("action", "reason"),
        [
            ("claim", "no claim during an exchange offer"),
            ("close", "already closed"),
            ("JH", "answered with pass or exchange"),
            ("marriage D", "on lead"),
            ("draw", "only just after a trick"),
        ],
    )
    def test_nothing_else_may_be_done(self, action: str, reason: str) -> None:
        refuse(play(position("sixty-six", SECOND_HAS_LOWEST), "close"), action, reason)

    def test_the_card_is_needed(self) -> None:
        deal = play(position("sixty-six", LOWEST_IN_TALON), "close")
        refuse(deal, "exchange", "9♠, the lowest trump, is not in the hand")

    def test_only_once(self) -> None:
        deal = play(position("sixty-six", SECOND_HAS_LOWEST), "close, pass, AC, KC")
        assert (deal.stage, deal.turn) == (Stage.LEAD, 0)
        refuse(play(deal, "KH"), "exchange", "only the player on lead")


class TestTrumpChange:
    def test_the_new_trump_holds_and_the_nine_stays(self) -> None:
        deal = advance(position("trump-change", FIRST_HAS_LOWEST), f"{TRICK}, trump D")
        assert (deal.trump, deal.stage, deal.turn) == (Suit.DIAMONDS, Stage.LEAD, 0)
        assert Card.parse("9S") in deal.hands[0]
        assert deal.shown[0] == 1 << Card.parse("KS") | 1 << Card.parse("9S")

    def test_each_nine_serves_once_also_if_its_suit_is_trump_again(self) -> None:
        deal = advance(
            position("trump-change", ("9S 9H AH KH AD TD", "TH JH KD QD KC JC")), f"{TRICK}, trump H, trump S"
        )
        refuse(deal, "trump D", "9♠ has served for a trump change already")

    def test_it_may_be_repeated_in_one_lead(self) -> None:
        deal = advance(
            position("trump-change", ("9S 9H AH 9D 9C TD", "TH JH KD QD KC JC")),
            f"{TRICK}, trump H, trump D, trump C, trump S",
        )
        assert (deal.trump, deal.used_nines) == (Suit.SPADES, 0b1111)

    def test_after_the_last_draw(self) -> None:
        deal, nine = position("trump-change", FIRST_HAS_LOWEST), Card.parse("9S")
        while deal.talon_left or deal.stage is not Stage.LEAD or deal.turn != 0:
            advance(deal, str(next(action for action in deal.legal_actions() if action is not nine)))
        assert nine in deal.hands[0]
        assert {parse_action(f"trump {suit}") for suit in "CDH"} <= set(deal.legal_actions())


class TestClosing:
    @EVERY
    def test_nothing_is_drawn_any_more(self, name: str) -> None:
        deal = advance(position(name, FIRST_HAS_LOWEST), f"{TRICK}, close")
        left, size = deal.talon_left, len(deal.hands[0])
        deal.apply(deal.legal_actions()[0])
        deal.apply(deal.legal_actions()[0])
        assert (deal.stage, deal.talon_left, len(deal.hands[0])) == (Stage.LEAD, left, size - 1)

    @pytest.mark.parametrize("name", ASKED_BEFORE_DRAWING)
    def test_before_drawing_both_keep_the_smaller_hands(self, name: str) -> None:
        deal = play(position(name, FIRST_HAS_LOWEST), f"{TRICK}, close")
        assert (deal.stage, [len(hand) for hand in deal.hands], deal.talon_left) == (Stage.LEAD, [5, 5], 12)
        assert deal.closing is not None
        assert deal.closing == (0, (21, 0), (1, 0))

    @pytest.mark.parametrize("name", [*UNDER, *SCHNAPSEN])
    def test_how_both_stood_is_kept(self, name: str) -> None:
        deal = advance(position(name, FIRST_HAS_LOWEST), "QH, TH, marriage D, KD, AD, close")
        assert deal.closing == (0, (15, 33), (1, 1))

    @EVERY
    def test_as_long_as_there_is_a_talon(self, name: str) -> None:
        deal, last = position(name, FIRST_HAS_LOWEST), 0
        while deal.talon_left:
            if parse_action("close") in deal.legal_actions():
                last = deal.talon_left
            deal.apply(deal.legal_actions()[0])
        assert last == 2
        if deal.stage is Stage.LEAD:
            refuse(deal, "close", "the talon is exhausted")

    @pytest.mark.parametrize("name", UNDER)
    def test_no_marriage_with_the_talon_gone(self, name: str) -> None:
        refuse(exhausted(name), "marriage H", "closed or exhausted")


class TestForfeit:
    @EVERY
    def test_at_any_stage_by_either_seat(self, name: str) -> None:
        deal, stages = position(name, FIRST_HAS_LOWEST, carry=1), set()
        while not deal.over:
            stages.add(deal.stage)
            for seat in (0, 1):
                branch = deal.copy()
                branch.forfeit(seat)
                assert branch.outcome is not None
                assert (branch.outcome.winner, branch.outcome.reason) == (1 - seat, Reason.FORFEIT)
                assert branch.outcome.score_change[1 - seat] == branch.outcome.game_points + 1
                assert (branch.stage, branch.legal_actions()) == (Stage.OVER, ())
            deal.apply(deal.legal_actions()[0])
        assert {Stage.LEAD, Stage.FOLLOW} <= stages

    def test_not_after_the_end(self) -> None:
        deal = play(position("schnapsen", FIRST_HAS_LOWEST), "claim")
        before = deal.outcome
        with pytest.raises(IllegalActionError, match="the deal is over"):
            deal.forfeit(0)
        assert deal.outcome is before


class TestEvents:
    """Who is told what."""

    @EVERY
    def test_a_hand_is_told_to_its_seat_only(self, name: str) -> None:
        deal = position(name, FIRST_HAS_LOWEST)
        assert deal.log is not None
        for seat in (0, 1):
            dealt, turned = deal.log[seat]
            assert dealt == (EventKind.DEALT, seat, tuple(deal.hands[seat]), None, 0)
            assert turned == (EventKind.TURNED_UP, deal.dealer, (Card.parse("KS"),), Suit.SPADES, 0)

    @pytest.mark.parametrize("name", [*UNDER, *SCHNAPSEN])
    def test_face_down_cards_are_told_to_who_draws_them(self, name: str) -> None:
        deal = advance(position(name, FIRST_HAS_LOWEST, talon="AC TC"), TRICK)
        assert deal.log is not None
        own, other = ([event for event in log if event.kind is EventKind.DREW] for log in deal.log)
        assert [(event.seat, event.cards) for event in own] == [(0, cards("AC")), (1, ())]
        assert [(event.seat, event.cards) for event in other] == [(0, ()), (1, cards("TC"))]

    @EVERY
    def test_the_turn_up_is_drawn_in_public(self, name: str) -> None:
        deal = exhausted(name)
        assert deal.log is not None
        for log in deal.log:
            assert [event.seat for event in log if event.kind is EventKind.DREW and event.cards == cards("KS")]

    @EVERY
    def test_what_happens_on_the_table_is_public(self, name: str) -> None:
        deal = advance(position(name, FIRST_HAS_LOWEST), f"{TRICK}, marriage H, close, KH")
        assert deal.log is not None
        kinds = (EventKind.PLAYED, EventKind.TRICK, EventKind.MARRIAGE, EventKind.CLOSED)
        first, second = ([event for event in log if event.kind in kinds] for log in deal.log)
        assert first == second
        assert first == [
            (EventKind.PLAYED, 0, cards("AH"), None, 0),
            (EventKind.PLAYED, 1, cards("TH"), None, 0),
            (EventKind.TRICK, 0, cards("AH TH"), None, 21),
            (EventKind.MARRIAGE, 0, cards("KH QH"), Suit.HEARTS, 20),
            (EventKind.CLOSED, 0, (), None, 0),
            (EventKind.PLAYED, 0, cards("KH"), None, 0),
        ]

    def test_exchange_trump_change_and_claim_are_public(self) -> None:
        deal = advance(position("schnapsen", FIRST_HAS_LOWEST), "exchange, claim")
        assert deal.log is not None
        assert deal.log[0][2:] == deal.log[1][2:]
        assert deal.log[0][2:] == [
            (EventKind.EXCHANGED, 0, cards("JS KS"), None, 0),
            (EventKind.CLAIMED, 0, (), None, 0),
        ]
        deal = advance(position("trump-change", FIRST_HAS_LOWEST), f"{TRICK}, trump D")
        assert deal.log is not None
        assert deal.log[0][-1] == deal.log[1][-1] == (EventKind.TRUMP_CHANGED, 0, cards("9S"), Suit.DIAMONDS, 0)

    def test_passing_the_exchange_is_private(self) -> None:
        deal = play(position("sixty-six", SECOND_HAS_LOWEST), "close, pass")
        assert deal.log is not None
        assert deal.log[0][-1] == (EventKind.CLOSED, 0, (), None, 0)
        assert deal.log[1][-1] == (EventKind.PASSED, 1, (), None, 0)

    def test_a_copy_for_search_keeps_no_log(self) -> None:
        deal = advance(position("schnapsen", FIRST_HAS_LOWEST), TRICK)
        assert deal.copy().log is None
        assert deal.copy(log=True).log == deal.log
        play(deal.copy(), "claim")
        assert CLAIM in deal.legal_actions()
