//! A bot for Sixty-Six and Schnapsen.
//!
//! [`client`] connects a bot to an arbiter. [`rules`] is an engine for every rule set that the protocol can describe.

#[cfg(test)]
extern crate self as my_bot;

#[expect(missing_docs, clippy::pedantic, reason = "generated; the .proto files are documented")]
pub mod proto {
    tonic::include_proto!("sixtysix.v1");
}

pub mod bot;
pub mod client;
pub mod random;
pub mod rules;
pub mod view;
