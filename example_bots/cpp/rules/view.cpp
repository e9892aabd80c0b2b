#include "rules/view.h"

namespace sixtysix {

int View::other_hand_size() const {
    const int own = count(hand.cards());
    if (led == kNone) return own;
    return leader == seat ? own + 1 : own - 1;
}

CardSet View::unseen() const {
    CardSet seen = played | hand.cards() | shown[other()];
    if (turn_up != kNone) seen |= bit(turn_up);
    return rules->pack & ~seen;
}

}  // namespace sixtysix
