//! Connects a bot to an arbiter and keeps it connected: the part that a bot of your own can take over as it is.
//!
//! A bot implements [`Bot`] and calls [`run`]. One task reads the stream, answers pings and writes; the bot thinks in
//! threads of its own, one for each open decision.

mod link;
mod matches;
mod settings;
mod stream_end;

pub use link::{Ending, run};
pub use settings::{Settings, SettingsError};
pub use stream_end::StreamEnd;

use std::time::Instant;

use crate::proto::{Action, Decision, MatchOffered};

/// What a bot says of itself and how it decides.
pub trait Bot: Send + Sync + 'static {
    /// Version of the bot, for logs and reports.
    fn version(&self) -> String;

    /// Who wrote it; may be empty.
    fn author(&self) -> String {
        String::new()
    }

    /// Names of the rule sets that it plays; none: any, it goes by the fields of the rule set.
    fn rule_sets(&self) -> Vec<String> {
        Vec::new()
    }

    /// Most matches at the same time, 1 or more: as many threads may be thinking at once.
    fn max_concurrent_matches(&self) -> u32 {
        1
    }

    /// Does it want to close or claim before drawing, where the rules allow it?
    fn ask_before_draw(&self) -> bool {
        true
    }

    /// Can it play by these rules? If not, the bot leaves and says why.
    ///
    /// # Errors
    ///
    /// The reason, for people.
    fn accept(&self, offer: &MatchOffered) -> Result<(), String>;

    /// Answers a decision with one of its legal actions. The clock has been running since `received`.
    ///
    /// # Errors
    ///
    /// A reason to leave, for people.
    fn choose(&self, offer: &MatchOffered, decision: &Decision, received: Instant) -> Result<Action, String>;
}
