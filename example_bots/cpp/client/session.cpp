#include "client/session.h"

#include <algorithm>

namespace sixtysix {
namespace {

std::chrono::microseconds microseconds(std::uint64_t number) {
    constexpr std::uint64_t kYear = 31'536'000'000'000;
    return std::chrono::microseconds(std::min(number, kYear));
}

}  // namespace

v1::Command Session::hello() const {
    v1::Command command;
    *command.mutable_hello() = hello_;
    return command;
}

Reaction Session::take(const v1::PlayResponse& message, Time arrived) {
    Reaction reaction;
    for (const v1::Update& update : message.updates()) {
        switch (update.update_case()) {
            case v1::Update::kPing: {
                v1::Command command;
                command.mutable_pong()->set_nonce(update.ping().nonce());
                reaction.commands.push_back(std::move(command));
                break;
            }
            case v1::Update::kWelcome:
                welcomed_ = true;
                hello_.set_resume_session_id(update.welcome().session_id());
                if (!update.welcome().resumed()) {
                    while (!matches_.empty())
                        close(matches_.begin()->first), matches_.erase(matches_.begin());
                }
                reaction.notes.push_back("connected as " + update.welcome().bot_name());
                break;
            case v1::Update::kMatchOffered:
                offer(update.match_offered(), reaction);
                break;
            case v1::Update::kDecision:
                decision(update.decision(), arrived, reaction);
                break;
            case v1::Update::kActionResult:
                result(update.action_result(), reaction);
                break;
            case v1::Update::kDealEnded:
                close(update.deal_ended().match_id());
                break;
            case v1::Update::kMatchEnded:
                close(update.match_ended().match_id());
                matches_.erase(update.match_ended().match_id());
                break;
            case v1::Update::kDraining:
                reaction.notes.push_back("the arbiter shuts down; matches that run go on");
                break;
            case v1::Update::kError:
                reaction.notes.push_back("a command was dropped: " + update.error().message());
                break;
            default:  // deal_started and event repeat what observations hold; others come from a later
                      // version
                break;
        }
    }
    return reaction;
}

bool Session::answer(const Question& question, const v1::Action& action, v1::Command& command) {
    const auto found = matches_.find(question.match_id);
    if (question.closed || found == matches_.end() || found->second.open.get() != &question) return false;
    v1::ActionCommand& answer = *command.mutable_action();
    answer.set_match_id(question.match_id);
    answer.set_decision_id(question.decision_id);
    *answer.mutable_action() = action;
    Match& match = found->second;
    match.open.reset();
    match.answered_id = question.decision_id;
    match.answer = command;
    return true;
}

void Session::offer(const v1::MatchOffered& offer, Reaction& reaction) {
    Match& match = matches_[offer.match_id()];
    if (match.rules == nullptr) match.rules = std::make_shared<const Rules>(read_rules(offer.rules()));
    v1::Command command;
    command.mutable_ready()->set_match_id(offer.match_id());
    reaction.commands.push_back(std::move(command));
}

void Session::decision(const v1::Decision& decision, Time arrived, Reaction& reaction) {
    const auto found = matches_.find(decision.match_id());
    if (found == matches_.end())
        throw WireError("a decision of match " + decision.match_id() + ", which was not offered");
    Match& match = found->second;
    if (match.answered_id ==
        decision.decision_id()) {  // sent again after a lost connection: so is the answer
        reaction.commands.push_back(match.answer);
        return;
    }
    if (match.open != nullptr && match.open->decision_id == decision.decision_id())
        return;  // being thought about
    close(decision.match_id());
    if (decision.legal_actions().empty()) throw WireError("a decision without a legal action");
    auto question = std::make_shared<Question>();
    question->match_id = decision.match_id();
    question->decision_id = decision.decision_id();
    question->rules = match.rules;
    question->legal_actions = {decision.legal_actions().begin(), decision.legal_actions().end()};
    question->view = read_view(decision, *match.rules);
    question->cap = microseconds(decision.clock().cap_us());
    question->bank = microseconds(decision.clock().bank_us());
    question->arrived = arrived;
    match.open = question;
    reaction.questions.push_back(std::move(question));
}

void Session::close(const std::string& match_id) {
    const auto found = matches_.find(match_id);
    if (found == matches_.end() || found->second.open == nullptr) return;
    found->second.open->closed = true;
    found->second.open.reset();
}

void Session::result(const v1::ActionResult& result, Reaction& reaction) {
    const bool fault = result.status() == v1::ACTION_STATUS_TOO_LATE ||
                       result.status() == v1::ACTION_STATUS_ILLEGAL ||
                       result.status() == v1::ACTION_STATUS_MALFORMED;
    if (!fault) return;
    if (result.status() == v1::ACTION_STATUS_TOO_LATE) {
        // It may be about an answer to an earlier decision, and then the open one still waits for its own.
        const auto found = matches_.find(result.match_id());
        const bool open = found != matches_.end() && found->second.open != nullptr;
        if (open && found->second.open->decision_id == result.decision_id()) close(result.match_id());
    }
    reaction.notes.push_back(
        "match " + result.match_id() + ", decision " + std::to_string(result.decision_id()) + ": " +
        v1::ActionStatus_Name(result.status()) + " " + result.message() + " " + result.consequence());
}

}  // namespace sixtysix
