//! The search, asked through messages as an arbiter sends them.

mod common;

use std::time::{Duration, Instant};

use common::preset;
use sixtysix_rust_bot::bot::StrongBot;
use sixtysix_rust_bot::client::Bot;
use sixtysix_rust_bot::proto::{
    Action, ActionKind, Card, CloseState, Decision, Event, EventKind, MatchOffered, Observation, Seat, Stage, Suit,
};
use sixtysix_rust_bot::random::Random;
use sixtysix_rust_bot::rules::cards::{Cards, bit, count};
use sixtysix_rust_bot::rules::{Rules, State};
use sixtysix_rust_bot::search::endgame::Endgame;
use sixtysix_rust_bot::search::tree::Tree;
use sixtysix_rust_bot::search::worlds::Worlds;
use sixtysix_rust_bot::search::worth::Worth;
use sixtysix_rust_bot::view::View;

fn numbers(cards: &[Card]) -> Vec<i32> {
    cards.iter().map(|&card| card.into()).collect()
}

fn set(cards: &[Card]) -> Cards {
    cards.iter().map(|&card| bit(u8::try_from(card as i32 - 1).expect("a card"))).sum()
}

fn play(card: Card) -> Action {
    Action { kind: ActionKind::Play.into(), card: card.into(), ..Action::default() }
}

fn only(kind: ActionKind) -> Action {
    Action { kind: kind.into(), ..Action::default() }
}

fn event(kind: EventKind, seat: Seat, cards: &[Card]) -> Event {
    Event { kind: kind.into(), seat: seat.into(), cards: numbers(cards), ..Event::default() }
}

/// Hearts are trump and the talon is closed by the own seat, which leads; it has won one trick and 20 points.
fn closed(hand: &[Card], played: &[Card], legal: Vec<Action>, history: Vec<Event>) -> Decision {
    let observation = Observation {
        seat: Seat::First.into(),
        dealer: Seat::Second.into(),
        hand: numbers(hand),
        trump: Suit::Hearts.into(),
        turn_up: Card::HeartsJack.into(),
        talon_count: 5,
        talon_closed_by: Seat::First.into(),
        close_state: Some(CloseState { own_tricks: 1, opponent_tricks: 1, ..CloseState::default() }),
        leader: Seat::First.into(),
        own_tricks: 1,
        opponent_tricks: 1,
        own_trick_points: 20,
        played_cards: numbers(played),
        history,
        ..Observation::default()
    };
    Decision {
        match_id: "001".to_owned(),
        decision_id: 1,
        stage: Stage::Lead.into(),
        observation: Some(observation),
        legal_actions: legal,
        ..Decision::default()
    }
}

fn chosen(rules: &str, decision: &Decision) -> Action {
    let offer = MatchOffered { rules: Some(preset(rules)), ..MatchOffered::default() };
    StrongBot::new(Duration::from_millis(20)).choose(&offer, decision, Instant::now()).expect("an answer")
}

#[test]
fn a_correct_claim_is_made_and_a_false_one_is_not() {
    let hand = [Card::HeartsAce, Card::SpadesJack, Card::ClubsJack];
    let legal = vec![play(hand[0]), play(hand[1]), play(hand[2]), only(ActionKind::Claim)];
    let mut decision = closed(&hand, &[], legal, Vec::new());
    assert_ne!(chosen("schnapsen", &decision), only(ActionKind::Claim));
    decision.observation.as_mut().expect("given").own_trick_points = 66;
    assert_eq!(chosen("schnapsen", &decision), only(ActionKind::Claim));
}

#[test]
fn trumps_are_drawn_before_a_plain_ace_is_led() {
    // Three tricks of 11 or more are enough, and one trump is out: led first, the plain aces might be trumped.
    let hand = [Card::SpadesAce, Card::ClubsAce, Card::HeartsAce];
    let played = [Card::HeartsKing, Card::HeartsQueen, Card::SpadesJack, Card::SpadesQueen];
    let legal = vec![play(hand[0]), play(hand[1]), play(hand[2]), only(ActionKind::Claim)];
    let mut decision = closed(&hand, &played, legal, Vec::new());
    decision.observation.as_mut().expect("given").own_trick_points = 26;
    assert_eq!(chosen("schnapsen", &decision), play(Card::HeartsAce));
}

#[test]
fn one_legal_action_needs_no_thought() {
    let decision = Decision { legal_actions: vec![only(ActionKind::Pass)], ..Decision::default() };
    assert_eq!(chosen("sixty-six", &decision), only(ActionKind::Pass));
}

#[test]
fn a_rule_of_a_later_version_is_refused() {
    let mut set = preset("schnapsen");
    set.closed_duty = 99;
    let offer = MatchOffered { rules: Some(set), ..MatchOffered::default() };
    let error = StrongBot::new(Duration::ZERO).accept(&offer).expect_err("not known");
    assert!(error.contains("closed_duty"), "{error}");
}

#[test]
fn worlds_have_what_is_known_and_nothing_that_is_ruled_out() {
    let rules = Rules::new(&preset("schnapsen")).expect("a shipped rule set");
    let hand = [Card::HeartsAce, Card::SpadesJack, Card::ClubsJack];
    // In the closed deal the other player has answered a spade with a club: he holds no spade and no trump.
    let history = vec![
        event(EventKind::Closed, Seat::First, &[]),
        event(EventKind::Played, Seat::First, &[Card::SpadesAce]),
        event(EventKind::Played, Seat::Second, &[Card::ClubsQueen]),
    ];
    let mut decision = closed(&hand, &[Card::SpadesAce, Card::ClubsQueen], Vec::new(), history);
    decision.observation.as_mut().expect("given").opponent_known_cards = numbers(&[Card::ClubsKing]);
    let view = View::new(&rules, &decision).expect("a decision");
    let ruled_out = set(&[
        Card::SpadesTen,
        Card::SpadesKing,
        Card::SpadesQueen,
        Card::HeartsTen,
        Card::HeartsKing,
        Card::HeartsQueen,
        Card::HeartsJack,
    ]);
    let mut worlds = Worlds::new(&rules, &view);
    let mut random = Random::new(1);
    let mut seen = 0;
    for _ in 0..200 {
        let other = worlds.sample(&mut random).hands[1];
        assert_eq!((count(other), other & ruled_out), (3, 0));
        assert_ne!(other & set(&[Card::ClubsKing]), 0);
        seen |= other;
    }
    let possible = rules.pack & !(ruled_out | view.state.hands[0] | set(&[Card::SpadesAce, Card::ClubsQueen]));
    assert_eq!(seen, possible, "every card that is possible turns up");
}

#[test]
fn the_talon_of_a_world_has_all_cards_that_nobody_holds() {
    let rules = Rules::new(&preset("schnapsen")).expect("a shipped rule set");
    let hand = [Card::HeartsAce, Card::SpadesJack, Card::ClubsJack, Card::ClubsAce, Card::DiamondsAce];
    let mut decision = closed(&hand, &[], Vec::new(), Vec::new());
    let seen = decision.observation.as_mut().expect("given");
    (seen.talon_closed_by, seen.close_state, seen.talon_count) = (Seat::Unspecified.into(), None, 9);
    let view = View::new(&rules, &decision).expect("a decision");
    let state = Worlds::new(&rules, &view).sample(&mut Random::new(1));
    let talon = state.talon[..state.talon_size].iter().fold(0, |talon, &card| talon | bit(card));
    assert_eq!(state.talon_size, 9);
    assert_eq!(talon | state.hands[0] | state.hands[1] | set(&[Card::HeartsJack]), rules.pack);
}

#[test]
fn every_world_counts_for_one_of_the_actions() {
    let rules = Rules::new(&preset("schnapsen")).expect("a shipped rule set");
    let hand = [Card::HeartsAce, Card::SpadesJack, Card::ClubsJack];
    let view = View::new(&rules, &closed(&hand, &[], Vec::new(), Vec::new())).expect("a decision");
    let worth = Worth::new(&rules, view.score, 0);
    let mut worlds = Worlds::new(&rules, &view);
    let mut endgame = Endgame::new(&rules, &worth, 0);
    let mut tree = Tree::new(&rules, &worth, view.seat, Random::new(1));
    for _ in 0..100 {
        tree.grow(&mut worlds, &mut endgame);
    }
    assert_eq!(tree.candidates().count(), hand.len(), "each card was tried");
    assert_eq!(tree.candidates().map(|candidate| candidate.visits).sum::<u32>(), 100);
}

/// The worth of a deal by trying everything, with no shortcut.
fn slow_value(rules: &Rules, worth: &Worth, state: &State, seat: usize) -> i32 {
    if let Some(outcome) = &state.outcome {
        return worth.of(outcome, seat);
    }
    let claim = sixtysix_rust_bot::rules::Action::Claim;
    let legal = state.legal(rules);
    let values = legal.iter().filter(|&&action| action != claim || state.can_claim(rules)).map(|&action| {
        let mut after = *state;
        after.apply(rules, action);
        slow_value(rules, worth, &after, seat)
    });
    if state.turn == seat { values.max() } else { values.min() }.expect("an action")
}

#[test]
fn the_endgame_search_finds_what_trying_everything_finds() {
    for name in ["schnapsen", "schnapsen-vienna", "sixty-six", "mariage", "sechsundsechzig", "trump-change"] {
        let rules = Rules::new(&preset(name)).expect("a shipped rule set");
        let worth = Worth::new(&rules, [3, 4], 1);
        let mut endgame = Endgame::new(&rules, &worth, 1);
        let mut random = Random::new(66);
        for round in 0..60 {
            let state = late_state(&rules, &mut random, round % 2 == 0);
            let expected = slow_value(&rules, &worth, &state, 0);
            assert_eq!(endgame.value(&state, 0), expected, "{name}, round {round}: {state:?}");
            assert_eq!(endgame.value(&state, 1), -expected, "{name}, round {round}, other seat");
        }
    }
}

/// A deal with four cards in each hand and nothing to draw, reached by legal actions at random.
fn late_state(rules: &Rules, random: &mut Random, close: bool) -> State {
    use sixtysix_rust_bot::rules::Action;
    loop {
        let mut cards: Vec<u8> = (0..24).filter(|&card| rules.pack & bit(card) != 0).collect();
        let all = cards.len();
        random.shuffle_front(&mut cards, all);
        let size = rules.hand_size;
        let hands = [0, size].map(|from| cards[from..from + size].iter().fold(0, |hand, &card| hand | bit(card)));
        let from = 2 * size + usize::from(!rules.turn_up_on_top);
        let mut state = State::dealt(rules, 0, hands, &cards[from..], cards[2 * size], 1);
        while state.outcome.is_none() && (state.talon_open() || count(state.hands[0]) > 3 || state.led.is_some()) {
            let legal = state.legal(rules);
            let action = legal[random.below(legal.len())];
            let closes = close && legal.contains(&Action::Close) && count(cards_left(&state)) < 14;
            if closes || (action != Action::Claim && action != Action::Close) {
                state.apply(rules, if closes { Action::Close } else { action });
            }
        }
        if state.outcome.is_none() {
            return state;
        }
    }
}

fn cards_left(state: &State) -> Cards {
    let talon = state.talon[state.drawn..state.talon_size].iter().fold(0, |talon, &card| talon | bit(card));
    talon | state.hands[0] | state.hands[1]
}
