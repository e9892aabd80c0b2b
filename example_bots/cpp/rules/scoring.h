// What the end of a deal is worth: the scoring tables of all rule sets, over one description of the end.
#pragma once

#include <array>

#include "rules/rule_set.h"

namespace sixtysix {

// Two numbers, for seat 0 and seat 1.
using Pair = std::array<int, 2>;

enum class Reason {
    kClaim,
    kFalseClaim,
    kFailedClose,
    kCloserBeaten,
    kLastTrick,
    kHigherTotal,
    kDraw,
    kTie,
    kBothOver66,
    kForfeit
};

// Who closed the talon, and how both stood at that moment; `seat` is kNone while nobody has.
struct Closing {
    int seat = kNone;
    Pair card_points{};
    Pair tricks{};

    bool operator==(const Closing&) const = default;
};

// A deal at the moment at which it ends. `card_points` are those that count: 0 without a trick.
struct Ending {
    const Rules& rules;
    Pair card_points;
    Pair tricks;
    const Closing& closing;
    int carry;
};

struct Outcome {
    int winner = kNone;   // kNone for a draw
    int game_points = 0;  // without the carry
    Pair score_change{};  // carry and zero-sum included
    int carry = 0;        // for the next deal
    Reason reason = Reason::kDraw;
};

// The deal ends because `seat` claims 66, rightly or not.
Outcome claimed(const Ending& end, int seat);
// All cards are played and nobody claims.
Outcome unclaimed(const Ending& end, int last_trick_winner);
// `seat` loses the deal at once.
Outcome forfeited(const Ending& end, int seat);

}  // namespace sixtysix
