//! The bot.

use std::time::Instant;

use crate::client::Bot;
use crate::proto::{Action, ActionKind, Decision, MatchOffered};

/// Claims when it has enough points, and otherwise plays what is listed first.
pub struct MyBot;

impl Bot for MyBot {
    fn version(&self) -> String {
        env!("CARGO_PKG_VERSION").to_owned()
    }

    fn max_concurrent_matches(&self) -> u32 {
        4
    }

    fn accept(&self, _offer: &MatchOffered) -> Result<(), String> {
        Ok(())
    }

    fn choose(&self, offer: &MatchOffered, decision: &Decision, _received: Instant) -> Result<Action, String> {
        let needed = offer.rules.as_ref().ok_or("a match is offered without rules")?.claim_points;
        pick(decision, needed).ok_or_else(|| "no legal action is known to this version".to_owned())
    }
}

/// One of the legal actions. The part to make better: `decision.observation` has all that the bot may know.
fn pick(decision: &Decision, claim_points: u32) -> Option<Action> {
    let legal = decision.legal_actions.iter().copied();
    let points = decision.observation.as_ref().map_or(0, |seen| seen.own_card_points);
    let mut claims = legal.clone().filter(|action| action.kind() == ActionKind::Claim);
    if points >= claim_points
        && let Some(claim) = claims.next()
    {
        return Some(claim);
    }
    let mut others = legal.filter(|action| !matches!(action.kind(), ActionKind::Claim | ActionKind::Unspecified));
    others.next()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proto::{Card, Observation};
    use crate::rules::samples::schnapsen;

    #[test]
    fn it_claims_with_66_and_not_before() {
        let play = Action { kind: ActionKind::Play.into(), card: Card::ClubsAce.into(), ..Action::default() };
        let claim = Action { kind: ActionKind::Claim.into(), ..Action::default() };
        for (points, expected) in [(65, play), (66, claim)] {
            let decision = Decision {
                legal_actions: vec![play, claim],
                observation: Some(Observation { own_card_points: points, ..Observation::default() }),
                ..Decision::default()
            };
            assert_eq!(pick(&decision, schnapsen().claim_points), Some(expected));
        }
    }
}
