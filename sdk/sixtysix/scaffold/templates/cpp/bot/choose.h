// The bot's own part: which of the legal actions to take.
#pragma once

#include "client/client.h"

namespace sixtysix {

// The place of the action in question.legal_actions. question.view has all that the bot may know.
int choose(const Question& question);

}  // namespace sixtysix
