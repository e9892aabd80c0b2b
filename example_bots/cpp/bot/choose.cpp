#include "bot/choose.h"

#include <algorithm>
#include <random>
#include <stdexcept>

#include "search/thinker.h"

namespace sixtysix {
namespace {

constexpr int kCapShare = 2;
constexpr int kBankShare = 60;  // a match has about 45 decisions, and what is left shrinks with the bank

}  // namespace

std::chrono::microseconds budget_of(const Question& question, std::chrono::microseconds most) {
    return std::min({most, question.cap / kCapShare, question.bank / kBankShare});
}

Choose make_choose(std::chrono::microseconds most) {
    return [most](const Question& question) {
        if (question.legal_actions.size() == 1) return 0;
        thread_local Thinker thinker(std::random_device{}());
        // The clock runs since the arrival, also while the decision waits for a thread.
        const Time deadline = question.arrived + budget_of(question, most);
        Effort effort;
        effort.enough = [&] { return question.closed || std::chrono::steady_clock::now() >= deadline; };
        const Action action = thinker.choose(question.view, effort);
        for (int place = 0; place < static_cast<int>(question.legal_actions.size()); ++place) {
            if (read_action(question.legal_actions[place]) == action) return place;
        }
        throw std::logic_error(text_of(action) + " is not legal");
    };
}

}  // namespace sixtysix
