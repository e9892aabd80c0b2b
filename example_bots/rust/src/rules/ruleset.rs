//! The rules of a match as data, read from the protocol's `RuleSet`. No rule set is known by its name.

use std::fmt;

use super::cards::{CARD_COUNT, Card, Cards, RANKS_PER_SUIT, SUITS, Suit, bit, suit_cards, suit_of};
use crate::proto;
use crate::proto::{BothOver, ClosedUnclaimed, CloserBeaten, CloserFails, Duty, LastClaim, Leader, Measure, Unclaimed};

/// A rule set that the engine cannot play; says which field and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleSetError(String);

impl fmt::Display for RuleSetError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "rule set: {}", self.0)
    }
}

impl std::error::Error for RuleSetError {}

/// The rules of a match: the fields of `RuleSet` that the play depends on, and tables worked out from them.
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "the fields are those of RuleSet in rules.proto")]
#[expect(clippy::struct_excessive_bools, reason = "so many rules are switches")]
pub struct Rules {
    pub hand_size: usize,
    pub turn_up_on_top: bool,
    pub first_lead: Leader,
    pub open_duty: Duty,
    pub closed_duty: Duty,
    pub exchange: bool,
    pub exchange_needs_trick: bool,
    pub exchange_min_face_down: usize,
    pub exchange_before_following: bool,
    pub exchange_after_close: bool,
    pub trump_change: bool,
    pub marriage_any_lead: bool,
    pub marriage_needs_its_trick: bool,
    pub marriage_points: u32,
    pub trump_marriage_points: u32,
    pub close_before_draw: bool,
    pub close_needs_trick: bool,
    pub last_trick_points: u32,
    pub claim_points: u32,
    pub schneider_points: u32,
    pub closer_measure: Measure,
    pub both_over: BothOver,
    pub false_claim: u32,
    pub false_claim_trickless: u32,
    pub closer_fails: CloserFails,
    pub closer_beaten: CloserBeaten,
    pub unclaimed: Unclaimed,
    pub closed_unclaimed: ClosedUnclaimed,
    pub last_claim: LastClaim,
    pub forfeit: u32,
    pub zero_sum: bool,
    pub target: u32,
    /// The pack.
    pub pack: Cards,
    /// Card points, by card.
    pub points: [u32; CARD_COUNT],
    /// The stronger cards of its suit, by card.
    pub higher: [Cards; CARD_COUNT],
    /// The answers that take the trick, by trump, then by card led.
    pub beating: [[Cards; CARD_COUNT]; SUITS.len()],
    /// The lowest card, by suit: it is exchanged for the turn-up, or serves for a trump change.
    pub lowest: [Card; SUITS.len()],
}

impl Rules {
    /// Reads a rule set.
    ///
    /// # Errors
    ///
    /// `RuleSetError` names a field that is missing or has a value unknown to this version.
    pub fn new(set: &proto::RuleSet) -> Result<Self, RuleSetError> {
        let ranks: Vec<u8> = set.ranks.iter().map(|&rank| read_rank(rank)).collect::<Result<_, _>>()?;
        if ranks.is_empty() || ranks.len() != set.card_points.len() {
            return Err(RuleSetError("card_points must have one number for each rank".to_owned()));
        }
        let hand_size = set.hand_size as usize;
        if hand_size == 0 || 2 * hand_size + 2 > SUITS.len() * ranks.len() {
            return Err(RuleSetError(format!("hand_size {hand_size} leaves no talon")));
        }
        let (mut pack, mut points, mut higher) = (0, [0; CARD_COUNT], [0; CARD_COUNT]);
        let mut lowest = [0; SUITS.len()];
        for suit in SUITS {
            let mut stronger = 0;
            for (&rank, &worth) in ranks.iter().zip(&set.card_points) {
                let card = suit * RANKS_PER_SUIT + rank;
                if pack & bit(card) != 0 {
                    return Err(RuleSetError("ranks must be different".to_owned()));
                }
                pack |= bit(card);
                points[usize::from(card)] = worth;
                higher[usize::from(card)] = stronger;
                stronger |= bit(card);
                lowest[usize::from(suit)] = card;
            }
        }
        Ok(Self {
            hand_size,
            turn_up_on_top: set.turn_up_on_top,
            first_lead: known("first_lead", set.first_lead)?,
            open_duty: known("open_duty", set.open_duty)?,
            closed_duty: known("closed_duty", set.closed_duty)?,
            exchange: set.exchange,
            exchange_needs_trick: set.exchange_needs_trick,
            exchange_min_face_down: set.exchange_min_face_down as usize,
            exchange_before_following: set.exchange_before_following,
            exchange_after_close: set.exchange_after_close,
            trump_change: set.trump_change,
            marriage_any_lead: set.marriage_any_lead,
            marriage_needs_its_trick: set.marriage_needs_its_trick,
            marriage_points: set.marriage_points,
            trump_marriage_points: set.trump_marriage_points,
            close_before_draw: set.close_before_draw,
            close_needs_trick: set.close_needs_trick,
            last_trick_points: set.last_trick_points,
            claim_points: set.claim_points,
            schneider_points: set.schneider_points,
            closer_measure: known("closer_measure", set.closer_measure)?,
            both_over: known("both_over", set.both_over)?,
            false_claim: set.false_claim,
            false_claim_trickless: set.false_claim_trickless,
            closer_fails: known("closer_fails", set.closer_fails)?,
            closer_beaten: known("closer_beaten", set.closer_beaten)?,
            unclaimed: known("unclaimed", set.unclaimed)?,
            closed_unclaimed: known("closed_unclaimed", set.closed_unclaimed)?,
            last_claim: known("last_claim", set.last_claim)?,
            forfeit: set.forfeit,
            zero_sum: set.zero_sum,
            target: set.target,
            pack,
            points,
            higher,
            beating: beating(pack, &higher),
            lowest,
        })
    }

    /// Card points of a marriage.
    #[must_use]
    pub fn marriage(&self, suit: Suit, trump: Suit) -> u32 {
        if suit == trump { self.trump_marriage_points } else { self.marriage_points }
    }

    /// The cards of `hand` that `duty` allows in answer to `led`.
    #[must_use]
    pub fn answers(&self, duty: Duty, hand: Cards, led: Card, trump: Suit) -> Cards {
        let same = hand & suit_cards(suit_of(led));
        let allowed = match duty {
            Duty::None | Duty::Unspecified => hand,
            Duty::Follow => same,
            Duty::Head => match (hand & self.higher[usize::from(led)], same) {
                (0, 0) => hand & suit_cards(trump),
                (0, lower) => lower,
                (heading, _) => heading,
            },
        };
        if allowed == 0 { hand } else { allowed }
    }
}

fn known<E: TryFrom<i32> + Default + PartialEq>(field: &str, number: i32) -> Result<E, RuleSetError> {
    E::try_from(number)
        .ok()
        .filter(|value| *value != E::default())
        .ok_or_else(|| RuleSetError(format!("{field} has the unknown value {number}")))
}

fn read_rank(number: i32) -> Result<u8, RuleSetError> {
    let rank = u8::try_from(number - 1).ok().filter(|&rank| rank < RANKS_PER_SUIT);
    rank.ok_or_else(|| RuleSetError(format!("ranks has the unknown value {number}")))
}

fn beating(pack: Cards, higher: &[Cards; CARD_COUNT]) -> [[Cards; CARD_COUNT]; SUITS.len()] {
    let mut table = [[0; CARD_COUNT]; SUITS.len()];
    for (trump, row) in SUITS.into_iter().zip(&mut table) {
        for (led, answers) in (0..).zip(row) {
            let trumps = if suit_of(led) == trump { 0 } else { suit_cards(trump) & pack };
            *answers = higher[usize::from(led)] | trumps;
        }
    }
    table
}
