"""What follows from each action, rule by rule; the value of a deal has tests of its own."""

from random import Random

import pytest

from sixtysix.rules import (
    RULE_SETS,
    Card,
    Deal,
    IllegalActionError,
    Reason,
    Stage,
    Suit,
    parse_action,
)
from sixtysix.rules.deal import follow_cards
from sixtysix.rules.ruleset import Duty
from tests.rules.positions import (
    ALL,
    ASKED_BEFORE_DRAWING,
    CHANGE,
    FIRST_HAS_LOWEST,
    LOWEST_IN_TALON,
    SCHNAPSEN,
    SECOND_HAS_LOWEST,
    TRICK,
    UNDER,
    advance,
    cards,
    exhausted,
    legal,
    play,
    position,
    refuse,
)

EVERY = pytest.mark.parametrize("name", ALL)


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
                assert branch.legal_actions()
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
