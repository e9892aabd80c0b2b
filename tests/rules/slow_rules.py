"""A second reading of the rules, written from their prose and without the engine: slow, and easy to check.

It says what may be done and what follows on the table. It does not say what a deal is worth. Cards and actions are
their canonical texts.
"""

from copy import deepcopy
from dataclasses import dataclass, field
from typing import Self

from sixtysix.rules import Deal

STRENGTH = "9JQKTA"
POINTS = {"9": 0, "J": 2, "Q": 3, "K": 4, "T": 10, "A": 11}
SCHNAPSEN = ("schnapsen", "schnapsen-short", "schnapsen-vienna")


@dataclass
class Table:
    """The whole table: `stock` is the talon from the top, with the turn-up at its place while it is there."""

    game: str
    hands: list[list[str]]
    stock: list[str]
    turn_up: str
    trump: str
    turn: int
    stage: str = "lead"
    led: str | None = None
    married: str | None = None
    closed: bool = False
    tricks: list[int] = field(default_factory=lambda: [0, 0])
    points: list[int] = field(default_factory=lambda: [0, 0])
    married_points: list[int] = field(default_factory=lambda: [0, 0])
    waiting: int = 0
    used: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, deal: Deal) -> Self:
        """The table of a deal that has just been dealt."""
        assert deal.turn_up is not None
        stock = [card.text for card in deal.talon]
        if deal.rules.name != "trump-change":
            stock.append(deal.turn_up.text)
        hands = [[card.text for card in hand] for hand in deal.hands]
        return cls(deal.rules.name, hands, stock, deal.turn_up.text, deal.trump.letter, deal.turn)

    @property
    def lowest(self) -> str:
        return ("J" if self.game in SCHNAPSEN else "9") + self.trump

    @property
    def open(self) -> bool:
        return bool(self.stock) and not self.closed

    def counting(self) -> list[int]:
        """Points that count: none without a trick."""
        return [self.points[seat] + self.married_points[seat] if self.tricks[seat] else 0 for seat in (0, 1)]

    def legal(self) -> set[str]:
        if self.stage == "lead":
            return self._lead()
        if self.stage == "follow":
            return self._follow()
        if self.stage == "before-draw":
            return {"draw", "claim", "close"}
        if self.stage == "exchange-offer":
            return {"pass", "exchange"} if self.lowest in self.hands[self.turn] else {"pass"}
        return {"claim", "pass"} if self.stage == "last-claim" else set()

    def _lead(self) -> set[str]:
        hand, may = self.hands[self.turn], {"claim"}
        has_trick = self.tricks[self.turn] > 0
        if self.open and (has_trick or self.game != "trump-change"):
            may.add("close")
        if self.married:
            return may | {card for card in ("K" + self.married, "Q" + self.married) if card in hand}
        may.update(hand)
        if self._exchange():
            may.add("exchange")
        if self.open or self.game == "trump-change" or self.game in SCHNAPSEN:
            may.update(f"marriage {suit}" for suit in "CDHS" if "K" + suit in hand and "Q" + suit in hand)
        if self.game == "trump-change" and has_trick and self.lowest in hand and self.trump not in self.used:
            may.update(f"trump {suit}" for suit in "CDHS" if suit != self.trump)
        return may

    def _exchange(self) -> bool:
        if self.game == "trump-change" or not self.open or self.lowest not in self.hands[self.turn]:
            return False
        face_down = len(self.stock) - 1
        if self.game in ("schnapsen", "schnapsen-short"):
            return face_down >= 2
        if self.game == "schnapsen-vienna":
            return True
        return self.tricks[self.turn] > 0 and face_down >= 1

    def _follow(self) -> set[str]:
        hand, led = self.hands[self.turn], self.led
        assert led is not None
        if self.game == "mariage" and self._exchange():
            return {*hand, "exchange"}
        same = {card for card in hand if card[1] == led[1]}
        if self.game == "trump-change":
            return same or set(hand)
        if self.open:
            return set(hand)
        higher = {card for card in same if STRENGTH.index(card[0]) > STRENGTH.index(led[0])}
        return higher or same or {card for card in hand if card[1] == self.trump} or set(hand)

    def do(self, action: str) -> None:
        """Perform a legal action."""
        hand = self.hands[self.turn]
        word, _, suit = action.partition(" ")
        if word == "draw":
            self._draw()
        elif word == "exchange":
            hand[hand.index(self.lowest)] = self.turn_up
            self.stock[self.stock.index(self.turn_up)] = self.turn_up = self.lowest
            if self.stage == "exchange-offer":
                self.stage, self.turn = "lead", 1 - self.turn
        elif word == "close":
            self.closed, self.stage = True, "lead"
            elsewhere = [*self.hands[1 - self.turn], *(card for card in self.stock if card != self.turn_up)]
            if self.game == "sixty-six" and self.lowest in elsewhere:
                self.stage, self.turn = "exchange-offer", 1 - self.turn
        elif word == "pass":
            self.stage, self.turn = ("lead", 1 - self.turn) if self.stage == "exchange-offer" else ("over", self.turn)
        elif word == "claim":
            self.stage = "over"
        elif word == "marriage":
            self.married, value = suit, 40 if suit == self.trump else 20
            if self.game == "trump-change":
                self.waiting = value
            else:
                self.married_points[self.turn] += value
        elif word == "trump":
            self.used.append(self.trump)
            self.trump = suit
        else:
            hand.remove(action)
            self._put(action)

    def _put(self, card: str) -> None:
        if self.led is None:
            self.led, self.turn, self.stage = card, 1 - self.turn, "follow"
            return
        led, leader = self.led, 1 - self.turn
        higher = STRENGTH.index(card[0]) > STRENGTH.index(led[0])
        taken = higher if card[1] == led[1] else card[1] == self.trump
        winner = self.turn if taken else leader
        self.tricks[winner] += 1
        self.points[winner] += POINTS[led[0]] + POINTS[card[0]]
        if winner == leader:
            self.married_points[winner] += self.waiting
        self.led, self.married, self.waiting, self.turn, self.stage = None, None, 0, winner, "lead"
        if not self.hands[0] and not self.hands[1]:
            self._after_last_trick(winner)
        elif self.open and self.game in ("sixty-six", "mariage", "trump-change"):
            self.stage = "before-draw"
        elif self.open:
            self._draw()

    def _after_last_trick(self, winner: int) -> None:
        if not self.closed and self.game not in SCHNAPSEN:
            self.points[winner] += 10
        claim_left = self.closed or self.game in ("mariage", "trump-change")
        self.stage = "last-claim" if claim_left else "over"

    def _draw(self) -> None:
        for seat in (self.turn, 1 - self.turn):
            self.hands[seat].append(self.stock.pop(0))
        self.stage = "lead"


def count(table: Table, depth: int) -> int:
    """How many sequences of `depth` legal actions there are."""
    if depth == 1:
        return len(table.legal())
    total = 0
    for action in table.legal():
        branch = deepcopy(table)
        branch.do(action)
        total += count(branch, depth - 1)
    return total
