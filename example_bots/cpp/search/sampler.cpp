#include "search/sampler.h"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

namespace sixtysix {
namespace {

constexpr int kNever = std::numeric_limits<int>::max();
constexpr int kTries = 50;

std::vector<Card> cards_of(CardSet cards) {
    std::vector<Card> found;
    for_each(cards, [&](Card card) { found.push_back(card); });
    return found;
}

}  // namespace

int below(Generator& generator, int n) {
    return static_cast<int>((generator() >> 32) * static_cast<std::uint64_t>(n) >> 32);
}

Sampler::Sampler(const View& view) : view_(view) {
    released_.fill(-1);
    due_.fill(kNever);
    read_history(view);
    read_exchange_offer(view);
    const CardSet unseen = view.unseen();
    certain_ &= unseen;
    for_each(unseen & ~certain_, [&](Card card) {
        (released_[card] < draws_ ? pool_ : never_held_) |= bit(card);
        check_ = check_ || (released_[card] >= 0 && released_[card] < draws_);
    });
    wanted_ = view.other_hand_size() - count(view.shown[view.other()]) - count(certain_);
    if (wanted_ < 0 || wanted_ > count(pool_)) throw std::logic_error("no hand fits the observation");
}

void Sampler::read_history(const View& view) {
    const Rules& rules = *view.rules;
    const int other = view.other();
    int left = count(rules.pack) - 2 * rules.hand_size;
    bool closed = false;
    Card led = kNone;
    int trump = view.trump;
    CardSet received = 0;  // face up, so they fill no hidden slot
    for (const Event& event : view.history) {
        const bool his = event.seat == other;
        switch (event.kind) {
            case EventKind::kTurnedUp:
                trump = event.suit;
                break;
            case EventKind::kTrumpChanged:
                trump = event.suit;
                if (his) show(event.card, received);
                break;
            case EventKind::kClosed:
                closed = true;
                break;
            case EventKind::kDrew:
                --left;
                if (!his) break;
                ++draws_;
                if (event.card != kNone) {
                    received |= bit(event.card);
                    face_up_draws_ |= CardSet{1} << draws_;
                }
                break;
            case EventKind::kExchanged:
                if (!his) break;
                show(event.card, received);
                received |= bit(event.taken);
                break;
            case EventKind::kMarriage:
                if (his) for_each(pair_of(event.suit), [&](Card card) { show(card, received); });
                break;
            case EventKind::kPlayed:
                if (his) {
                    show(event.card, received);
                    const Duty duty = left > 0 && !closed ? rules.open_duty : rules.closed_duty;
                    if (led != kNone) exclude(view, led, event.card, trump, duty);
                }
                led = led == kNone ? event.card : kNone;
                break;
            case EventKind::kPassed:
                break;
        }
    }
}

// After his close this seat is asked for an exchange, unless the lowest trump is with the closer or turned
// up.
void Sampler::read_exchange_offer(const View& view) {
    if (!view.rules->exchange_after_close || view.closing.seat != view.other() || view.history.empty())
        return;
    const Card lowest = view.rules->lowest[view.trump];
    const bool asked = view.stage == Stage::kExchangeOffer ||
                       std::ranges::any_of(
                           view.history, [](const Event& event) { return event.kind == EventKind::kPassed; });
    if (asked) {
        released_[lowest] = draws_;
    } else {
        certain_ = bit(lowest);
    }
}

void Sampler::show(Card card, CardSet& received) {
    if ((received & bit(card)) != 0 || due_[card] != kNever) return;
    due_[card] = draws_;
    passed_on_ |= bit(card);
}

void Sampler::exclude(const View& view, Card led, Card reply, int trump, Duty duty) {
    if (duty == Duty::kAnyCard) return;
    const Rules& rules = *view.rules;
    CardSet held_none = 0;
    if (suit_of(reply) != suit_of(led)) {
        held_none = suit_cards(suit_of(led));
        if (duty == Duty::kHead && suit_of(reply) != trump) held_none |= suit_cards(trump);
    } else if (duty == Duty::kHead && (rules.higher[led] & bit(reply)) == 0) {
        held_none = rules.higher[led];
    }
    for_each(held_none & rules.pack, [&](Card card) {
        if (due_[card] == kNever) released_[card] = draws_;
    });
}

// Can he have received these cards, and those he has shown, in some order? Earliest due date first.
bool Sampler::fits(CardSet hand) const {
    std::vector<Card> waiting = cards_of(passed_on_ | hand);
    std::ranges::sort(waiting, {}, [&](Card card) { return due_[card]; });
    for (int slot = 0; slot <= draws_; ++slot) {
        if ((face_up_draws_ >> slot & 1) != 0) continue;
        for (int left = slot == 0 ? view_.rules->hand_size : 1; left > 0; --left) {
            const auto ready =
                std::ranges::find_if(waiting, [&](Card card) { return released_[card] < slot; });
            if (ready == waiting.end() || due_[*ready] < slot) return false;
            waiting.erase(ready);
        }
    }
    return waiting.empty();
}

CardSet Sampler::choose(Generator& generator) const {
    std::vector<Card> cards = cards_of(pool_);
    CardSet hand = certain_;
    for (int attempt = 0; attempt < kTries; ++attempt) {
        hand = certain_;
        for (int place = 0; place < wanted_; ++place) {
            std::swap(cards[place], cards[place + below(generator, static_cast<int>(cards.size()) - place)]);
            hand |= bit(cards[place]);
        }
        if (!check_ || fits(hand)) return hand;
    }
    const std::vector<CardSet> all = hands(kNever);
    return all.empty() ? hand : all[below(generator, static_cast<int>(all.size()))];
}

Deal Sampler::sample(Generator& generator) const {
    return state(choose(generator), generator);
}

std::vector<CardSet> Sampler::hands(int most) const {
    const std::vector<Card> cards = cards_of(pool_);
    const int size = static_cast<int>(cards.size());
    double combinations = 1;
    for (int place = 0; place < wanted_; ++place) combinations = combinations * (size - place) / (place + 1);
    std::vector<CardSet> found;
    if (combinations > most) return found;
    std::vector<int> chosen(wanted_);
    for (int place = 0; place < wanted_; ++place) chosen[place] = place;
    while (true) {
        CardSet hand = certain_;
        for (const int place : chosen) hand |= bit(cards[place]);
        if (!check_ || fits(hand)) found.push_back(hand);
        int place = wanted_ - 1;
        while (place >= 0 && chosen[place] == size - wanted_ + place) --place;
        if (place < 0) return found;
        ++chosen[place];
        for (int next = place + 1; next < wanted_; ++next) chosen[next] = chosen[next - 1] + 1;
    }
}

Deal Sampler::state(CardSet hand, Generator& generator) const {
    const View& view = view_;
    const int other = view.other();
    std::vector<Card> rest = cards_of((pool_ & ~hand) | never_held_);
    for (int last = static_cast<int>(rest.size()) - 1; last > 0; --last) {
        std::swap(rest[last], rest[below(generator, last + 1)]);
    }
    if (view.rules->turn_up_on_top && view.turn_up != kNone) rest.insert(rest.begin(), view.turn_up);
    Deal deal;
    deal.rules = view.rules;
    deal.carry = view.carry;
    deal.hands[view.seat] = view.hand;
    for_each(view.shown[other] | hand, [&](Card card) { deal.hands[other].add(card); });
    for (const Card card : rest) deal.talon[deal.talon_size++] = static_cast<std::uint8_t>(card);
    deal.turn_up = static_cast<std::int8_t>(view.turn_up);
    deal.trump = static_cast<std::int8_t>(view.trump);
    deal.stage = view.stage;
    deal.dealer = static_cast<std::int8_t>(view.dealer);
    deal.turn = static_cast<std::int8_t>(view.seat);
    deal.leader = static_cast<std::int8_t>(view.leader);
    deal.led = static_cast<std::int8_t>(view.led);
    deal.declared = static_cast<std::int8_t>(view.declared);
    deal.used_nines = view.used_nines;
    deal.tricks = view.tricks;
    deal.trick_points = view.trick_points;
    deal.marriage_points = view.marriage_points;
    deal.pending_marriage = view.pending_marriage;
    deal.closing = view.closing;
    deal.played = view.played;
    deal.shown = view.shown;
    return deal;
}

}  // namespace sixtysix
