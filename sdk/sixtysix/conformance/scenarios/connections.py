"""Lost connections, heartbeats, short clocks, and the end."""

import grpc

from sixtysix.conformance import clauses, messages
from sixtysix.conformance.game import Game, ask, begin, dealer_for, play_deal, play_on, shuffled
from sixtysix.conformance.process import TERM_GRACE_S
from sixtysix.conformance.scenarios.opening import claimed, connect
from sixtysix.conformance.server import LOST, StreamStatus
from sixtysix.conformance.trial import Failed, Peer, Trial
from sixtysix.rules import RuleSet
from sixtysix.timecontrol import TimeControl

PONG_S = 1.0
"""Latest pong of a bot that thinks; one that thinks first and answers then is meant to be caught."""

_LONG = TimeControl(ready_us=10_000_000, decision_us=10_000_000, bank_us=200_000_000, lag_us=50_000)
_SHORT = TimeControl(ready_us=10_000_000, decision_us=10_000_000, bank_us=400_000, lag_us=200_000)
_DRAIN_US = 60_000_000
_DRAINED = StreamStatus(grpc.StatusCode.UNAVAILABLE, "DRAINING", "the arbiter shuts down")


def _interrupted(trial: Trial, name: str) -> tuple[Peer, Game, RuleSet]:
    """A match whose first decision is answered, on a stream that is lost then."""
    peer = connect(trial)
    rules = claimed(peer)[0]
    game = Game(name, rules)
    begin(trial, peer, game)
    game.start(shuffled(rules, name, dealer_for(rules, 0)))
    peer.say(*game.opening(peer), *game.advance(peer), game.decision())
    trial.answer(peer)
    peer.end(LOST)
    return peer, game, rules


def _resumes(trial: Trial) -> Peer:
    peer = trial.accept(clause=clauses.RESUME)
    asked = peer.hello.resume_session_id
    if asked != trial.session_id:
        raise Failed(clauses.RESUME, f"resume_session_id is {asked!r}, the session was {trial.session_id!r}")
    return peer


def resumed(trial: Trial) -> None:
    """The answer is lost with the connection: the same decision comes again."""
    _, game, _ = _interrupted(trial, "resumed")
    peer = _resumes(trial)
    trial.welcome(peer, resumed=True)
    (asked,) = game.asked
    game.sent(peer.say(game.offer(resumed=True), *game.opening(peer), asked.update))
    game.take(trial.answer(peer, clauses.SAME_DECISION))
    play_on(trial, peer, game)


def session_lost(trial: Trial) -> None:
    """The session cannot be resumed: its match is gone, and a new one is offered."""
    _, _, rules = _interrupted(trial, "gone")
    peer = _resumes(trial)
    trial.welcome(peer, resumed=False)
    # The new match may have the id of one that is gone.
    game = Game("gone", rules, seat=1)
    peer.say(game.offer())
    trial.ready(peer, [game.match_id])
    play_deal(trial, peer, game, shuffled(rules, "new session", dealer_for(rules, 0)))


def thinking(trial: Trial) -> None:
    """Pings while a decision with much time is open."""
    peer = connect(trial)
    rules = claimed(peer)[0]
    game = Game("thinking", rules, control=_LONG)
    begin(trial, peer, game)
    game.start(shuffled(rules, "thinking", dealer_for(rules, 0)))
    updates = [*game.opening(peer), *game.advance(peer)]
    for nonce in (1, 3):
        game.sent(peer.say(*updates, game.decision()))
        trial.pong(peer, nonce, PONG_S)
        trial.pong(peer, nonce + 1, PONG_S)
        game.take(trial.answer(peer))
        updates = game.advance(peer)
        if game.deal is None or game.deal.over:
            break


def short_of_time(trial: Trial) -> None:
    """A deal with 0.4 s for all its decisions, of which 0.2 s each are not charged."""
    peer = connect(trial)
    rules = claimed(peer)[0]
    game = Game("short", rules, control=_SHORT)
    begin(trial, peer, game)
    play_deal(trial, peer, game, shuffled(rules, "short", dealer_for(rules, 0)))


def draining(trial: Trial) -> None:
    """The arbiter will shut down: the match goes on to its end, then the stream ends."""
    peer = connect(trial)
    rules = claimed(peer)[0]
    game = Game("draining", rules)
    begin(trial, peer, game)
    game.start(shuffled(rules, "draining", dealer_for(rules, 0)))
    ask(trial, peer, game, [*game.opening(peer), *game.advance(peer), messages.draining(_DRAIN_US)])
    play_on(trial, peer, game)
    trial.pong(peer, 1, trial.limit_s)
    peer.end(_DRAINED)
    if trial.started_here:
        trial.stop_or_return(clauses.DRAINING)


def terminated(trial: Trial) -> None:
    """SIGTERM in the middle of a match: the process ends in time, with or without `leave`."""
    peer = connect(trial)
    rules = claimed(peer)[0]
    game = Game("terminated", rules)
    begin(trial, peer, game)
    game.start(shuffled(rules, "terminated", dealer_for(rules, 0)))
    ask(trial, peer, game, [*game.opening(peer), *game.advance(peer)])
    trial.terminate()
    trial.stop(clauses.TERMINATED, TERM_GRACE_S)
    said = [heard.kind for heard in peer.inbox]
    trial.remarks.append("it has said leave" if "leave" in said else "it has not said leave")
