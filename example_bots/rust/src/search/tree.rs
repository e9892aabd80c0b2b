//! Information set Monte Carlo tree search: one tree over what the players do, grown through a new world each time.

use super::endgame::Endgame;
use super::habits::{Chances, chances, drawn};
use super::playout::{play_out, sensible};
use super::worlds::Worlds;
use super::worth::Worth;
use crate::random::Random;
use crate::rules::action::MOST_ACTIONS;
use crate::rules::{Action, Actions, Rules};

/// How much the search tries what it knows little of, as a share of the range of values.
const CURIOSITY: f64 = 0.3;

/// Share of the prior that comes from habits; all actions divide the rest evenly.
const TRUST: f64 = 0.75;

/// Of a hundred steps of the other player while cards are drawn, how many are taken by habit, which does not look at
/// this seat's hand. What the tree finds for him does: this hand is the same in all worlds.
const HABIT: usize = 30;

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
        path.push(node);
        while state.outcome.is_none() && (state.talon_open() || state.closing.is_some()) {
            let actions = sensible(self.rules, &state);
            let chances = chances(self.rules, &state, &actions);
            let is_own = state.turn == self.seat;
            let by_habit = !is_own && state.talon_open() && self.random.below(100) < HABIT;
            let action = if by_habit {
                drawn(&actions, &chances, &mut self.random)
            } else {
                self.most_promising(node, &actions, &chances, is_own)
            };
            node = self.child(node, action);
            path.push(node);
            state.apply(self.rules, action);
            if !by_habit && self.nodes[node].visits == 0 {
                break;
            }
        }
        play_out(self.rules, &mut state);
        let value = f64::from(endgame.value(&state, self.seat));
        for &node in &path {
            self.nodes[node].visits += 1;
            self.nodes[node].total += value;
        }
    }

    /// What is known about the actions at the root.
    pub fn candidates(&self) -> impl Iterator<Item = Candidate> + '_ {
        self.children(0).map(|child| {
            let node = &self.nodes[child];
            Candidate { action: node.action, visits: node.visits, mean: node.mean() }
        })
    }

    fn children(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        let first = Some(self.nodes[node].first_child).filter(|&child| child != NONE);
        std::iter::successors(first, |&child| Some(self.nodes[child].next_sibling).filter(|&next| next != NONE))
    }

    /// The action with the best bound: its mean, and a bonus that falls with its visits and grows with its prior.
    #[expect(clippy::cast_precision_loss, reason = "a few actions")]
    fn most_promising(&self, node: usize, actions: &Actions, chances: &Chances, is_own: bool) -> Action {
        // An action not yet tried is taken to be as good as its position has been.
        let mut means = [self.nodes[node].mean(); MOST_ACTIONS];
        let mut visits = [0; MOST_ACTIONS];
        for child in self.children(node) {
            let child = &self.nodes[child];
            if let Some(place) = actions.iter().position(|&action| action == child.action) {
                (means[place], visits[place]) = (child.mean(), child.visits);
            }
        }
        let scale = f64::from(self.worth.range()) * if is_own { 1.0 } else { -1.0 };
        let width = CURIOSITY * f64::from(visits.iter().sum::<u32>() + 1).sqrt();
        let even = (1.0 - TRUST) / actions.len() as f64;
        let mut best = (actions[0], f64::NEG_INFINITY);
        for (place, &action) in actions.iter().enumerate() {
            let prior = even + TRUST * chances[place];
            let bound = means[place] / scale + width * prior / f64::from(visits[place] + 1);
            if bound > best.1 {
                best = (action, bound);
            }
        }
        best.0
    }

    /// The node of an action, made if there is none yet.
    fn child(&mut self, node: usize, action: Action) -> usize {
        if let Some(known) = self.children(node).find(|&child| self.nodes[child].action == action) {
            return known;
        }
        let child = self.nodes.len();
        let next_sibling = self.nodes[node].first_child;
        self.nodes.push(Node { next_sibling, ..Node::new(action) });
        self.nodes[node].first_child = child;
        child
    }
}

impl Node {
    const fn new(action: Action) -> Self {
        Self { action, first_child: NONE, next_sibling: NONE, visits: 0, total: 0.0 }
    }

    /// 0 for a new node, below which nothing is tried yet, so that it adds the same to all bounds.
    fn mean(&self) -> f64 {
        self.total / f64::from(self.visits.max(1))
    }
}
