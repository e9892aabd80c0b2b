// What the end of a deal is worth for the match: the chance to win it from the score that follows.
#pragma once

#include "rules/scoring.h"

namespace sixtysix {

// Values are for seat 0, those for seat 1 are the same with the other sign; a match won is worth kMatch.
class Worth {
  public:
    static constexpr int kMatch = 10'000;

    Worth() = default;
    Worth(const Rules& rules, const Pair& score) : target_(rules.target), score_(score) {}

    // Worth of a deal that ends like this.
    int of(const Outcome& outcome) const;

  private:
    int target_ = 1;
    Pair score_{};
};

}  // namespace sixtysix
