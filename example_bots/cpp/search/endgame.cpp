#include "search/endgame.h"

#include <algorithm>

namespace sixtysix {
namespace {

constexpr int kInfinity = 1'000'000;  // more than any worth
constexpr int kTableBits = 16;
constexpr CardSet kKings =
    bit(card_of(kKing, 0)) | bit(card_of(kKing, 1)) | bit(card_of(kKing, 2)) | bit(card_of(kKing, 3));

// All that decides about the worth of an end besides points and tricks at that moment.
std::uint64_t context_of(const Rules& rules, const Closing& closing) {
    if (closing.seat == kNone) return 0;
    std::uint64_t context = closing.seat + 1;
    for (const int seat : {0, 1}) {
        context = context * 2 + (closing.tricks[seat] > 0 ? 1 : 0);
        context = context * 2 + (closing.card_points[seat] < rules.schneider_points ? 1 : 0);
    }
    return context;
}

}  // namespace

Endgame::Endgame() : table_(std::size_t{1} << kTableBits) {}

void Endgame::begin(const Rules& rules, int carry, const Worth& worth) {
    rules_ = &rules;
    carry_ = carry;
    worth_ = worth;
    all_marriages_ = kSuits * std::max(rules.marriage_points, rules.trump_marriage_points);
    ++era_;
}

int Endgame::value(const Deal& deal) {
    if (deal.over()) return worth_.of(deal.outcome);
    closing_ = deal.closing;
    bonus_ = closing_.seat == kNone ? rules_->last_trick_points : 0;
    late_claim_ = closing_.seat != kNone || rules_->last_claim == LastClaim::kAlways;
    context_ = era_ << 16 | context_of(*rules_, closing_) << 9;
    const int seat = deal.leader;
    const int other = 1 - seat;
    const CardSet table = deal.led == kNone ? 0 : bit(deal.led);
    const Position at{
        .mine = deal.hands[seat].cards(),
        .theirs = deal.hands[other].cards(),
        .points = deal.trick_points[seat] + deal.marriage_points[seat],
        .against = deal.trick_points[other] + deal.marriage_points[other],
        .seat = seat,
        .won = (deal.tricks[0] > 0 ? 1 : 0) | (deal.tricks[1] > 0 ? 2 : 0),
        .trump = deal.trump,
        .used = deal.used_nines,
        .left = bonus_ + rules_->points_of(deal.hands[0].cards() | deal.hands[1].cards() | table),
    };
    int value = 0;
    if (deal.led != kNone) {
        value = answer(at, deal.led, deal.pending_marriage, -kInfinity, kInfinity);
    } else if (deal.declared != kNone) {
        Position before = at;
        const int worth = rules_->marriage_worth(deal.declared, deal.trump);
        if (!rules_->marriage_needs_its_trick) before.points -= worth;
        value = declare(before, deal.declared, -kInfinity, kInfinity);
    } else {
        value = lead(at, -kInfinity, kInfinity);
    }
    return seat == 0 ? value : -value;
}

int Endgame::lead(const Position& at, int alpha, int beta) {
    if (at.mine == 0) return after_last_trick(at);
    int best = -kInfinity;
    const int most = at_most(at, at.seat, at.mine, at.points + at.left, at.against);
    if (may_claim(at)) {
        best = end(true, at.seat, at.points, at.against, at.won);
        if (best >= most) return best;
    }
    if (most <= alpha) return most;
    const int least = -at_most(at, 1 - at.seat, at.theirs, at.against + at.left, at.points);
    if (least >= beta) return least;

    const std::uint64_t hands = std::uint64_t{at.mine} << kCards | at.theirs;
    const std::uint64_t rest =
        context_ | static_cast<std::uint64_t>(at.used << 5 | at.trump << 3 | at.won << 1 | at.seat);
    {
        const Entry& entry = entry_of(at, hands, rest);
        if (entry.hands == hands && entry.rest == rest && entry.points == at.points &&
            entry.against == at.against) {
            if (entry.low >= beta || entry.low == entry.high) return entry.low;
            if (entry.high <= alpha) return entry.high;
            alpha = std::max(alpha, entry.low);
            beta = std::min(beta, entry.high);
        }
    }
    alpha = std::max(alpha, best);
    if (alpha >= beta) return best;
    const int start = alpha;
    const auto better = [&](int value) {
        best = std::max(best, value);
        alpha = std::max(alpha, best);
        return alpha >= beta;
    };
    const auto search = [&] {
        CardSet cards = at.mine;
        if (rules_->marriage_any_lead) {
            for (int suit = 0; suit < kSuits; ++suit) {
                if ((at.mine & pair_of(suit)) != pair_of(suit)) continue;
                cards &= ~pair_of(suit);  // with the marriage they are never worse
                if (better(declare(at, suit, alpha, beta))) return;
            }
        }
        while (cards != 0) {
            const Card card = first_to_lead(cards, at.theirs, at.trump);
            cards &= ~bit(card);
            Position next = at;
            next.mine &= ~bit(card);
            if (better(answer(next, card, 0, alpha, beta))) return;
        }
        const bool changes = rules_->trump_change && (at.mine & bit(rules_->lowest[at.trump])) != 0 &&
                             (at.won >> at.seat & 1) != 0 && (at.used >> at.trump & 1) == 0;
        for (int suit = 0; changes && suit < kSuits; ++suit) {
            if (suit == at.trump) continue;
            Position next = at;
            next.trump = suit;
            next.used |= 1 << at.trump;
            if (better(lead(next, alpha, beta))) return;
        }
    };
    search();

    // The window may have been narrowed by what was known: a value outside of it is a bound.
    const int low = best > start ? best : -kInfinity;
    const int high = best < beta ? best : kInfinity;
    entry_of(at, hands, rest) = {hands, at.points, at.against, rest, low, high};
    return best;
}

// After a marriage of `suit` the king or queen of it is led.
int Endgame::declare(const Position& at, int suit, int alpha, int beta) {
    const int worth = rules_->marriage_worth(suit, at.trump);
    const int waiting = rules_->marriage_needs_its_trick ? worth : 0;
    Position next = at;
    next.points += worth - waiting;
    int best = may_claim(next) ? end(true, at.seat, next.points, at.against, at.won) : -kInfinity;
    for (const int rank : {kKing, kQueen}) {
        if (best >= beta) break;
        const Card card = card_of(rank, suit);
        next.mine = at.mine & ~bit(card);
        best = std::max(best, answer(next, card, waiting, std::max(alpha, best), beta));
    }
    return best;
}

// After `led` has left the hand `mine`: the other player picks the answer that is worst for the leader.
int Endgame::answer(const Position& at, Card led, int waiting, int alpha, int beta) {
    CardSet cards = rules_->allowed(at.theirs, led, at.trump, rules_->closed_duty);
    const CardSet beating = rules_->beats[at.trump][led];
    const int table = rules_->points[led] + (at.mine == 0 ? bonus_ : 0);
    int best = kInfinity;
    while (cards != 0 && alpha < beta) {
        // Winning cards from the highest, losing ones from the lowest: the best answer tends to come early.
        const CardSet wins = cards & beating;
        const Card card = wins != 0 ? first_of(wins) : std::bit_width(cards) - 1;
        cards &= ~bit(card);
        const int trick = table + rules_->points[card];
        Position next = at;
        next.left -= trick;
        int value = 0;
        if (wins != 0) {
            next.mine = at.theirs & ~bit(card);
            next.theirs = at.mine;
            next.points = at.against + trick;
            next.against = at.points;
            next.seat = 1 - at.seat;
            next.won |= 1 << next.seat;
            value = -lead(next, -beta, -alpha);
        } else {
            next.theirs &= ~bit(card);
            next.points += trick + waiting;
            next.won |= 1 << at.seat;
            value = lead(next, alpha, beta);
        }
        best = std::min(best, value);
        beta = std::min(beta, best);
    }
    return best;
}

int Endgame::after_last_trick(const Position& at) const {
    const int value = end(false, at.seat, at.points, at.against, at.won);
    if (!late_claim_ || at.points < rules_->claim_points) return value;
    return std::max(value, end(true, at.seat, at.points, at.against, at.won));
}

int Endgame::at_most(const Position& at, int seat, CardSet hand, int points, int against) const {
    // A king next to its queen is a marriage; the leader's queen may be on the table, never in the other
    // hand.
    if (rules_->marriage_any_lead && (hand & hand >> 1 & kKings) != 0) points += all_marriages_;
    const int won = at.won | 1 << seat;
    const int value = end(false, seat, points, against, won);
    return points >= rules_->claim_points ? std::max(value, end(true, seat, points, against, won)) : value;
}

int Endgame::end(bool claim, int seat, int points, int against, int won) const {
    Ending ending{*rules_, {}, {won & 1, won >> 1}, closing_, carry_};
    ending.card_points[seat] = (won >> seat & 1) != 0 ? points : 0;
    ending.card_points[1 - seat] = (won >> (1 - seat) & 1) != 0 ? against : 0;
    const int value = worth_.of(claim ? claimed(ending, seat) : unclaimed(ending, seat));
    return seat == 0 ? value : -value;
}

// A card that surely wins if there is one: with a duty to head and to trump it can be told from both hands.
Card Endgame::first_to_lead(CardSet cards, CardSet theirs, int trump) const {
    const bool trumps = (theirs & suit_cards(trump)) != 0;
    for (CardSet left = cards; left != 0; left &= left - 1) {
        const Card card = first_of(left);
        const bool followed = (theirs & suit_cards(suit_of(card))) != 0;
        if ((theirs & rules_->higher[card]) == 0 && (followed || !trumps)) return card;
    }
    return first_of(cards);
}

Endgame::Entry& Endgame::entry_of(const Position& at, std::uint64_t hands, std::uint64_t rest) {
    std::uint64_t hash = hands * 0x9E3779B97F4A7C15U;
    hash ^= (rest + (static_cast<std::uint64_t>(at.points) << 40) +
             (static_cast<std::uint64_t>(at.against) << 24)) *
            0xC2B2AE3D27D4EB4FU;
    hash ^= hash >> 29;
    return table_[hash * 0x9E3779B97F4A7C15U >> (64 - kTableBits)];
}

}  // namespace sixtysix
