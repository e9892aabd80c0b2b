#include "client/stream_end.h"

#include "sixtysix/v1/status.pb.h"

namespace sixtysix {
namespace {

constexpr const char* kDomain = "sixtysix";
constexpr const char* kErrorInfo = "type.googleapis.com/google.rpc.ErrorInfo";

}  // namespace

StreamEnd StreamEnd::of(const grpc::Status& status) {
    StreamEnd end{status.error_code(), "", status.error_message()};
    v1::Status details;
    if (!details.ParseFromString(status.error_details())) return end;
    for (const auto& detail : details.details()) {
        v1::ErrorInfo info;
        const bool is_info = detail.type_url() == kErrorInfo && info.ParseFromString(detail.value());
        if (is_info && info.domain() == kDomain) end.reason = info.reason();
    }
    return end;
}

bool StreamEnd::over() const {
    return code == grpc::StatusCode::OK || reason == "TOURNAMENT_OVER";
}

bool StreamEnd::lost() const {
    if (!reason.empty()) return reason == "HEARTBEAT_MISSED" || reason == "OUTBOUND_QUEUE_FULL";
    return code == grpc::StatusCode::UNAVAILABLE || code == grpc::StatusCode::CANCELLED;
}

std::string StreamEnd::text() const {
    return (reason.empty() ? "gRPC status " + std::to_string(code) : reason) +
           (message.empty() ? "" : ": " + message);
}

}  // namespace sixtysix
