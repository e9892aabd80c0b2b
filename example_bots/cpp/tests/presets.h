// The rule sets that the arbiter ships, for tests and for play without an arbiter. The bot itself has none
// built in: it gets the rules with each match.
#pragma once

#include <string>
#include <vector>

#include "rules/rule_set.h"

namespace sixtysix {

// Throws std::invalid_argument for an unknown name.
RuleSet preset(const std::string& name);
std::vector<std::string> preset_names();

}  // namespace sixtysix
