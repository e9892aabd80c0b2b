//! What players who search tend to do while cards are drawn: how likely each action is, from what its player can know.
//!
//! The weights were fitted (multinomial logit) to some 18,000 decisions of searching bots; those of
//! `example_bots/cpp/search/habits.cpp` are the same.

use crate::random::Random;
use crate::rules::action::MOST_ACTIONS;
use crate::rules::cards::{Card, Cards, RANKS_PER_SUIT, Suit, bit, each, partner, suit_cards, suit_of};
use crate::rules::{Action, Actions, Rules, Stage, State};

/// Chances of a list of actions, in its order.
pub type Chances = [f64; MOST_ACTIONS];

/// How much each property of a card adds to the log of its chance, for one use of a card.
struct CardWeights {
    /// By rank, from the ace.
    plain: [f64; RANKS_PER_SUIT as usize],
    trump: [f64; RANKS_PER_SUIT as usize],
    /// King or queen whose partner is in the hand; of a plain suit, of trumps.
    paired: [f64; 2],
    /// King or queen whose partner may still come.
    waiting: [f64; 2],
    /// No stronger card of the suit is left, and it is no ace.
    highest: f64,
    /// For each other card of the suit in the hand.
    length: f64,
    /// For each point that it takes.
    on_table: f64,
    /// It takes a trick that brings enough to claim.
    enough: f64,
    /// The trick brings the other player enough.
    loses: f64,
}

const NEUTRAL: CardWeights = CardWeights {
    plain: [0.0; RANKS_PER_SUIT as usize],
    trump: [0.0; RANKS_PER_SUIT as usize],
    paired: [0.0; 2],
    waiting: [0.0; 2],
    highest: 0.0,
    length: 0.0,
    on_table: 0.0,
    enough: 0.0,
    loses: 0.0,
};
const LEAD: CardWeights = CardWeights {
    plain: [-0.8, -0.7, 0.1, 0.1, 0.3, 0.8],
    trump: [-0.4, -0.8, -1.0, -0.3, 1.0, 0.5],
    paired: [-1.2, -0.7],
    waiting: [-1.1, -0.9],
    highest: 1.0,
    length: 0.3,
    enough: 2.3,
    ..NEUTRAL
};
const THROW_AWAY: CardWeights = CardWeights {
    plain: [-3.2, -1.5, 0.3, 0.9, 1.3, 1.5],
    trump: [0.0, -1.5, -2.4, -1.4, -1.4, 0.0],
    paired: [-3.0, -0.8],
    waiting: [-0.8, -0.8],
    highest: -0.5,
    length: -0.3,
    loses: -2.6,
    ..NEUTRAL
};
const WIN_IN_SUIT: CardWeights = CardWeights {
    plain: [1.5, 2.8, 1.8, 1.7, 1.2, 0.0],
    trump: [-0.5, 1.8, 0.4, -0.7, 0.8, 0.0],
    paired: [-3.1, -1.0],
    waiting: [-0.7, -0.3],
    highest: -1.7,
    on_table: 0.31,
    enough: 1.8,
    ..NEUTRAL
};
const TRUMP_IN: CardWeights = CardWeights {
    trump: [-0.9, 0.4, -0.4, -0.3, -0.9, -1.2],
    paired: [0.0, -3.0],
    waiting: [0.0, -0.5],
    highest: -0.6,
    on_table: 0.32,
    enough: 2.5,
    ..NEUTRAL
};

/// Of a plain suit, of trumps.
const DECLARE: [f64; 2] = [2.3, 1.5];
/// The marriage brings enough to claim.
const DECLARE_ENOUGH: f64 = 3.4;
/// Set by hand: the games had no trump change.
const CHANGE_TRUMP: f64 = -3.0;

/// Closing, compared with a card that has no property at all, or with drawing.
const CLOSE_AT_ALL: f64 = -4.9;
const CLOSE_BEFORE_DRAW: f64 = -2.3;
/// For each point so far, and for each in the hand.
const CLOSE_POINTS: f64 = 1.4 / 66.0;
const CLOSE_HAND: f64 = 1.9 / 66.0;
/// For each trump, and for each card that is the highest of its suit.
const CLOSE_TRUMP: f64 = 0.9;
const CLOSE_HIGHEST: f64 = 0.7;

/// The chances of `actions`, which sum up to 1; 0 beyond them.
#[must_use]
pub fn chances(rules: &Rules, state: &State, actions: &Actions) -> Chances {
    let inclination = Inclination::new(rules, state);
    let mut chances = [0.0; MOST_ACTIONS];
    for (chance, &action) in chances.iter_mut().zip(actions.iter()) {
        *chance = inclination.of(action).exp();
    }
    let sum: f64 = chances.iter().sum();
    chances.map(|chance| chance / sum)
}

/// One of `actions`, drawn by its chance.
#[must_use]
pub fn drawn(actions: &Actions, chances: &Chances, random: &mut Random) -> Action {
    let mut left = random.share();
    let place = chances[..actions.len()].iter().position(|chance| {
        left -= chance;
        left < 0.0
    });
    actions[place.unwrap_or(actions.len() - 1)]
}

/// The likeliest of `actions`, of which there is one at least.
#[must_use]
pub fn likeliest(rules: &Rules, state: &State, actions: &Actions) -> Action {
    let inclination = Inclination::new(rules, state);
    let mut best = (actions[0], f64::NEG_INFINITY);
    for &action in actions.iter() {
        let value = inclination.of(action);
        if value > best.1 {
            best = (action, value);
        }
    }
    best.0
}

/// Logs of chances, up to a constant that is the same for all actions.
struct Inclination<'a> {
    rules: &'a Rules,
    state: &'a State,
    hand: Cards,
    /// Cards that the other player may hold.
    against: Cards,
    /// Points of the player on turn once he has a trick, and of the other one with the trick that he has led.
    own: u32,
    other: u32,
}

impl<'a> Inclination<'a> {
    fn new(rules: &'a Rules, state: &'a State) -> Self {
        let total = |seat: usize| state.trick_points[seat] + state.marriage_points[seat];
        let talon = state.talon[state.drawn..state.talon_size].iter().fold(0, |talon, &card| talon | bit(card));
        Self {
            rules,
            state,
            hand: state.hands[state.turn],
            against: (state.hands[1 - state.turn] | talon) & !state.turn_up.map_or(0, bit),
            own: total(state.turn),
            other: total(1 - state.turn) + state.pending,
        }
    }

    fn of(&self, action: Action) -> f64 {
        match action {
            Action::Play(card) => self.card(card),
            Action::Marriage(suit) => self.marriage(suit),
            Action::Close => self.close(),
            Action::Trump(_) => CHANGE_TRUMP,
            Action::Draw | Action::Exchange | Action::Claim | Action::Pass => 0.0,
        }
    }

    fn card(&self, card: Card) -> f64 {
        let Self { rules, state, .. } = self;
        let beating = &rules.beating[usize::from(state.trump)];
        let (suit, rank) = (suit_of(card), usize::from(card % RANKS_PER_SUIT));
        let (weights, takes) = match state.led {
            None => (&LEAD, beating[usize::from(card)] & self.against == 0),
            Some(led) if beating[usize::from(led)] & bit(card) == 0 => (&THROW_AWAY, false),
            Some(led) => (if suit == suit_of(led) { &WIN_IN_SUIT } else { &TRUMP_IN }, true),
        };
        let is_trump = suit == state.trump;
        let mut sum = if is_trump { weights.trump[rank] } else { weights.plain[rank] };
        if partner(card) & self.hand != 0 {
            sum += weights.paired[usize::from(is_trump)];
        } else if partner(card) & self.against != 0 {
            sum += weights.waiting[usize::from(is_trump)];
        }
        if rank != 0 && self.is_highest(card) {
            sum += weights.highest;
        }
        let others = (self.hand & suit_cards(suit) & !bit(card)).count_ones();
        let on_table = state.led.map_or(0, |led| rules.points[usize::from(led)]);
        sum += weights.length * f64::from(others) + weights.on_table * f64::from(on_table);
        let trick = on_table + rules.points[usize::from(card)];
        if takes && self.own + trick >= rules.claim_points {
            sum += weights.enough;
        }
        if !takes && self.other + trick >= rules.claim_points {
            sum += weights.loses;
        }
        sum
    }

    fn marriage(&self, suit: Suit) -> f64 {
        let trump = self.state.trump;
        let enough = self.own + self.rules.marriage(suit, trump) >= self.rules.claim_points;
        DECLARE[usize::from(suit == trump)] + if enough { DECLARE_ENOUGH } else { 0.0 }
    }

    fn close(&self) -> f64 {
        let before_draw = if self.state.stage == Stage::BeforeDraw { CLOSE_BEFORE_DRAW } else { 0.0 };
        let points: u32 = each(self.hand).map(|card| self.rules.points[usize::from(card)]).sum();
        let trumps = (self.hand & suit_cards(self.state.trump)).count_ones();
        let highest: u32 = each(self.hand).map(|card| u32::from(self.is_highest(card))).sum();
        CLOSE_AT_ALL
            + before_draw
            + CLOSE_POINTS * f64::from(self.own)
            + CLOSE_HAND * f64::from(points)
            + CLOSE_TRUMP * f64::from(trumps)
            + CLOSE_HIGHEST * f64::from(highest)
    }

    fn is_highest(&self, card: Card) -> bool {
        self.rules.higher[usize::from(card)] & self.against == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::samples;

    const CLUBS: Suit = 0;
    const DIAMONDS: Suit = 1;
    const HEARTS: Suit = 2;
    const SPADES: Suit = 3;
    const ACE: Card = 0;
    const TEN: Card = 1;
    const KING: Card = 2;
    const QUEEN: Card = 3;
    const JACK: Card = 4;

    fn card(suit: Suit, rank: Card) -> Card {
        suit * RANKS_PER_SUIT + rank
    }

    /// The first seat deals; spades are trump, and the other seat leads.
    fn dealt(rules: &Rules) -> State {
        let own = [(CLUBS, ACE), (HEARTS, JACK), (DIAMONDS, QUEEN), (SPADES, JACK), (DIAMONDS, JACK)];
        let other = [(CLUBS, TEN), (HEARTS, ACE), (DIAMONDS, KING), (DIAMONDS, TEN), (HEARTS, KING)];
        let hands = [own, other].map(|hand| hand.iter().fold(0, |cards, &(suit, rank)| cards | bit(card(suit, rank))));
        let turn_up = card(SPADES, ACE);
        let talon: Vec<Card> = each(rules.pack & !(hands[0] | hands[1] | bit(turn_up))).collect();
        State::dealt(rules, 0, hands, &talon, turn_up, 0)
    }

    fn answer(led: Card) -> Action {
        let rules = samples::schnapsen();
        let mut state = dealt(&rules);
        state.apply(&rules, Action::Play(led));
        likeliest(&rules, &state, &state.legal(&rules))
    }

    #[test]
    fn an_ace_takes_a_ten_and_is_kept_otherwise() {
        assert_eq!(answer(card(CLUBS, TEN)), Action::Play(card(CLUBS, ACE)));
        assert_ne!(answer(card(DIAMONDS, KING)), Action::Play(card(CLUBS, ACE)));
    }

    #[test]
    fn chances_are_drawn_as_often_as_they_say() {
        let rules = samples::schnapsen();
        let state = dealt(&rules);
        let actions = state.legal(&rules);
        let chances = chances(&rules, &state, &actions);
        assert!((chances.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{chances:?}");
        let mut random = Random::new(1);
        let mut counts = [0_u32; MOST_ACTIONS];
        for _ in 0..10_000 {
            let action = drawn(&actions, &chances, &mut random);
            counts[actions.iter().position(|&one| one == action).expect("one of them")] += 1;
        }
        for (place, &count) in counts.iter().enumerate() {
            assert!((f64::from(count) / 10_000.0 - chances[place]).abs() < 0.02, "{counts:?} for {chances:?}");
        }
    }
}
