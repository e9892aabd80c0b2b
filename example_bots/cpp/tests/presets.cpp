#include "tests/presets.h"

#include <algorithm>
#include <stdexcept>

namespace sixtysix {
namespace {

RuleSet sixty_six() {
    RuleSet rules;
    rules.name = "sixty-six";
    rules.exchange_after_close = true;
    return rules;
}

RuleSet mariage() {
    RuleSet rules;
    rules.name = "mariage";
    rules.next_dealer = NextDealer::kAlternate;
    rules.exchange_before_following = true;
    rules.closer_fails = CloserFails::kCloserTrickless;
    rules.closer_beaten = CloserBeaten::kAsFailedClose;
    rules.unclaimed = Unclaimed::kTie;
    rules.closed_unclaimed = ClosedUnclaimed::kTieAt66;
    rules.last_claim = LastClaim::kAlways;
    return rules;
}

RuleSet sechsundsechzig() {
    RuleSet rules;
    rules.name = "sechsundsechzig";
    rules.next_dealer = NextDealer::kAlternate;
    rules.close_before_draw = false;
    rules.closer_beaten = CloserBeaten::kAsFailedClose;
    return rules;
}

RuleSet trump_change() {
    RuleSet rules;
    rules.name = "trump-change";
    rules.packets = {1, 1, 1, 1, 1, 1};
    rules.turn_up_after = 6;
    rules.turn_up_on_top = true;
    rules.first_lead = Leader::kDealer;
    rules.next_dealer = NextDealer::kAlternate;
    rules.open_duty = Duty::kFollow;
    rules.closed_duty = Duty::kFollow;
    rules.exchange = false;
    rules.trump_change = true;
    rules.marriage_any_lead = true;
    rules.marriage_needs_its_trick = true;
    rules.close_needs_trick = true;
    rules.both_over = BothOver::kCarry;
    rules.false_claim = 3;
    rules.false_claim_trickless = 3;
    rules.closer_fails = CloserFails::kNoPenalty;
    rules.closer_beaten = CloserBeaten::kAsClaim;
    rules.unclaimed = Unclaimed::kDraw;
    rules.closed_unclaimed = ClosedUnclaimed::kDraw;
    rules.last_claim = LastClaim::kAlways;
    rules.forfeit = 3;
    rules.zero_sum = true;
    return rules;
}

RuleSet schnapsen() {
    RuleSet rules;
    rules.name = "schnapsen";
    rules.ranks = {kAce, kTen, kKing, kQueen, kJack};
    rules.card_points = {11, 10, 4, 3, 2};
    rules.hand_size = 5;
    rules.packets = {3, 2};
    rules.turn_up_after = 1;
    rules.next_dealer = NextDealer::kAlternate;
    rules.exchange_needs_trick = false;
    rules.exchange_min_face_down = 2;
    rules.marriage_any_lead = true;
    rules.close_before_draw = false;
    rules.last_trick_points = 0;
    rules.false_claim_trickless = 3;
    rules.closer_beaten = CloserBeaten::kAsFailedClose;
    rules.unclaimed = Unclaimed::kLastTrick;
    return rules;
}

RuleSet schnapsen_short() {
    RuleSet rules = schnapsen();
    rules.name = "schnapsen-short";
    rules.target = 5;
    return rules;
}

RuleSet schnapsen_vienna() {
    RuleSet rules = schnapsen();
    rules.name = "schnapsen-vienna";
    rules.exchange_min_face_down = 0;
    rules.closer_measure = Measure::kAtClose;
    rules.unclaimed = Unclaimed::kLastTrickFlat;
    return rules;
}

const std::vector<RuleSet>& presets() {
    static const std::vector<RuleSet> all{sixty_six(), mariage(),         sechsundsechzig(), trump_change(),
                                          schnapsen(), schnapsen_short(), schnapsen_vienna()};
    return all;
}

}  // namespace

RuleSet preset(const std::string& name) {
    const auto found = std::ranges::find(presets(), name, &RuleSet::name);
    if (found == presets().end()) throw std::invalid_argument("unknown rule set: " + name);
    return *found;
}

std::vector<std::string> preset_names() {
    std::vector<std::string> names;
    for (const RuleSet& rules : presets()) names.push_back(rules.name);
    return names;
}

}  // namespace sixtysix
