"""What a seat sees, as the game state of the teaching platform `schnapsen` 0.0.5, built by playing it there.

The platform shows its bots a view onto a whole state, so what the seat does not see has to be filled in: a sample that
fits everything it knows. Nothing here depends on where the hidden cards really are.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from schnapsen import game as platform
from schnapsen.deck import Card as PlatformCard
from schnapsen.deck import Rank as PlatformRank
from schnapsen.deck import Suit as PlatformSuit

from sixtysix.rules import CARDS, Card, Event, EventKind, Rank, Sampler, Suit, View

ENGINE = platform.SchnapsenGamePlayEngine()

_SUITS = {suit: PlatformSuit[suit.name] for suit in Suit}
_CARDS = {
    card: PlatformCard.get_card(PlatformRank[card.rank.name], _SUITS[card.suit])
    for card in CARDS
    if card.rank is not Rank.NINE
}
_OURS = {theirs: card for card, theirs in _CARDS.items()}


class Absent(platform.Bot):  # type: ignore[misc]  # no types without the platform
    """Stands for a player whom nobody asks."""

    def get_move(self, perspective: object, leader_move: object) -> platform.Move:
        """Raise RuntimeError: states in the hands of a bot have no players; it has to put in its own."""
        raise RuntimeError("this state has no players: put some in with copy_with_other_bots")


class _Scripted(platform.Bot):  # type: ignore[misc]  # no types without the platform
    """Answers with the card that was played."""

    card: PlatformCard

    def get_move(self, perspective: object, leader_move: object) -> platform.Move:
        return platform.RegularMove(self.card)


class _QueenLed(platform.Marriage):  # type: ignore[misc]  # no types without the platform
    """A marriage whose queen was led; the platform itself always leads the king."""

    def underlying_regular_move(self) -> platform.RegularMove:
        return platform.RegularMove(self.queen_card)


@dataclass(frozen=True, slots=True)
class Position:
    """A decision as the platform has it.

    Attributes:
        state: the state before the present trick, with players of the kind `Absent`.
        leader_move: what the other seat has led, None on lead.
    """

    state: platform.GameState
    leader_move: platform.Move | None


def platform_card(card: Card) -> PlatformCard:
    """The platform's object for a card of its pack."""
    return _CARDS[card]


def our_card(card: PlatformCard) -> Card:
    """The card that a platform's object stands for."""
    return _OURS[card]


def marriage(suit: Suit, led: Rank = Rank.KING) -> platform.Marriage:
    """The platform's move of declaring a marriage and leading one of its cards."""
    kind = platform.Marriage if led is Rank.KING else _QueenLed
    return kind(_CARDS[Card.of(Rank.QUEEN, suit)], _CARDS[Card.of(Rank.KING, suit)])


def exchange(suit: Suit) -> platform.TrumpExchange:
    """The platform's move of exchanging the jack of trumps."""
    return platform.TrumpExchange(_CARDS[Card.of(Rank.JACK, suit)])


def position(view: View, rng: Random) -> Position:
    """The decision of a view, with the hidden cards filled in at random as the seat's knowledge allows.

    A closed talon is shown as an empty one, so that the platform applies its rules for the end of a deal.
    """
    hands, talon = _dealt(view, rng)
    leader, trump = 1 - view.dealer, view.trump
    players = (_Scripted(), _Scripted())
    state = platform.GameState(
        leader=_player(players[leader], hands[leader]),
        follower=_player(players[1 - leader], hands[1 - leader]),
        talon=platform.Talon([_CARDS[card] for card in talon]),
        previous=None,
    )
    tricks = ENGINE.trick_implementer
    declared: Suit | None = None
    led: platform.Move | None = None
    for event in view.history:
        if event.kind is EventKind.EXCHANGED:
            state = tricks.play_trick_with_fixed_leader_move(ENGINE, state, exchange(trump))
        elif event.kind is EventKind.CLOSED:
            state = state.copy_with_other_bots(state.leader.implementation, state.follower.implementation)
            state.talon = platform.Talon([], trump_suit=_SUITS[trump])
        elif event.kind is EventKind.MARRIAGE:
            declared = event.suit
        elif event.kind is EventKind.PLAYED and led is None:
            (card,) = event.cards
            led = platform.RegularMove(_CARDS[card]) if declared is None else marriage(declared, card.rank)
            declared = None
        elif event.kind is EventKind.PLAYED:
            players[event.seat].card = _CARDS[event.cards[0]]
            state = tricks.play_trick_with_fixed_leader_move(ENGINE, state, led)
            led = None
    return Position(state.copy_with_other_bots(Absent(), Absent()), led)


def _player(bot: platform.Bot, hand: Sequence[Card]) -> platform.BotState:
    return platform.BotState(implementation=bot, hand=platform.Hand([_CARDS[card] for card in hand]))


def _dealt(view: View, rng: Random) -> tuple[tuple[list[Card], list[Card]], list[Card]]:
    """Both hands and the talon at the start, its top card first, that could have led to what the seat sees now.

    The history is taken back from a sample of the present. Which card the other player drew when is unknown and may
    be any that he cannot have held before.
    """
    now = Sampler(view).sample(rng)
    hands = list(now.hands[0]), list(now.hands[1])
    talon = list(now.talon)
    if now.turn_up is not None:
        talon.append(now.turn_up)
    for place in range(len(view.history) - 1, -1, -1):
        event = view.history[place]
        hand = hands[event.seat]
        if event.kind is EventKind.PLAYED:
            hand.append(event.cards[0])
        elif event.kind is EventKind.DREW:
            shown = _shown_before(view.history, place, event.seat)
            card = event.cards[0] if event.cards else next(card for card in hand if card not in shown)
            hand.remove(card)
            talon.insert(0, card)
        elif event.kind is EventKind.EXCHANGED:
            given, taken = event.cards
            hand.remove(taken)
            hand.append(given)
            talon[-1] = taken
    return hands, talon


def _shown_before(history: Sequence[Event], place: int, seat: int) -> set[Card]:
    """Cards that a player has shown, or taken openly, before an event."""
    shown: set[Card] = set()
    for event in history[:place]:
        if event.seat == seat and event.kind in (EventKind.MARRIAGE, EventKind.EXCHANGED):
            shown.update(event.cards)
    return shown
