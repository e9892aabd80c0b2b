"""The table as the person sees it before a decision, the actions to choose from, and what may be typed."""

from collections.abc import Mapping, Sequence
from random import Random
from textwrap import wrap

from sixtysix.human.story import Story, claim_now, points
from sixtysix.rules import (
    CLAIM,
    CLOSE,
    EXCHANGE,
    Action,
    Card,
    Closing,
    Event,
    EventKind,
    IllegalActionError,
    Move,
    NotationError,
    RuleSet,
    Sampler,
    Stage,
    View,
    parse_action,
)

_WIDTH = 12
_LINE = 100


class UnclearError(Exception):
    """What was typed is no legal action; the message says why."""


class Table:
    """One decision.

    Args:
        story: the match so far.
        view: what the person's seat knows.

    Attributes:
        choices: the legal actions as they are numbered: cards sorted, then all others.
    """

    def __init__(self, story: Story, view: View) -> None:
        self._story = story
        self._look = story.look
        self._view = view
        self._hand = sorted(view.hand, key=self._place)
        cards: list[Action] = [card for card in self._hand if card in view.legal_actions]
        self._moves = [action for action in view.legal_actions if not isinstance(action, Card)]
        self.choices: Sequence[Action] = [*cards, *self._moves]

    def lines(self) -> list[str]:
        """The table, a label and its text a line."""
        view, story = self._view, self._story
        shown = {
            "points": f"{self._points(view.seat)}; {self._points(view.opponent)}",
            "trump": f"{self._look.suit(view.trump)}, {self._talon()}",
        }
        if view.closing is not None:
            shown["closed"] = f"by {story.name(view.closing.seat)}: {story.closing(view.closing)}"
        history = view.history
        tricks = [event for event in history if event.kind is EventKind.TRICK]
        if tricks:
            shown["last trick"] = f"{story.cards(tricks[-1].cards)} to {story.name(tricks[-1].seat)}"
        marriages = [self._marriage(event) for event in history if event.kind is EventKind.MARRIAGE]
        if marriages:
            shown["marriages"] = ", ".join(marriages)
        if view.opponent_known:
            shown["seen"] = f"{story.opponent} holds {story.cards(view.opponent_known)}"
        if view.led is not None:
            shown["table"] = f"{self._look.card(view.led)}, led by {story.name(view.leader)}"
        shown["hand"] = "  ".join(self._in_hand(card) for card in self._hand) or "no card left"
        rows = [f"  {label:{_WIDTH}}{text}" for label, text in shown.items()]
        for place, move in enumerate(self._moves):
            label = "" if place else "or"
            rows.append(f"  {label:{_WIDTH}}{self._number(move)} {self._look.action(move)}{self._hint(move)}")
        return rows

    def read(self, text: str) -> Action:
        """The action that the person means; raises UnclearError."""
        word = " ".join(text.split()).lower()
        if word.isascii() and word.isdecimal():
            if not 1 <= int(word) <= len(self.choices):
                raise UnclearError(f"there is no {word}: the numbers are 1 to {len(self.choices)}")
            return self.choices[int(word) - 1]
        return self._named(word)

    def _named(self, word: str) -> Action:
        by_word = [move for move in self._moves if move.word == word]
        if len(by_word) == 1:
            return by_word[0]
        try:
            action = parse_action(word)
        except NotationError as error:
            raise UnclearError(str(error)) from None
        if action in self.choices:
            return action
        raise UnclearError(self._why_not(action))

    def _why_not(self, action: Action) -> str:
        # The reason speaks only of what this seat knows, so any state that fits its view gives the same.
        try:
            Sampler(self._view).sample(Random(0)).check(action)
        except IllegalActionError as error:
            return str(error)
        return f"{action} is not possible now"

    def _place(self, card: Card) -> tuple[bool, int, int]:
        return card.suit is not self._view.trump, card.suit, -self._view.rules.tables.strength[card]

    def _number(self, action: Action) -> int:
        return self.choices.index(action) + 1

    def _in_hand(self, card: Card) -> str:
        text = self._look.card(card)
        return f"{self._number(card)} {text}" if card in self.choices else f"({text})"

    def _points(self, seat: int) -> str:
        view = self._view
        if seat == view.seat:
            counted, declared, tricks = view.own_card_points, view.own_marriage_points, view.own_tricks
        else:
            counted, declared, tricks = (
                view.opponent_card_points,
                view.opponent_marriage_points,
                view.opponent_tricks,
            )
        waiting = 0 if tricks else declared
        if seat == view.leader:
            waiting += view.pending_marriage
        waits = f", {waiting} wait for a trick" if waiting else ""
        return f"{self._story.name(seat)} {counted} ({points(tricks, 'trick')}{waits})"

    def _talon(self) -> str:
        view = self._view
        face_down = points(view.face_down, "face-down card")
        if view.turn_up is None:
            return f"talon {face_down}" if view.face_down else "talon exhausted"
        where = "on" if view.rules.turn_up_on_top else "under"
        return f"talon {self._look.card(view.turn_up)} {where} {face_down}"

    def _marriage(self, event: Event) -> str:
        assert event.suit is not None
        return f"{self._story.name(event.seat)} {self._look.suit(event.suit)} {event.points}"

    def _hint(self, move: Move) -> str:
        view, rules = self._view, self._view.rules
        if move == CLAIM:
            return f" ({view.own_card_points} of {rules.claim_points}: {self._story.claim(claim_now(view))})"
        if move == CLOSE:
            own, other = (view.own_card_points, view.own_tricks), (view.opponent_card_points, view.opponent_tricks)
            first, second = (own, other) if view.seat == 0 else (other, own)
            closing = Closing(view.seat, (first[0], second[0]), (first[1], second[1]))
            return f" ({self._story.closing(closing)})"
        if move == EXCHANGE and view.turn_up is not None:
            lowest = rules.tables.lowest[view.trump]
            return f" {self._look.card(lowest)} for {self._look.card(view.turn_up)}"
        if move.word == "marriage":
            worth = rules.trump_marriage_points if move.suit is view.trump else rules.marriage_points
            return f" ({worth})"
        if view.stage is Stage.LAST_CLAIM:
            return " (the deal ends without a claim)"
        return ""


def rules_in_short(rules: RuleSet) -> Sequence[str]:
    """What may be typed, and the rules that matter most."""
    ranks = {"A": "ace", "T": "10", "K": "king", "Q": "queen", "J": "jack", "9": "nine"}
    worth = ", ".join(f"{ranks[rank]} {value}" for rank, value in zip(rules.ranks, rules.card_points, strict=True))
    exchange = (
        f"exchange: {ranks[rules.ranks[-1]]} of trumps for the turn-up, on lead"
        f"{', with a trick won' if rules.exchange_needs_trick else ''}"
        f", while {rules.exchange_min_face_down} or more face-down cards are left"
    )
    lines = [
        "Type a number, or the action itself: a card (10H or TH, in letters C D H S), marriage H, close, claim.",
        "?  this help     q  leave; nothing can be taken back",
        f"cards: {worth}; the first is the strongest",
        f"while cards are drawn: {_DUTIES[rules.open_duty]}; afterwards: {_DUTIES[rules.closed_duty]}",
        f"marriage: king and queen, on lead, {rules.marriage_points}, in trumps {rules.trump_marriage_points};"
        f" {_MARRIAGE_COUNTS[rules.marriage_needs_its_trick]}",
        exchange if rules.exchange else "no exchange",
    ]
    if rules.trump_change:
        lines.append("trump S: on lead, with a trick won, the lowest trump in hand makes another suit trump")
    lines.append(
        f"claim: with {rules.claim_points} points the deal is won: 3 game points if the other has no trick,"
        f" 2 with less than {rules.schneider_points} points, otherwise 1; a false claim loses it"
    )
    return [row for line in lines for row in wrap(line, _LINE, subsequent_indent="  ")]


_DUTIES: Mapping[str, str] = {
    "none": "any card may be played",
    "follow": "follow suit; without a card of it, play any",
    "head": "follow suit with a higher card, else a lower one, else a trump, else any",
}
_MARRIAGE_COUNTS = {
    True: "it counts if the trick that it leads is won",
    False: "it counts once a trick is won",
}
