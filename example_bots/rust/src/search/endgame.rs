//! Exact play once nothing more is drawn and both hands are known: alpha-beta with a transposition table.

use super::worth::{CERTAIN, Worth};
use crate::proto::{BothOver, LastClaim};
use crate::rules::cards::{
    Card, Cards, KINGS, SUITS, Suit, bit, each, first, king_and_queen, pair, suit_cards, suit_of,
};
use crate::rules::{Closing, Ending, Rules, Stage, State};

const INFINITY: i32 = 10 * CERTAIN;
const TABLE_BITS: u32 = 15;

/// Solves deals in which no more cards are drawn. Nobody makes a false claim in it.
///
/// What is found out about a position serves later questions as well, until the table needs its place.
pub struct Endgame<'a> {
    rules: &'a Rules,
    worth: &'a Worth,
    carry: u32,
    closing: Option<Closing>,
    context: u32,
    bonus: u32,
    late_claim: bool,
    table: Vec<Entry>,
}

/// A position with the leader to play, seen from the leader.
#[derive(Clone, Copy)]
struct Position {
    seat: usize,
    mine: Cards,
    theirs: Cards,
    points: u32,
    against: u32,
    /// Bit mask of the seats that have a trick.
    tricks: u8,
    trump: Suit,
    used_nines: u8,
    /// Points of the cards to come, the bonus for the last trick included.
    left: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Default)]
struct Key {
    mine: Cards,
    theirs: Cards,
    points: u32,
    against: u32,
    rest: u32,
}

#[derive(Clone, Copy, Default)]
struct Entry {
    key: Key,
    low: i16,
    high: i16,
}

impl<'a> Endgame<'a> {
    /// For one deal of a match.
    #[must_use]
    pub fn new(rules: &'a Rules, worth: &'a Worth, carry: u32) -> Self {
        Self {
            rules,
            worth,
            carry,
            closing: None,
            context: 0,
            bonus: 0,
            late_claim: false,
            table: vec![Entry::default(); 1 << TABLE_BITS],
        }
    }

    /// The worth of `state` for `seat`, both hands open. No card may be left to draw.
    pub fn value(&mut self, state: &State, seat: usize) -> i32 {
        if let Some(outcome) = &state.outcome {
            return self.worth.of(outcome, seat);
        }
        debug_assert!(!state.talon_open() && state.stage != Stage::ExchangeOffer);
        self.enter(state.closing);
        let leader = state.leader;
        let total = |seat: usize| state.trick_points[seat] + state.marriage_points[seat];
        let tricks = u8::from(state.tricks[0] > 0) | u8::from(state.tricks[1] > 0) << 1;
        let on_table = state.led.map_or(0, bit);
        let to_come = each(state.hands[0] | state.hands[1] | on_table);
        let position = Position {
            seat: leader,
            mine: state.hands[leader],
            theirs: state.hands[1 - leader],
            points: total(leader),
            against: total(1 - leader),
            tricks,
            trump: state.trump,
            used_nines: state.used_nines,
            left: self.bonus + to_come.map(|card| self.rules.points[usize::from(card)]).sum::<u32>(),
        };
        let value = match (state.led, state.declared) {
            (Some(led), _) => self.answer(position, led, state.pending, -INFINITY, INFINITY),
            (None, Some(suit)) => self.declared(position, suit, state.pending, -INFINITY, INFINITY),
            (None, None) => self.lead(position, -INFINITY, INFINITY),
        };
        if seat == leader { value } else { -value }
    }

    /// Tells apart what the scoring tells apart: who closed, and how the other stood then.
    fn enter(&mut self, closing: Option<Closing>) {
        self.closing = closing;
        self.late_claim = closing.is_some() || self.rules.last_claim == LastClaim::Always;
        self.bonus = if closing.is_some() { 0 } else { self.rules.last_trick_points };
        self.context = closing.map_or(1, |closing| {
            let other = 1 - closing.seat;
            let trickless = u32::from(closing.tricks[other] == 0);
            let schneider = u32::from(closing.points[other] < self.rules.schneider_points);
            2 | u32::from(closing.seat == 1) << 2 | trickless << 3 | schneider << 4
        });
    }

    fn lead(&mut self, position: Position, mut alpha: i32, mut beta: i32) -> i32 {
        if position.mine == 0 {
            return self.after_last_trick(position);
        }
        let rules = self.rules;
        let most = self.at_most(position);
        let mut best = -INFINITY;
        if position.points >= rules.claim_points && position.tricks >> position.seat & 1 == 1 {
            best = self.end(position, true);
            if best >= most {
                return best;
            }
        }
        if most <= alpha {
            return most;
        }
        let least = -self.at_most(position.turned());
        if least >= beta {
            return least;
        }
        let key = self.key(&position);
        let place = key.place();
        let (mut low, mut high) = (least, most);
        if self.table[place].key == key {
            (low, high) = (i32::from(self.table[place].low), i32::from(self.table[place].high));
        }
        if low >= beta || low == high {
            return low;
        }
        if high <= alpha {
            return high;
        }
        alpha = alpha.max(low).max(best);
        let start = alpha;
        beta = beta.min(high);
        best = best.max(self.best_lead(position, alpha, beta));
        if best >= beta {
            low = low.max(best);
        } else if best <= start {
            high = high.min(best);
        } else {
            (low, high) = (best, best);
        }
        self.table[place] = Entry { key, low: narrow(low), high: narrow(high) };
        best
    }

    fn best_lead(&mut self, position: Position, mut alpha: i32, beta: i32) -> i32 {
        let rules = self.rules;
        let mut best = -INFINITY;
        let mut cards = position.mine;
        if rules.marriage_any_lead && has_marriage(cards) {
            for suit in SUITS.into_iter().filter(|&suit| position.mine & pair(suit) == pair(suit)) {
                if alpha >= beta {
                    break;
                }
                // Playing one of the two without the marriage is never better.
                cards &= !pair(suit);
                let worth = rules.marriage(suit, position.trump);
                let waiting = if rules.marriage_needs_its_trick { worth } else { 0 };
                let married = Position { points: position.points + worth - waiting, ..position };
                best = best.max(self.declared(married, suit, waiting, alpha, beta));
                alpha = alpha.max(best);
            }
        }
        while cards != 0 && alpha < beta {
            let card = self.sure_winner(cards, &position).unwrap_or(first(cards));
            cards ^= bit(card);
            let after = Position { mine: position.mine ^ bit(card), ..position };
            best = best.max(self.answer(after, card, 0, alpha, beta));
            alpha = alpha.max(best);
        }
        let nine = bit(rules.lowest[usize::from(position.trump)]);
        let has_trick = position.tricks >> position.seat & 1 == 1;
        if rules.trump_change
            && has_trick
            && position.mine & nine != 0
            && position.used_nines >> position.trump & 1 == 0
        {
            for suit in SUITS.into_iter().filter(|&suit| suit != position.trump) {
                if alpha < beta {
                    let used_nines = position.used_nines | 1 << position.trump;
                    best = best.max(self.lead(Position { trump: suit, used_nines, ..position }, alpha, beta));
                    alpha = alpha.max(best);
                }
            }
        }
        best
    }

    /// After a marriage of `suit`, whose points are counted, or `waiting` for their trick.
    fn declared(&mut self, position: Position, suit: Suit, waiting: u32, alpha: i32, beta: i32) -> i32 {
        let mut best = -INFINITY;
        if position.points >= self.rules.claim_points && position.tricks >> position.seat & 1 == 1 {
            best = self.end(position, true);
        }
        let (king, queen) = king_and_queen(suit);
        for card in [king, queen] {
            if best < beta {
                let after = Position { mine: position.mine & !card, ..position };
                best = best.max(self.answer(after, first(card), waiting, alpha.max(best), beta));
            }
        }
        best
    }

    /// After `led` has left the leader's hand: the other player picks the answer that is worst for the leader.
    fn answer(&mut self, position: Position, led: Card, waiting: u32, alpha: i32, mut beta: i32) -> i32 {
        let rules = self.rules;
        let duty = rules.closed_duty;
        let mut cards = rules.answers(duty, position.theirs, led, position.trump);
        let beating = rules.beating[usize::from(position.trump)][usize::from(led)];
        let bonus = if position.mine == 0 { self.bonus } else { 0 };
        let table = rules.points[usize::from(led)] + bonus;
        let mut best = INFINITY;
        while cards != 0 && alpha < beta {
            // Winning cards from the highest, losing ones from the lowest: the best answer tends to come early.
            let wins = cards & beating != 0;
            let card = if wins { first(cards & beating) } else { last(cards) };
            cards ^= bit(card);
            let trick = table + rules.points[usize::from(card)];
            let rest = Position { theirs: position.theirs ^ bit(card), left: position.left - trick, ..position };
            let value = if wins {
                let turned =
                    Position { points: rest.against + trick, tricks: rest.tricks | 2 >> rest.seat, ..rest.turned() };
                -self.lead(turned, -beta, -alpha)
            } else {
                let points = rest.points + trick + waiting;
                self.lead(Position { points, tricks: rest.tricks | 1 << rest.seat, ..rest }, alpha, beta)
            };
            best = best.min(value);
            beta = beta.min(best);
        }
        best
    }

    fn after_last_trick(&self, position: Position) -> i32 {
        let value = self.end(position, false);
        if self.late_claim && position.points >= self.rules.claim_points {
            return value.max(self.end(position, true));
        }
        value
    }

    /// A bound of the value for the leader: all that is left goes to him, and the other gets nothing more.
    fn at_most(&self, position: Position) -> i32 {
        let rules = self.rules;
        let mut points = position.points + position.left;
        if rules.marriage_any_lead && has_marriage(position.mine) {
            points += 4 * rules.marriage_points.max(rules.trump_marriage_points);
        }
        let all = Position { points, tricks: position.tricks | 1 << position.seat, ..position };
        let unclaimed = self.end(all, false);
        if points < rules.claim_points {
            return unclaimed;
        }
        if rules.both_over == BothOver::Carry { INFINITY / 2 } else { unclaimed.max(self.end(all, true)) }
    }

    /// The worth for the leader if he claims, or if he has won the last trick and nobody claims.
    fn end(&self, position: Position, claim: bool) -> i32 {
        let (seat, other) = (position.seat, 1 - position.seat);
        let tricks = [position.tricks & 1, position.tricks >> 1];
        let mut points = [0; 2];
        points[seat] = position.points * u32::from(tricks[seat]);
        points[other] = position.against * u32::from(tricks[other]);
        let ending = Ending { rules: self.rules, points, tricks, closing: self.closing, carry: self.carry };
        let outcome = if claim { ending.claimed(seat) } else { ending.unclaimed(seat) };
        self.worth.of(&outcome, seat)
    }

    /// A card that wins if it is led now, where suit has to be followed and trumped.
    fn sure_winner(&self, cards: Cards, position: &Position) -> Option<Card> {
        let trumps = position.theirs & suit_cards(position.trump);
        each(cards).find(|&card| {
            position.theirs & self.rules.higher[usize::from(card)] == 0
                && (trumps == 0 || position.theirs & suit_cards(suit_of(card)) != 0)
        })
    }

    fn key(&self, position: &Position) -> Key {
        let rest = self.context
            | u32::from(position.seat == 1) << 8
            | u32::from(position.tricks) << 9
            | u32::from(position.trump) << 11
            | u32::from(position.used_nines) << 13;
        Key { mine: position.mine, theirs: position.theirs, points: position.points, against: position.against, rest }
    }
}

impl Position {
    /// The same position seen from the other player.
    fn turned(self) -> Self {
        Self {
            seat: 1 - self.seat,
            mine: self.theirs,
            theirs: self.mine,
            points: self.against,
            against: self.points,
            ..self
        }
    }
}

impl Key {
    fn place(&self) -> usize {
        let cards = u64::from(self.mine) << 32 | u64::from(self.theirs);
        let rest = u64::from(self.rest) << 40 ^ u64::from(self.points) << 20 ^ u64::from(self.against);
        let mixed = (cards.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ rest).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        (mixed >> (64 - TABLE_BITS)) as usize
    }
}

#[expect(clippy::cast_possible_truncation, reason = "worths lie within 10 times CERTAIN")]
const fn narrow(value: i32) -> i16 {
    value as i16
}

const fn has_marriage(hand: Cards) -> bool {
    hand & hand >> 1 & KINGS != 0
}

const fn last(cards: Cards) -> Card {
    31 - cards.leading_zeros().to_le_bytes()[0]
}
