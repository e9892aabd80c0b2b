//! Choosing an action: exactly where nothing is hidden, otherwise by a search through sampled worlds.

pub mod endgame;
pub mod habits;
pub mod playout;
pub mod tree;
pub mod worlds;
pub mod worth;

use std::time::Instant;

use crate::random::Random;
use crate::rules::{Action, Rules, State};
use crate::view::View;
use endgame::Endgame;
use playout::sensible;
use tree::Tree;
use worlds::Worlds;
use worth::Worth;

/// Worlds between two looks at the clock.
const BATCH: u32 = 16;

/// Most worlds for a decision; more change hardly anything, and the tree stays small.
const MOST_WORLDS: u32 = 200_000;

/// The best of the legal actions, or `None` if this version knows none of them.
///
/// Returns soon after `deadline` at the latest: a few worlds are always looked at.
#[must_use]
pub fn choose(rules: &Rules, view: &View, deadline: Instant, seed: u64) -> Option<Action> {
    if view.legal.len() <= 1 {
        return view.legal.first().copied();
    }
    let likely = sensible(rules, &view.state);
    let actions: Vec<Action> = view.legal.iter().copied().filter(|action| likely.contains(action)).collect();
    if actions.len() <= 1 {
        return actions.first().or(view.legal.first()).copied();
    }
    let worth = Worth::new(rules, view.score, view.state.carry);
    let mut worlds = Worlds::new(rules, view);
    let mut endgame = Endgame::new(rules, &worth, view.state.carry);
    let mut random = Random::new(seed);
    let (unknown, among) = worlds.unknown();
    let is_open = view.state.talon_open();
    if !is_open && (unknown == 0 || unknown == among) {
        let state = worlds.sample(&mut random);
        return best_exactly(rules, &mut endgame, &state, &actions);
    }
    let mut tree = Tree::new(rules, &worth, view.seat, random);
    for round in 0..MOST_WORLDS {
        if round % BATCH == 0 && round > 0 && Instant::now() >= deadline {
            break;
        }
        tree.grow(&mut worlds, &mut endgame);
    }
    let known = tree.candidates().filter(|candidate| actions.contains(&candidate.action));
    known.max_by_key(|candidate| candidate.visits).map(|candidate| candidate.action)
}

fn best_exactly(rules: &Rules, endgame: &mut Endgame<'_>, state: &State, actions: &[Action]) -> Option<Action> {
    let value = |action: &&Action| {
        let mut after = *state;
        after.apply(rules, **action);
        endgame.value(&after, state.turn)
    };
    actions.iter().max_by_key(value).copied()
}
