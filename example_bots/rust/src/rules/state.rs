//! The full state of one deal, hidden cards included, small enough to be copied at every step of a search.

use super::action::{Action, Actions};
use super::cards::{CARD_COUNT, Card, Cards, SUITS, Suit, bit, each, king_and_queen, pair, suit_of};
use super::ruleset::Rules;
use super::scoring::{Closing, Ending, Outcome};
use crate::proto::{Duty, LastClaim, Leader};

/// What kind of decision is due.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// The winner of a trick draws, closes or claims.
    BeforeDraw,
    /// A card is to be led.
    Lead,
    /// The opponent of the closer may exchange.
    ExchangeOffer,
    /// A card is on the table.
    Follow,
    /// All cards are played: claim or pass.
    LastClaim,
    /// There is an outcome.
    Over,
}

/// The full state of one deal.
#[derive(Debug, Clone, Copy)]
pub struct State {
    /// Cards held, by seat.
    pub hands: [Cards; 2],
    /// The talon as dealt, top first; a turn-up that lies on top comes first, one that lies under it is not in it.
    pub talon: [Card; CARD_COUNT],
    /// How many cards `talon` has.
    pub talon_size: usize,
    /// How many of them are gone.
    pub drawn: usize,
    /// The face-up trump while it belongs to the talon.
    pub turn_up: Option<Card>,
    /// Trump.
    pub trump: Suit,
    /// The decision that is due.
    pub stage: Stage,
    /// Who decides.
    pub turn: usize,
    /// Who leads or has led.
    pub leader: usize,
    /// The card on the table.
    pub led: Option<Card>,
    /// Suit of the marriage declared on this lead.
    pub declared: Option<Suit>,
    /// Tricks won, by seat.
    pub tricks: [u8; 2],
    /// Points of the tricks, by seat.
    pub trick_points: [u32; 2],
    /// Points of the marriages, by seat, also while they do not count for want of a trick.
    pub marriage_points: [u32; 2],
    /// Points of a marriage that waits for the present trick.
    pub pending: u32,
    /// Who closed.
    pub closing: Option<Closing>,
    /// Bit mask of the suits whose lowest card has served for a trump change.
    pub used_nines: u8,
    /// Game points that the winner gets on top.
    pub carry: u32,
    /// The result, once over.
    pub outcome: Option<Outcome>,
}

impl State {
    /// A deal at its first lead. `talon` is given top first, with a turn-up that lies on top at its beginning.
    #[must_use]
    pub fn dealt(rules: &Rules, dealer: usize, hands: [Cards; 2], talon: &[Card], turn_up: Card, carry: u32) -> Self {
        let leader = if rules.first_lead == Leader::Dealer { dealer } else { 1 - dealer };
        let mut cards = [0; CARD_COUNT];
        cards[..talon.len()].copy_from_slice(talon);
        Self {
            hands,
            talon: cards,
            talon_size: talon.len(),
            drawn: 0,
            turn_up: Some(turn_up),
            trump: suit_of(turn_up),
            stage: Stage::Lead,
            turn: leader,
            leader,
            led: None,
            declared: None,
            tricks: [0; 2],
            trick_points: [0; 2],
            marriage_points: [0; 2],
            pending: 0,
            closing: None,
            used_nines: 0,
            carry,
            outcome: None,
        }
    }

    /// Points that count now, by seat: none without a trick.
    #[must_use]
    pub fn card_points(&self, seat: usize) -> u32 {
        if self.tricks[seat] == 0 { 0 } else { self.trick_points[seat] + self.marriage_points[seat] }
    }

    /// Face-down cards in the talon.
    #[must_use]
    pub fn face_down(&self, rules: &Rules) -> usize {
        self.talon_size - self.drawn - usize::from(rules.turn_up_on_top && self.turn_up.is_some())
    }

    /// Neither closed nor exhausted.
    #[must_use]
    pub fn talon_open(&self) -> bool {
        self.closing.is_none() && (self.turn_up.is_some() || self.drawn < self.talon_size)
    }

    /// Is a claim legal now, and correct?
    #[must_use]
    pub fn can_claim(&self, rules: &Rules) -> bool {
        matches!(self.stage, Stage::Lead | Stage::BeforeDraw | Stage::LastClaim)
            && self.card_points(self.turn) >= rules.claim_points
    }

    /// The legal actions: cards by number, then the others in the order of the protocol.
    #[must_use]
    pub fn legal(&self, rules: &Rules) -> Actions {
        let mut legal = Actions::new();
        match self.stage {
            Stage::Lead => self.leads(rules, &mut legal),
            Stage::Follow => {
                legal.extend(each(self.answers(rules)).map(Action::Play));
                if rules.exchange_before_following && self.may_exchange(rules) {
                    legal.push(Action::Exchange);
                }
            }
            Stage::BeforeDraw => {
                legal.push(Action::Draw);
                if self.may_close(rules) {
                    legal.push(Action::Close);
                }
                legal.push(Action::Claim);
            }
            Stage::ExchangeOffer => {
                legal.push(Action::Pass);
                if self.hands[self.turn] & bit(self.lowest_trump(rules)) != 0 {
                    legal.push(Action::Exchange);
                }
            }
            Stage::LastClaim => legal.extend([Action::Claim, Action::Pass]),
            Stage::Over => {}
        }
        legal
    }

    fn leads(&self, rules: &Rules, legal: &mut Actions) {
        let hand = self.hands[self.turn];
        let playable = self.declared.map_or(hand, |suit| hand & pair(suit));
        legal.extend(each(playable).map(Action::Play));
        legal.push(Action::Claim);
        if self.declared.is_none() {
            if self.may_exchange(rules) {
                legal.push(Action::Exchange);
            }
            if rules.marriage_any_lead || self.talon_open() {
                let married = SUITS.into_iter().filter(|&suit| hand & pair(suit) == pair(suit));
                legal.extend(married.map(Action::Marriage));
            }
            if self.may_change_trump(rules) {
                legal.extend(SUITS.into_iter().filter(|&suit| suit != self.trump).map(Action::Trump));
            }
        }
        if self.talon_open() && self.may_close(rules) {
            legal.push(Action::Close);
        }
    }

    /// The cards that the seat on turn may answer with.
    #[must_use]
    pub fn answers(&self, rules: &Rules) -> Cards {
        let hand = self.hands[self.turn];
        let duty = if self.talon_open() { rules.open_duty } else { rules.closed_duty };
        match self.led {
            Some(led) if duty != Duty::None => rules.answers(duty, hand, led, self.trump),
            _ => hand,
        }
    }

    fn lowest_trump(&self, rules: &Rules) -> Card {
        rules.lowest[usize::from(self.trump)]
    }

    fn may_exchange(&self, rules: &Rules) -> bool {
        rules.exchange
            && self.talon_open()
            && self.turn_up.is_some()
            && (self.tricks[self.turn] > 0 || !rules.exchange_needs_trick)
            && self.hands[self.turn] & bit(self.lowest_trump(rules)) != 0
            && self.face_down(rules) >= rules.exchange_min_face_down
    }

    fn may_change_trump(&self, rules: &Rules) -> bool {
        rules.trump_change
            && self.tricks[self.turn] > 0
            && self.used_nines >> self.trump & 1 == 0
            && self.hands[self.turn] & bit(self.lowest_trump(rules)) != 0
    }

    fn may_close(&self, rules: &Rules) -> bool {
        self.tricks[self.turn] > 0 || !rules.close_needs_trick
    }

    /// Performs a legal action of the seat on turn.
    pub fn apply(&mut self, rules: &Rules, action: Action) {
        match action {
            Action::Play(card) => self.play(rules, card),
            Action::Draw => {
                self.draw();
                self.stage = Stage::Lead;
            }
            Action::Exchange => self.exchange(rules),
            Action::Close => self.close(rules),
            Action::Claim => self.end(self.ending(rules).claimed(self.turn)),
            Action::Pass if self.stage == Stage::ExchangeOffer => self.back_to_lead(),
            Action::Pass => self.end(self.ending(rules).unclaimed(self.turn)),
            Action::Marriage(suit) => self.declare(rules, suit),
            Action::Trump(suit) => {
                self.used_nines |= 1 << self.trump;
                self.trump = suit;
            }
        }
    }

    /// Ends the deal as lost by `seat`.
    pub fn forfeit(&mut self, rules: &Rules, seat: usize) {
        self.end(self.ending(rules).forfeited(seat));
    }

    fn play(&mut self, rules: &Rules, card: Card) {
        self.hands[self.turn] ^= bit(card);
        let Some(led) = self.led else {
            self.led = Some(card);
            self.turn = 1 - self.turn;
            self.stage = Stage::Follow;
            return;
        };
        let taken = rules.beating[usize::from(self.trump)][usize::from(led)] & bit(card) != 0;
        let winner = if taken { self.turn } else { self.leader };
        let last = self.hands[winner] == 0;
        self.tricks[winner] += 1;
        self.trick_points[winner] += rules.points[usize::from(led)] + rules.points[usize::from(card)];
        if last && self.closing.is_none() {
            self.trick_points[winner] += rules.last_trick_points;
        }
        if !taken {
            self.marriage_points[winner] += self.pending;
        }
        self.pending = 0;
        self.led = None;
        self.declared = None;
        self.leader = winner;
        self.turn = winner;
        self.stage = Stage::Lead;
        if last {
            if self.closing.is_some() || rules.last_claim == LastClaim::Always {
                self.stage = Stage::LastClaim;
            } else {
                self.end(self.ending(rules).unclaimed(winner));
            }
        } else if self.talon_open() {
            if rules.close_before_draw {
                self.stage = Stage::BeforeDraw;
            } else {
                self.draw();
            }
        }
    }

    fn draw(&mut self) {
        for seat in [self.turn, 1 - self.turn] {
            let card = if self.drawn < self.talon_size {
                self.drawn += 1;
                Some(self.talon[self.drawn - 1])
            } else {
                self.turn_up
            };
            self.hands[seat] |= card.map_or(0, bit);
            if card == self.turn_up {
                self.turn_up = None;
            }
        }
    }

    fn exchange(&mut self, rules: &Rules) {
        let given = self.lowest_trump(rules);
        if let Some(taken) = self.turn_up.replace(given) {
            self.hands[self.turn] ^= bit(given) | bit(taken);
        }
        if self.stage == Stage::ExchangeOffer {
            self.back_to_lead();
        }
    }

    fn back_to_lead(&mut self) {
        self.stage = Stage::Lead;
        self.turn = self.leader;
    }

    fn close(&mut self, rules: &Rules) {
        let closer = self.turn;
        let points = [self.card_points(0), self.card_points(1)];
        self.closing = Some(Closing { seat: closer, points, tricks: self.tricks });
        self.stage = Stage::Lead;
        if rules.exchange_after_close {
            // The offer must not tell the closer where the card is, so it depends only on what he cannot rule out.
            let lowest = self.lowest_trump(rules);
            let in_talon = self.talon[self.drawn..self.talon_size].contains(&lowest);
            if in_talon || self.hands[1 - closer] & bit(lowest) != 0 {
                self.stage = Stage::ExchangeOffer;
                self.turn = 1 - closer;
            }
        }
    }

    fn declare(&mut self, rules: &Rules, suit: Suit) {
        let points = rules.marriage(suit, self.trump);
        if rules.marriage_needs_its_trick {
            self.pending = points;
        } else {
            self.marriage_points[self.turn] += points;
        }
        self.declared = Some(suit);
        debug_assert!({
            let (king, queen) = king_and_queen(suit);
            self.hands[self.turn] & king != 0 && self.hands[self.turn] & queen != 0
        });
    }

    fn ending<'a>(&self, rules: &'a Rules) -> Ending<'a> {
        Ending {
            rules,
            points: [self.card_points(0), self.card_points(1)],
            tricks: self.tricks,
            closing: self.closing,
            carry: self.carry,
        }
    }

    fn end(&mut self, outcome: Outcome) {
        self.outcome = Some(outcome);
        self.stage = Stage::Over;
    }
}
