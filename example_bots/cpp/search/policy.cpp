#include "search/policy.h"

#include <algorithm>

namespace sixtysix {
namespace {

constexpr int kWorthATrump = 10;  // least points of a card led for which a trump is spent
constexpr int kUsualLoss = 3;     // points that the other player adds to a trick that he loses, as a rule

// How much the card would be missed.
int keep_value(const Deal& deal, Card card) {
    const CardSet hand = deal.hands[deal.turn].cards();
    const bool trump = suit_of(card) == deal.trump;
    int value = 2 * deal.rules->points[card] + (trump ? 25 : 0);
    const CardSet pair = pair_of(suit_of(card));
    if ((pair & bit(card)) != 0) {
        const bool worth_waiting = (deal.played & pair) == 0;
        if ((hand & pair) == pair) {
            value += trump ? 40 : 20;
        } else if (worth_waiting && deal.talon_open()) {
            value += trump ? 10 : 5;
        }
    }
    return value;
}

template <typename Key>
Card least(CardSet cards, Key key) {
    Card best = first_of(cards);
    int value = key(best);
    for_each(cards & (cards - 1), [&](Card card) {
        const int other = key(card);
        if (other < value) {
            best = card;
            value = other;
        }
    });
    return best;
}

// Own cards that win, led one after another with the talon closed, whatever the other player holds.
CardSet sure_tricks(const Deal& deal) {
    const Rules& rules = *deal.rules;
    const CardSet hand = deal.hands[deal.turn].cards();
    CardSet against = rules.pack & ~hand & ~deal.played;
    if (deal.turn_up != kNone) against &= ~bit(deal.turn_up);
    CardSet highest = 0;
    for_each(hand, [&](Card card) {
        if ((against & rules.higher[card]) == 0) highest |= bit(card);
    });
    const CardSet trumps = highest & suit_cards(deal.trump);
    const int most_trumps = std::min(count(against & suit_cards(deal.trump)), count(hand));
    return count(trumps) >= most_trumps ? highest : trumps;
}

bool should_close(const Deal& deal) {
    const CardSet sure = sure_tricks(deal);
    const int seat = deal.turn;
    const int total = deal.trick_points[seat] + deal.marriage_points[seat];
    return total + deal.rules->points_of(sure) + kUsualLoss * count(sure) >= deal.rules->claim_points;
}

Action lead(const Deal& deal, ActionSet legal) {
    const Rules& rules = *deal.rules;
    const ActionSet marriages = legal & kMarriages;
    if (marriages != 0) {
        const Action trump = kMarriage + deal.trump;
        return (marriages & action_bit(trump)) != 0 ? trump : std::countr_zero(marriages);
    }
    if ((legal & action_bit(kClose)) != 0 && should_close(deal)) return kClose;
    const auto cards = static_cast<CardSet>(legal & kAllCards);
    const auto keep = [&](Card card) { return keep_value(deal, card); };
    const int seat = deal.turn;
    const int missing = rules.claim_points - deal.trick_points[seat] - deal.marriage_points[seat];
    CardSet enough = 0;
    const CardSet against = rules.pack & ~deal.hands[seat].cards() & ~deal.played;
    for_each(cards, [&](Card card) {
        if (rules.points[card] >= missing && (against & rules.beats[deal.trump][card]) == 0)
            enough |= bit(card);
    });
    return least(enough != 0 ? enough : cards, keep);
}

Action follow(const Deal& deal, ActionSet legal) {
    const Rules& rules = *deal.rules;
    const auto cards = static_cast<CardSet>(legal & kAllCards);
    const CardSet winners = cards & rules.beats[deal.trump][deal.led];
    const CardSet losers = cards & ~winners;
    const auto keep = [&](Card card) { return keep_value(deal, card); };
    if (winners != 0) {
        const int seat = deal.turn;
        const int on_table = rules.points[deal.led];
        const int own = deal.trick_points[seat] + deal.marriage_points[seat] + on_table;
        CardSet enough = 0;
        for_each(winners, [&](Card card) {
            if (own + rules.points[card] >= rules.claim_points) enough |= bit(card);
        });
        if (enough != 0) return least(enough, keep);
        const int other = 1 - seat;
        const int theirs =
            deal.trick_points[other] + deal.marriage_points[other] + deal.pending_marriage + on_table;
        if (losers == 0) return least(winners, keep);
        const Card thrown = least(losers, keep);
        if (theirs + rules.points[thrown] >= rules.claim_points) return least(winners, keep);
        CardSet plain = winners & suit_cards(suit_of(deal.led));
        if (suit_of(deal.led) != deal.trump) {
            for (int suit = 0; suit < kSuits; ++suit) {
                const bool married = (deal.hands[seat].cards() & pair_of(suit)) == pair_of(suit);
                if (married) plain &= ~pair_of(suit);
            }
            if (plain != 0) return least(plain, [&](Card card) { return -rules.points[card]; });
        } else if (plain != 0 && on_table + rules.points[thrown] > 3) {
            return least(plain, keep);
        }
        if (on_table >= kWorthATrump) return least(winners, keep);
        return thrown;
    }
    return least(losers, keep);
}

}  // namespace

Action obvious_action(const Deal& deal, ActionSet legal) {
    if ((legal & action_bit(kClaim)) != 0 && deal.has_enough()) {
        const bool shared = deal.rules->both_over == BothOver::kCarry &&
                            deal.card_points(1 - deal.turn) > deal.rules->claim_points;
        if (!shared) return kClaim;
    }
    return (legal & action_bit(kExchange)) != 0 ? Action{kExchange} : kNone;
}

ActionSet sensible(const Deal& deal, ActionSet legal) {
    return deal.has_enough() || legal == action_bit(kClaim) ? legal : legal & ~action_bit(kClaim);
}

Action quick_action(const Deal& deal) {
    const ActionSet legal = deal.legal();
    const Action obvious = obvious_action(deal, legal);
    if (obvious != kNone) return obvious;
    switch (deal.stage) {
        case Stage::kBeforeDraw:
            return (legal & action_bit(kClose)) != 0 && should_close(deal) ? kClose : kDraw;
        case Stage::kExchangeOffer:
        case Stage::kLastClaim:
            return kPass;
        case Stage::kFollow:
            return follow(deal, legal);
        default:
            return lead(deal, legal);
    }
}

}  // namespace sixtysix
