// Messages as an arbiter sends them.
#pragma once

#include <cstdint>
#include <string>

#include "sixtysix/v1/bot_service.pb.h"

namespace sixtysix {

v1::Update welcome(const std::string& session_id, bool resumed);
// A match in `schnapsen`.
v1::Update offer(const std::string& match_id);
// The first lead of a deal of that match, by seat 1.
v1::Update decision(const std::string& match_id, std::uint64_t decision_id);

}  // namespace sixtysix
