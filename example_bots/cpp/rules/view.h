// What a seat may see of a deal. The client makes it from an observation, `Table` from a deal that is played
// here.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "rules/deal.h"

namespace sixtysix {

// The events of the protocol that say something about hidden cards; the others are left out.
enum class EventKind { kTurnedUp, kPlayed, kDrew, kExchanged, kMarriage, kTrumpChanged, kClosed, kPassed };

struct Event {
    EventKind kind;
    int seat;
    Card card =
        kNone;  // turned up, played, drawn (kNone if hidden), given in exchange, or shown to change trump
    Card taken = kNone;  // in exchange
    int suit = kNone;    // of a marriage, or the new trump

    bool operator==(const Event&) const = default;
};

struct View {
    const Rules* rules = nullptr;
    int seat = 0;
    Pair score{};  // of the match before this deal
    int carry = 0;
    int dealer = 0;
    Stage stage = Stage::kLead;
    Hand hand;
    int trump = 0;
    Card turn_up = kNone;
    int face_down = 0;
    Closing closing;
    int leader = 0;
    Card led = kNone;
    int declared = kNone;
    Pair tricks{};
    Pair trick_points{};
    Pair marriage_points{};
    int pending_marriage = 0;
    std::uint8_t used_nines = 0;
    CardSet played = 0;
    std::array<CardSet, 2> shown{};  // by seat, cards that the other one knows to be in its hand
    std::vector<Event> history;
    std::vector<Action> legal_actions;

    int other() const { return 1 - seat; }
    bool talon_open() const { return closing.seat == kNone && (face_down > 0 || turn_up != kNone); }
    int card_points(int of) const { return tricks[of] > 0 ? trick_points[of] + marriage_points[of] : 0; }
    // Cards in the other hand.
    int other_hand_size() const;
    // Cards whose place is unknown: in the other hand or face down in the talon.
    CardSet unseen() const;
};

}  // namespace sixtysix
