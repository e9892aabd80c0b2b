//! How a stream ended, and whether it is right to connect again.

use std::fmt;

use prost::Message;
use tonic::{Code, Status};

use crate::proto;

/// How a stream ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StreamEnd {
    code: Code,
    reason: String,
    text: String,
}

impl StreamEnd {
    /// The arbiter ended the stream in good order.
    #[must_use]
    pub fn ok() -> Self {
        Self { code: Code::Ok, reason: String::new(), text: String::new() }
    }

    /// A connection that could not be opened, or broke.
    #[must_use]
    pub fn lost(text: String) -> Self {
        Self { code: Code::Unavailable, reason: String::new(), text }
    }

    /// Has the tournament come to its end?
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.code == Code::Ok || self.reason == "TOURNAMENT_OVER"
    }

    /// Should the bot connect again? By the table of stream errors in the description of the protocol.
    #[must_use]
    pub fn may_reconnect(&self) -> bool {
        match self.reason.as_str() {
            "" => matches!(self.code, Code::Unavailable | Code::Cancelled | Code::Unknown | Code::Internal),
            reason => matches!(reason, "HEARTBEAT_MISSED" | "OUTBOUND_QUEUE_FULL"),
        }
    }
}

impl From<&Status> for StreamEnd {
    fn from(status: &Status) -> Self {
        let reason = error_info(status.details()).map_or_else(String::new, |info| info.reason);
        Self { code: status.code(), reason, text: status.message().to_owned() }
    }
}

impl fmt::Display for StreamEnd {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.reason.is_empty() {
            write!(formatter, "{:?}: {}", self.code, self.text)
        } else {
            write!(formatter, "{}: {}", self.reason, self.text)
        }
    }
}

fn error_info(details: &[u8]) -> Option<proto::ErrorInfo> {
    let status = proto::Status::decode(details).ok()?;
    let packed = status.details.into_iter().find(|any| any.type_url.ends_with("/google.rpc.ErrorInfo"))?;
    proto::ErrorInfo::decode(packed.value.as_slice()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn end(code: Code, reason: &str) -> StreamEnd {
        let info = proto::ErrorInfo { reason: reason.to_owned(), domain: "sixtysix".to_owned(), ..Default::default() };
        let any = prost_types::Any {
            type_url: "type.googleapis.com/google.rpc.ErrorInfo".to_owned(),
            value: info.encode_to_vec(),
        };
        let details = if reason.is_empty() { Vec::new() } else { vec![any] };
        let status = proto::Status { code: code.into(), message: String::new(), details };
        StreamEnd::from(&Status::with_details(code, "text", status.encode_to_vec().into()))
    }

    #[test]
    fn the_reason_decides_what_to_do() {
        let cases = [
            (Code::Unavailable, "", false, true),
            (Code::Unavailable, "HEARTBEAT_MISSED", false, true),
            (Code::ResourceExhausted, "OUTBOUND_QUEUE_FULL", false, true),
            (Code::ResourceExhausted, "", false, false),
            (Code::ResourceExhausted, "RATE_EXCEEDED", false, false),
            (Code::Unavailable, "TOURNAMENT_OVER", true, false),
            (Code::Unavailable, "DRAINING", false, false),
            (Code::Aborted, "REPLACED_BY_NEWER_CONNECTION", false, false),
            (Code::FailedPrecondition, "RULE_SET_UNSUPPORTED", false, false),
            (Code::Unavailable, "SOMETHING_OF_A_LATER_VERSION", false, false),
            (Code::Ok, "", true, false),
        ];
        for (code, reason, over, again) in cases {
            let end = end(code, reason);
            let again = again || (over && end.may_reconnect());
            assert_eq!((end.is_over(), end.may_reconnect()), (over, again), "{end}");
        }
    }
}
