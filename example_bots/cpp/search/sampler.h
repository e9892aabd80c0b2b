// Full states that fit everything a seat knows: what a search over hidden cards is built on.
//
// Known of the other hand are the cards that it has shown and not yet played, what the duties rule out (a
// player who did not follow suit had no card of it), and what the exchange offer after a close tells. Cards
// drawn later may be of a suit that was ruled out before, so every fact is kept with its time, counted in
// draws of the other player.
#pragma once

#include <array>
#include <random>
#include <vector>

#include "rules/view.h"

namespace sixtysix {

using Generator = std::mt19937_64;

// A number in 0..n-1.
int below(Generator& generator, int n);

class Sampler {
  public:
    explicit Sampler(const View& view);

    // A full state; all choices of the other hand that fit are equally likely.
    Deal sample(Generator& generator) const;
    // Every set of unknown cards that the other hand can hold, but none if there are more than `most`
    // combinations to look through.
    std::vector<CardSet> hands(int most) const;
    // The full state with these unknown cards in the other hand and the rest of the talon at random.
    Deal state(CardSet hand, Generator& generator) const;

  private:
    void read_history(const View& view);
    void read_exchange_offer(const View& view);
    void show(Card card, CardSet& received);
    void exclude(const View& view, Card led, Card reply, int trump, Duty duty);
    bool fits(CardSet hand) const;
    CardSet choose(Generator& generator) const;

    const View& view_;
    int draws_ = 0;  // of the other player
    std::array<int, kCards>
        released_;  // he held the card at no time up to this many draws; -1 if nothing is known
    std::array<int, kCards> due_;  // he held the card after this many draws at the latest
    CardSet face_up_draws_ = 0;    // draws, as bits, that filled no hidden slot
    CardSet passed_on_ = 0;        // cards that he received face down and has shown
    CardSet certain_ = 0;          // cards that he must hold although he has not shown them
    CardSet pool_ = 0;             // cards that may be in his hand
    CardSet never_held_ = 0;       // unseen cards that are surely in the talon
    int wanted_ = 0;               // how many of the pool he holds
    bool check_ = false;           // does it matter when he received what?
};

}  // namespace sixtysix
