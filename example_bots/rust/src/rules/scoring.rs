//! What the end of a deal is worth.

use super::ruleset::Rules;
use crate::proto::{BothOver, ClosedUnclaimed, CloserBeaten, CloserFails, Measure, Reason, Unclaimed};

/// Who closed the talon, and how both seats stood at that moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Closing {
    /// Who closed.
    pub seat: usize,
    /// Card points that counted then, by seat.
    pub points: [u32; 2],
    /// Tricks won, by seat.
    pub tricks: [u8; 2],
}

/// The result of a deal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outcome {
    /// Who won, if anybody did.
    pub winner: Option<usize>,
    /// What the deal is worth, without the carry.
    pub game_points: u32,
    /// The carry of the next deal.
    pub carry: u32,
    /// Why it ended.
    pub reason: Reason,
}

/// A deal at the moment at which it ends.
#[derive(Debug, Clone, Copy)]
pub struct Ending<'a> {
    /// The rules.
    pub rules: &'a Rules,
    /// Card points that count, by seat.
    pub points: [u32; 2],
    /// Tricks won, by seat; here it only matters whether there are any.
    pub tricks: [u8; 2],
    /// Who closed, if anybody did.
    pub closing: Option<Closing>,
    /// Game points that the winner gets on top.
    pub carry: u32,
}

impl Ending<'_> {
    /// The deal ends because `seat` claims, rightly or not.
    #[must_use]
    pub fn claimed(&self, seat: usize) -> Outcome {
        let (rules, other) = (self.rules, 1 - seat);
        if self.points[seat] < rules.claim_points {
            return self.falsely_claimed(seat);
        }
        if rules.both_over == BothOver::Carry && self.points[other] > rules.claim_points {
            return Self::nobody(Reason::BothOver66, self.carry + 1);
        }
        let Some(closing) = self.closing else {
            return Self::won(seat, self.by_loser(other), Reason::Claim);
        };
        if closing.seat == seat {
            let value = if rules.closer_measure == Measure::AtClose {
                self.graded(closing.points[other], closing.tricks[other])
            } else {
                self.by_loser(other)
            };
            return Self::won(seat, value, Reason::Claim);
        }
        let value = match rules.closer_beaten {
            CloserBeaten::Flat | CloserBeaten::Unspecified => 2,
            CloserBeaten::AsFailedClose => self.failed_close_value(closing),
            CloserBeaten::AsClaim => self.by_loser(other),
        };
        Self::won(seat, value, Reason::CloserBeaten)
    }

    fn falsely_claimed(&self, seat: usize) -> Outcome {
        let (rules, other) = (self.rules, 1 - seat);
        if let Some(closing) = self.closing
            && closing.seat == seat
            && rules.closer_fails != CloserFails::NoPenalty
        {
            return self.failed_close(closing);
        }
        let value = if self.tricks[other] == 0 { rules.false_claim_trickless } else { rules.false_claim };
        Self::won(other, value, Reason::FalseClaim)
    }

    /// All cards are played and nobody claims.
    #[must_use]
    pub fn unclaimed(&self, last_trick: usize) -> Outcome {
        let rules = self.rules;
        if let Some(closing) = self.closing {
            let reached = self.points[closing.seat] >= rules.claim_points;
            if rules.closed_unclaimed == ClosedUnclaimed::TieAt66 && reached {
                return Self::nobody(Reason::Tie, self.carry + 1);
            }
            if rules.closed_unclaimed == ClosedUnclaimed::Draw || rules.closer_fails == CloserFails::NoPenalty {
                return Self::nobody(Reason::Draw, self.carry);
            }
            return self.failed_close(closing);
        }
        match rules.unclaimed {
            Unclaimed::LastTrick => Self::won(last_trick, self.by_loser(1 - last_trick), Reason::LastTrick),
            Unclaimed::LastTrickFlat => Self::won(last_trick, 1, Reason::LastTrick),
            Unclaimed::Tie => Self::nobody(Reason::Tie, self.carry + 1),
            Unclaimed::HigherTotal if self.points[0] != self.points[1] => {
                Self::won(usize::from(self.points[1] > self.points[0]), 1, Reason::HigherTotal)
            }
            Unclaimed::HigherTotal | Unclaimed::Draw | Unclaimed::Unspecified => Self::nobody(Reason::Draw, self.carry),
        }
    }

    /// `seat` loses the deal at once.
    #[must_use]
    pub fn forfeited(&self, seat: usize) -> Outcome {
        let other = 1 - seat;
        let closed_early = self.closing.is_some_and(|closing| closing.seat == seat && closing.tricks[other] == 0);
        let least = self.rules.forfeit;
        let dear = closed_early || self.tricks.contains(&0);
        Self::won(other, if dear { least.max(3) } else { least }, Reason::Forfeit)
    }

    fn graded(&self, points: u32, tricks: u8) -> u32 {
        if tricks == 0 {
            3
        } else if points < self.rules.schneider_points {
            2
        } else {
            1
        }
    }

    fn by_loser(&self, loser: usize) -> u32 {
        self.graded(self.points[loser], self.tricks[loser])
    }

    fn failed_close_value(&self, closing: Closing) -> u32 {
        let trickless = if self.rules.closer_fails == CloserFails::CloserTrickless {
            self.tricks[closing.seat] == 0
        } else {
            closing.tricks[1 - closing.seat] == 0
        };
        if trickless { 3 } else { 2 }
    }

    fn failed_close(&self, closing: Closing) -> Outcome {
        Self::won(1 - closing.seat, self.failed_close_value(closing), Reason::FailedClose)
    }

    fn won(winner: usize, game_points: u32, reason: Reason) -> Outcome {
        Outcome { winner: Some(winner), game_points, carry: 0, reason }
    }

    fn nobody(reason: Reason, carry: u32) -> Outcome {
        Outcome { winner: None, game_points: 0, carry, reason }
    }
}
