// Deals played without an arbiter.
#pragma once

#include <array>
#include <vector>

#include "rules/view.h"

namespace sixtysix {

// A deal that is played here, with what each seat has seen of it.
class Table {
  public:
    explicit Table(const Deal& deal);

    const Deal& deal() const { return deal_; }
    void apply(Action action);
    // What the seat on turn sees, in a match that stands at `score`.
    View view(const Pair& score) const;

  private:
    void publish(const Event& event);
    void publish_draws(int first_drawer, const Deal& before);

    Deal deal_;
    std::array<std::vector<Event>, 2> logs_;
};

}  // namespace sixtysix
