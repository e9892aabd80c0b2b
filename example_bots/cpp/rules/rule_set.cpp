#include "rules/rule_set.h"

#include <numeric>
#include <stdexcept>
#include <utility>

namespace sixtysix {
namespace {

void require(bool holds, const char* problem) {
    if (!holds) throw std::invalid_argument(problem);
}

}  // namespace

Rules::Rules(RuleSet rule_set) : RuleSet(std::move(rule_set)) {
    require(!ranks.empty() && ranks.size() <= kRanks, "ranks: from one to six are needed");
    require(card_points.size() == ranks.size(), "card_points: one number for each rank is needed");
    require(hand_size >= 1 && 2 * hand_size + 2 <= kSuits * static_cast<int>(ranks.size()),
            "hand_size: it leaves no talon");
    require(std::accumulate(packets.begin(), packets.end(), 0) == hand_size,
            "packets: they must add up to the hand");
    require(target >= 1 && claim_points >= 1, "target, claim_points: 1 or more is needed");
    for (int suit = 0; suit < kSuits; ++suit) {
        CardSet stronger = 0;
        for (std::size_t place = 0; place < ranks.size(); ++place) {
            require(ranks[place] >= 0 && ranks[place] < kRanks, "ranks: unknown rank");
            const Card card = card_of(ranks[place], suit);
            require((pack & bit(card)) == 0, "ranks: a rank occurs twice");
            points[card] = card_points[place];
            higher[card] = stronger;
            lowest[suit] = card;
            stronger |= bit(card);
            pack |= bit(card);
        }
    }
    for (int trump = 0; trump < kSuits; ++trump) {
        for_each(pack, [&](Card led) {
            beats[trump][led] = higher[led] | (suit_of(led) == trump ? 0 : suit_cards(trump) & pack);
        });
    }
}

int Rules::points_of(CardSet cards) const {
    int sum = 0;
    for_each(cards, [&](Card card) { sum += points[card]; });
    return sum;
}

CardSet Rules::allowed(CardSet hand, Card led, int trump, Duty duty) const {
    if (duty == Duty::kAnyCard) return hand;
    const CardSet same = hand & suit_cards(suit_of(led));
    if (same != 0) {
        const CardSet heading = same & higher[led];
        return duty == Duty::kHead && heading != 0 ? heading : same;
    }
    const CardSet trumps = hand & suit_cards(trump);
    return duty == Duty::kHead && trumps != 0 ? trumps : hand;
}

}  // namespace sixtysix
