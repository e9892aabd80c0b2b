#include "search/belief.h"

#include <algorithm>

#include "search/policy.h"

namespace sixtysix {
namespace {

// Chance of what the rules of thumb would not have done, compared with what they would have: another card,
// and a move like an exchange or a marriage left out.
constexpr double kOtherCard = 0.45;
constexpr double kMoveLeftOut = 0.1;

}  // namespace

Belief::Belief(const View& view) : view_(view) {
    const Rules& rules = *view.rules;
    const int other = view.other();
    Card turn_up = kNone;
    CardSet own = view.hand.cards();
    CardSet own_received = 0;
    CardSet given = 0;  // in exchange
    int given_by = kNone;
    int his_draws = 0;
    bool drawing = false;  // the second of two draws follows from the first
    const auto shown = [&](Card card) {
        if (due_[card] == 0) due_[card] = his_draws + 1;
    };
    for (const Event& event : view.history) {
        const bool his = event.seat == other;
        switch (event.kind) {
            case EventKind::kTurnedUp:
                turn_up_ = turn_up = event.card;
                break;
            case EventKind::kPlayed:
                actions_.push_back(event.card);
                if (his) {
                    shown(event.card);
                    extra_ |= bit(event.card);
                } else {
                    own |= bit(event.card);
                }
                break;
            case EventKind::kDrew: {
                if (!drawing && rules.close_before_draw) actions_.push_back(kDraw);
                drawing = !drawing;
                const bool under = event.card == turn_up && !rules.turn_up_on_top;
                if (!under) draws_.push_back({event.seat, event.card});
                if (event.card == turn_up) turn_up = kNone;
                // Who draws the card that he gave in exchange had it before.
                const CardSet fresh =
                    event.card != kNone ? bit(event.card) & ~(event.seat == given_by ? given : 0) : 0;
                if (his) {
                    not_drawn_ |= fresh;
                    ++his_draws;
                } else {
                    own_received |= fresh;
                }
                break;
            }
            case EventKind::kExchanged:
                actions_.push_back(kExchange);
                turn_up = event.card;
                given = bit(event.card);
                given_by = event.seat;
                if (his) {
                    shown(event.card);
                    extra_ |= bit(event.card);
                    not_drawn_ |= bit(event.taken);
                } else {
                    own |= bit(event.card);
                    own_received |= bit(event.taken);
                }
                break;
            case EventKind::kMarriage:
                actions_.push_back(kMarriage + event.suit);
                if (his) for_each(pair_of(event.suit), shown);
                break;
            case EventKind::kTrumpChanged:
                actions_.push_back(kTrump + event.suit);
                if (his) shown(event.card);
                break;
            case EventKind::kClosed:
                actions_.push_back(kClose);
                break;
            case EventKind::kPassed:
                actions_.push_back(kPass);
                break;
        }
    }
    own_dealt_ = own & ~own_received;
}

double Belief::weight(const Deal& sample, Generator& generator) const {
    const Rules& rules = *view_.rules;
    const int other = view_.other();
    // Which cards did he draw when? From the last draw on, each time one of those that he cannot have shown
    // before.
    CardSet received = (sample.hands[other].cards() | extra_) & ~not_drawn_;
    std::array<Card, kCards> drawn_at{};
    int later = static_cast<int>(std::ranges::count(draws_, other, &Draw::seat));
    for (auto draw = draws_.rbegin(); draw != draws_.rend(); ++draw) {
        if (draw->seat != other) continue;
        const int slot = later--;
        if (draw->card != kNone) continue;
        CardSet able = 0;
        for_each(received, [&](Card card) {
            if (due_[card] == 0 || due_[card] > slot) able |= bit(card);
        });
        if (able == 0) return 0;
        for (int skip = below(generator, count(able)); skip > 0; --skip) able &= able - 1;
        drawn_at[slot] = first_of(able);
        received &= ~bit(drawn_at[slot]);
    }
    if (count(received) != rules.hand_size || count(own_dealt_) != rules.hand_size) return 0;

    Deal deal;
    deal.rules = &rules;
    deal.carry = sample.carry;
    for_each(own_dealt_, [&](Card card) { deal.hands[view_.seat].add(card); });
    for_each(received, [&](Card card) { deal.hands[other].add(card); });
    int slot = 0;
    for (const Draw& draw : draws_) {
        if (draw.seat == other) ++slot;
        const Card card = draw.card != kNone ? draw.card : drawn_at[slot];
        deal.talon[deal.talon_size++] = static_cast<std::uint8_t>(card);
    }
    for (int place = sample.drawn; place < sample.talon_size; ++place) {
        deal.talon[deal.talon_size++] = sample.talon[place];
    }
    deal.turn_up = static_cast<std::int8_t>(turn_up_);
    deal.trump = static_cast<std::int8_t>(suit_of(turn_up_));
    deal.dealer = static_cast<std::int8_t>(view_.dealer);
    deal.turn = deal.leader =
        static_cast<std::int8_t>(rules.first_lead == Leader::kDealer ? view_.dealer : 1 - view_.dealer);

    double weight = 1;
    for (const Action action : actions_) {
        // The opponent's pass to an exchange offer is not told.
        if (deal.stage == Stage::kExchangeOffer && action != kExchange && action != kPass) deal.apply(kPass);
        if ((deal.legal() & action_bit(action)) == 0) return 0;
        if (deal.turn == other) {
            const Action expected = quick_action(deal);
            if (expected != action) weight *= is_card(expected) ? kOtherCard : kMoveLeftOut;
        }
        deal.apply(action);
    }
    return weight;
}

}  // namespace sixtysix
