#include "tests/table.h"

namespace sixtysix {

Table::Table(const Deal& deal) : deal_(deal) {
    publish({EventKind::kTurnedUp, deal.dealer, deal.turn_up, kNone, deal.trump});
}

void Table::publish(const Event& event) {
    for (auto& log : logs_) log.push_back(event);
}

void Table::publish_draws(int first_drawer, const Deal& before) {
    for (const int seat : {first_drawer, 1 - first_drawer}) {
        const Card card = deal_.hands[seat].order().back();
        const bool face_up = card == before.turn_up;
        logs_[seat].push_back({EventKind::kDrew, seat, card});
        logs_[1 - seat].push_back({EventKind::kDrew, seat, face_up ? card : kNone});
    }
}

void Table::apply(Action action) {
    const Deal before = deal_;
    const int seat = before.turn;
    deal_.apply(action);
    if (is_card(action)) {
        publish({EventKind::kPlayed, seat, action});
    } else if (action == kExchange) {
        publish({EventKind::kExchanged, seat, deal_.turn_up, before.turn_up});
    } else if (action == kClose) {
        publish({EventKind::kClosed, seat});
    } else if (action == kPass) {
        logs_[seat].push_back({EventKind::kPassed, seat});
    } else if (kMarriages & action_bit(action)) {
        publish({EventKind::kMarriage, seat, kNone, kNone, action - kMarriage});
    } else if (kTrumps & action_bit(action)) {
        publish({EventKind::kTrumpChanged, seat, before.rules->lowest[before.trump], kNone, deal_.trump});
    }
    if (!deal_.over() &&
        (deal_.drawn != before.drawn || (deal_.turn_up == kNone && before.turn_up != kNone))) {
        publish_draws(deal_.leader, before);
    }
}

View Table::view(const Pair& score) const {
    const int seat = deal_.turn;
    View view;
    view.rules = deal_.rules;
    view.seat = seat;
    view.score = score;
    view.carry = deal_.carry;
    view.dealer = deal_.dealer;
    view.stage = deal_.stage;
    view.hand = deal_.hands[seat];
    view.trump = deal_.trump;
    view.turn_up = deal_.turn_up;
    view.face_down = deal_.face_down();
    view.closing = deal_.closing;
    view.leader = deal_.leader;
    view.led = deal_.led;
    view.declared = deal_.declared;
    view.tricks = deal_.tricks;
    view.trick_points = deal_.trick_points;
    view.marriage_points = deal_.marriage_points;
    view.pending_marriage = deal_.pending_marriage;
    view.used_nines = deal_.used_nines;
    view.played = deal_.played;
    view.shown = deal_.shown;
    view.history = logs_[seat];
    view.legal_actions = deal_.legal_actions();
    return view;
}

}  // namespace sixtysix
