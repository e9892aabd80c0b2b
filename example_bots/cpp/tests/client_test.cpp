// The client without a network: what the session answers, what it ignores, what the wire reads.
#include <gtest/gtest.h>

#include "bot/choose.h"
#include "client/session.h"
#include "client/stream_end.h"
#include "sixtysix/v1/status.pb.h"
#include "tests/messages.h"
#include "tests/presets.h"

namespace sixtysix {
namespace {

using namespace std::chrono_literals;

class SessionTest : public testing::Test {
  protected:
    Session session{v1::Hello{}};

    Reaction take(const v1::Update& update) {
        v1::PlayResponse message;
        *message.add_updates() = update;
        return session.take(message, {});
    }

    QuestionPtr ask(std::uint64_t id) {
        const Reaction reaction = take(decision("m1", id));
        return reaction.questions.empty() ? nullptr : reaction.questions.front();
    }

    void begin(bool resumed = false) {
        session.restart();
        take(welcome("s1", resumed));
        take(offer("m1"));
    }

    bool answer(const Question& question, v1::Command& command) {
        return session.answer(question, question.legal_actions.front(), command);
    }
};

TEST_F(SessionTest, AnswersPingAndOffer) {
    v1::Update ping;
    ping.mutable_ping()->set_nonce(7);
    EXPECT_EQ(take(ping).commands.at(0).pong().nonce(), 7U);
    EXPECT_EQ(take(offer("m1")).commands.at(0).ready().match_id(), "m1");
}

TEST_F(SessionTest, ResumesTheLastSession) {
    EXPECT_EQ(session.hello().hello().resume_session_id(), "");
    begin();
    EXPECT_EQ(session.hello().hello().resume_session_id(), "s1");
}

TEST_F(SessionTest, AnswersADecisionOnce) {
    begin();
    const QuestionPtr question = ask(1);
    ASSERT_NE(question, nullptr);
    v1::Command command;
    ASSERT_TRUE(answer(*question, command));
    EXPECT_EQ(command.action().decision_id(), 1U);
    EXPECT_EQ(command.action().action().kind(), v1::ACTION_KIND_PLAY);
    v1::Command again;
    EXPECT_FALSE(answer(*question, again));
}

TEST_F(SessionTest, ThinksOnAcrossAReconnect) {
    begin();
    const QuestionPtr question = ask(1);
    begin(true);
    EXPECT_EQ(ask(1), nullptr);
    EXPECT_FALSE(question->closed);
    v1::Command command;
    EXPECT_TRUE(answer(*question, command));
}

TEST_F(SessionTest, SendsALostAnswerAgain) {
    begin();
    v1::Command command;
    ASSERT_TRUE(answer(*ask(1), command));
    begin(true);
    const Reaction reaction = take(decision("m1", 1));
    EXPECT_TRUE(reaction.questions.empty());
    EXPECT_EQ(reaction.commands.at(0).SerializeAsString(), command.SerializeAsString());
}

TEST_F(SessionTest, ForgetsMatchesOfASessionThatIsOver) {
    begin();
    const QuestionPtr question = ask(1);
    take(welcome("s2", false));
    EXPECT_TRUE(question->closed);
    v1::Command command;
    EXPECT_FALSE(answer(*question, command));
}

TEST_F(SessionTest, ClosesWhatIsNotAskedAnyMore) {
    v1::Update late;
    late.mutable_action_result()->set_match_id("m1");
    late.mutable_action_result()->set_decision_id(1);
    late.mutable_action_result()->set_status(v1::ACTION_STATUS_TOO_LATE);
    v1::Update deal_ended;
    deal_ended.mutable_deal_ended()->set_match_id("m1");
    v1::Update match_ended;
    match_ended.mutable_match_ended()->set_match_id("m1");
    for (const v1::Update& update : {late, deal_ended, decision("m1", 2), match_ended}) {
        begin(false);
        const QuestionPtr question = ask(1);
        take(update);
        EXPECT_TRUE(question->closed) << update.ShortDebugString();
    }
}

TEST_F(SessionTest, GoesOnWhenAnEarlierAnswerWasTooLate) {
    begin(false);
    const QuestionPtr question = ask(2);
    v1::Update late;
    late.mutable_action_result()->set_match_id("m1");
    late.mutable_action_result()->set_decision_id(1);
    late.mutable_action_result()->set_status(v1::ACTION_STATUS_TOO_LATE);
    take(late);
    EXPECT_FALSE(question->closed);
}

TEST_F(SessionTest, IgnoresWhatItDoesNotKnow) {
    begin();
    EXPECT_TRUE(take(v1::Update{}).commands.empty());
    v1::Update unknown_field;
    ASSERT_TRUE(unknown_field.ParseFromString("\xA2\x06\x01x"));  // field 100
    EXPECT_TRUE(take(unknown_field).commands.empty());
    v1::Update strange = decision("m1", 1);
    auto* const seen = strange.mutable_decision();
    seen->mutable_observation()->add_history()->set_kind(static_cast<v1::EventKind>(99));
    seen->add_legal_actions()->set_kind(static_cast<v1::ActionKind>(99));
    const Reaction reaction = take(strange);
    ASSERT_EQ(reaction.questions.size(), 1U);
    EXPECT_EQ(reaction.questions[0]->view.legal_actions.size(),
              reaction.questions[0]->legal_actions.size() - 1);
}

TEST_F(SessionTest, RefusesRulesThatItDoesNotKnow) {
    v1::Update strange = offer("m2");
    strange.mutable_match_offered()->mutable_rules()->set_open_duty(static_cast<v1::Duty>(9));
    EXPECT_THROW(take(strange), WireError);
    EXPECT_THROW(take(decision("m3", 1)), WireError);
}

TEST(Wire, ActionsGoThereAndBack) {
    for (Action action = 0; action < kActions; ++action)
        EXPECT_EQ(read_action(action_message(action)), action);
    EXPECT_EQ(read_action(v1::Action{}), kNone);
}

TEST(Wire, ReadsTheView) {
    const Rules rules = read_rules(offer("m1").match_offered().rules());
    EXPECT_EQ(rules.pack, Rules(preset("schnapsen")).pack);
    const View view = read_view(decision("m1", 1).decision(), rules);
    EXPECT_EQ(view.seat, 1);
    EXPECT_EQ(view.stage, Stage::kLead);
    EXPECT_EQ(count(view.hand.cards()), 5);
    EXPECT_EQ(view.trump, 2);
    EXPECT_EQ(view.face_down, 9);
    EXPECT_EQ(view.score, (Pair{2, 1}));
    EXPECT_EQ(view.history.size(), 1U);
}

TEST(Choose, TakesALegalActionInTime) {
    Session session{v1::Hello{}};
    v1::PlayResponse message;
    *message.add_updates() = offer("m1");
    *message.add_updates() = decision("m1", 1);
    const Reaction reaction = session.take(message, std::chrono::steady_clock::now());
    const int place = make_choose(2ms)(*reaction.questions.at(0));
    EXPECT_GE(place, 0);
    EXPECT_LT(place, static_cast<int>(reaction.questions[0]->legal_actions.size()));
}

TEST(Choose, BudgetFollowsTheClock) {
    Question question;
    question.cap = 1s;
    question.bank = 60s;
    EXPECT_EQ(budget_of(question, 100ms), 100ms);
    question.cap = 80ms;
    EXPECT_EQ(budget_of(question, 100ms), 40ms);
    question.bank = 600ms;
    EXPECT_EQ(budget_of(question, 100ms), 10ms);
}

TEST(StreamEnd, SaysWhetherToConnectAgain) {
    struct Case {
        grpc::StatusCode code;
        const char* reason;
        bool over, lost;
    };
    for (const Case& expected :
         {Case{grpc::StatusCode::UNAVAILABLE, "", false, true},
          Case{grpc::StatusCode::UNAVAILABLE, "HEARTBEAT_MISSED", false, true},
          Case{grpc::StatusCode::RESOURCE_EXHAUSTED, "OUTBOUND_QUEUE_FULL", false, true},
          Case{grpc::StatusCode::RESOURCE_EXHAUSTED, "RATE_EXCEEDED", false, false},
          Case{grpc::StatusCode::UNAVAILABLE, "DRAINING", false, false},
          Case{grpc::StatusCode::UNAVAILABLE, "TOURNAMENT_OVER", true, false},
          Case{grpc::StatusCode::ABORTED, "REPLACED_BY_NEWER_CONNECTION", false, false}}) {
        v1::ErrorInfo info;
        info.set_reason(expected.reason);
        info.set_domain("sixtysix");
        v1::Status details;
        auto* const packed = details.add_details();
        packed->set_type_url("type.googleapis.com/google.rpc.ErrorInfo");
        packed->set_value(info.SerializeAsString());
        const StreamEnd end = StreamEnd::of({expected.code, "text", details.SerializeAsString()});
        EXPECT_EQ(end.reason, expected.reason);
        EXPECT_EQ(end.over(), expected.over) << expected.reason;
        EXPECT_EQ(end.lost(), expected.lost) << expected.reason;
    }
    EXPECT_TRUE(StreamEnd::of(grpc::Status::OK).over());
}

}  // namespace
}  // namespace sixtysix
