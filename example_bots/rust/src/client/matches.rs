//! The bot's matches, and what each update asks for. No I/O: the same whoever moves the messages.

use std::collections::HashMap;
use std::sync::Arc;

use crate::proto::{
    Action, ActionCommand, ActionStatus, Command, Decision, MatchOffered, Pong, Ready, Update, command, update,
};

/// What is to be done after an update.
#[derive(Debug)]
pub enum Task {
    /// Send this at once.
    Send(Command),
    /// Look whether the bot can play this match, and send the command if so.
    Accept(Arc<MatchOffered>, Command),
    /// Let the bot think about this.
    Think(Arc<MatchOffered>, Box<Decision>),
    /// Tell people.
    Tell(String),
    /// Remember the session.
    Remember(String),
}

struct Match {
    offer: Arc<MatchOffered>,
    /// The last decision that is, or was, thought about.
    decision: u64,
    answer: Option<Command>,
}

/// All live matches of the bot, over as many streams as it takes.
#[derive(Default)]
pub struct Matches(HashMap<String, Match>);

impl Matches {
    /// Follows an update. One that is unknown, or that asks for nothing, leads to nothing.
    pub fn take(&mut self, update: Update) -> Option<Task> {
        match update.update? {
            update::Update::Welcome(welcome) => {
                if !welcome.resumed {
                    self.0.clear();
                }
                Some(Task::Remember(welcome.session_id))
            }
            update::Update::MatchOffered(offer) => Some(self.offered(offer)),
            update::Update::Decision(decision) => self.decision(decision),
            update::Update::Ping(ping) => Some(Task::Send(command(command::Command::Pong(Pong { nonce: ping.nonce })))),
            update::Update::MatchEnded(end) => {
                self.0.remove(&end.match_id);
                None
            }
            update::Update::ActionResult(result) => {
                let fault =
                    matches!(result.status(), ActionStatus::TooLate | ActionStatus::Illegal | ActionStatus::Malformed);
                let status = result.status().as_str_name();
                let told = [&result.match_id, status, &result.message, &result.consequence].join(", ");
                fault.then_some(Task::Tell(told))
            }
            update::Update::Draining(draining) => {
                Some(Task::Tell(format!("the arbiter shuts down within {} s", draining.deadline_us / 1_000_000)))
            }
            update::Update::Error(error) => Some(Task::Tell(format!("a command was dropped: {}", error.message))),
            update::Update::DealStarted(_) | update::Update::Event(_) | update::Update::DealEnded(_) => None,
        }
    }

    /// The bot has decided: the answer to send, unless the decision is no longer the one that is due.
    pub fn decided(&mut self, match_id: &str, decision_id: u64, action: Action) -> Option<Command> {
        let live = self.0.get_mut(match_id).filter(|live| live.decision == decision_id)?;
        let answer =
            ActionCommand { match_id: match_id.to_owned(), decision_id, action: Some(action), comment: String::new() };
        let answer = command(command::Command::Action(answer));
        live.answer = Some(answer.clone());
        Some(answer)
    }

    fn offered(&mut self, offer: MatchOffered) -> Task {
        let match_id = offer.match_id.clone();
        let new = || Match { offer: Arc::new(offer), decision: 0, answer: None };
        let live = self.0.entry(match_id.clone()).or_insert_with(new);
        Task::Accept(Arc::clone(&live.offer), command(command::Command::Ready(Ready { match_id })))
    }

    /// A decision that comes again after a reconnect is not thought about twice.
    fn decision(&mut self, decision: Decision) -> Option<Task> {
        let live = self.0.get_mut(&decision.match_id)?;
        if live.decision == decision.decision_id {
            return live.answer.clone().map(Task::Send);
        }
        live.decision = decision.decision_id;
        live.answer = None;
        Some(Task::Think(Arc::clone(&live.offer), Box::new(decision)))
    }
}

fn command(command: command::Command) -> Command {
    Command { command: Some(command) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proto::{MatchEnded, Ping, Welcome};

    fn update(update: update::Update) -> Update {
        Update { update: Some(update) }
    }

    fn offer(match_id: &str) -> Update {
        update(update::Update::MatchOffered(MatchOffered { match_id: match_id.to_owned(), ..Default::default() }))
    }

    fn decision(match_id: &str, decision_id: u64) -> Update {
        update(update::Update::Decision(Decision { match_id: match_id.to_owned(), decision_id, ..Default::default() }))
    }

    fn sent(task: Option<Task>) -> command::Command {
        match task {
            Some(
                Task::Send(Command { command: Some(command) }) | Task::Accept(_, Command { command: Some(command) }),
            ) => command,
            other => panic!("{other:?} sends nothing"),
        }
    }

    #[test]
    fn a_ping_is_answered_with_its_nonce() {
        let task = Matches::default().take(update(update::Update::Ping(Ping { nonce: 7 })));
        assert_eq!(sent(task), command::Command::Pong(Pong { nonce: 7 }));
    }

    #[test]
    fn an_offer_is_accepted_each_time_it_comes() {
        let mut matches = Matches::default();
        for _ in 0..2 {
            let ready = command::Command::Ready(Ready { match_id: "001".to_owned() });
            assert_eq!(sent(matches.take(offer("001"))), ready);
        }
    }

    #[test]
    fn a_decision_that_comes_again_is_answered_and_not_thought_about() {
        let mut matches = Matches::default();
        matches.take(offer("001"));
        assert!(matches!(matches.take(decision("001", 3)), Some(Task::Think(..))));
        assert!(matches.take(decision("001", 3)).is_none(), "while the bot thinks");
        let answer = matches.decided("001", 3, Action::default()).expect("is due");
        assert_eq!(sent(matches.take(decision("001", 3))), answer.command.expect("an action"));
        assert!(matches!(matches.take(decision("001", 4)), Some(Task::Think(..))));
    }

    #[test]
    fn an_answer_that_is_overtaken_is_not_sent() {
        let mut matches = Matches::default();
        matches.take(offer("001"));
        matches.take(decision("001", 3));
        matches.take(decision("001", 4));
        assert!(matches.decided("001", 3, Action::default()).is_none());
        matches
            .take(update(update::Update::MatchEnded(MatchEnded { match_id: "001".to_owned(), ..Default::default() })));
        assert!(matches.decided("001", 4, Action::default()).is_none());
    }

    #[test]
    fn matches_live_on_only_in_a_resumed_session() {
        for resumed in [true, false] {
            let mut matches = Matches::default();
            matches.take(offer("001"));
            matches.take(decision("001", 3));
            let welcome = Welcome { session_id: "s".to_owned(), resumed, ..Default::default() };
            assert!(matches!(matches.take(update(update::Update::Welcome(welcome))), Some(Task::Remember(_))));
            assert_eq!(matches.decided("001", 3, Action::default()).is_some(), resumed);
        }
    }

    #[test]
    fn what_is_unknown_is_ignored() {
        assert!(Matches::default().take(Update { update: None }).is_none());
        assert!(Matches::default().take(decision("never offered", 1)).is_none());
    }
}
