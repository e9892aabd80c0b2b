// All matches of a bot, as the protocol has them: from updates to commands, without input or output. What has
// to be thought about is handed out as a `Question`, and its answer is given back whenever it is found.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "client/wire.h"

namespace sixtysix {

using Time = std::chrono::steady_clock::time_point;

// A decision to be made.
struct Question {
    std::string match_id;
    std::uint64_t decision_id = 0;
    std::shared_ptr<const Rules> rules;
    View view;
    std::vector<v1::Action> legal_actions;  // as sent
    std::chrono::microseconds cap{};
    std::chrono::microseconds bank{};
    Time arrived;
    std::atomic<bool> closed = false;  // set when no answer is wanted any more
};
using QuestionPtr = std::shared_ptr<Question>;

// What follows from a message of the arbiter.
struct Reaction {
    std::vector<v1::Command> commands;
    std::vector<QuestionPtr> questions;
    std::vector<std::string> notes;  // for the log
};

class Session {
  public:
    // `hello` introduces the bot; the session to resume is filled in.
    explicit Session(v1::Hello hello) : hello_(std::move(hello)) {}

    // A stream begins: its first command.
    v1::Command hello() const;
    // Follows a message that came at `arrived`. Throws WireError.
    Reaction take(const v1::PlayResponse& message, Time arrived);
    // The answer to a question; false if none is wanted any more, and then nothing is to be sent.
    bool answer(const Question& question, const v1::Action& action, v1::Command& command);
    // Has the stream that began last been welcomed?
    bool welcomed() const { return welcomed_; }
    // A stream begins anew.
    void restart() { welcomed_ = false; }

  private:
    struct Match {
        std::shared_ptr<const Rules> rules;
        QuestionPtr open;
        std::uint64_t answered_id = 0;
        v1::Command answer;
    };

    void decision(const v1::Decision& decision, Time arrived, Reaction& reaction);
    void offer(const v1::MatchOffered& offer, Reaction& reaction);
    void close(const std::string& match_id);
    void result(const v1::ActionResult& result, Reaction& reaction);

    v1::Hello hello_;
    bool welcomed_ = false;
    std::map<std::string, Match> matches_;
};

}  // namespace sixtysix
