//! The strong bot: how long it thinks, and what it does with the time.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use crate::client::Bot;
use crate::proto::{Action, Clock, Decision, MatchOffered};
use crate::rules::Rules;
use crate::search::choose;
use crate::view::{View, action_message};

const THINK_MS: &str = "BOT_THINK_MS";
const DEFAULT_THINK: Duration = Duration::from_millis(100);

/// Most matches at the same time, on a machine with as many processors: more would wait for each other.
const MOST_MATCHES: usize = 4;

/// Hundredths of a decision's cap, and parts of the bank, that it may take.
const CAP_PERCENT: u64 = 60;
const BANK_PARTS: u64 = 60;

/// Searches as long as it may.
pub struct StrongBot {
    think: Duration,
    seed: RandomState,
    /// By the hash of the rule set.
    rules: Mutex<HashMap<String, Arc<Rules>>>,
}

/// Time for a decision, from `BOT_THINK_MS`; 100 ms unless it is set.
///
/// # Errors
///
/// What is wrong with the variable.
pub fn think_time() -> Result<Duration, String> {
    match std::env::var(THINK_MS) {
        Err(_) => Ok(DEFAULT_THINK),
        Ok(text) => match text.parse() {
            Ok(milliseconds @ 1..=60_000) => Ok(Duration::from_millis(milliseconds)),
            _ => Err(format!("{THINK_MS} must be a number of milliseconds from 1 to 60000, not {text:?}")),
        },
    }
}

impl StrongBot {
    /// A bot that thinks for `think` at most, and less where the clock allows less.
    #[must_use]
    pub fn new(think: Duration) -> Self {
        Self { think, seed: RandomState::new(), rules: Mutex::default() }
    }

    fn rules(&self, offer: &MatchOffered) -> Result<Arc<Rules>, String> {
        let set = offer.rules.as_ref().ok_or("a match is offered without rules")?;
        let mut known = self.rules.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(rules) = known.get(&set.hash) {
            return Ok(Arc::clone(rules));
        }
        let rules = Arc::new(Rules::new(set).map_err(|error| error.to_string())?);
        known.insert(set.hash.clone(), Arc::clone(&rules));
        Ok(rules)
    }
}

/// How much of the clock a decision may take.
fn budget(think: Duration, clock: Option<&Clock>) -> Duration {
    let Some(clock) = clock else { return think };
    let most_us = (clock.cap_us / 100 * CAP_PERCENT).min(clock.bank_us / BANK_PARTS);
    think.min(Duration::from_micros(most_us))
}

impl Bot for StrongBot {
    fn version(&self) -> String {
        env!("CARGO_PKG_VERSION").to_owned()
    }

    fn max_concurrent_matches(&self) -> u32 {
        let processors = available_parallelism().map_or(1, usize::from);
        u32::try_from(processors.min(MOST_MATCHES)).unwrap_or(1)
    }

    fn accept(&self, offer: &MatchOffered) -> Result<(), String> {
        self.rules(offer).map(drop)
    }

    fn choose(&self, offer: &MatchOffered, decision: &Decision, received: Instant) -> Result<Action, String> {
        if let [only] = decision.legal_actions.as_slice() {
            return Ok(*only);
        }
        let rules = self.rules(offer)?;
        let view = View::new(&rules, decision).map_err(|error| error.to_string())?;
        let deadline = received + budget(self.think, decision.clock.as_ref());
        let seed = self.seed.hash_one((&decision.match_id, decision.decision_id));
        let action = choose(&rules, &view, deadline, seed).ok_or("no legal action is known to this version")?;
        Ok(action_message(action))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_bounds_the_time() {
        let think = Duration::from_millis(100);
        let cases =
            [(1_000_000, 60_000_000, 100_000), (100_000, 60_000_000, 60_000), (1_000_000, 600_000, 10_000), (0, 0, 0)];
        for (cap_us, bank_us, expected_us) in cases {
            let clock = Clock { cap_us, bank_us, opponent_bank_us: 0 };
            assert_eq!(budget(think, Some(&clock)), Duration::from_micros(expected_us));
        }
        assert_eq!(budget(think, None), think);
    }
}
