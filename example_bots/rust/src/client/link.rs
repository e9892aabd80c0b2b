//! The connection: opens the stream, moves messages, connects again.

use std::future::Future;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};
use tokio_stream::wrappers::UnboundedReceiverStream;
use tonic::{Request, Streaming};

use super::Bot;
use super::matches::{Matches, Task};
use super::settings::Settings;
use super::stream_end::StreamEnd;
use crate::proto::bot_service_client::BotServiceClient;
use crate::proto::{Action, Command, Decision, Hello, Leave, MatchOffered, PlayRequest, PlayResponse, command};
use crate::random::Random;

const PROTOCOL_MAJOR: u32 = 1;
const PROTOCOL_MINOR: u32 = 0;

/// Before the first attempt to connect again; each further one waits twice as long.
const FIRST_DELAY: Duration = Duration::from_millis(100);
const LONGEST_DELAY: Duration = Duration::from_secs(5);
/// Time without a connection after which the bot gives up.
const GIVE_UP: Duration = Duration::from_secs(60);
/// Most time that the arbiter gets to end the stream after `leave`.
const LEAVE: Duration = Duration::from_secs(2);
/// Most time that a connection may take to open.
const CONNECT: Duration = Duration::from_secs(10);

/// Why the bot does not play any more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ending {
    /// The tournament is over.
    Over,
    /// The bot was asked to stop, and has left.
    Interrupted,
    /// The arbiter cannot be reached, refuses the bot or has ended its stream.
    Refused(String),
    /// The bot itself has failed, and has left.
    Failed(String),
}

/// Plays until the tournament is over or `stop` is ready.
pub async fn run<B: Bot>(bot: Arc<B>, settings: &Settings, stop: impl Future<Output = ()>) -> Ending {
    let mut link = Link {
        bot,
        settings,
        matches: Matches::default(),
        session: String::new(),
        is_open: false,
        thinking: JoinSet::new(),
    };
    let mut stop = std::pin::pin!(stop);
    let mut jitter = Random::new(u64::from(std::process::id()));
    let mut alone_since = Instant::now();
    let mut delay = FIRST_DELAY;
    loop {
        let end = match link.follow(stop.as_mut()).await {
            Ok(end) => end,
            Err(ending) => return ending,
        };
        if end.is_over() {
            return Ending::Over;
        }
        if !end.may_reconnect() {
            return Ending::Refused(format!("the arbiter at {} ended the connection: {end}", settings.address));
        }
        if link.is_open {
            alone_since = Instant::now();
            delay = FIRST_DELAY;
        }
        if alone_since.elapsed() >= GIVE_UP {
            let seconds = GIVE_UP.as_secs();
            return Ending::Refused(format!("no connection to {} for {seconds} s: {end}", settings.address));
        }
        if delay == FIRST_DELAY {
            eprintln!("no connection to {} ({end}), trying for {} s", settings.address, GIVE_UP.as_secs());
        }
        let part = u32::try_from(50 + jitter.below(51)).unwrap_or(100);
        tokio::select! {
            () = stop.as_mut() => return Ending::Interrupted,
            () = sleep(delay * part / 100) => {}
        }
        delay = (2 * delay).min(LONGEST_DELAY);
    }
}

/// What a thread that has thought about a decision brings back.
struct Thought {
    match_id: String,
    decision_id: u64,
    action: Result<Action, String>,
}

struct Link<'a, B> {
    bot: Arc<B>,
    settings: &'a Settings,
    matches: Matches,
    session: String,
    /// Has the arbiter said welcome on the present stream? Before that it takes no answers.
    is_open: bool,
    thinking: JoinSet<Thought>,
}

type Writer = mpsc::UnboundedSender<PlayRequest>;

impl<B: Bot> Link<'_, B> {
    /// Plays over one stream; `Err` if the bot is not to go on.
    async fn follow<S: Future<Output = ()> + Unpin>(&mut self, mut stop: S) -> Result<StreamEnd, Ending> {
        self.is_open = false;
        let (writer, queue) = mpsc::unbounded_channel();
        let hello = command::Command::Hello(self.hello());
        // The queue lives as long as the request, so this cannot fail.
        let _ = writer.send(request(vec![Command { command: Some(hello) }]));
        let opened = tokio::select! {
            () = &mut stop => return Err(Ending::Interrupted),
            opened = timeout(CONNECT, self.open(queue)) => opened,
        };
        let mut stream = match opened {
            Ok(Ok(stream)) => stream,
            Ok(Err(end)) => return Ok(end),
            Err(_) => return Ok(StreamEnd::lost(format!("not open within {} s", CONNECT.as_secs()))),
        };
        loop {
            tokio::select! {
                () = &mut stop => {
                    leave(&writer, &mut stream, "interrupted").await;
                    return Err(Ending::Interrupted);
                }
                Some(thought) = self.thinking.join_next(), if self.is_open => {
                    if let Err(problem) = self.answer(thought, &writer) {
                        leave(&writer, &mut stream, &problem).await;
                        return Err(Ending::Failed(problem));
                    }
                }
                message = stream.message() => match message {
                    Ok(Some(response)) => {
                        if let Err(problem) = self.take(response, &writer) {
                            leave(&writer, &mut stream, &problem).await;
                            return Err(Ending::Failed(problem));
                        }
                    }
                    Ok(None) => return Ok(StreamEnd::ok()),
                    Err(status) => return Ok(StreamEnd::from(&status)),
                },
            }
        }
    }

    async fn open(&self, queue: mpsc::UnboundedReceiver<PlayRequest>) -> Result<Streaming<PlayResponse>, StreamEnd> {
        let channel = self.settings.endpoint.connect().await.map_err(|error| StreamEnd::lost(explain(&error)))?;
        let mut request = Request::new(UnboundedReceiverStream::new(queue));
        request.metadata_mut().insert("authorization", self.settings.authorization.clone());
        let response = BotServiceClient::new(channel).play(request).await;
        response.map(tonic::Response::into_inner).map_err(|status| StreamEnd::from(&status))
    }

    fn hello(&self) -> Hello {
        Hello {
            protocol_major: PROTOCOL_MAJOR,
            protocol_minor: PROTOCOL_MINOR,
            bot_name: self.settings.name.clone(),
            bot_version: self.bot.version(),
            author: self.bot.author(),
            sdk: format!("{} {}", env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION")),
            language: "rust".to_owned(),
            rule_sets: self.bot.rule_sets(),
            max_concurrent_matches: self.bot.max_concurrent_matches(),
            max_decisions_per_message: self.bot.max_concurrent_matches(),
            want_events: false,
            ask_before_draw: self.bot.ask_before_draw(),
            resume_session_id: self.session.clone(),
        }
    }

    fn take(&mut self, response: PlayResponse, writer: &Writer) -> Result<(), String> {
        let mut commands = Vec::new();
        for update in response.updates {
            match self.matches.take(update) {
                Some(Task::Send(command)) => commands.push(command),
                Some(Task::Accept(offer, ready)) => {
                    self.bot.accept(&offer)?;
                    commands.push(ready);
                }
                Some(Task::Think(offer, decision)) => self.think(offer, *decision),
                Some(Task::Tell(text)) => eprintln!("{text}"),
                Some(Task::Remember(session)) => {
                    self.session = session;
                    self.is_open = true;
                }
                None => {}
            }
        }
        send(writer, commands);
        Ok(())
    }

    fn think(&mut self, offer: Arc<MatchOffered>, decision: Decision) {
        let (bot, received) = (Arc::clone(&self.bot), Instant::now());
        self.thinking.spawn_blocking(move || Thought {
            action: bot.choose(&offer, &decision, received),
            match_id: decision.match_id,
            decision_id: decision.decision_id,
        });
    }

    fn answer(&mut self, thought: Result<Thought, tokio::task::JoinError>, writer: &Writer) -> Result<(), String> {
        let thought = thought.map_err(|error| format!("the bot failed to choose: {error}"))?;
        let action = thought.action?;
        send(writer, self.matches.decided(&thought.match_id, thought.decision_id, action).into_iter().collect());
        Ok(())
    }
}

fn request(commands: Vec<Command>) -> PlayRequest {
    PlayRequest { commands }
}

/// Queues a message. On a stream that is breaking off it is lost, and the arbiter asks again on the next one.
fn send(writer: &Writer, commands: Vec<Command>) {
    if !commands.is_empty() {
        let _ = writer.send(request(commands));
    }
}

async fn leave(writer: &Writer, stream: &mut Streaming<PlayResponse>, reason: &str) {
    let leave = command::Command::Leave(Leave { reason: reason.to_owned() });
    send(writer, vec![Command { command: Some(leave) }]);
    let end = async { while let Ok(Some(_)) = stream.message().await {} };
    // An arbiter that does not end the stream in time is left all the same.
    let _ = timeout(LEAVE, end).await;
}

fn explain(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(error.source(), |cause| cause.source());
    causes.fold(error.to_string(), |text, cause| format!("{text}: {cause}"))
}
