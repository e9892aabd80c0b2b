// Rules of thumb: what is certainly right, and what a player who does not search would do.
#pragma once

#include "rules/deal.h"

namespace sixtysix {

// The action that a sensible player would take; it uses only what that player can know.
Action quick_action(const Deal& deal);

// Moves that are always right where they are legal: a correct claim, and the exchange. kNone if there is
// none.
Action obvious_action(const Deal& deal, ActionSet legal);

// Without claims that would be false.
ActionSet sensible(const Deal& deal, ActionSet legal);

}  // namespace sixtysix
