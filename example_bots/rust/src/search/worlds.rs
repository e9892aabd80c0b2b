//! Full deals that fit everything a seat has seen: the worlds that a search by sampling looks at.

use crate::proto::{Duty, EventKind};
use crate::random::Random;
use crate::rules::cards::{CARD_COUNT, Card, Cards, SUITS, Suit, bit, count, each, pair, partner, suit_cards, suit_of};
use crate::rules::{Rules, Stage, State};
use crate::view::{Event, View};

const TRIES: usize = 40;
const NEVER: usize = usize::MAX;

/// Of a hundred worlds in which the other player has missed a marriage or an exchange, how many are kept.
const KEPT: usize = 12;

/// Draws worlds at random.
pub struct Worlds<'a> {
    rules: &'a Rules,
    view: &'a View,
    facts: Facts,
    certain: Cards,
    pool: Vec<Card>,
    never_held: Vec<Card>,
    wanted: usize,
    check: bool,
}

impl<'a> Worlds<'a> {
    /// For one decision.
    #[must_use]
    pub fn new(rules: &'a Rules, view: &'a View) -> Self {
        let facts = Facts::new(rules, view);
        let certain = view.unseen & facts.certain;
        let never = |card: &Card| facts.released[usize::from(*card)].is_some_and(|draws| draws >= facts.draws);
        let (never_held, pool): (Vec<Card>, Vec<Card>) = each(view.unseen & !certain).partition(never);
        let known = view.state.hands[1 - view.seat];
        let wanted = view.other_size.saturating_sub(count(known | certain)).min(pool.len());
        let check = pool.iter().any(|&card| facts.released[usize::from(card)].is_some());
        Self { rules, view, facts, certain, pool, never_held, wanted, check }
    }

    /// How many cards of the other hand are unknown, and among how many they are.
    #[must_use]
    pub fn unknown(&self) -> (usize, usize) {
        (self.wanted, self.pool.len())
    }

    /// A world. All hands that fit are equally likely, but those less that would have been played otherwise.
    pub fn sample(&mut self, random: &mut Random) -> State {
        let known = self.view.state.hands[1 - self.view.seat] | self.certain;
        let mut hand = known;
        for _ in 0..TRIES {
            random.shuffle_front(&mut self.pool, self.wanted);
            hand = self.pool[..self.wanted].iter().fold(known, |hand, &card| hand | bit(card));
            let possible = !self.check || self.facts.fits(self.rules, hand & self.view.unseen);
            if possible && self.facts.is_likely(hand, random) {
                break;
            }
        }
        let mut state = self.view.state;
        state.hands[1 - self.view.seat] = hand;
        if state.talon_open() || state.stage == Stage::ExchangeOffer {
            self.deal_talon(&mut state, hand, random);
        }
        state
    }

    fn deal_talon(&self, state: &mut State, hand: Cards, random: &mut Random) {
        state.talon_size = 0;
        let on_top = state.turn_up.filter(|_| self.rules.turn_up_on_top);
        let hidden = self.pool.iter().chain(&self.never_held).copied().filter(|&card| hand & bit(card) == 0);
        for (place, card) in state.talon.iter_mut().zip(on_top.into_iter().chain(hidden)) {
            *place = card;
            state.talon_size += 1;
        }
        let face_down = &mut state.talon[usize::from(on_top.is_some())..state.talon_size];
        random.shuffle_front(face_down, face_down.len());
    }
}

/// When the other player can have received each card, counted in his draws (0: dealt).
struct Facts {
    /// His draws so far.
    draws: usize,
    hand_size: usize,
    /// By card: he held it at no time up to this many draws.
    released: [Option<usize>; CARD_COUNT],
    /// By card: he held it after this many draws at the latest.
    due: [usize; CARD_COUNT],
    /// Cards that he must hold although he has not shown them.
    certain: Cards,
    /// Cards that he certainly received face down and has shown.
    passed_on: Cards,
    /// Bit mask of his draws that were face up.
    face_up_draws: u32,
    doubts: Vec<Doubt>,
}

/// Cards that he would hardly have held together after so many draws, since he then missed something good.
struct Doubt {
    cards: Cards,
    draws: usize,
}

/// What reading the history has to remember from event to event.
struct Reading {
    left: usize,
    closed: bool,
    led: Option<Card>,
    trump: Suit,
    declared: bool,
    tricks: usize,
    /// Cards that he received face up, which fill no hidden place.
    received: Cards,
}

impl Facts {
    fn new(rules: &Rules, view: &View) -> Self {
        let mut facts = Self {
            draws: 0,
            hand_size: rules.hand_size,
            released: [None; CARD_COUNT],
            due: [NEVER; CARD_COUNT],
            certain: 0,
            passed_on: 0,
            face_up_draws: 0,
            doubts: Vec::new(),
        };
        let mut reading = Reading {
            left: count(rules.pack) - 2 * rules.hand_size,
            closed: false,
            led: None,
            trump: view.state.trump,
            declared: false,
            tricks: 0,
            received: 0,
        };
        for event in &view.history {
            facts.read(rules, event, event.seat != view.seat, &mut reading);
        }
        facts.read_exchange_offer(rules, view);
        facts.doubts.retain(|doubt| doubt.cards & view.unseen != 0);
        facts
    }

    fn read(&mut self, rules: &Rules, event: &Event, his: bool, reading: &mut Reading) {
        let named = event.cards.into_iter().flatten();
        match event.kind {
            EventKind::TurnedUp => reading.trump = event.suit.unwrap_or(reading.trump),
            EventKind::TrumpChanged => {
                reading.trump = event.suit.unwrap_or(reading.trump);
                if his {
                    named.for_each(|card| self.show(card, reading.received));
                }
            }
            EventKind::Closed => reading.closed = true,
            EventKind::Trick => reading.tricks += usize::from(his),
            EventKind::Drew => {
                reading.left -= 1;
                if his {
                    self.draws += 1;
                    for card in named {
                        reading.received |= bit(card);
                        self.face_up_draws |= 1 << self.draws;
                    }
                }
            }
            EventKind::Exchanged if his => {
                if let [Some(given), Some(taken)] = event.cards {
                    self.show(given, reading.received);
                    reading.received |= bit(taken);
                }
            }
            EventKind::Marriage if his => {
                reading.declared = true;
                named.for_each(|card| self.show(card, reading.received));
            }
            EventKind::Played => {
                for card in named {
                    self.read_play(rules, card, his, reading);
                }
            }
            _ => {}
        }
    }

    fn read_play(&mut self, rules: &Rules, card: Card, his: bool, reading: &mut Reading) {
        let led = reading.led.take();
        if his {
            self.show(card, reading.received);
            let open = reading.left > 0 && !reading.closed;
            match led {
                Some(led) => {
                    let duty = if open { rules.open_duty } else { rules.closed_duty };
                    self.exclude(rules, led, card, reading.trump, duty);
                }
                None => self.doubt(rules, card, open, reading),
            }
        }
        if led.is_none() {
            reading.led = Some(card);
        } else {
            reading.declared = false;
        }
    }

    /// He has led `card`: a marriage or an exchange that he could have had he would hardly have left.
    fn doubt(&mut self, rules: &Rules, card: Card, open: bool, reading: &Reading) {
        let draws = self.draws;
        if !reading.declared && (open || rules.marriage_any_lead) {
            self.doubts.push(Doubt { cards: partner(card), draws });
            self.doubts.extend(SUITS.map(|suit| Doubt { cards: pair(suit) & rules.pack, draws }));
        }
        let face_down = reading.left.saturating_sub(1);
        let may_exchange = rules.exchange && (reading.tricks > 0 || !rules.exchange_needs_trick);
        if open && may_exchange && face_down >= rules.exchange_min_face_down && !reading.declared {
            self.doubts.push(Doubt { cards: bit(rules.lowest[usize::from(reading.trump)]), draws });
        }
    }

    /// After his close this seat is asked for an exchange, unless the lowest trump is with him or turned up.
    fn read_exchange_offer(&mut self, rules: &Rules, view: &View) {
        let closed_by_him = view.state.closing.is_some_and(|closing| closing.seat != view.seat);
        if !rules.exchange_after_close || !closed_by_him || view.history.is_empty() {
            return;
        }
        let lowest = rules.lowest[usize::from(view.state.trump)];
        let passed = view.history.iter().any(|event| event.kind == EventKind::Passed);
        if passed || view.state.stage == Stage::ExchangeOffer {
            self.released[usize::from(lowest)] = Some(self.draws);
        } else {
            self.certain = bit(lowest);
        }
    }

    fn show(&mut self, card: Card, received: Cards) {
        if received & bit(card) == 0 && self.due[usize::from(card)] == NEVER {
            self.due[usize::from(card)] = self.draws;
            self.passed_on |= bit(card);
        }
    }

    /// He has answered `led` with `reply`: what the duty would have made him play, he did not hold.
    fn exclude(&mut self, rules: &Rules, led: Card, reply: Card, trump: Suit, duty: Duty) {
        let (suit, heads) = (suit_cards(suit_of(led)), duty == Duty::Head);
        let higher = rules.higher[usize::from(led)];
        let mut none = 0;
        if suit_of(reply) != suit_of(led) {
            none = suit;
            if heads && suit_of(reply) != trump {
                none |= suit_cards(trump);
            }
        } else if heads && higher & bit(reply) == 0 {
            none = higher;
        }
        if duty == Duty::None {
            return;
        }
        for card in each(none & rules.pack).map(usize::from) {
            if self.due[card] == NEVER {
                self.released[card] = Some(self.draws);
            }
        }
    }

    /// Is it believable that he left his chances as he did with this hand? Decided by lot where it is not.
    fn is_likely(&self, hand: Cards, random: &mut Random) -> bool {
        self.doubts.iter().filter(|doubt| doubt.cards & !hand == 0).all(|doubt| {
            // One of the cards may have come later.
            let later = (self.draws - doubt.draws) * count(doubt.cards) * 100 / self.hand_size;
            random.below(100) < later.max(KEPT)
        })
    }

    /// Can he have received these cards, and those he has shown, in some order? Earliest due date first.
    fn fits(&self, rules: &Rules, hand: Cards) -> bool {
        let mut waiting: Vec<usize> = each((hand | self.passed_on) & rules.pack).map(usize::from).collect();
        waiting.sort_by_key(|&card| self.due[card]);
        for draw in (0..=self.draws).filter(|draw| self.face_up_draws >> draw & 1 == 0) {
            for _ in 0..if draw == 0 { self.hand_size } else { 1 } {
                let ready = |&card: &usize| self.released[card].is_none_or(|released| released < draw);
                match waiting.iter().position(ready) {
                    Some(place) if self.due[waiting[place]] >= draw => waiting.remove(place),
                    _ => return false,
                };
            }
        }
        waiting.is_empty()
    }
}
