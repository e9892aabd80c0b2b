//! Cards, suits and sets of cards as small integers.

/// A card: suit number times six plus rank number, both from 0, so that a set of cards fits into 24 bits.
///
/// One less than the number of the card in the protocol, where 0 is no card.
pub type Card = u8;

/// A suit: clubs 0, diamonds 1, hearts 2, spades 3.
pub type Suit = u8;

/// A set of cards, one bit for each.
pub type Cards = u32;

/// How many numbers there are for cards, the nines included.
pub const CARD_COUNT: usize = 24;

/// The suits in the order in which legal actions list them.
pub const SUITS: [Suit; 4] = [0, 1, 2, 3];

/// Places of a suit in a set.
pub const RANKS_PER_SUIT: u8 = 6;

const KING: u8 = 2;
const QUEEN: u8 = 3;

/// The kings of all suits.
pub const KINGS: Cards = 0b0001_0000_0100_0001_0000_0100;

/// The set of one card.
#[must_use]
pub const fn bit(card: Card) -> Cards {
    1 << card
}

/// The suit of a card.
#[must_use]
pub const fn suit_of(card: Card) -> Suit {
    card / RANKS_PER_SUIT
}

/// All places of a suit.
#[must_use]
pub const fn suit_cards(suit: Suit) -> Cards {
    0b11_1111 << (suit * RANKS_PER_SUIT)
}

/// King and queen of a suit.
#[must_use]
pub const fn pair(suit: Suit) -> Cards {
    king_and_queen(suit).0 | king_and_queen(suit).1
}

/// The king and the queen of a suit, each as a set.
#[must_use]
pub const fn king_and_queen(suit: Suit) -> (Cards, Cards) {
    let first = suit * RANKS_PER_SUIT;
    (bit(first + KING), bit(first + QUEEN))
}

/// The other half of a marriage: the queen for a king, the king for a queen, none for other cards.
#[must_use]
pub const fn partner(card: Card) -> Cards {
    match card % RANKS_PER_SUIT {
        KING => bit(card + 1),
        QUEEN => bit(card - 1),
        _ => 0,
    }
}

/// The first card of a set that is not empty.
#[must_use]
#[expect(clippy::cast_possible_truncation, reason = "a set has 24 places")]
pub const fn first(cards: Cards) -> Card {
    cards.trailing_zeros() as Card
}

/// The cards of a set by number.
pub fn each(mut cards: Cards) -> impl Iterator<Item = Card> {
    std::iter::from_fn(move || {
        if cards == 0 {
            return None;
        }
        let card = first(cards);
        cards &= cards - 1;
        Some(card)
    })
}

/// How many cards a set has.
#[must_use]
pub const fn count(cards: Cards) -> usize {
    cards.count_ones() as usize
}
