#include "search/habits.h"

#include <bit>
#include <cmath>
#include <random>

#include "search/policy.h"

namespace sixtysix {
namespace {

// How much each property of a card adds to the log of its chance, for one use of a card.
struct CardWeights {
    std::array<double, kRanks> plain{}, trump{};  // by rank
    std::array<double, 2> paired{};               // king or queen whose partner is in the hand; of trumps
    std::array<double, 2> waiting{};              // king or queen whose partner may still come; of trumps
    double highest = 0;                           // no stronger card of the suit is left, and it is no ace
    double length = 0;                            // for each other card of the suit in the hand
    double on_table = 0;                          // for each ten points that it takes
    double enough = 0;                            // it takes a trick that brings 66
    double loses = 0;                             // the trick brings 66 to the other player
};

constexpr CardWeights kLead{
    .plain = {-0.8, -0.7, 0.1, 0.1, 0.3, 0.8},
    .trump = {-0.4, -0.8, -1.0, -0.3, 1.0, 0.5},
    .paired = {-1.2, -0.7},
    .waiting = {-1.1, -0.9},
    .highest = 1.0,
    .length = 0.3,
    .enough = 2.3,
};
constexpr CardWeights kThrowAway{
    .plain = {-3.2, -1.5, 0.3, 0.9, 1.3, 1.5},
    .trump = {0, -1.5, -2.4, -1.4, -1.4, 0},
    .paired = {-3.0, -0.8},
    .waiting = {-0.8, -0.8},
    .highest = -0.5,
    .length = -0.3,
    .loses = -2.6,
};
constexpr CardWeights kWinInSuit{
    .plain = {1.5, 2.8, 1.8, 1.7, 1.2, 0},
    .trump = {-0.5, 1.8, 0.4, -0.7, 0.8, 0},
    .paired = {-3.1, -1.0},
    .waiting = {-0.7, -0.3},
    .highest = -1.7,
    .on_table = 3.1,
    .enough = 1.8,
};
constexpr CardWeights kTrumpIn{
    .trump = {-0.9, 0.4, -0.4, -0.3, -0.9, -1.2},
    .paired = {0, -3.0},
    .waiting = {0, -0.5},
    .highest = -0.6,
    .on_table = 3.2,
    .enough = 2.5,
};

constexpr std::array<double, 2> kDeclare{2.3, 1.5};  // of trumps
constexpr double kDeclareEnough = 3.4;               // the marriage brings 66
constexpr double kChangeTrump = -3;                  // set by hand: the games had no trump change

// Closing, compared with a card that has no property at all, or with drawing.
constexpr double kCloseAtAll = -4.9;
constexpr double kCloseBeforeDraw = -2.3;
constexpr double kClosePoints = 1.4 / 66;  // for each point so far
constexpr double kCloseHand = 1.9 / 66;    // for each point in the hand
constexpr double kCloseTrump = 0.9;        // for each trump
constexpr double kCloseHighest = 0.7;      // for each card that is the highest of its suit

// Log of the chance of each action, up to a constant that is the same for all.
class Inclination {
  public:
    explicit Inclination(const Deal& deal)
        : deal_(deal), rules_(*deal.rules), seat_(deal.turn), hand_(deal.hands[deal.turn].cards()) {
        against_ = rules_.pack & ~hand_ & ~deal.played;
        if (deal.turn_up != kNone) against_ &= ~bit(deal.turn_up);
        own_ = deal.trick_points[seat_] + deal.marriage_points[seat_];
    }

    double of(Action action) const {
        if (is_card(action)) return card(action);
        if (action == kClose) return closing();
        if ((action_bit(action) & kMarriages) != 0) return declaring(action - kMarriage);
        return (action_bit(action) & kTrumps) != 0 ? kChangeTrump : 0;
    }

  private:
    double card(Card card) const {
        const int suit = suit_of(card);
        const bool leads = deal_.led == kNone;
        const int on_table = leads ? 0 : rules_.points[deal_.led];
        const CardSet beats = leads ? 0 : rules_.beats[deal_.trump][deal_.led];
        const bool wins = (beats & bit(card)) != 0;
        const CardWeights& weights = leads                        ? kLead
                                     : !wins                      ? kThrowAway
                                     : suit == suit_of(deal_.led) ? kWinInSuit
                                                                  : kTrumpIn;
        const bool trump = suit == deal_.trump;
        double sum = (trump ? weights.trump : weights.plain)[rank_of(card)];
        if ((pair_of(suit) & bit(card)) != 0) {
            const CardSet partner = pair_of(suit) & ~bit(card);
            if ((hand_ & partner) != 0) {
                sum += weights.paired[trump];
            } else if ((against_ & partner) != 0) {
                sum += weights.waiting[trump];
            }
        }
        if (is_highest(card) && rank_of(card) != kAce) sum += weights.highest;
        sum += weights.length * (count(hand_ & suit_cards(suit)) - 1) + weights.on_table * on_table / 10;
        const int trick = on_table + rules_.points[card];
        const bool takes = wins || (leads && (against_ & rules_.beats[deal_.trump][card]) == 0);
        if (takes && own_ + trick >= rules_.claim_points) sum += weights.enough;
        if (!leads && !wins && theirs() + trick >= rules_.claim_points) sum += weights.loses;
        return sum;
    }

    double declaring(int suit) const {
        const bool enough = own_ + rules_.marriage_worth(suit, deal_.trump) >= rules_.claim_points;
        return kDeclare[suit == deal_.trump] + (enough ? kDeclareEnough : 0);
    }

    double closing() const {
        int highest = 0;
        for_each(hand_, [&](Card card) { highest += is_highest(card) ? 1 : 0; });
        return kCloseAtAll + (deal_.stage == Stage::kBeforeDraw ? kCloseBeforeDraw : 0) +
               kClosePoints * own_ + kCloseHand * rules_.points_of(hand_) +
               kCloseTrump * count(hand_ & suit_cards(deal_.trump)) + kCloseHighest * highest;
    }

    bool is_highest(Card card) const { return (against_ & rules_.higher[card]) == 0; }
    int theirs() const {
        return deal_.trick_points[1 - seat_] + deal_.marriage_points[1 - seat_] + deal_.pending_marriage;
    }

    const Deal& deal_;
    const Rules& rules_;
    int seat_;
    CardSet hand_;
    CardSet against_ = 0;  // cards that the other player may hold
    int own_ = 0;          // points, once a trick is won
};

}  // namespace

Chances habits(const Deal& deal, ActionSet among) {
    const Inclination inclination(deal);
    Chances chances{};
    double sum = 0;
    for (ActionSet left = among; left != 0; left &= left - 1) {
        const Action action = std::countr_zero(left);
        sum += chances[action] = std::exp(inclination.of(action));
    }
    for (ActionSet left = among; left != 0; left &= left - 1) chances[std::countr_zero(left)] /= sum;
    return chances;
}

Action by_habit(const Deal& deal, ActionSet among, Generator& generator) {
    const Chances chances = habits(deal, among);
    double at = std::uniform_real_distribution(0.0, 1.0)(generator);
    Action action = kNone;
    for (ActionSet left = among; left != 0 && at >= 0; left &= left - 1) {
        action = std::countr_zero(left);
        at -= chances[action];
    }
    return action;
}

Action usual_action(const Deal& deal) {
    const ActionSet legal = deal.legal();
    const Action obvious = obvious_action(deal, legal);
    if (obvious != kNone) return obvious;
    if (deal.stage == Stage::kExchangeOffer) return kPass;
    const Inclination inclination(deal);
    Action best = kNone;
    double best_value = 0;
    for (ActionSet left = sensible(deal, legal); left != 0; left &= left - 1) {
        const Action action = std::countr_zero(left);
        const double value = inclination.of(action);
        if (best == kNone || value > best_value) {
            best = action;
            best_value = value;
        }
    }
    return best;
}

}  // namespace sixtysix
