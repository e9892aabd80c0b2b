//! From the protocol's messages to the engine and back.

use std::fmt;

use crate::proto;
use crate::proto::{ActionKind, EventKind, Observation, Seat};
use crate::rules::cards::{CARD_COUNT, Card, Cards, SUITS, Suit, bit, count};
use crate::rules::{Action, Closing, Rules, Stage, State};

/// Something in a decision that no arbiter of this version of the protocol sends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ViewError(String);

impl fmt::Display for ViewError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "decision: {}", self.0)
    }
}

impl std::error::Error for ViewError {}

/// One thing that happened, as far as it says where a card is.
#[derive(Debug, Clone, Copy)]
pub struct Event {
    /// What happened; an unknown kind is `Unspecified`.
    pub kind: EventKind,
    /// Whom it concerns.
    pub seat: usize,
    /// The cards it names, in order.
    pub cards: [Option<Card>; 2],
    /// The suit it names.
    pub suit: Option<Suit>,
}

/// What the deciding seat knows.
#[derive(Debug, Clone)]
pub struct View {
    /// The deciding seat.
    pub seat: usize,
    /// The deal as far as it is known: the other hand has only its known cards; those of the talon mean nothing.
    pub state: State,
    /// How many cards the other player holds, known or not.
    pub other_size: usize,
    /// Cards in the other hand or face down in the talon.
    pub unseen: Cards,
    /// What happened in the deal so far.
    pub history: Vec<Event>,
    /// Match score before the deal, by seat.
    pub score: [i32; 2],
    /// The legal actions, in the order of the protocol; those of a kind unknown to this version are left out.
    pub legal: Vec<Action>,
}

impl View {
    /// Reads a decision.
    ///
    /// # Errors
    ///
    /// `ViewError` names a field without a value that makes sense.
    pub fn new(rules: &Rules, decision: &proto::Decision) -> Result<Self, ViewError> {
        let seen = decision.observation.as_ref().ok_or_else(|| missing("observation"))?;
        let seat = read_seat(seen.seat).ok_or_else(|| missing("seat"))?;
        let due = read_stage(decision.stage()).ok_or_else(|| missing("stage"))?;
        let leader = read_seat(seen.leader).ok_or_else(|| missing("leader"))?;
        let trump = read_suit(seen.trump).ok_or_else(|| missing("trump"))?;
        let turn_up = read_card(seen.turn_up);
        let (own, known) = (read_cards(&seen.hand)?, read_cards(&seen.opponent_known_cards)?);
        let played = read_cards(&seen.played_cards)?;
        let (own_size, led) = (count(own), read_card(seen.led_card));
        let other_size = own_size - usize::from(led.is_some() && leader != seat);
        let unseen = rules.pack & !(own | known | played | turn_up.map_or(0, bit));
        if count(known) > other_size || count(known | unseen) < other_size {
            return Err(ViewError("the cards do not add up".to_owned()));
        }
        let mut state = State {
            hands: by_seat(seat, own, known),
            talon: [0; CARD_COUNT],
            talon_size: talon_size(rules, seen, turn_up),
            drawn: 0,
            turn_up,
            trump,
            stage: due,
            turn: seat,
            leader,
            led,
            declared: read_suit(seen.declared_marriage),
            tricks: by_seat(seat, few(seen.own_tricks)?, few(seen.opponent_tricks)?),
            trick_points: by_seat(seat, seen.own_trick_points, seen.opponent_trick_points),
            marriage_points: by_seat(seat, seen.own_marriage_points, seen.opponent_marriage_points),
            pending: seen.pending_marriage_points,
            closing: read_closing(seen, seat),
            used_nines: 0,
            carry: seen.carry,
            outcome: None,
        };
        for suit in seen.used_nines.iter().filter_map(|&suit| read_suit(suit)) {
            state.used_nines |= 1 << suit;
        }
        Ok(Self {
            seat,
            state,
            other_size,
            unseen,
            history: seen.history.iter().filter_map(read_event).collect(),
            score: by_seat(seat, seen.own_score, seen.opponent_score),
            legal: decision.legal_actions.iter().filter_map(read_action).collect(),
        })
    }
}

/// The protocol's form of an action.
#[must_use]
pub fn action_message(action: Action) -> proto::Action {
    let mut message = proto::Action::default();
    let kind = match action {
        Action::Play(card) => {
            message.card = i32::from(card) + 1;
            ActionKind::Play
        }
        Action::Marriage(suit) | Action::Trump(suit) => {
            message.suit = i32::from(suit) + 1;
            if matches!(action, Action::Marriage(_)) { ActionKind::Marriage } else { ActionKind::Trump }
        }
        Action::Draw => ActionKind::Draw,
        Action::Exchange => ActionKind::Exchange,
        Action::Close => ActionKind::Close,
        Action::Claim => ActionKind::Claim,
        Action::Pass => ActionKind::Pass,
    };
    message.kind = kind.into();
    message
}

/// The engine's form of an action, `None` for one that this version does not know.
#[must_use]
pub fn read_action(message: &proto::Action) -> Option<Action> {
    match message.kind() {
        ActionKind::Unspecified => None,
        ActionKind::Play => read_card(message.card).map(Action::Play),
        ActionKind::Draw => Some(Action::Draw),
        ActionKind::Exchange => Some(Action::Exchange),
        ActionKind::Close => Some(Action::Close),
        ActionKind::Claim => Some(Action::Claim),
        ActionKind::Pass => Some(Action::Pass),
        ActionKind::Marriage => read_suit(message.suit).map(Action::Marriage),
        ActionKind::Trump => read_suit(message.suit).map(Action::Trump),
    }
}

fn missing(field: &str) -> ViewError {
    ViewError(format!("{field} is missing or unknown"))
}

fn by_seat<T>(seat: usize, own: T, other: T) -> [T; 2] {
    if seat == 0 { [own, other] } else { [other, own] }
}

fn talon_size(rules: &Rules, seen: &Observation, turn_up: Option<Card>) -> usize {
    (seen.talon_count as usize).min(CARD_COUNT - 1) + usize::from(rules.turn_up_on_top && turn_up.is_some())
}

fn few(number: u32) -> Result<u8, ViewError> {
    u8::try_from(number).map_err(|_| ViewError(format!("{number} tricks")))
}

fn read_seat(number: i32) -> Option<usize> {
    match Seat::try_from(number) {
        Ok(Seat::First) => Some(0),
        Ok(Seat::Second) => Some(1),
        _ => None,
    }
}

fn read_suit(number: i32) -> Option<Suit> {
    Suit::try_from(number - 1).ok().filter(|suit| SUITS.contains(suit))
}

fn read_card(number: i32) -> Option<Card> {
    Card::try_from(number - 1).ok().filter(|&card| usize::from(card) < CARD_COUNT)
}

fn read_cards(numbers: &[i32]) -> Result<Cards, ViewError> {
    numbers.iter().try_fold(0, |cards, &number| {
        let card = read_card(number).ok_or_else(|| ViewError(format!("no card has the number {number}")))?;
        Ok(cards | bit(card))
    })
}

fn read_stage(stage: proto::Stage) -> Option<Stage> {
    match stage {
        proto::Stage::Unspecified => None,
        proto::Stage::BeforeDraw => Some(Stage::BeforeDraw),
        proto::Stage::Lead => Some(Stage::Lead),
        proto::Stage::ExchangeOffer => Some(Stage::ExchangeOffer),
        proto::Stage::Follow => Some(Stage::Follow),
        proto::Stage::LastClaim => Some(Stage::LastClaim),
    }
}

fn read_closing(seen: &Observation, seat: usize) -> Option<Closing> {
    let closer = read_seat(seen.talon_closed_by)?;
    let then = seen.close_state.unwrap_or_default();
    let tricks = [then.own_tricks, then.opponent_tricks].map(|tricks| u8::try_from(tricks).unwrap_or(u8::MAX));
    Some(Closing {
        seat: closer,
        points: by_seat(seat, then.own_card_points, then.opponent_card_points),
        tricks: by_seat(seat, tricks[0], tricks[1]),
    })
}

fn read_event(event: &proto::Event) -> Option<Event> {
    let card = |place: usize| event.cards.get(place).and_then(|&number| read_card(number));
    let seat = read_seat(event.seat)?;
    Some(Event { kind: event.kind(), seat, cards: [card(0), card(1)], suit: read_suit(event.suit) })
}
