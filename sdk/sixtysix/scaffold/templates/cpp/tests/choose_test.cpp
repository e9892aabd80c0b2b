// The bot without a network: what it chooses.
#include <gtest/gtest.h>

#include "bot/choose.h"
#include "tests/messages.h"

namespace sixtysix {
namespace {

v1::ActionKind chosen(int points) {
    Session session{v1::Hello{}};
    v1::PlayResponse message;
    *message.add_updates() = offer("m1");
    v1::Update asked = decision("m1", 1);
    auto* const seen = asked.mutable_decision()->mutable_observation();
    seen->set_own_tricks(1);
    seen->set_own_trick_points(static_cast<std::uint32_t>(points));
    seen->set_own_card_points(static_cast<std::uint32_t>(points));
    *message.add_updates() = asked;
    const Reaction reaction = session.take(message, std::chrono::steady_clock::now());
    const Question& question = *reaction.questions.at(0);
    return question.legal_actions.at(static_cast<std::size_t>(choose(question))).kind();
}

TEST(Choose, ClaimsWith66AndNotBefore) {
    EXPECT_EQ(chosen(65), v1::ACTION_KIND_PLAY);
    EXPECT_EQ(chosen(66), v1::ACTION_KIND_CLAIM);
}

}  // namespace
}  // namespace sixtysix
