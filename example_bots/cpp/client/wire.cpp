#include "client/wire.h"

#include <string>
#include <utility>

namespace sixtysix {
namespace {

// Enums of the protocol begin with 1, those of the engine with 0, in the same order.
template <typename Enum>
Enum read_enum(int number, int count, const char* field) {
    if (number < 1 || number > count)
        throw WireError(std::string(field) + " has the unknown value " + std::to_string(number));
    return static_cast<Enum>(number - 1);
}

int read_count(std::uint32_t number, const char* field) {
    if (number > 1'000'000) throw WireError(std::string(field) + " is too large: " + std::to_string(number));
    return static_cast<int>(number);
}

int read_card(int number, const char* field) {
    return read_enum<int>(number, kCards, field);
}
int read_suit(int number, const char* field) {
    return read_enum<int>(number, kSuits, field);
}
int read_seat(int number, const char* field) {
    return read_enum<int>(number, 2, field);
}

int optional(int number, int count, const char* field) {
    return number == 0 ? kNone : read_enum<int>(number, count, field);
}

template <typename Cards>
CardSet read_cards(const Cards& cards, const char* field) {
    CardSet set = 0;
    for (const int card : cards) set |= bit(read_card(card, field));
    return set;
}

Card card_at(const v1::Event& event, int place) {
    if (event.cards_size() <= place) throw WireError("event.cards lacks a card");
    return read_card(event.cards(place), "event.cards");
}

void read_event(const v1::Event& message, std::vector<Event>& history) {
    const auto add = [&](EventKind kind, Card card = kNone, Card taken = kNone, int suit = kNone) {
        history.push_back({kind, read_seat(message.seat(), "event.seat"), card, taken, suit});
    };
    switch (message.kind()) {
        case v1::EVENT_KIND_TURNED_UP:
            return add(EventKind::kTurnedUp, card_at(message, 0), kNone,
                       read_suit(message.suit(), "event.suit"));
        case v1::EVENT_KIND_PLAYED:
            return add(EventKind::kPlayed, card_at(message, 0));
        case v1::EVENT_KIND_DREW:
            return add(EventKind::kDrew, message.cards_size() == 0 ? kNone : card_at(message, 0));
        case v1::EVENT_KIND_EXCHANGED:
            return add(EventKind::kExchanged, card_at(message, 0), card_at(message, 1));
        case v1::EVENT_KIND_MARRIAGE:
            return add(EventKind::kMarriage, kNone, kNone, read_suit(message.suit(), "event.suit"));
        case v1::EVENT_KIND_TRUMP_CHANGED:
            return add(EventKind::kTrumpChanged, card_at(message, 0), kNone,
                       read_suit(message.suit(), "event.suit"));
        case v1::EVENT_KIND_CLOSED:
            return add(EventKind::kClosed);
        case v1::EVENT_KIND_PASSED:
            return add(EventKind::kPassed);
        default:  // tells nothing about hidden cards, or comes from a later version
            return;
    }
}

}  // namespace

Rules read_rules(const v1::RuleSet& message) {
    RuleSet rules;
    rules.name = message.name();
    rules.ranks.clear();
    for (const int rank : message.ranks()) rules.ranks.push_back(read_enum<int>(rank, kRanks, "rules.ranks"));
    rules.card_points.clear();
    for (const auto points : message.card_points()) {
        rules.card_points.push_back(read_count(points, "rules.card_points"));
    }
    rules.hand_size = read_count(message.hand_size(), "rules.hand_size");
    rules.packets.clear();
    for (const auto size : message.packets()) rules.packets.push_back(read_count(size, "rules.packets"));
    rules.turn_up_after = read_count(message.turn_up_after(), "rules.turn_up_after");
    rules.turn_up_on_top = message.turn_up_on_top();
    rules.first_lead = read_enum<Leader>(message.first_lead(), 2, "rules.first_lead");
    rules.next_dealer = read_enum<NextDealer>(message.next_dealer(), 2, "rules.next_dealer");
    rules.open_duty = read_enum<Duty>(message.open_duty(), 3, "rules.open_duty");
    rules.closed_duty = read_enum<Duty>(message.closed_duty(), 3, "rules.closed_duty");
    rules.exchange = message.exchange();
    rules.exchange_needs_trick = message.exchange_needs_trick();
    rules.exchange_min_face_down =
        read_count(message.exchange_min_face_down(), "rules.exchange_min_face_down");
    rules.exchange_before_following = message.exchange_before_following();
    rules.exchange_after_close = message.exchange_after_close();
    rules.trump_change = message.trump_change();
    rules.marriage_any_lead = message.marriage_any_lead();
    rules.marriage_needs_its_trick = message.marriage_needs_its_trick();
    rules.marriage_points = read_count(message.marriage_points(), "rules.marriage_points");
    rules.trump_marriage_points = read_count(message.trump_marriage_points(), "rules.trump_marriage_points");
    rules.close_before_draw = message.close_before_draw();
    rules.close_needs_trick = message.close_needs_trick();
    rules.last_trick_points = read_count(message.last_trick_points(), "rules.last_trick_points");
    rules.claim_points = read_count(message.claim_points(), "rules.claim_points");
    rules.schneider_points = read_count(message.schneider_points(), "rules.schneider_points");
    rules.closer_measure = read_enum<Measure>(message.closer_measure(), 2, "rules.closer_measure");
    rules.both_over = read_enum<BothOver>(message.both_over(), 2, "rules.both_over");
    rules.false_claim = read_count(message.false_claim(), "rules.false_claim");
    rules.false_claim_trickless = read_count(message.false_claim_trickless(), "rules.false_claim_trickless");
    rules.closer_fails = read_enum<CloserFails>(message.closer_fails(), 3, "rules.closer_fails");
    rules.closer_beaten = read_enum<CloserBeaten>(message.closer_beaten(), 3, "rules.closer_beaten");
    rules.unclaimed = read_enum<Unclaimed>(message.unclaimed(), 5, "rules.unclaimed");
    rules.closed_unclaimed =
        read_enum<ClosedUnclaimed>(message.closed_unclaimed(), 3, "rules.closed_unclaimed");
    rules.last_claim = read_enum<LastClaim>(message.last_claim(), 2, "rules.last_claim");
    rules.forfeit = read_count(message.forfeit(), "rules.forfeit");
    rules.zero_sum = message.zero_sum();
    rules.target = read_count(message.target(), "rules.target");
    try {
        return Rules(std::move(rules));
    } catch (const std::invalid_argument& error) {
        throw WireError(std::string("rules.") + error.what());
    }
}

View read_view(const v1::Decision& decision, const Rules& rules) {
    const v1::Observation& seen = decision.observation();
    View view;
    view.rules = &rules;
    view.seat = read_seat(seen.seat(), "observation.seat");
    const int own = view.seat;
    const int other = view.other();
    view.score[own] = seen.own_score();
    view.score[other] = seen.opponent_score();
    view.carry = read_count(seen.carry(), "observation.carry");
    view.dealer = read_seat(seen.dealer(), "observation.dealer");
    view.stage = read_enum<Stage>(decision.stage(), 5, "decision.stage");
    if (seen.hand_size() > rules.hand_size) throw WireError("observation.hand has too many cards");
    for (const int card : seen.hand()) view.hand.add(read_card(card, "observation.hand"));
    view.trump = read_suit(seen.trump(), "observation.trump");
    view.turn_up = optional(seen.turn_up(), kCards, "observation.turn_up");
    view.face_down = read_count(seen.talon_count(), "observation.talon_count");
    view.closing.seat = optional(seen.talon_closed_by(), 2, "observation.talon_closed_by");
    if (view.closing.seat != kNone) {
        const v1::CloseState& then = seen.close_state();
        view.closing.card_points[own] = read_count(then.own_card_points(), "close_state.own_card_points");
        view.closing.card_points[other] =
            read_count(then.opponent_card_points(), "close_state.opponent_card_points");
        view.closing.tricks[own] = read_count(then.own_tricks(), "close_state.own_tricks");
        view.closing.tricks[other] = read_count(then.opponent_tricks(), "close_state.opponent_tricks");
    }
    view.leader = read_seat(seen.leader(), "observation.leader");
    view.led = optional(seen.led_card(), kCards, "observation.led_card");
    view.declared = optional(seen.declared_marriage(), kSuits, "observation.declared_marriage");
    view.tricks[own] = read_count(seen.own_tricks(), "observation.own_tricks");
    view.tricks[other] = read_count(seen.opponent_tricks(), "observation.opponent_tricks");
    view.trick_points[own] = read_count(seen.own_trick_points(), "observation.own_trick_points");
    view.trick_points[other] = read_count(seen.opponent_trick_points(), "observation.opponent_trick_points");
    view.marriage_points[own] = read_count(seen.own_marriage_points(), "observation.own_marriage_points");
    view.marriage_points[other] =
        read_count(seen.opponent_marriage_points(), "observation.opponent_marriage_points");
    view.pending_marriage = read_count(seen.pending_marriage_points(), "observation.pending_marriage_points");
    for (const int suit : seen.used_nines()) {
        view.used_nines |= static_cast<std::uint8_t>(1 << read_suit(suit, "observation.used_nines"));
    }
    view.played = read_cards(seen.played_cards(), "observation.played_cards");
    view.shown[own] = read_cards(seen.own_shown_cards(), "observation.own_shown_cards");
    view.shown[other] = read_cards(seen.opponent_known_cards(), "observation.opponent_known_cards");
    for (const v1::Event& event : seen.history()) read_event(event, view.history);
    for (const v1::Action& message : decision.legal_actions()) {
        const Action action = read_action(message);
        if (action != kNone) view.legal_actions.push_back(action);
    }
    return view;
}

Action read_action(const v1::Action& message) {
    switch (message.kind()) {
        case v1::ACTION_KIND_PLAY:
            return read_card(message.card(), "action.card");
        case v1::ACTION_KIND_DRAW:
            return kDraw;
        case v1::ACTION_KIND_EXCHANGE:
            return kExchange;
        case v1::ACTION_KIND_CLOSE:
            return kClose;
        case v1::ACTION_KIND_CLAIM:
            return kClaim;
        case v1::ACTION_KIND_PASS:
            return kPass;
        case v1::ACTION_KIND_MARRIAGE:
            return kMarriage + read_suit(message.suit(), "action.suit");
        case v1::ACTION_KIND_TRUMP:
            return kTrump + read_suit(message.suit(), "action.suit");
        default:
            return kNone;
    }
}

v1::Action action_message(Action action) {
    v1::Action message;
    if (is_card(action)) {
        message.set_kind(v1::ACTION_KIND_PLAY);
        message.set_card(static_cast<v1::Card>(action + 1));
    } else if (action < kMarriage) {
        message.set_kind(static_cast<v1::ActionKind>(v1::ACTION_KIND_DRAW + action - kDraw));
    } else if (action < kTrump) {
        message.set_kind(v1::ACTION_KIND_MARRIAGE);
        message.set_suit(static_cast<v1::Suit>(action - kMarriage + 1));
    } else {
        message.set_kind(v1::ACTION_KIND_TRUMP);
        message.set_suit(static_cast<v1::Suit>(action - kTrump + 1));
    }
    return message;
}

}  // namespace sixtysix
