#include "search/thinker.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "search/habits.h"
#include "search/policy.h"

namespace sixtysix {
namespace {

constexpr int kMostHands = 20'000;  // of the other player, up to which a closed deal is played out exactly
constexpr int kMostNodes = 1 << 18;
constexpr int kPool = 3'000;           // hands of the other player from which samples are taken
constexpr double kLeastWeight = 1e-3;  // of a hand that is not ruled out for certain
constexpr double kExploration = 0.3;
constexpr double kTrust = 0.75;  // share of the prior that comes from habits; the rest is the same for all
// How often the other player is taken to act by habit, which does not look at the hand of this seat. What the
// tree finds for him does: this hand is the same in all samples.
constexpr double kHabit = 0.3;

ActionSet set_of(const std::vector<Action>& actions) {
    ActionSet set = 0;
    for (const Action action : actions) set |= action_bit(action);
    return set;
}

}  // namespace

Thinker::Thinker(std::uint64_t seed) : generator_(seed) {}

Action Thinker::choose(const View& view, const Effort& effort) {
    samples_ = 0;
    const ActionSet legal = set_of(view.legal_actions);
    if (view.legal_actions.size() == 1) return view.legal_actions.front();
    const Sampler sampler(view);
    const Deal deal = sampler.sample(generator_);
    const Action obvious = obvious_action(deal, legal);
    if (obvious != kNone) return obvious;
    if (view.stage == Stage::kExchangeOffer || view.stage == Stage::kLastClaim) return kPass;
    const ActionSet left = sensible(deal, legal);
    if (std::popcount(left) == 1) return std::countr_zero(left);

    const Worth worth(*view.rules, view.score);
    endgame_.begin(*view.rules, view.carry, worth);
    Outcome best;
    best.score_change[view.seat] = 3 + view.carry;
    Outcome worst;
    worst.score_change[1 - view.seat] = 3 + view.carry;
    const int sign = view.seat == 0 ? 1 : -1;
    high_ = sign * worth.of(best);
    low_ = sign * worth.of(worst);
    if (!view.talon_open()) {
        std::vector<CardSet> hands = sampler.hands(kMostHands);
        if (!hands.empty()) return exact(view, sampler, std::move(hands), effort);
    }
    return search(view, sampler, effort);
}

Action Thinker::exact(const View& view, const Sampler& sampler, std::vector<CardSet> hands,
                      const Effort& effort) {
    std::shuffle(hands.begin(), hands.end(), generator_);
    const Belief belief(view);
    std::array<double, kActions> total{};
    const int sign = view.seat == 0 ? 1 : -1;
    ActionSet actions = 0;
    Action preferred = kNone;
    for (const CardSet hand : hands) {
        if (samples_ > 0 && (samples_ >= effort.samples || (effort.enough && effort.enough()))) break;
        const Deal deal = sampler.state(hand, generator_);
        const double weight = std::max(kLeastWeight, belief.weight(deal, generator_));
        actions = sensible(deal, deal.legal());
        preferred = quick_action(deal);
        for (ActionSet left = actions; left != 0; left &= left - 1) {
            const Action action = std::countr_zero(left);
            Deal after = deal;
            after.apply(action);
            total[action] += weight * sign * endgame_.value(after);
        }
        ++samples_;
    }
    Action best = (actions & action_bit(preferred)) != 0 ? preferred : std::countr_zero(actions);
    for (ActionSet left = actions; left != 0; left &= left - 1) {
        const Action action = std::countr_zero(left);
        if (total[action] > total[best]) best = action;
    }
    return best;
}

Action Thinker::search(const View& view, const Sampler& sampler, const Effort& effort) {
    nodes_.assign(1, Node{});
    fill_pool(view, sampler, effort);
    while (samples_ < effort.samples && static_cast<int>(nodes_.size()) < kMostNodes) {
        if (samples_ > 0 && effort.enough && effort.enough()) break;
        iterate(pool_.empty() ? sampler.sample(generator_) : sampler.state(from_pool(), generator_),
                view.seat);
        ++samples_;
    }
    int best = kNone;
    for (int child = nodes_[0].first_child; child != kNone; child = nodes_[child].sibling) {
        if (best == kNone || nodes_[child].visits > nodes_[best].visits) best = child;
    }
    return nodes_[best].action;
}

void Thinker::fill_pool(const View& view, const Sampler& sampler, const Effort& effort) {
    pool_.clear();
    cumulative_.clear();
    const Belief belief(view);
    double sum = 0;
    for (int number = 0; number < kPool && (number % 64 != 63 || !effort.enough || !effort.enough());
         ++number) {
        const Deal deal = sampler.sample(generator_);
        const double weight = belief.weight(deal, generator_);
        if (weight <= 0) continue;
        sum += weight;
        pool_.push_back(deal.hands[view.other()].cards() & ~view.shown[view.other()]);
        cumulative_.push_back(sum);
    }
}

CardSet Thinker::from_pool() {
    const double at = std::uniform_real_distribution(0.0, cumulative_.back())(generator_);
    const auto place =
        static_cast<std::size_t>(std::ranges::upper_bound(cumulative_, at) - cumulative_.begin());
    return pool_[std::min(place, pool_.size() - 1)];
}

void Thinker::iterate(Deal deal, int seat) {
    path_.assign(1, 0);
    bool is_new = false;
    while (!is_new && !deal.over() && (deal.talon_open() || deal.closing.seat != kNone)) {
        const ActionSet legal = deal.legal();
        // At the root an obvious action would have been taken at once.
        const Action obvious = obvious_action(deal, legal);
        const ActionSet left = sensible(deal, legal);
        if (obvious != kNone) {
            deal.apply(obvious);
        } else if (std::popcount(left) == 1) {
            deal.apply(std::countr_zero(left));
        } else if (deal.stage == Stage::kExchangeOffer) {
            deal.apply(kPass);
        } else {
            const bool own = deal.turn == seat;
            const bool habitual = !own && std::bernoulli_distribution(kHabit)(generator_);
            const Action action =
                habitual ? by_habit(deal, left, generator_) : action_to_try(path_.back(), deal, left, own);
            const int child = child_of(path_.back(), action);
            is_new = !habitual && nodes_[child].visits == 0;
            path_.push_back(child);
            deal.apply(action);
        }
    }
    const double value = play_out(deal, seat);
    for (const int visited : path_) {
        ++nodes_[visited].visits;
        nodes_[visited].total += value;
    }
}

Action Thinker::action_to_try(int parent, const Deal& deal, ActionSet legal, bool maximise) const {
    std::array<double, kActions> mean;
    std::array<int, kActions> visits{};
    // An action not yet tried is taken to be as good as its position has been.
    const Node& here = nodes_[parent];
    mean.fill(here.visits > 0 ? here.total / here.visits : 0.5);
    int all_visits = 0;
    for (int child = here.first_child; child != kNone; child = nodes_[child].sibling) {
        const Node& node = nodes_[child];
        if ((legal & action_bit(node.action)) == 0 || node.visits == 0) continue;
        mean[node.action] = node.total / node.visits;
        visits[node.action] = node.visits;
        all_visits += node.visits;
    }
    const Chances chances = habits(deal, legal);
    const double even = (1 - kTrust) / std::popcount(legal);
    const double width = kExploration * std::sqrt(all_visits + 1.0);
    Action best = kNone;
    double best_score = 0;
    for (ActionSet left = legal; left != 0; left &= left - 1) {
        const Action action = std::countr_zero(left);
        const double prior = even + kTrust * chances[action];
        const double score =
            (maximise ? mean[action] : 1 - mean[action]) + width * prior / (1 + visits[action]);
        if (best == kNone || score > best_score) {
            best_score = score;
            best = action;
        }
    }
    return best;
}

int Thinker::child_of(int parent, Action action) {
    for (int child = nodes_[parent].first_child; child != kNone; child = nodes_[child].sibling) {
        if (nodes_[child].action == action) return child;
    }
    const int child = static_cast<int>(nodes_.size());
    nodes_.push_back({kNone, nodes_[parent].first_child, action, 0, 0});
    nodes_[parent].first_child = child;
    return child;
}

double Thinker::play_out(Deal& deal, int seat) {
    while (!deal.over() && (deal.talon_open() || deal.stage == Stage::kExchangeOffer))
        deal.apply(usual_action(deal));
    const int value = endgame_.value(deal);
    return ((seat == 0 ? value : -value) - low_) / (high_ - low_);
}

}  // namespace sixtysix
