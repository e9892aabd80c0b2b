//! Rules of thumb: how both players go on where the search stops looking, up to the last draw.

use crate::rules::cards::{Card, Cards, SUITS, bit, count, each, king_and_queen, pair, suit_cards, suit_of};
use crate::rules::{Action, Rules, Stage, State};

/// Least points of a card led for which a trump is spent.
const WORTH_A_TRUMP: u32 = 10;
/// Points that the other player adds to a trick that he loses, as a rule.
const USUAL_LOSS: u32 = 3;
/// How much more than its points a trump, and a king or queen, is missed.
const TRUMP_VALUE: u32 = 12;
const HALF_MARRIAGE_VALUE: u32 = 6;

/// Plays until no more cards are drawn: from there on the value is exact.
pub fn play_out(rules: &Rules, state: &mut State) {
    while state.outcome.is_none() && (state.talon_open() || state.stage == Stage::ExchangeOffer) {
        let action = quick_action(rules, state);
        state.apply(rules, action);
    }
}

/// What a player would do by rules of thumb; looks at no card that he does not know.
#[must_use]
pub fn quick_action(rules: &Rules, state: &State) -> Action {
    if state.can_claim(rules) {
        return Action::Claim;
    }
    match state.stage {
        Stage::Lead => quick_lead(rules, state),
        Stage::Follow => Action::Play(quick_answer(rules, state)),
        Stage::BeforeDraw => Action::Draw,
        Stage::ExchangeOffer if state.legal(rules).contains(&Action::Exchange) => Action::Exchange,
        Stage::ExchangeOffer | Stage::LastClaim | Stage::Over => Action::Pass,
    }
}

fn quick_lead(rules: &Rules, state: &State) -> Action {
    let legal = state.legal(rules);
    let hand = state.hands[state.turn];
    if let Some(suit) = state.declared {
        let (king, queen) = king_and_queen(suit);
        return Action::Play(if hand & queen == 0 { king } else { queen }.trailing_zeros().to_le_bytes()[0]);
    }
    if legal.contains(&Action::Exchange) {
        return Action::Exchange;
    }
    let mut marriages = legal.iter().filter(|action| matches!(action, Action::Marriage(_)));
    let trump_marriage = Action::Marriage(state.trump);
    if legal.contains(&trump_marriage) {
        return trump_marriage;
    }
    if let Some(&marriage) = marriages.next() {
        return marriage;
    }
    if legal.contains(&Action::Close) && sure_points(rules, state) >= needed(rules, state) {
        return Action::Close;
    }
    let sure = unbeatable(rules, state);
    let enough = each(sure).filter(|&card| rules.points[usize::from(card)] >= needed(rules, state));
    Action::Play(
        enough.min_by_key(|&card| rules.points[usize::from(card)]).unwrap_or_else(|| least_missed(rules, state, hand)),
    )
}

fn quick_answer(rules: &Rules, state: &State) -> Card {
    let cards = state.answers(rules);
    let Some(led) = state.led else { return least_missed(rules, state, cards) };
    let winners = cards & rules.beating[usize::from(state.trump)][usize::from(led)];
    let plain = winners & suit_cards(suit_of(led));
    let points = |card: &Card| rules.points[usize::from(*card)];
    let missing = needed(rules, state);
    if let Some(card) = each(winners).filter(|card| points(&led) + points(card) >= missing).min_by_key(points) {
        return card;
    }
    let other = 1 - state.turn;
    let total = state.trick_points[other] + state.marriage_points[other] + state.pending + points(&led);
    let least = each(cards & !winners).map(|card| points(&card)).min().unwrap_or(0);
    if winners != 0 && total + least >= rules.claim_points {
        return least_missed(rules, state, winners);
    }
    if let Some(card) = each(plain).max_by_key(points) {
        return card;
    }
    if points(&led) >= WORTH_A_TRUMP
        && let Some(card) = each(winners).min_by_key(points)
    {
        return card;
    }
    least_missed(rules, state, cards)
}

fn least_missed(rules: &Rules, state: &State, cards: Cards) -> Card {
    let married = SUITS.into_iter().fold(0, |married, suit| married | pair(suit));
    let missed = |card: &Card| {
        let trump = if suit_of(*card) == state.trump { TRUMP_VALUE } else { 0 };
        let half = if married & bit(*card) == 0 { 0 } else { HALF_MARRIAGE_VALUE };
        rules.points[usize::from(*card)] + trump + half
    };
    each(cards).min_by_key(missed).unwrap_or_default()
}

fn needed(rules: &Rules, state: &State) -> u32 {
    let own = state.trick_points[state.turn] + state.marriage_points[state.turn];
    rules.claim_points.saturating_sub(own)
}

/// Points of the tricks that nobody can take from the player on lead if he closes now and leads his highest cards.
#[must_use]
pub fn sure_points(rules: &Rules, state: &State) -> u32 {
    let own = state.hands[state.turn];
    let against = unseen(state);
    let highest = each(own).filter(|&card| rules.higher[usize::from(card)] & against == 0);
    let highest = highest.fold(0, |highest, card| highest | bit(card));
    let trumps = suit_cards(state.trump);
    let most_trumps = count(against & trumps).min(count(own));
    let sure = if count(highest & trumps) >= most_trumps { highest } else { highest & trumps };
    each(sure).map(|card| rules.points[usize::from(card)] + USUAL_LOSS).sum()
}

/// Cards that win whatever the other player holds and answers.
fn unbeatable(rules: &Rules, state: &State) -> Cards {
    let (against, row) = (unseen(state), &rules.beating[usize::from(state.trump)]);
    let hand = each(state.hands[state.turn]);
    hand.filter(|&card| row[usize::from(card)] & against == 0).fold(0, |sure, card| sure | bit(card))
}

/// Cards that the player on turn has not seen: in the other hand or face down.
fn unseen(state: &State) -> Cards {
    let talon = state.talon[state.drawn..state.talon_size].iter().fold(0, |talon, &card| talon | bit(card));
    (state.hands[1 - state.turn] | talon) & !state.turn_up.map_or(0, bit)
}
