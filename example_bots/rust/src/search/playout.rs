//! How both players go on where the search stops looking, up to the last draw, and what they never do.

use super::habits::likeliest;
use crate::proto::BothOver;
use crate::rules::{Action, Actions, Rules, Stage, State};

/// Plays by habit until no more cards are drawn: from there on the value is exact.
pub fn play_out(rules: &Rules, state: &mut State) {
    while state.outcome.is_none() && (state.talon_open() || state.stage == Stage::ExchangeOffer) {
        let actions = sensible(rules, state);
        state.apply(rules, likeliest(rules, state, &actions));
    }
}

/// The legal actions that may be right: a correct claim is made at once, a false one never, an exchange always.
#[must_use]
pub fn sensible(rules: &Rules, state: &State) -> Actions {
    let mut legal = state.legal(rules);
    let claim = state.can_claim(rules);
    let certain = if claim && !is_void(rules, state) { Action::Claim } else { Action::Exchange };
    if legal.contains(&certain) {
        let mut only = Actions::new();
        only.push(certain);
        return only;
    }
    if !claim {
        legal.remove(Action::Claim);
    }
    legal
}

/// Would a correct claim bring nothing?
fn is_void(rules: &Rules, state: &State) -> bool {
    rules.both_over == BothOver::Carry && state.card_points(1 - state.turn) > rules.claim_points
}
