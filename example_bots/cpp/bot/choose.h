// The bot's own part: which of the legal actions to take.
#pragma once

#include <chrono>

#include "client/client.h"

namespace sixtysix {

// How long a decision may take: at most `most`, half of its cap and a small share of the bank.
std::chrono::microseconds budget_of(const Question& question, std::chrono::microseconds most);

// A function that thinks for `most` at most.
Choose make_choose(std::chrono::microseconds most);

}  // namespace sixtysix
