//! Information set Monte Carlo tree search: one tree over what the players do, grown through a new world each time.

use super::endgame::Endgame;
use super::playout::{play_out, quick_action};
use super::worlds::Worlds;
use super::worth::Worth;
use crate::proto::BothOver;
use crate::random::Random;
use crate::rules::{Action, Actions, Rules, State};

/// How much the search tries what it knows little of, as a share of the range of values.
const CURIOSITY: f64 = 0.7;

const NONE: usize = usize::MAX;

/// The tree of one decision.
pub struct Tree<'a> {
    rules: &'a Rules,
    worth: &'a Worth,
    seat: usize,
    nodes: Vec<Node>,
    random: Random,
}

/// An action after those above it, whoever holds what.
struct Node {
    action: Action,
    first_child: usize,
    next_sibling: usize,
    visits: u32,
    /// Visits of the parent in worlds in which this action was legal.
    available: u32,
    /// Sum of worths for the deciding seat.
    total: f64,
}

/// An action at the root, and what the search found out about it.
#[derive(Debug, Clone, Copy)]
pub struct Candidate {
    /// The action.
    pub action: Action,
    /// In how many worlds it was tried.
    pub visits: u32,
    /// Its mean worth.
    pub mean: f64,
}

impl<'a> Tree<'a> {
    /// An empty tree for a decision of `seat`.
    #[must_use]
    pub fn new(rules: &'a Rules, worth: &'a Worth, seat: usize, random: Random) -> Self {
        Self { rules, worth, seat, nodes: vec![Node::new(Action::Pass)], random }
    }

    /// Looks at one more world.
    pub fn grow(&mut self, worlds: &mut Worlds<'_>, endgame: &mut Endgame<'_>) {
        let mut state = worlds.sample(&mut self.random);
        let mut path = Vec::with_capacity(32);
        let mut node = 0;
        while state.outcome.is_none() && (state.talon_open() || state.closing.is_some()) {
            let actions = sensible(self.rules, &state);
            let (child, is_new) = self.descend(node, &state, &actions);
            state.apply(self.rules, self.nodes[child].action);
            path.push(child);
            node = child;
            if is_new {
                break;
            }
        }
        play_out(self.rules, &mut state);
        let value = f64::from(endgame.value(&state, self.seat));
        self.nodes[0].visits += 1;
        for &node in &path {
            self.nodes[node].visits += 1;
            self.nodes[node].total += value;
        }
    }

    /// What is known about the actions at the root.
    pub fn candidates(&self) -> impl Iterator<Item = Candidate> + '_ {
        self.children(0).map(|child| {
            let Node { action, visits, total, .. } = self.nodes[child];
            Candidate { action, visits, mean: total / f64::from(visits.max(1)) }
        })
    }

    fn children(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        let first = Some(self.nodes[node].first_child).filter(|&child| child != NONE);
        std::iter::successors(first, |&child| Some(self.nodes[child].next_sibling).filter(|&next| next != NONE))
    }

    /// The child to go on with, and whether it is a new one.
    fn descend(&mut self, node: usize, state: &State, actions: &Actions) -> (usize, bool) {
        let mut untried = *actions;
        let mut best = (NONE, f64::NEG_INFINITY);
        let sign = if state.turn == self.seat { 1.0 } else { -1.0 };
        let unit = f64::from(self.worth.range());
        let mut child = self.nodes[node].first_child;
        while child != NONE {
            let one = &mut self.nodes[child];
            if actions.contains(&one.action) {
                untried.remove(one.action);
                one.available += 1;
                let visits = f64::from(one.visits);
                let mean = sign * one.total / visits / unit;
                let bound = mean + CURIOSITY * (f64::from(one.available).ln() / visits).sqrt();
                if bound > best.1 {
                    best = (child, bound);
                }
            }
            child = one.next_sibling;
        }
        if untried.is_empty() {
            return (best.0, false);
        }
        let quick = quick_action(self.rules, state);
        let action = if untried.contains(&quick) { quick } else { untried[self.random.below(untried.len())] };
        (self.add(node, action), true)
    }

    fn add(&mut self, node: usize, action: Action) -> usize {
        let child = self.nodes.len();
        let next_sibling = self.nodes[node].first_child;
        self.nodes.push(Node { next_sibling, available: 1, ..Node::new(action) });
        self.nodes[node].first_child = child;
        child
    }
}

impl Node {
    const fn new(action: Action) -> Self {
        Self { action, first_child: NONE, next_sibling: NONE, visits: 0, available: 0, total: 0.0 }
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
