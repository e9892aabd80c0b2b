// Decides: exactly where all cards are known, otherwise by a tree search over sampled deals.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "rules/view.h"
#include "search/belief.h"
#include "search/endgame.h"
#include "search/sampler.h"

namespace sixtysix {

// Bounds of the work for one decision.
struct Effort {
    std::function<bool()> enough;      // asked between samples: has time run out?
    std::int64_t samples = 1'000'000;  // most samples
};

class Thinker {
  public:
    explicit Thinker(std::uint64_t seed);

    // One of the legal actions of the view.
    Action choose(const View& view, const Effort& effort);
    // Sampled deals of the last decision.
    std::int64_t samples() const { return samples_; }

  private:
    struct Node {
        int first_child = kNone;
        int sibling = kNone;
        Action action = kNone;
        int visits = 0;
        double total = 0;  // for the root's seat, in 0..1
    };

    // Nobody draws any more: plays out exactly against each of `hands`, as far as there is time.
    Action exact(const View& view, const Sampler& sampler, std::vector<CardSet> hands, const Effort& effort);
    Action search(const View& view, const Sampler& sampler, const Effort& effort);
    // Hands of the other player, drawn without regard to how he has played, and how likely they are.
    void fill_pool(const View& view, const Sampler& sampler, const Effort& effort);
    CardSet from_pool();
    // One sampled deal: down the tree, one node further, and on by habit.
    void iterate(Deal deal, int seat);
    // By PUCT, with habits for a prior.
    Action action_to_try(int parent, const Deal& deal, ActionSet legal, bool maximise) const;
    // The node of an action, made if there is none yet.
    int child_of(int parent, Action action);
    // In 0..1 for `seat`.
    double play_out(Deal& deal, int seat);

    Generator generator_;
    Endgame endgame_;
    std::vector<Node> nodes_;
    std::vector<int> path_;
    std::vector<CardSet> pool_;
    std::vector<double> cumulative_;  // weights of the hands in the pool, each added to those before it
    double low_ = 0, high_ = 1;       // the range of worths
    std::int64_t samples_ = 0;
};

}  // namespace sixtysix
