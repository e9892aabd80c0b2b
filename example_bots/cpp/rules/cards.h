// Cards, sets of cards and actions as small integers, so that tables can be indexed by them.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sixtysix {

// suit * 6 + rank, with the suits and ranks in the order of the protocol: C D H S, A T K Q J 9.
using Card = int;
// suit * 6 + rank as a bit.
using CardSet = std::uint32_t;
// A card, or one of the moves below.
using Action = int;
// Actions as bits.
using ActionSet = std::uint64_t;

inline constexpr int kSuits = 4;
inline constexpr int kRanks = 6;
inline constexpr int kCards = kSuits * kRanks;
inline constexpr int kNone = -1;  // no card, no suit, no seat

enum Rank : int { kAce, kTen, kKing, kQueen, kJack, kNine };

enum Move : int {
    kDraw = kCards,
    kExchange,
    kClose,
    kClaim,
    kPass,
    kMarriage,                   // + suit
    kTrump = kMarriage + kSuits  // + suit
};
inline constexpr int kActions = kTrump + kSuits;

constexpr int suit_of(Card card) {
    return card / kRanks;
}
constexpr int rank_of(Card card) {
    return card % kRanks;
}
constexpr Card card_of(int rank, int suit) {
    return suit * kRanks + rank;
}
constexpr CardSet bit(Card card) {
    return CardSet{1} << card;
}
constexpr ActionSet action_bit(Action action) {
    return ActionSet{1} << action;
}
constexpr CardSet suit_cards(int suit) {
    return CardSet{0x3F} << (suit * kRanks);
}
constexpr CardSet pair_of(int suit) {
    return bit(card_of(kKing, suit)) | bit(card_of(kQueen, suit));
}
constexpr Card first_of(CardSet cards) {
    return std::countr_zero(cards);
}
constexpr int count(CardSet cards) {
    return std::popcount(cards);
}
constexpr bool is_card(Action action) {
    return action < kCards;
}

inline constexpr ActionSet kAllCards = (ActionSet{1} << kCards) - 1;
inline constexpr ActionSet kMarriages = ActionSet{0xF} << kMarriage;
inline constexpr ActionSet kTrumps = ActionSet{0xF} << kTrump;

// Calls `visit(card)` for each card of the set, in index order.
template <typename Visit>
constexpr void for_each(CardSet cards, Visit visit) {
    for (; cards != 0; cards &= cards - 1) visit(first_of(cards));
}

// Canonical notation: "TH", "draw", "marriage H".
std::string text_of(Action action);
// Reads canonical notation; nothing if it is none.
std::optional<Action> parse_action(std::string_view text);

}  // namespace sixtysix
