// How likely a sampled deal is, seen from what the other player has done so far: he would have exchanged the
// lowest trump, declared a marriage, won a trick cheaply. The deal is played again from its beginning, and
// each of his actions that the rules of thumb would not have taken makes it less likely.
#pragma once

#include <array>
#include <vector>

#include "rules/view.h"
#include "search/sampler.h"

namespace sixtysix {

class Belief {
  public:
    explicit Belief(const View& view);

    // In 0..1; more is likelier. When he received his cards is chosen at random, within what is known.
    double weight(const Deal& sample, Generator& generator) const;

  private:
    struct Draw {
        int seat;
        Card card;  // kNone if it is hidden
    };

    const View& view_;
    std::vector<Action> actions_;  // of both players, since the first lead
    std::vector<Draw> draws_;      // from the talon, without a turn-up that lies under it
    Card turn_up_ = kNone;         // as it was turned up
    CardSet own_dealt_ = 0;
    CardSet extra_ = 0;              // cards that he held and has no more: played, or given in exchange
    CardSet not_drawn_ = 0;          // cards that he took face up
    std::array<int, kCards> due_{};  // by card that he has shown: 1 + his draws until then; otherwise 0
};

}  // namespace sixtysix
