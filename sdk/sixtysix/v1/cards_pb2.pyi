from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from typing import ClassVar as _ClassVar

DESCRIPTOR: _descriptor.FileDescriptor

class Suit(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    SUIT_UNSPECIFIED: _ClassVar[Suit]
    SUIT_CLUBS: _ClassVar[Suit]
    SUIT_DIAMONDS: _ClassVar[Suit]
    SUIT_HEARTS: _ClassVar[Suit]
    SUIT_SPADES: _ClassVar[Suit]

class Rank(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    RANK_UNSPECIFIED: _ClassVar[Rank]
    RANK_ACE: _ClassVar[Rank]
    RANK_TEN: _ClassVar[Rank]
    RANK_KING: _ClassVar[Rank]
    RANK_QUEEN: _ClassVar[Rank]
    RANK_JACK: _ClassVar[Rank]
    RANK_NINE: _ClassVar[Rank]

class Card(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CARD_UNSPECIFIED: _ClassVar[Card]
    CARD_CLUBS_ACE: _ClassVar[Card]
    CARD_CLUBS_TEN: _ClassVar[Card]
    CARD_CLUBS_KING: _ClassVar[Card]
    CARD_CLUBS_QUEEN: _ClassVar[Card]
    CARD_CLUBS_JACK: _ClassVar[Card]
    CARD_CLUBS_NINE: _ClassVar[Card]
    CARD_DIAMONDS_ACE: _ClassVar[Card]
    CARD_DIAMONDS_TEN: _ClassVar[Card]
    CARD_DIAMONDS_KING: _ClassVar[Card]
    CARD_DIAMONDS_QUEEN: _ClassVar[Card]
    CARD_DIAMONDS_JACK: _ClassVar[Card]
    CARD_DIAMONDS_NINE: _ClassVar[Card]
    CARD_HEARTS_ACE: _ClassVar[Card]
    CARD_HEARTS_TEN: _ClassVar[Card]
    CARD_HEARTS_KING: _ClassVar[Card]
    CARD_HEARTS_QUEEN: _ClassVar[Card]
    CARD_HEARTS_JACK: _ClassVar[Card]
    CARD_HEARTS_NINE: _ClassVar[Card]
    CARD_SPADES_ACE: _ClassVar[Card]
    CARD_SPADES_TEN: _ClassVar[Card]
    CARD_SPADES_KING: _ClassVar[Card]
    CARD_SPADES_QUEEN: _ClassVar[Card]
    CARD_SPADES_JACK: _ClassVar[Card]
    CARD_SPADES_NINE: _ClassVar[Card]

class Seat(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    SEAT_UNSPECIFIED: _ClassVar[Seat]
    SEAT_FIRST: _ClassVar[Seat]
    SEAT_SECOND: _ClassVar[Seat]
SUIT_UNSPECIFIED: Suit
SUIT_CLUBS: Suit
SUIT_DIAMONDS: Suit
SUIT_HEARTS: Suit
SUIT_SPADES: Suit
RANK_UNSPECIFIED: Rank
RANK_ACE: Rank
RANK_TEN: Rank
RANK_KING: Rank
RANK_QUEEN: Rank
RANK_JACK: Rank
RANK_NINE: Rank
CARD_UNSPECIFIED: Card
CARD_CLUBS_ACE: Card
CARD_CLUBS_TEN: Card
CARD_CLUBS_KING: Card
CARD_CLUBS_QUEEN: Card
CARD_CLUBS_JACK: Card
CARD_CLUBS_NINE: Card
CARD_DIAMONDS_ACE: Card
CARD_DIAMONDS_TEN: Card
CARD_DIAMONDS_KING: Card
CARD_DIAMONDS_QUEEN: Card
CARD_DIAMONDS_JACK: Card
CARD_DIAMONDS_NINE: Card
CARD_HEARTS_ACE: Card
CARD_HEARTS_TEN: Card
CARD_HEARTS_KING: Card
CARD_HEARTS_QUEEN: Card
CARD_HEARTS_JACK: Card
CARD_HEARTS_NINE: Card
CARD_SPADES_ACE: Card
CARD_SPADES_TEN: Card
CARD_SPADES_KING: Card
CARD_SPADES_QUEEN: Card
CARD_SPADES_JACK: Card
CARD_SPADES_NINE: Card
SEAT_UNSPECIFIED: Seat
SEAT_FIRST: Seat
SEAT_SECOND: Seat
