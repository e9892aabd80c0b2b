#include "bot/choose.h"

#include <stdexcept>

namespace sixtysix {

// Claims when it has enough points, and otherwise plays what is listed first.
int choose(const Question& question) {
    const View& view = question.view;
    const bool enough = view.card_points(view.seat) >= question.rules->claim_points;
    const auto& legal = question.legal_actions;
    int first = -1;
    for (int place = 0; place < static_cast<int>(legal.size()); ++place) {
        const auto kind = legal[static_cast<std::size_t>(place)].kind();
        if (enough && kind == v1::ACTION_KIND_CLAIM) return place;
        if (first < 0 && kind != v1::ACTION_KIND_CLAIM) first = place;
    }
    if (first < 0) throw std::logic_error("no legal action but a false claim");
    return first;
}

}  // namespace sixtysix
