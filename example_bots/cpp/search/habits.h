// What players that search tend to do while cards are drawn: how likely each action is, from what its player
// can know. The weights were fitted (multinomial logit) to some 18,000 decisions of searching bots.
#pragma once

#include <array>

#include "rules/deal.h"
#include "search/sampler.h"

namespace sixtysix {

// Chances of actions, by action; 0 for those that are not considered.
using Chances = std::array<double, kActions>;

// Chances of the actions `among`, which sum up to 1.
Chances habits(const Deal& deal, ActionSet among);
// An action drawn by these chances.
Action by_habit(const Deal& deal, ActionSet among, Generator& generator);
// The likeliest action, after those that are obvious: fast, for playing out.
Action usual_action(const Deal& deal);

}  // namespace sixtysix
