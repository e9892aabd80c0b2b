//! A strong bot for Sixty-Six and Schnapsen.
//!
//! [`client`] connects any bot to an arbiter. [`rules`] is an engine for every rule set that the protocol can describe.
//! [`search`] chooses actions with it.

#[cfg(test)]
extern crate self as sixtysix_rust_bot;

#[expect(missing_docs, clippy::pedantic, reason = "generated; the .proto files are documented")]
pub mod proto {
    tonic::include_proto!("sixtysix.v1");
}

pub mod bot;
pub mod client;
pub mod random;
pub mod rules;
pub mod search;
pub mod view;
