"""Exact play once nothing is hidden: alpha-beta search to the end of a deal in which no more cards are drawn.

The search works on bit masks of cards; what an end is worth comes from the scoring of the rules. Nobody makes a false
claim in it, though giving up that way can pay: in `schnapsen-vienna`, for one who was trickless when it was closed.
"""

from collections.abc import Iterable
from functools import cache, lru_cache

from sixtysix import CLAIM, Action, Card, Deal, Rank, Suit
from sixtysix.rules import CARDS, Closing, Outcome, RuleSet, Stage
from sixtysix.rules.cards import CARD_COUNT, RANKS_PER_SUIT
from sixtysix.rules.ruleset import Duty, LastClaim
from sixtysix.rules.scoring import Ending, claimed, unclaimed

_INFINITY = 1000  # more than any value and than any number of points
_SUITS = tuple(int(suit) for suit in Suit)
_KING, _QUEEN = int(Rank.KING), int(Rank.QUEEN)
_KINGS = sum(1 << (suit * RANKS_PER_SUIT + _KING) for suit in _SUITS)
_PAIRS = tuple((1 << _KING | 1 << _QUEEN) << (suit * RANKS_PER_SUIT) for suit in _SUITS)


class Endgame:
    """Values of the positions of one deal after its last draw, when both hands are known.

    A value is the change of the own match score less that of the other, carry included, for the seat on turn, if both
    play as well as they can and make no false claim. What is found out serves later questions as well.
    """

    def __init__(self, rules: RuleSet, closing: Closing | None, carry: int) -> None:
        self._rules, self._closing, self._carry = rules, closing, carry
        self._masks = _masks(rules)
        self._points = rules.tables.points
        self._enough = rules.claim_points
        self._bonus = rules.last_trick_points if closing is None else 0
        self._late_claim = closing is not None or rules.last_claim is LastClaim.ALWAYS
        self._all_marriages = len(_SUITS) * max(rules.marriage_points, rules.trump_marriage_points)
        self._bounds: dict[tuple[int, ...], tuple[int, int]] = {}
        self._ends, self._most = _known_ends(rules, closing, carry)

    def values(self, deal: Deal) -> dict[Action, int]:
        """The value of each legal action, false claims left out, for the seat on turn."""
        seat, found = deal.turn, {}
        for action in deal.legal_actions():
            if action == CLAIM and deal.card_points(seat) < self._enough:
                continue
            after = deal.copy()
            after.apply(action)
            found[action] = self.value(after, seat)
        return found

    def value(self, deal: Deal, seat: int) -> int:
        """The value of `deal` for `seat`; raises ValueError if cards are still drawn or exchanged in it."""
        if deal.outcome is not None:
            return gain(deal.outcome, seat)
        if deal.talon_open or deal.stage is Stage.EXCHANGE_OFFER:
            raise ValueError("no exact value before the last draw")
        hands = [_mask(hand) for hand in deal.hands]
        points = [deal.trick_points[seat] + deal.marriage_points[seat] for seat in (0, 1)]
        tricks = sum(1 << seat for seat in (0, 1) if deal.tricks[seat])
        on_table = [deal.led] if deal.led is not None else []
        left = self._bonus + sum(self._points[card] for card in (*deal.hands[0], *deal.hands[1], *on_table))
        a, b = deal.leader, 1 - deal.leader
        window = -_INFINITY, _INFINITY
        state = points[a], points[b], tricks, int(deal.trump), deal.used_nines, left
        if deal.led is not None:
            value = self._answer(a, deal.led, deal.pending_marriage, hands[a], hands[b], *state, *window)
        elif deal.declared is not None:
            suit, waiting = int(deal.declared), deal.pending_marriage
            value = self._declared(a, suit, waiting, hands[a], hands[b], *state, *window)
        else:
            value = self._lead(a, hands[a], hands[b], *state, *window)
        return value if seat == a else -value

    # The arguments of the search: `mine` and `theirs` are the hands of the leader and the other player, `points` and
    # `against` their card points with all marriages, `tricks` the mask of the seats that have a trick, `used` that of
    # the nines that have served, `left` the points of the cards to come. Values are those for the leader.

    def _lead(
        self, seat: int, mine: int, theirs: int, points: int, against: int,
        tricks: int, trump: int, used: int, left: int, alpha: int, beta: int,
    ) -> int:  # fmt: skip
        if not mine:
            return self._after_last_trick(seat, points, against, tricks)
        rules, masks = self._rules, self._masks
        best = -_INFINITY
        most = self._at_most(seat, mine, points + left, against, tricks)
        if points >= self._enough and tricks >> seat & 1:
            best = self._end(True, seat, points, against, tricks)
            if best >= most:
                return best
        if most <= alpha:
            return most
        least = -self._at_most(1 - seat, theirs, against + left, points, tricks)
        if least >= beta:
            return least
        key = (mine, theirs, points, against, seat << 2 | tricks, trump << 4 | used)
        low, high = self._bounds.get(key, (least, most))
        if low >= beta or low == high:
            return low
        if high <= alpha:
            return high
        start = alpha = max(alpha, low, best)
        beta = min(beta, high)
        cards = mine
        if rules.marriage_any_lead:
            for suit in _SUITS:
                if mine & _PAIRS[suit] == _PAIRS[suit] and alpha < beta:
                    cards ^= _PAIRS[suit]
                    worth = rules.trump_marriage_points if suit == trump else rules.marriage_points
                    waiting = worth if rules.marriage_needs_its_trick else 0
                    best = max(best, self._declared(
                        seat, suit, waiting, mine, theirs, points + worth - waiting, against,
                        tricks, trump, used, left, alpha, beta,
                    ))  # fmt: skip
                    alpha = max(alpha, best)
        while cards and alpha < beta:
            bit = masks.winner(cards, theirs, trump) or cards & -cards
            cards ^= bit
            value = self._answer(
                seat, bit.bit_length() - 1, 0, mine ^ bit, theirs, points, against,
                tricks, trump, used, left, alpha, beta,
            )  # fmt: skip
            if value > best:
                best = value
                if best > alpha:
                    alpha = best
        if rules.trump_change and mine & masks.lowest[trump] and tricks >> seat & 1 and not used >> trump & 1:
            for suit in _SUITS:
                if suit != trump and alpha < beta:
                    best = max(best, self._lead(
                        seat, mine, theirs, points, against, tricks, suit, used | 1 << trump, left, alpha, beta
                    ))  # fmt: skip
                    alpha = max(alpha, best)
        if best >= beta:
            low = max(low, best)
        elif best <= start:
            high = min(high, best)
        else:
            low = high = best
        self._bounds[key] = (low, high)
        return best

    def _declared(
        self, seat: int, suit: int, waiting: int, mine: int, theirs: int, points: int, against: int,
        tricks: int, trump: int, used: int, left: int, alpha: int, beta: int,
    ) -> int:  # fmt: skip
        """After a marriage of `suit`: it is in `points`, or in `waiting` if it waits for its trick."""
        best = -_INFINITY
        if points >= self._enough and tricks >> seat & 1:
            best = self._end(True, seat, points, against, tricks)
        for card in (suit * RANKS_PER_SUIT + _KING, suit * RANKS_PER_SUIT + _QUEEN):
            if best < beta:
                best = max(best, self._answer(
                    seat, card, waiting, mine & ~(1 << card), theirs, points, against,
                    tricks, trump, used, left, max(alpha, best), beta,
                ))  # fmt: skip
        return best

    def _answer(
        self, seat: int, led: int, waiting: int, mine: int, theirs: int, points: int, against: int,
        tricks: int, trump: int, used: int, left: int, alpha: int, beta: int,
    ) -> int:  # fmt: skip
        """After `led` has left the hand `mine`: the other player picks the answer that is worst for the leader."""
        masks, card_points = self._masks, self._points
        duty = self._rules.closed_duty
        cards = theirs
        if duty is Duty.HEAD:
            cards = theirs & masks.higher[led] or theirs & masks.suit[led] or theirs & masks.trumps[trump] or theirs
        elif duty is Duty.FOLLOW:
            cards = theirs & masks.suit[led] or theirs
        beating = masks.beating[trump][led]
        table = card_points[led] if mine else card_points[led] + self._bonus
        best = _INFINITY
        while cards and alpha < beta:
            # Winning cards from the highest, losing ones from the lowest: the best answer tends to come early.
            wins = cards & beating
            if wins:
                bit = wins & -wins
                trick = table + card_points[bit.bit_length() - 1]
                value = -self._lead(
                    1 - seat, theirs ^ bit, mine, against + trick, points,
                    tricks | 2 >> seat, trump, used, left - trick, -beta, -alpha,
                )  # fmt: skip
            else:
                card = cards.bit_length() - 1
                bit = 1 << card
                trick = table + card_points[card]
                value = self._lead(
                    seat, mine, theirs ^ bit, points + trick + waiting, against,
                    tricks | 1 << seat, trump, used, left - trick, alpha, beta,
                )  # fmt: skip
            cards ^= bit
            if value < best:
                best = value
                if best < beta:
                    beta = best
        return best

    def _after_last_trick(self, seat: int, points: int, against: int, tricks: int) -> int:
        value = self._end(False, seat, points, against, tricks)
        if self._late_claim and points >= self._enough:
            value = max(value, self._end(True, seat, points, against, tricks))
        return value

    def _at_most(self, seat: int, hand: int, points: int, against: int, tricks: int) -> int:
        """A bound of the value for `seat` that comes to `points` at most: the other player has no fewer at the end."""
        if self._rules.marriage_any_lead and hand & hand >> 1 & _KINGS:
            points += self._all_marriages
        key = (seat, points, against, tricks)
        most = self._most.get(key)
        if most is None:
            tricks |= 1 << seat
            most = self._end(False, seat, points, against, tricks)
            if points >= self._enough:
                most = max(most, self._end(True, seat, points, against, tricks))
            self._most[key] = most
        return most

    def _end(self, claim: bool, seat: int, points: int, against: int, tricks: int) -> int:
        """Value for `seat` if it claims, or if it has won the last trick and nobody claims."""
        key = (claim, seat, points, against, tricks)
        value = self._ends.get(key)
        if value is None:
            won = (tricks & 1, tricks >> 1)
            totals = (points * won[0], against * won[1]) if seat == 0 else (against * won[0], points * won[1])
            ending = Ending(self._rules, totals, won, self._closing, self._carry)
            outcome = claimed(ending, seat) if claim else unclaimed(ending, seat)
            value = self._ends[key] = gain(outcome, seat)
        return value


def gain(outcome: Outcome, seat: int) -> int:
    """The change of the match score of `seat` less that of the other."""
    return outcome.score_change[seat] - outcome.score_change[1 - seat]


class _Masks:
    """Bit masks of cards, worked out once for a rule set.

    Attributes:
        suit: by card, the cards of its suit.
        higher: by card, the stronger cards of its suit.
        trumps: by trump, the cards of that suit.
        beating: by trump, then by card led, the answers that take the trick.
        lowest: by trump, the card that serves for a trump change.
    """

    def __init__(self, rules: RuleSet) -> None:
        strength, beats = rules.tables.strength, rules.tables.beats
        self.suit = [_mask(other for other in CARDS if other.suit is card.suit) for card in CARDS]
        self.higher = [
            _mask(other for other in CARDS if other.suit is card.suit and strength[other] > strength[card])
            for card in CARDS
        ]
        self.trumps = [_mask(card for card in CARDS if card.suit is suit) for suit in Suit]
        self.beating = [
            [_mask(card for card in CARDS if beats[(suit * CARD_COUNT + led) * CARD_COUNT + card]) for led in CARDS]
            for suit in Suit
        ]
        self.lowest = [_mask([card]) for card in rules.tables.lowest]

    def winner(self, cards: int, theirs: int, trump: int) -> int:
        """The first of `cards` that wins when it is led against `theirs` with a duty to head and trump, or 0."""
        trumps = theirs & self.trumps[trump]
        while cards:
            bit = cards & -cards
            card = bit.bit_length() - 1
            if not theirs & self.higher[card] and (theirs & self.suit[card] or not trumps):
                return bit
            cards ^= bit
        return 0


@lru_cache(maxsize=64)
def _known_ends(
    rules: RuleSet, closing: Closing | None, carry: int
) -> tuple[dict[tuple[int, ...], int], dict[tuple[int, ...], int]]:
    """The tables of `_end` and `_at_most`: few numbers decide, so they serve all deals that are alike in these."""
    return {}, {}


@cache
def _masks(rules: RuleSet) -> _Masks:
    return _Masks(rules)


def _mask(cards: Iterable[Card]) -> int:
    return sum(1 << card for card in cards)
