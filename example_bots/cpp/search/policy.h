// Rules of thumb, fast: how both players go on in a deal that the search plays to its end.
#pragma once

#include "rules/deal.h"

namespace sixtysix {

// The action that a sensible player would take; it uses only what that player can know.
Action quick_action(const Deal& deal);

// Moves that are always right where they are legal: a correct claim, and the exchange. kNone if there is
// none.
Action obvious_action(const Deal& deal, ActionSet legal);

}  // namespace sixtysix
