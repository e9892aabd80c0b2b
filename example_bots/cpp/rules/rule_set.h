// The rules of a match as data; the field names and their meaning are those of `RuleSet` in rules.proto.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "rules/cards.h"

namespace sixtysix {

enum class Leader { kForehand, kDealer };
enum class NextDealer { kWinner, kAlternate };
enum class Duty { kAnyCard, kFollow, kHead };
enum class Measure { kAtClaim, kAtClose };
enum class BothOver { kClaimant, kCarry };
enum class CloserFails { kOtherTrickless, kCloserTrickless, kNoPenalty };
enum class CloserBeaten { kFlat, kAsFailedClose, kAsClaim };
enum class Unclaimed { kHigherTotal, kTie, kDraw, kLastTrick, kLastTrickFlat };
enum class ClosedUnclaimed { kFailed, kTieAt66, kDraw };
enum class LastClaim { kClosed, kAlways };

struct RuleSet {
    std::string name;
    std::vector<int> ranks{kAce, kTen, kKing, kQueen, kJack, kNine};  // strongest first
    std::vector<int> card_points{11, 10, 4, 3, 2, 0};                 // in the order of `ranks`
    int hand_size = 6;
    std::vector<int> packets{3, 3};
    int turn_up_after = 2;
    bool turn_up_on_top = false;
    Leader first_lead = Leader::kForehand;
    NextDealer next_dealer = NextDealer::kWinner;
    Duty open_duty = Duty::kAnyCard;
    Duty closed_duty = Duty::kHead;
    bool exchange = true;
    bool exchange_needs_trick = true;
    int exchange_min_face_down = 1;
    bool exchange_before_following = false;
    bool exchange_after_close = false;
    bool trump_change = false;
    bool marriage_any_lead = false;
    bool marriage_needs_its_trick = false;
    int marriage_points = 20;
    int trump_marriage_points = 40;
    bool close_before_draw = true;
    bool close_needs_trick = false;
    int last_trick_points = 10;
    int claim_points = 66;
    int schneider_points = 33;
    Measure closer_measure = Measure::kAtClaim;
    BothOver both_over = BothOver::kClaimant;
    int false_claim = 2;
    int false_claim_trickless = 2;
    CloserFails closer_fails = CloserFails::kOtherTrickless;
    CloserBeaten closer_beaten = CloserBeaten::kFlat;
    Unclaimed unclaimed = Unclaimed::kHigherTotal;
    ClosedUnclaimed closed_unclaimed = ClosedUnclaimed::kFailed;
    LastClaim last_claim = LastClaim::kClosed;
    int forfeit = 2;
    bool zero_sum = false;
    int target = 7;

    // Points of a marriage of `suit`.
    int marriage_worth(int suit, int trump) const {
        return suit == trump ? trump_marriage_points : marriage_points;
    }
};

// What the engine looks up at every action, worked out once for a rule set.
struct Rules : RuleSet {
    // Throws std::invalid_argument, naming the field, for rules that cannot be played.
    explicit Rules(RuleSet rule_set);

    CardSet pack = 0;
    std::array<int, kCards> points{};                         // by card
    std::array<CardSet, kCards> higher{};                     // by card: the stronger ones of its suit
    std::array<Card, kSuits> lowest{};                        // by suit
    std::array<std::array<CardSet, kCards>, kSuits> beats{};  // by trump and card led: what takes the trick

    // Points of all cards of a set.
    int points_of(CardSet cards) const;
    // The cards of `hand` that `duty` allows in answer to `led`.
    CardSet allowed(CardSet hand, Card led, int trump, Duty duty) const;
};

}  // namespace sixtysix
