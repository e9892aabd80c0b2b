"""Several matches at once, and what the arbiter says beyond offers and decisions."""

from collections.abc import Sequence

from sixtysix.conformance import clauses, messages
from sixtysix.conformance.game import Game, ask, begin, dealer_for, play_deal, play_on, shuffled
from sixtysix.conformance.scenarios.opening import claimed, connect
from sixtysix.conformance.trial import Failed, NotApplicable, Peer, Trial
from sixtysix.v1 import bot_service_pb2 as pb

_BATCH = 64
_INTERLEAVED = 3
_UNKNOWN_FIELD = 1999
_UNKNOWN_ENUM = 99


def _room(peer: Peer) -> int:
    return max(1, peer.hello.max_concurrent_matches)


def batch(trial: Trial) -> None:
    """As many decisions in one message as the bot takes, 64 at most, each of another match."""
    peer = connect(trial)
    count = min(_BATCH, _room(peer), max(1, peer.hello.max_decisions_per_message))
    if count == 1:
        raise NotApplicable("takes one match, or one decision in a message, at a time")
    rules = claimed(peer)[0]
    games = {name: Game(name, rules) for name in (f"batch-{number:02}" for number in range(1, count + 1))}
    begin(trial, peer, *games.values())
    updates: list[pb.Update] = []
    for name, game in games.items():
        game.start(shuffled(rules, name, dealer_for(rules, game.seat)))
        updates += [*game.opening(peer), *game.advance(peer)]
    peer.say(*updates)
    for _ in range(2):
        asked = [game for game in games.values() if game.deal is not None and not game.deal.over]
        _ask_together(trial, peer, asked)
        news: list[pb.Update] = []
        for game in asked:
            news += game.advance(peer)
            if game.deal is not None and game.deal.over:
                news += game.deal_end()
        if news:
            peer.say(*news)


def _ask_together(trial: Trial, peer: Peer, games: Sequence[Game]) -> None:
    sent_ns = peer.say(*(game.decision() for game in games))
    for game in games:
        game.sent(sent_ns)
    _collect(trial, peer, games)


def _collect(trial: Trial, peer: Peer, games: Sequence[Game]) -> None:
    waiting = {game.match_id: game for game in games}
    while waiting:
        heard = trial.answer(peer, clauses.ANSWER_TOGETHER)
        waiting.pop(heard.command.action.match_id).take(heard)


def interleaved(trial: Trial) -> None:
    """Matches of several rule sets, whose decisions come one by one and cross each other's answers."""
    peer = connect(trial)
    count = min(_INTERLEAVED, _room(peer))
    if count == 1:
        raise NotApplicable("plays one match at a time")
    rules = claimed(peer)
    games = [Game(f"crossed-{number + 1}", rules[number % len(rules)], seat=number % 2) for number in range(count)]
    begin(trial, peer, *games)
    for game in games:
        game.start(shuffled(game.rules, game.match_id, dealer_for(game.rules, game.seat)))
        peer.say(*game.opening(peer), *game.advance(peer))
    while games:
        for game in games:
            game.sent(peer.say(game.decision()))
        _collect(trial, peer, games)
        for game in games:
            news = game.advance(peer)
            over = game.deal is not None and game.deal.over
            if news or over:
                peer.say(*news, *(game.deal_end() if over else ()))
        games = [game for game in reversed(games) if game.deal is not None and not game.deal.over]


def results(trial: Trial) -> None:
    """Results that ask for nothing: accepted, duplicate, stale, of a match that is over, and errors."""
    peer = connect(trial)
    rules = claimed(peer)[0]
    earlier, game = Game("results-1", rules), Game("results-2", rules)
    begin(trial, peer, earlier)
    play_deal(trial, peer, earlier, shuffled(rules, "results", dealer_for(rules, 0)))
    begin(trial, peer, game)
    game.start(shuffled(rules, "more results", dealer_for(rules, 0)))
    updates = [*game.opening(peer), *game.advance(peer)]
    while game.deal is not None and not game.deal.over:
        ask(trial, peer, game, updates)
        last = len(game.asked)
        peer.say(
            messages.action_result(game.match_id, last, pb.ACTION_STATUS_ACCEPTED),
            messages.action_result(game.match_id, last, pb.ACTION_STATUS_DUPLICATE),
            messages.action_result(game.match_id, last, pb.ACTION_STATUS_STALE),
            messages.action_result(earlier.match_id, 1, pb.ACTION_STATUS_MATCH_OVER),
            messages.action_result("never-offered", 1, pb.ACTION_STATUS_UNKNOWN_MATCH),
            messages.error(pb.ERROR_REASON_UNEXPECTED_PONG),
        )
        trial.pong(peer, last, trial.limit_s)
        if peer.inbox:
            raise Failed(clauses.FIRST_COUNTS, f"{peer.inbox[0].kind} in answer to a result, which asks for nothing")
        updates = game.advance(peer)
    peer.say(*updates, *game.deal_end())


def lost_deal(trial: Trial) -> None:
    """The time runs out, the deal is lost, and the match goes on with the next one."""
    peer = connect(trial)
    rules = claimed(peer)[0]
    game = Game("late", rules, deal_limit=2)
    begin(trial, peer, game)
    game.start(shuffled(rules, "late", dealer_for(rules, 0)))
    updates = [*game.opening(peer), *game.advance(peer), game.decision()]
    late = messages.action_result(game.match_id, 1, pb.ACTION_STATUS_TOO_LATE, "deal forfeited")
    assert game.deal is not None
    game.deal.forfeit(game.seat)
    updates += [late, *game.advance(peer), *game.deal_end()]
    game.start(shuffled(rules, "after being late", dealer_for(rules, 0)))
    play_on(trial, peer, game, [*updates, *game.opening(peer)])


def ends_at_once(trial: Trial) -> None:
    """A match ends in the middle of a deal, with a decision open; another one is offered."""
    peer = connect(trial)
    rules = claimed(peer)[0]
    void, game = Game("void", rules), Game("again", rules)
    begin(trial, peer, void)
    void.start(shuffled(rules, "void", dealer_for(rules, 0)))
    peer.say(*void.opening(peer), *void.advance(peer), void.decision(), void.broken_off(), game.offer())
    while True:
        heard = trial.hear(peer, "ready", clauses.ENDS_AT_ONCE)
        if heard.kind == "ready" and heard.command.ready.match_id == game.match_id:
            break
        if heard.kind == "leave":
            raise Failed(clauses.ENDS_AT_ONCE, f"the bot has left: {heard.command.leave.reason or 'no reason given'}")
    play_deal(trial, peer, game, shuffled(rules, "again", dealer_for(rules, 0)))


def unknown(trial: Trial) -> None:
    """What a later minor version may add: updates, fields and values that only inform."""
    peer = trial.accept()
    trial.welcome(peer)
    rules = claimed(peer)[0]
    game = Game("unknown", rules)
    peer.say(_extended(pb.Update()), pb.Update(), _extended(game.offer()))
    trial.ready(peer, [game.match_id])
    game.start(shuffled(rules, "unknown", dealer_for(rules, 0)))
    updates = [*(_extended(update) for update in game.opening(peer)), *game.advance(peer)]
    while game.deal is not None and not game.deal.over:
        decision = _extended(game.decision())
        _extend(decision.decision.observation)
        _extend(decision.decision.clock)
        game.sent(peer.say(*updates, _extended(pb.Update()), decision))
        game.take(trial.answer(peer, clauses.IGNORE_UNKNOWN))
        result = messages.action_result(game.match_id, len(game.asked), pb.ACTION_STATUS_ACCEPTED)
        result.action_result.status = _UNKNOWN_ENUM  # type: ignore[assignment]  # a value of a later version
        error = messages.error(pb.ERROR_REASON_UNEXPECTED_PONG)
        error.error.reason = _UNKNOWN_ENUM  # type: ignore[assignment]  # the same
        updates = [result, error, *game.advance(peer)]
    *ends, ended = game.deal_end()
    ended.match_ended.reason = _UNKNOWN_ENUM  # type: ignore[assignment]  # the same
    peer.say(*updates, *(_extended(update) for update in ends), _extended(ended))
    trial.pong(peer, 1, trial.limit_s)


def _extended(update: pb.Update) -> pb.Update:
    """With an unknown field in what it says or, if it says nothing, as the kind of update that it is."""
    kind = update.WhichOneof("update")
    _extend(update if kind is None else getattr(update, kind))
    return update


def _extend(message: object) -> None:
    message.MergeFromString(_unknown_field())  # type: ignore[attr-defined]  # a message of any type


def _unknown_field() -> bytes:
    """A field of the number `_UNKNOWN_FIELD` with two bytes in it."""
    key = _UNKNOWN_FIELD << 3 | 2
    return bytes([key & 0x7F | 0x80, key >> 7, 2, 8, 1])
