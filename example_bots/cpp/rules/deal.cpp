#include "rules/deal.h"

#include <algorithm>

namespace sixtysix {

void Hand::add(Card card) {
    cards_ |= bit(card);
    order_[size_++] = static_cast<std::uint8_t>(card);
}

void Hand::remove(Card card) {
    cards_ &= ~bit(card);
    auto* const end = order_.data() + size_;
    auto* const place = std::find(order_.data(), end, card);
    std::copy(place + 1, end, place);
    --size_;
}

Deal Deal::start(const Rules& rules, int dealer, std::span<const Card> first, std::span<const Card> second,
                 std::span<const Card> talon, Card turn_up, int carry) {
    Deal deal;
    deal.rules = &rules;
    deal.carry = carry;
    for (const Card card : first) deal.hands[0].add(card);
    for (const Card card : second) deal.hands[1].add(card);
    for (const Card card : talon) deal.talon[deal.talon_size++] = static_cast<std::uint8_t>(card);
    deal.turn_up = static_cast<std::int8_t>(turn_up);
    deal.trump = static_cast<std::int8_t>(suit_of(turn_up));
    deal.dealer = static_cast<std::int8_t>(dealer);
    deal.turn = deal.leader =
        static_cast<std::int8_t>(rules.first_lead == Leader::kDealer ? dealer : 1 - dealer);
    return deal;
}

Deal Deal::from_deck(const Rules& rules, std::span<const Card> deck, int dealer, int carry) {
    std::array<std::vector<Card>, 2> hands;
    std::size_t place = 0;
    Card turn_up = kNone;
    for (int number = 0; number <= static_cast<int>(rules.packets.size()); ++number) {
        if (number == rules.turn_up_after) turn_up = deck[place++];
        if (number == static_cast<int>(rules.packets.size())) break;
        for (const int seat : {1 - dealer, dealer}) {
            for (int card = 0; card < rules.packets[number]; ++card) hands[seat].push_back(deck[place++]);
        }
    }
    std::vector<Card> talon(deck.begin() + static_cast<std::ptrdiff_t>(place), deck.end());
    if (rules.turn_up_on_top) talon.insert(talon.begin(), turn_up);
    return start(rules, dealer, hands[0], hands[1], talon, turn_up, carry);
}

ActionSet Deal::legal() const {
    switch (stage) {
        case Stage::kFollow: {
            const CardSet cards = rules->allowed(hands[turn].cards(), led, trump, duty());
            const bool exchanges = rules->exchange_before_following && talon_open() && may_exchange();
            return cards | (exchanges ? action_bit(kExchange) : 0);
        }
        case Stage::kLead:
            return lead_actions();
        case Stage::kBeforeDraw:
            return action_bit(kDraw) | action_bit(kClaim) | (may_close() ? action_bit(kClose) : 0);
        case Stage::kExchangeOffer:
            return action_bit(kPass) | (hands[turn].holds(lowest_trump()) ? action_bit(kExchange) : 0);
        case Stage::kLastClaim:
            return action_bit(kClaim) | action_bit(kPass);
        case Stage::kOver:
            break;
    }
    return 0;
}

ActionSet Deal::lead_actions() const {
    const CardSet hand = hands[turn].cards();
    const bool open = talon_open();
    ActionSet legal = action_bit(kClaim);
    if (open && may_close()) legal |= action_bit(kClose);
    if (declared != kNone) return legal | (hand & pair_of(declared));
    legal |= hand;
    if (rules->exchange && open && may_exchange()) legal |= action_bit(kExchange);
    const bool changes = rules->trump_change && tricks[turn] > 0 && (used_nines >> trump & 1) == 0 &&
                         hands[turn].holds(lowest_trump());
    for (int suit = 0; suit < kSuits; ++suit) {
        const bool married = (hand & pair_of(suit)) == pair_of(suit) && (open || rules->marriage_any_lead);
        if (married) legal |= action_bit(kMarriage + suit);
        if (changes && suit != trump) legal |= action_bit(kTrump + suit);
    }
    return legal;
}

std::vector<Action> Deal::legal_actions() const {
    const ActionSet legal_set = legal();
    std::vector<Action> actions;
    for (const Card card : hands[turn].order()) {
        if (legal_set & action_bit(card)) actions.push_back(card);
    }
    const auto add = [&](Action action) {
        if (legal_set & action_bit(action)) actions.push_back(action);
    };
    if (stage == Stage::kBeforeDraw) {
        for (const Action action : {kDraw, kClose, kClaim}) add(action);
    } else if (stage == Stage::kExchangeOffer) {
        for (const Action action : {kPass, kExchange}) add(action);
    } else {
        for (const Action action : {kClaim, kPass, kExchange}) add(action);
        for (Action action = kMarriage; action < kActions; ++action) add(action);
        add(kClose);
    }
    return actions;
}

void Deal::apply(Action action) {
    if (is_card(action)) {
        play(action);
    } else if (action == kDraw) {
        draw();
        stage = Stage::kLead;
    } else if (action == kExchange) {
        exchange();
    } else if (action == kClose) {
        close();
    } else if (action == kClaim) {
        end(claimed(ending(), turn));
    } else if (action == kPass) {
        if (stage == Stage::kExchangeOffer) {
            stage = Stage::kLead;
            turn = leader;
        } else {
            end(unclaimed(ending(), turn));
        }
    } else if (action < kTrump) {
        declare(action - kMarriage);
    } else {
        change_trump(action - kTrump);
    }
}

void Deal::forfeit(int seat) {
    end(forfeited(ending(), seat));
}

bool Deal::may_exchange() const {
    return (tricks[turn] > 0 || !rules->exchange_needs_trick) && hands[turn].holds(lowest_trump()) &&
           turn_up != kNone && face_down() >= rules->exchange_min_face_down;
}

bool Deal::other_may_hold_lowest_trump() const {
    // The offer must not tell the closer where the card is, so it depends only on what he cannot rule out.
    const auto* const end = talon.data() + talon_size;
    return hands[1 - turn].holds(lowest_trump()) ||
           std::find(talon.data() + drawn, end, lowest_trump()) != end;
}

void Deal::play(Card card) {
    const std::int8_t seat = turn;
    hands[seat].remove(card);
    played |= bit(card);
    shown[seat] &= ~bit(card);
    if (led == kNone) {
        led = static_cast<std::int8_t>(card);
        turn = static_cast<std::int8_t>(1 - seat);
        stage = Stage::kFollow;
        return;
    }
    const std::int8_t winner = (rules->beats[trump][led] & bit(card)) != 0 ? seat : leader;
    const bool last = hands[winner].cards() == 0;
    const bool bonus = last && closing.seat == kNone;
    ++tricks[winner];
    trick_points[winner] += rules->points[led] + rules->points[card] + (bonus ? rules->last_trick_points : 0);
    if (winner == leader) marriage_points[winner] += pending_marriage;
    pending_marriage = 0;
    led = declared = kNone;
    leader = turn = winner;
    stage = Stage::kLead;
    if (last) {
        if (closing.seat != kNone || rules->last_claim == LastClaim::kAlways) {
            stage = Stage::kLastClaim;
        } else {
            end(unclaimed(ending(), winner));
        }
    } else if (talon_open()) {
        if (rules->close_before_draw) {
            stage = Stage::kBeforeDraw;
        } else {
            draw();
        }
    }
}

void Deal::draw() {
    for (const int seat : {int{turn}, 1 - turn}) {
        const Card card = drawn < talon_size ? talon[drawn++] : turn_up;
        hands[seat].add(card);
        if (card == turn_up) {
            turn_up = kNone;
            shown[seat] |= bit(card);
        }
    }
}

void Deal::exchange() {
    const Card given = lowest_trump();
    const Card taken = turn_up;
    hands[turn].remove(given);
    hands[turn].add(taken);
    turn_up = static_cast<std::int8_t>(given);
    shown[turn] = (shown[turn] & ~bit(given)) | bit(taken);
    if (stage == Stage::kExchangeOffer) {
        stage = Stage::kLead;
        turn = leader;
    }
}

void Deal::close() {
    closing = {turn, {card_points(0), card_points(1)}, tricks};
    stage = Stage::kLead;
    if (rules->exchange_after_close && other_may_hold_lowest_trump()) {
        stage = Stage::kExchangeOffer;
        turn = static_cast<std::int8_t>(1 - turn);
    }
}

void Deal::declare(int suit) {
    const int worth = rules->marriage_worth(suit, trump);
    if (rules->marriage_needs_its_trick) {
        pending_marriage = worth;
    } else {
        marriage_points[turn] += worth;
    }
    declared = static_cast<std::int8_t>(suit);
    shown[turn] |= pair_of(suit);
}

void Deal::change_trump(int suit) {
    shown[turn] |= bit(lowest_trump());
    used_nines |= static_cast<std::uint8_t>(1 << trump);
    trump = static_cast<std::int8_t>(suit);
}

void Deal::end(const Outcome& result) {
    outcome = result;
    stage = Stage::kOver;
}

}  // namespace sixtysix
