// How a stream ended, by the table of stream errors in docs/protocol.md.
#pragma once

#include <grpcpp/support/status.h>

#include <string>

namespace sixtysix {

struct StreamEnd {
    grpc::StatusCode code = grpc::StatusCode::OK;
    std::string reason;   // name of a StatusReason; empty if the end comes from gRPC itself
    std::string message;  // for people

    static StreamEnd of(const grpc::Status& status);

    // Has the tournament come to its end?
    bool over() const;
    // Is it right to connect again?
    bool lost() const;
    std::string text() const;
};

}  // namespace sixtysix
