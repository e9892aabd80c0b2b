"""Every rule set that the bot claims to play, and every stage of it, brought about by chosen cards."""

from collections.abc import Callable

from sixtysix.conformance import clauses
from sixtysix.conformance.clauses import Clause
from sixtysix.conformance.game import (
    CONTROL,
    Game,
    arranged,
    ask,
    begin,
    closing_opponent,
    dealer_for,
    leading,
    play_deal,
    shuffled,
)
from sixtysix.conformance.scenarios.opening import claimed, connect
from sixtysix.conformance.trial import Failed, NotApplicable, Peer, Trial
from sixtysix.rules import EXCHANGE, MARRIAGES, PASS, Card, Deal, RuleSet, Stage, Suit

_BOT = 1
"""The bot's seat where the other seat leads."""


def _playing(peer: Peer, wanted: Callable[[RuleSet], bool], what: str) -> list[RuleSet]:
    found = [rules for rules in claimed(peer) if wanted(rules)]
    if not found:
        raise NotApplicable(f"plays no rule set with {what}")
    return found


def _was_asked(game: Game, clause: Clause, stage: Stage) -> None:
    if not any(asked.view.stage is stage for asked in game.asked):
        raise Failed(clause, f"the deal has ended before the stage {stage.value}")


def rule_sets(trial: Trial) -> None:
    """One match in each rule set, of a deal that the bot deals and one that it does not."""
    peer = connect(trial)
    for number, rules in enumerate(claimed(peer)):
        game = Game(f"rules-{rules.name}", rules, seat=number % 2, control=CONTROL, deal_limit=2)
        begin(trial, peer, game)
        for dealer in (0, 1):
            play_deal(trial, peer, game, shuffled(rules, f"{rules.name}/{dealer}", dealer))


def before_draw(trial: Trial) -> None:
    """A hand that takes the first trick: the bot may then draw, close or claim."""
    peer = connect(trial)
    for rules in _playing(peer, lambda rules: rules.close_before_draw, "a decision before drawing"):
        if not peer.hello.ask_before_draw:
            raise NotApplicable("does not wish to be asked before drawing (Hello.ask_before_draw)")
        game = Game(f"draw-{rules.name}", rules, _BOT, leading([Card.parse("9C")]))
        begin(trial, peer, game)
        hands = ("9C JC QC 9D JD QD", "AC AH TH KH QH JH")
        play_deal(trial, peer, game, arranged(rules, dealer_for(rules, 1 - _BOT), hands, "9H"))
        _was_asked(game, clauses.ASK_BEFORE_DRAW, Stage.BEFORE_DRAW)


def exchange_offer(trial: Trial) -> None:
    """The other seat closes: the bot is offered the exchange, with and without the card for it."""
    peer = connect(trial)
    for rules in _playing(peer, lambda rules: rules.exchange_after_close, "an exchange after closing"):
        for lowest, legal in (("9H", (PASS, EXCHANGE)), ("9S", (PASS,))):
            game = Game(f"offer-{rules.name}-{lowest}", rules, _BOT, closing_opponent("AC AD AS TC TD TS"))
            begin(trial, peer, game)
            hands = ("AC AD AS TC TD TS", f"KC QD JC QC JD {lowest}")
            play_deal(trial, peer, game, arranged(rules, dealer_for(rules, 1 - _BOT), hands, "KH"))
            _was_asked(game, clauses.SINGLE_ACTIONS, Stage.EXCHANGE_OFFER)
            assert game.asked[0].view.legal_actions == legal


_LEADS = "AS TS KS AD AC KH"
_REPLIES = "QS JS 9S QD JC AH"
_SHORT_LEADS = "AS TS AD AC KH"
_SHORT_REPLIES = "KS JS QD JC AH"
_FORCED = 3
"""So many suits of which the bot has one card when they are led; the last trick is not played then."""


def _last_trick(rules: RuleSet, name: str) -> tuple[Game, Deal]:
    """The other seat closes and leads suits that the bot has to follow; the bot wins the last trick."""
    full = rules.hand_size == len(_LEADS.split())
    leads, replies = (_LEADS, _REPLIES) if full else (_SHORT_LEADS, _SHORT_REPLIES)
    game = Game(f"{name}-{rules.name}", rules, _BOT, closing_opponent(leads))
    return game, arranged(rules, dealer_for(rules, 1 - _BOT), (leads, replies), "QH")


def last_claim(trial: Trial) -> None:
    """A closed deal of which the bot wins the last trick: it claims or passes."""
    peer = connect(trial)
    for rules in claimed(peer):
        game, deal = _last_trick(rules, "last")
        begin(trial, peer, game)
        play_deal(trial, peer, game, deal)
        _was_asked(game, clauses.SINGLE_ACTIONS, Stage.LAST_CLAIM)


def pending_marriage(trial: Trial) -> None:
    """The other seat leads from a marriage that counts only with its trick."""
    peer = connect(trial)
    for rules in _playing(peer, lambda rules: rules.marriage_needs_its_trick, "marriages that wait for their trick"):
        script = leading([Card.parse("KS"), Card.parse("QS")], MARRIAGES[Suit.SPADES])
        game = Game(f"pending-{rules.name}", rules, _BOT, script)
        begin(trial, peer, game)
        hands = ("KS QS 9C JC 9D JD", "AS TS AC TC AD TD")
        play_deal(trial, peer, game, arranged(rules, dealer_for(rules, 1 - _BOT), hands, "9H"))
        assert game.asked[0].view.pending_marriage == rules.marriage_points


def one_legal_action(trial: Trial) -> None:
    """The bot has to follow suit, with one card of it; such decisions are answered like others."""
    peer = connect(trial)
    game, deal = _last_trick(claimed(peer)[0], "forced")
    begin(trial, peer, game)
    game.start(deal)
    updates = [*game.opening(peer), *game.advance(peer)]
    forced = 0
    while forced < _FORCED:
        ask(trial, peer, game, updates, clauses.ONE_LEGAL)
        forced += len(game.asked[-1].view.legal_actions) == 1
        updates = game.advance(peer)
    peer.say(game.broken_off())
