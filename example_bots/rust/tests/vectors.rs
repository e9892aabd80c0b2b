//! The engine against the deals that are published for all implementations: legality, order of actions, outcomes.

mod common;

use std::env;
use std::fs;

use common::preset;
use serde_json::{Value, json};
use sixtysix_rust_bot::proto::Reason;
use sixtysix_rust_bot::rules::cards::{Card, Suit, bit, each};
use sixtysix_rust_bot::rules::{Action, Outcome, Rules, Stage, State};

const PUBLISHED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../vectors/deals.jsonl");

#[test]
fn every_published_deal_is_replayed_as_it_should() {
    let path = env::var("SIXTYSIX_VECTORS").unwrap_or_else(|_| PUBLISHED.to_owned());
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let deals: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert!(deals.len() > 50, "{path} has only {} deals", deals.len());
    for deal in &deals {
        check(deal);
    }
}

fn check(record: &Value) {
    let title = format!("{}: {}", record["id"], record["title"]);
    let rules = Rules::new(&preset(text(&record["rules"]))).expect("a shipped rule set");
    let actions = record["actions"].as_array().expect("actions");
    let mut table = Table::new(&rules, record);
    for place in 0..=actions.len() {
        for illegal in record["illegal"].as_array().into_iter().flatten().filter(|one| one["at"] == json!(place)) {
            let out_of_turn = illegal["seat"] != json!(table.state.turn);
            let allowed = table.legal().contains(&canonical(text(&illegal["action"])));
            assert!(out_of_turn || !allowed, "{title}: {illegal} is allowed");
        }
        if let Some(action) = actions.get(place) {
            let action = &canonical(text(action));
            assert!(table.legal().iter().any(|one| one == action), "{title}: {action} at {place} is refused");
            table.apply(action);
        }
    }
    assert_eq!(table.result(), without_trace(&record["expect"]), "{title}");
    if let Some(forfeit) = record.get("forfeit") {
        let seat = usize::from(forfeit["seat"] == json!(1));
        table.state.forfeit(&rules, seat);
        assert_eq!(table.result(), forfeit["expect"], "{title}, forfeit");
    }
}

fn without_trace(expected: &Value) -> Value {
    let mut expected = expected.clone();
    expected.as_object_mut().expect("an object").remove("trace");
    expected
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a text")
}

/// A deal, and the order in which its cards were received, which sets of cards do not know.
struct Table<'a> {
    rules: &'a Rules,
    state: State,
    received: [Vec<Card>; 2],
}

impl<'a> Table<'a> {
    fn new(rules: &'a Rules, record: &Value) -> Self {
        let cards = |value: &Value| -> Vec<Card> {
            value.as_array().expect("cards").iter().map(|card| read_card(text(card))).collect()
        };
        let received = [cards(&record["hands"][0]), cards(&record["hands"][1])];
        let hands = [0, 1].map(|seat| received[seat].iter().fold(0, |hand, &card| hand | bit(card)));
        let dealer = usize::from(record["dealer"] == json!(1));
        let carry = u32::try_from(record["carry"].as_u64().unwrap_or(0)).expect("a small carry");
        let turn_up = read_card(text(&record["turn_up"]));
        let state = State::dealt(rules, dealer, hands, &cards(&record["talon"]), turn_up, carry);
        Self { rules, state, received }
    }

    fn legal(&self) -> Vec<String> {
        let place = |action: &Action| match action {
            Action::Play(card) => self.received[self.state.turn].iter().position(|held| held == card),
            _ => Some(usize::MAX),
        };
        let mut legal = self.state.legal(self.rules).to_vec();
        legal.sort_by_key(place);
        legal.into_iter().map(write_action).collect()
    }

    fn apply(&mut self, token: &str) {
        let action = self.state.legal(self.rules).iter().copied().find(|&action| write_action(action) == token);
        self.state.apply(self.rules, action.expect("a legal action"));
        for (hand, received) in self.state.hands.into_iter().zip(&mut self.received) {
            received.retain(|&card| hand & bit(card) != 0);
            let known = received.iter().fold(0, |known, &card| known | bit(card));
            received.extend(each(hand & !known));
        }
    }

    fn result(&self) -> Value {
        let state = &self.state;
        let points = [state.card_points(0), state.card_points(1)];
        let Some(outcome) = state.outcome else {
            return json!({
                "over": false, "seat": state.turn, "stage": stage_name(state.stage), "legal": self.legal(),
                "card_points": points, "tricks": state.tricks,
            });
        };
        json!({
            "over": true, "winner": outcome.winner, "game_points": outcome.game_points,
            "score_change": score_change(self.rules, state.carry, outcome), "carry": outcome.carry,
            "reason": reason_name(outcome.reason), "card_points": points, "tricks": state.tricks,
        })
    }
}

fn score_change(rules: &Rules, carry: u32, outcome: Outcome) -> [i64; 2] {
    let Some(winner) = outcome.winner else { return [0, 0] };
    let value = i64::from(outcome.game_points);
    let mut change = [if rules.zero_sum { -value } else { 0 }; 2];
    change[winner] = value + i64::from(carry);
    change
}

fn read_card(token: &str) -> Card {
    let token = canonical(token);
    (0..24).find(|&card| write_card(card) == token).expect("a card")
}

/// Records may write a ten as `10` and suits as symbols, and in lower case.
fn canonical(token: &str) -> String {
    let (word, last) = token.rsplit_once(' ').map_or(("", token), |(word, suit)| (word, suit));
    let known = ["draw", "exchange", "close", "claim", "pass"].contains(&last);
    let spelt = [("10", "T"), ("\u{2663}", "C"), ("\u{2666}", "D"), ("\u{2665}", "H"), ("\u{2660}", "S")];
    let last = if known {
        last.to_owned()
    } else {
        spelt.iter().fold(last.to_uppercase(), |text, (from, to)| text.replace(from, to))
    };
    if word.is_empty() { last } else { format!("{word} {last}") }
}

fn write_card(card: Card) -> String {
    format!("{}{}", char::from(b"ATKQJ9"[usize::from(card % 6)]), suit_letter(card / 6))
}

fn suit_letter(suit: Suit) -> char {
    char::from(b"CDHS"[usize::from(suit)])
}

fn write_action(action: Action) -> String {
    match action {
        Action::Play(card) => write_card(card),
        Action::Draw => "draw".to_owned(),
        Action::Exchange => "exchange".to_owned(),
        Action::Close => "close".to_owned(),
        Action::Claim => "claim".to_owned(),
        Action::Pass => "pass".to_owned(),
        Action::Marriage(suit) => format!("marriage {}", suit_letter(suit)),
        Action::Trump(suit) => format!("trump {}", suit_letter(suit)),
    }
}

fn stage_name(stage: Stage) -> &'static str {
    match stage {
        Stage::BeforeDraw => "before-draw",
        Stage::Lead => "lead",
        Stage::ExchangeOffer => "exchange-offer",
        Stage::Follow => "follow",
        Stage::LastClaim => "last-claim",
        Stage::Over => "over",
    }
}

fn reason_name(reason: Reason) -> String {
    reason.as_str_name().trim_start_matches("REASON_").to_lowercase()
}
