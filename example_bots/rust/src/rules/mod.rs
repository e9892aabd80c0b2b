//! The rules engine: cards, rule sets as data, the state of a deal, and what its end is worth.

pub mod action;
pub mod cards;
pub mod ruleset;
pub mod scoring;
pub mod state;

pub use action::{Action, Actions};
pub use ruleset::{RuleSetError, Rules};
pub use scoring::{Closing, Ending, Outcome};
pub use state::{Stage, State};

#[cfg(test)]
#[path = "../../tests/common/mod.rs"]
mod presets;

#[cfg(test)]
pub(crate) mod samples {
    //! Rule sets for unit tests.

    use super::Rules;
    use super::presets::preset;

    pub(crate) fn schnapsen() -> Rules {
        Rules::new(&preset("schnapsen")).expect("a shipped rule set")
    }
}
