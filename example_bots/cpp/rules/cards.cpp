#include "rules/cards.h"

#include <array>

namespace sixtysix {
namespace {

constexpr std::string_view kSuitLetters = "CDHS";
constexpr std::string_view kRankLetters = "ATKQJ9";
constexpr std::array<std::string_view, 5> kWords{"draw", "exchange", "close", "claim", "pass"};

}  // namespace

std::string text_of(Action action) {
    if (is_card(action)) return {kRankLetters[rank_of(action)], kSuitLetters[suit_of(action)]};
    if (action < kMarriage) return std::string{kWords[action - kDraw]};
    if (action < kTrump) return std::string{"marriage "} + kSuitLetters[action - kMarriage];
    return std::string{"trump "} + kSuitLetters[action - kTrump];
}

std::optional<Action> parse_action(std::string_view text) {
    for (Action action = 0; action < kActions; ++action) {
        if (text == text_of(action)) return action;
    }
    return std::nullopt;
}

}  // namespace sixtysix
