#include "search/worth.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace sixtysix {
namespace {

constexpr int kMost = 24;  // game points missing, up to which the table goes
// How often a deal is worth 1, 2 and 3 game points, drawn ones left out: about so between bots that search.
constexpr std::array<double, 3> kShares{0.46, 0.40, 0.14};

template <typename Number>
using Table = std::array<std::array<Number, kMost + 1>, kMost + 1>;

// By game points missing to the one and to the other player, the worth for the first.
Table<int> make_table() {
    Table<double> chance{};
    for (int missing = 0; missing <= kMost; ++missing) {
        chance[missing][0] = 0;
        chance[0][missing] = 1;
    }
    for (int own = 1; own <= kMost; ++own) {
        for (int other = 1; other <= kMost; ++other) {
            for (int points = 1; points <= 3; ++points) {
                chance[own][other] +=
                    kShares[points - 1] / 2 *
                    (chance[std::max(0, own - points)][other] + chance[own][std::max(0, other - points)]);
            }
        }
    }
    Table<int> worth{};
    for (int own = 1; own <= kMost; ++own) {
        for (int other = 1; other <= kMost; ++other) {
            worth[own][other] = static_cast<int>(std::lround(Worth::kMatch * (2 * chance[own][other] - 1)));
        }
    }
    return worth;
}

}  // namespace

int Worth::of(const Outcome& outcome) const {
    static const Table<int> worth = make_table();
    int own = target_ - score_[0] - outcome.score_change[0];
    int other = target_ - score_[1] - outcome.score_change[1];
    if (own <= 0 || other <= 0) return own <= other ? kMatch : -kMatch;
    // Far from the target the difference alone counts.
    const int beyond = std::max(0, std::min(own, other) - kMost / 2);
    own = std::min(kMost, own - beyond);
    other = std::min(kMost, other - beyond);
    return worth[own][other];
}

}  // namespace sixtysix
