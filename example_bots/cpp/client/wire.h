// Between the messages of the protocol and the values of the engine.
#pragma once

#include <stdexcept>

#include "rules/view.h"
#include "sixtysix/v1/bot_service.pb.h"

namespace sixtysix {

// The arbiter has sent what this bot cannot understand, and must in order to play.
class WireError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

// The rules of a match. Throws WireError, naming the field, for rules that this engine does not know.
Rules read_rules(const v1::RuleSet& message);
// What the deciding seat knows. Legal actions and events of kinds that are not known here are left out.
// Throws WireError. The view refers to `rules`.
View read_view(const v1::Decision& decision, const Rules& rules);
// The action of the list that is `action`; kNone for a kind that is not known here.
Action read_action(const v1::Action& message);
v1::Action action_message(Action action);

}  // namespace sixtysix
