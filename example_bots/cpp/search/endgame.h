// Exact play once nothing is hidden: alpha-beta search with a transposition table to the end of a deal in
// which no more cards are drawn. Nobody makes a false claim in it.
#pragma once

#include <cstdint>
#include <vector>

#include "rules/deal.h"
#include "search/worth.h"

namespace sixtysix {

class Endgame {
  public:
    Endgame();

    // Begins with deals of other rules, another carry or another score: what was found out so far is
    // forgotten.
    void begin(const Rules& rules, int carry, const Worth& worth);
    // The worth for seat 0 of a deal in which no card is drawn or exchanged any more.
    int value(const Deal& deal);

  private:
    // The position on lead. `mine` and `theirs` are the hands of the leader and the other player, `points`
    // and `against` their card points with all marriages, `won` the seats that have a trick as bits, `left`
    // the points of the cards to come.
    struct Position {
        CardSet mine, theirs;
        int points, against;
        int seat;
        int won;
        int trump;
        int used;
        int left;
    };
    struct Entry {
        std::uint64_t hands = 0;
        std::int32_t points = 0, against = 0;
        std::uint64_t rest = 0;
        std::int32_t low = 0, high = 0;
    };

    int lead(const Position& at, int alpha, int beta);
    int declare(const Position& at, int suit, int alpha, int beta);
    int answer(const Position& at, Card led, int waiting, int alpha, int beta);
    int after_last_trick(const Position& at) const;
    // A bound of the value for `seat`, which comes to `points` at most while the other has `against` at
    // least.
    int at_most(const Position& at, int seat, CardSet hand, int points, int against) const;
    int end(bool claim, int seat, int points, int against, int won) const;
    bool may_claim(const Position& at) const {
        return at.points >= rules_->claim_points && (at.won >> at.seat & 1) != 0;
    }
    Card first_to_lead(CardSet cards, CardSet theirs, int trump) const;
    Entry& entry_of(const Position& at, std::uint64_t hands, std::uint64_t rest);

    const Rules* rules_ = nullptr;
    int carry_ = 0;
    Worth worth_;
    Closing closing_;
    int bonus_ = 0;
    bool late_claim_ = false;
    int all_marriages_ = 0;
    std::uint64_t era_ = 0;
    std::uint64_t context_ = 0;
    std::vector<Entry> table_;
};

}  // namespace sixtysix
