//! What the end of a deal is worth to a player of a match: his chance to win the match after it.

use crate::rules::{Outcome, Rules};

/// Chances to win the match, of a thousand deals each way, from -1000 (lost) to 1000 (won).
pub const CERTAIN: i32 = 1000;

/// How often a deal with a winner is worth 1, 2 or 3, measured in games of this bot against itself.
const WORTHS: [(usize, f64); 3] = [(1, 0.44), (2, 0.38), (3, 0.18)];

/// Values above this one are taken as this one: they end any match of usual length.
const MOST_VALUE: usize = 15;

/// Needs above this one are taken as this one.
const MOST_NEED: usize = 40;

/// The worth of every outcome of one deal.
///
/// A game point is not a game point: with 6:6 only winning the deal counts, with 0:6 the two points that a risky close
/// may cost are no loss at all.
#[derive(Debug, Clone)]
pub struct Worth {
    won: [[i32; MOST_VALUE + 1]; 2],
    nobody: i32,
}

impl Worth {
    /// For a deal that begins at `score`, by seat, with `carry` game points on top for its winner.
    #[must_use]
    pub fn new(rules: &Rules, score: [i32; 2], carry: u32) -> Self {
        let chances = Chances::new();
        let target = i64::from(rules.target);
        let after = |change: [i64; 2]| {
            let need = [0, 1].map(|seat| target - i64::from(score[seat]) - change[seat]);
            chances.first(need)
        };
        let won = [0, 1].map(|winner| {
            let mut row = [0; MOST_VALUE + 1];
            for (value, worth) in (0_i64..).zip(&mut row) {
                let mut change = [if rules.zero_sum { -value } else { 0 }; 2];
                change[winner] = value + i64::from(carry);
                *worth = after(change);
            }
            row
        });
        Self { won, nobody: after([0, 0]) }
    }

    /// The worth of an outcome for `seat`; for the other seat it is the same with the other sign.
    #[must_use]
    pub fn of(&self, outcome: &Outcome, seat: usize) -> i32 {
        let first = match outcome.winner {
            Some(winner) => self.won[winner][(outcome.game_points as usize).min(MOST_VALUE)],
            None => self.nobody,
        };
        if seat == 0 { first } else { -first }
    }

    /// The difference between the best and the worst that can happen in a deal worth up to 3.
    #[must_use]
    pub fn range(&self) -> i32 {
        (self.won[0][3] - self.won[1][3]).max(1)
    }
}

/// Chances to win the match by what both players still need, if every deal is an even one.
struct Chances(Vec<[f64; MOST_NEED + 1]>);

impl Chances {
    fn new() -> Self {
        let mut table = vec![[0.0; MOST_NEED + 1]; MOST_NEED + 1];
        table[0] = [1.0; MOST_NEED + 1];
        for own in 1..=MOST_NEED {
            for other in 1..=MOST_NEED {
                table[own][other] = WORTHS
                    .iter()
                    .map(|&(value, share)| {
                        let won = table[own.saturating_sub(value)][other];
                        let lost = if value >= other { 0.0 } else { table[own][other - value] };
                        share * (won + lost) / 2.0
                    })
                    .sum();
            }
        }
        Self(table)
    }

    #[expect(clippy::cast_possible_truncation, reason = "a chance of at most 1, scaled")]
    fn first(&self, need: [i64; 2]) -> i32 {
        let place = |need: i64| usize::try_from(need.max(0)).map_or(MOST_NEED, |need| need.min(MOST_NEED));
        let [own, other] = need.map(place);
        let chance = if own > 0 && other == 0 { 0.0 } else { self.0[own][other] };
        ((2.0 * chance - 1.0) * f64::from(CERTAIN)).round() as i32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proto::Reason;
    use crate::rules::samples;

    fn won_by(winner: usize, game_points: u32) -> Outcome {
        Outcome { winner: Some(winner), game_points, carry: 0, reason: Reason::Claim }
    }

    #[test]
    fn more_is_worth_more_for_either_seat() {
        let worth = Worth::new(&samples::schnapsen(), [2, 3], 0);
        let values: Vec<i32> = [won_by(1, 3), won_by(1, 2), won_by(1, 1), won_by(0, 1), won_by(0, 2), won_by(0, 3)]
            .iter()
            .map(|outcome| worth.of(outcome, 0))
            .collect();
        assert!(values.windows(2).all(|pair| pair[0] < pair[1]), "{values:?}");
        assert_eq!(worth.of(&won_by(0, 2), 0), -worth.of(&won_by(0, 2), 1));
    }

    #[test]
    fn only_winning_counts_when_both_need_one_point() {
        let worth = Worth::new(&samples::schnapsen(), [6, 6], 0);
        assert_eq!(worth.of(&won_by(0, 1), 0), CERTAIN);
        assert_eq!(worth.of(&won_by(1, 3), 0), -CERTAIN);
    }

    #[test]
    fn a_loser_who_needs_seven_to_one_does_not_care_by_how_much() {
        let worth = Worth::new(&samples::schnapsen(), [0, 6], 0);
        assert_eq!(worth.of(&won_by(1, 1), 0), worth.of(&won_by(1, 3), 0));
    }

    #[test]
    fn the_carry_counts_for_the_winner() {
        let worth = Worth::new(&samples::schnapsen(), [4, 0], 2);
        assert_eq!(worth.of(&won_by(0, 1), 0), CERTAIN);
    }
}
