//! The rule sets that the arbiter ships, by name, as it would send them.

use sixtysix_rust_bot::proto::{
    BothOver, ClosedUnclaimed, CloserBeaten, CloserFails, Duty, LastClaim, Leader, Measure, NextDealer, Rank, RuleSet,
    Unclaimed,
};

/// A shipped rule set; panics for a name that is none.
pub fn preset(name: &str) -> RuleSet {
    let set = match name {
        "sixty-six" => sixty_six(),
        "mariage" => RuleSet {
            next_dealer: NextDealer::Alternate.into(),
            exchange_before_following: true,
            exchange_after_close: false,
            closer_fails: CloserFails::CloserTrickless.into(),
            closer_beaten: CloserBeaten::AsFailedClose.into(),
            unclaimed: Unclaimed::Tie.into(),
            closed_unclaimed: ClosedUnclaimed::TieAt66.into(),
            last_claim: LastClaim::Always.into(),
            ..sixty_six()
        },
        "sechsundsechzig" => RuleSet {
            next_dealer: NextDealer::Alternate.into(),
            exchange_after_close: false,
            close_before_draw: false,
            closer_beaten: CloserBeaten::AsFailedClose.into(),
            ..sixty_six()
        },
        "trump-change" => trump_change(),
        "schnapsen" => schnapsen(),
        "schnapsen-short" => RuleSet { target: 5, ..schnapsen() },
        "schnapsen-vienna" => RuleSet {
            exchange_min_face_down: 0,
            closer_measure: Measure::AtClose.into(),
            unclaimed: Unclaimed::LastTrickFlat.into(),
            ..schnapsen()
        },
        _ => panic!("no rule set {name:?}"),
    };
    RuleSet { name: name.to_owned(), ..set }
}

fn ranks(all: &[Rank]) -> Vec<i32> {
    all.iter().map(|&rank| rank.into()).collect()
}

fn sixty_six() -> RuleSet {
    RuleSet {
        ranks: ranks(&[Rank::Ace, Rank::Ten, Rank::King, Rank::Queen, Rank::Jack, Rank::Nine]),
        card_points: vec![11, 10, 4, 3, 2, 0],
        hand_size: 6,
        packets: vec![3, 3],
        turn_up_after: 2,
        first_lead: Leader::Forehand.into(),
        next_dealer: NextDealer::Winner.into(),
        open_duty: Duty::None.into(),
        closed_duty: Duty::Head.into(),
        exchange: true,
        exchange_needs_trick: true,
        exchange_min_face_down: 1,
        exchange_after_close: true,
        marriage_points: 20,
        trump_marriage_points: 40,
        close_before_draw: true,
        last_trick_points: 10,
        claim_points: 66,
        schneider_points: 33,
        closer_measure: Measure::AtClaim.into(),
        both_over: BothOver::Claimant.into(),
        false_claim: 2,
        false_claim_trickless: 2,
        closer_fails: CloserFails::OtherTrickless.into(),
        closer_beaten: CloserBeaten::Flat.into(),
        unclaimed: Unclaimed::HigherTotal.into(),
        closed_unclaimed: ClosedUnclaimed::Failed.into(),
        last_claim: LastClaim::Closed.into(),
        forfeit: 2,
        target: 7,
        ..RuleSet::default()
    }
}

fn schnapsen() -> RuleSet {
    RuleSet {
        ranks: ranks(&[Rank::Ace, Rank::Ten, Rank::King, Rank::Queen, Rank::Jack]),
        card_points: vec![11, 10, 4, 3, 2],
        hand_size: 5,
        packets: vec![3, 2],
        turn_up_after: 1,
        next_dealer: NextDealer::Alternate.into(),
        exchange_needs_trick: false,
        exchange_min_face_down: 2,
        exchange_after_close: false,
        marriage_any_lead: true,
        close_before_draw: false,
        last_trick_points: 0,
        false_claim_trickless: 3,
        closer_beaten: CloserBeaten::AsFailedClose.into(),
        unclaimed: Unclaimed::LastTrick.into(),
        score_down: true,
        ..sixty_six()
    }
}

fn trump_change() -> RuleSet {
    RuleSet {
        packets: vec![1; 6],
        turn_up_after: 6,
        turn_up_on_top: true,
        first_lead: Leader::Dealer.into(),
        next_dealer: NextDealer::Alternate.into(),
        open_duty: Duty::Follow.into(),
        closed_duty: Duty::Follow.into(),
        exchange: false,
        exchange_after_close: false,
        trump_change: true,
        marriage_any_lead: true,
        marriage_needs_its_trick: true,
        close_needs_trick: true,
        both_over: BothOver::Carry.into(),
        false_claim: 3,
        false_claim_trickless: 3,
        closer_fails: CloserFails::NoPenalty.into(),
        closer_beaten: CloserBeaten::AsClaim.into(),
        unclaimed: Unclaimed::Draw.into(),
        closed_unclaimed: ClosedUnclaimed::Draw.into(),
        last_claim: LastClaim::Always.into(),
        forfeit: 3,
        zero_sum: true,
        ..sixty_six()
    }
}
