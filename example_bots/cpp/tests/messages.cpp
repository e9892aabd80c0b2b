#include "tests/messages.h"

namespace sixtysix {

v1::Update welcome(const std::string& session_id, bool resumed) {
    v1::Update update;
    update.mutable_welcome()->set_session_id(session_id);
    update.mutable_welcome()->set_resumed(resumed);
    return update;
}

v1::Update offer(const std::string& match_id) {
    v1::Update update;
    v1::MatchOffered& offer = *update.mutable_match_offered();
    offer.set_match_id(match_id);
    offer.set_seat(v1::SEAT_SECOND);
    v1::RuleSet& rules = *offer.mutable_rules();
    rules.set_name("schnapsen");
    for (const auto rank : {v1::RANK_ACE, v1::RANK_TEN, v1::RANK_KING, v1::RANK_QUEEN, v1::RANK_JACK}) {
        rules.add_ranks(rank);
    }
    for (const auto points : {11U, 10U, 4U, 3U, 2U}) rules.add_card_points(points);
    rules.set_hand_size(5);
    rules.add_packets(3);
    rules.add_packets(2);
    rules.set_turn_up_after(1);
    rules.set_first_lead(v1::LEADER_FOREHAND);
    rules.set_next_dealer(v1::NEXT_DEALER_ALTERNATE);
    rules.set_open_duty(v1::DUTY_NONE);
    rules.set_closed_duty(v1::DUTY_HEAD);
    rules.set_exchange(true);
    rules.set_exchange_min_face_down(2);
    rules.set_marriage_any_lead(true);
    rules.set_marriage_points(20);
    rules.set_trump_marriage_points(40);
    rules.set_claim_points(66);
    rules.set_schneider_points(33);
    rules.set_closer_measure(v1::MEASURE_AT_CLAIM);
    rules.set_both_over(v1::BOTH_OVER_CLAIMANT);
    rules.set_false_claim(2);
    rules.set_false_claim_trickless(3);
    rules.set_closer_fails(v1::CLOSER_FAILS_OTHER_TRICKLESS);
    rules.set_closer_beaten(v1::CLOSER_BEATEN_AS_FAILED_CLOSE);
    rules.set_unclaimed(v1::UNCLAIMED_LAST_TRICK);
    rules.set_closed_unclaimed(v1::CLOSED_UNCLAIMED_FAILED);
    rules.set_last_claim(v1::LAST_CLAIM_CLOSED);
    rules.set_forfeit(2);
    rules.set_target(7);
    return update;
}

v1::Update decision(const std::string& match_id, std::uint64_t decision_id) {
    v1::Update update;
    v1::Decision& decision = *update.mutable_decision();
    decision.set_match_id(match_id);
    decision.set_decision_id(decision_id);
    decision.set_stage(v1::STAGE_LEAD);
    decision.mutable_clock()->set_cap_us(1'000'000);
    decision.mutable_clock()->set_bank_us(60'000'000);
    v1::Observation& seen = *decision.mutable_observation();
    seen.set_seat(v1::SEAT_SECOND);
    seen.set_dealer(v1::SEAT_FIRST);
    seen.set_leader(v1::SEAT_SECOND);
    seen.set_trump(v1::SUIT_HEARTS);
    seen.set_turn_up(v1::CARD_HEARTS_KING);
    seen.set_talon_count(9);
    seen.set_own_score(1);
    seen.set_opponent_score(2);
    for (const auto card : {v1::CARD_CLUBS_ACE, v1::CARD_CLUBS_TEN, v1::CARD_SPADES_JACK,
                            v1::CARD_DIAMONDS_QUEEN, v1::CARD_HEARTS_ACE}) {
        seen.add_hand(card);
        v1::Action& action = *decision.add_legal_actions();
        action.set_kind(v1::ACTION_KIND_PLAY);
        action.set_card(card);
    }
    decision.add_legal_actions()->set_kind(v1::ACTION_KIND_CLAIM);
    decision.add_legal_actions()->set_kind(v1::ACTION_KIND_CLOSE);
    v1::Event& turned_up = *seen.add_history();
    turned_up.set_kind(v1::EVENT_KIND_TURNED_UP);
    turned_up.set_seat(v1::SEAT_FIRST);
    turned_up.add_cards(v1::CARD_HEARTS_KING);
    turned_up.set_suit(v1::SUIT_HEARTS);
    return update;
}

}  // namespace sixtysix
