//! Actions: the single steps of a deal.

use std::ops::Deref;

use super::cards::{Card, Suit};

/// One step of a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Action {
    /// Play a card.
    Play(Card),
    /// Draw instead of closing.
    Draw,
    /// Exchange the lowest trump for the turn-up.
    Exchange,
    /// Close the talon.
    Close,
    /// Claim to have enough points.
    Claim,
    /// Decline an exchange after a close, or a claim after the last trick.
    Pass,
    /// Declare king and queen of a suit.
    Marriage(Suit),
    /// Name another trump.
    Trump(Suit),
}

/// Most legal actions: a hand has 11 cards at most, and 10 other actions may join them.
pub const MOST_ACTIONS: usize = 24;

/// A list of different actions, without an allocation.
#[derive(Debug, Clone, Copy)]
pub struct Actions {
    list: [Action; MOST_ACTIONS],
    count: usize,
}

impl Actions {
    /// No actions.
    #[must_use]
    pub const fn new() -> Self {
        Self { list: [Action::Pass; MOST_ACTIONS], count: 0 }
    }

    /// Adds an action at the end.
    pub fn push(&mut self, action: Action) {
        self.list[self.count] = action;
        self.count += 1;
    }

    /// Takes an action out, if it is there, and keeps the order of the others.
    pub fn remove(&mut self, action: Action) {
        if let Some(place) = self.iter().position(|&one| one == action) {
            self.list.copy_within(place + 1..self.count, place);
            self.count -= 1;
        }
    }
}

impl Default for Actions {
    fn default() -> Self {
        Self::new()
    }
}

impl Deref for Actions {
    type Target = [Action];

    fn deref(&self) -> &[Action] {
        &self.list[..self.count]
    }
}

impl Extend<Action> for Actions {
    fn extend<I: IntoIterator<Item = Action>>(&mut self, actions: I) {
        for action in actions {
            self.push(action);
        }
    }
}
