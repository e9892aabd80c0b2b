"""Matches in this process, without a server: the fast way to try a bot.

Cards come from the seed alone, so two runs with the same seed play the same deals.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from random import Random

from sixtysix.bot import Bot, DealInfo, MatchInfo, MatchReport
from sixtysix.rules import (
    DEAL_LIMIT,
    DRAW,
    Action,
    Deal,
    DealRecord,
    IllegalActionError,
    Match,
    Outcome,
    RuleSet,
    Stage,
    View,
)

_BEFORE_DRAW = Stage.BEFORE_DRAW


class BotFault(Exception):
    """A bot returned something that is not a legal action; the message shows the position."""


@dataclass(frozen=True, slots=True)
class LocalResult:
    """One match that was played.

    Attributes:
        winner: 0 or 1, index of the bot; None if drawn at the deal limit.
        score: final match score, by bot.
        deals: deals played.
        game_points: by bot, game points won in all deals (without what zero-sum rule sets take away).
        number: of the match, as `play_matches` got it.
    """

    winner: int | None
    score: tuple[int, int]
    deals: int
    game_points: tuple[int, int]
    number: int = 0


def play_matches(
    rules: RuleSet,
    bots: tuple[Bot, Bot],
    numbers: range,
    seed: int = 0,
    deal_limit: int = DEAL_LIMIT,
    *,
    pairs: bool = False,
) -> Iterator[LocalResult]:
    """Play the matches with these numbers, one after another; the dealer of the first deal alternates.

    With `pairs`, the matches 2n and 2n + 1 have the same cards, and in the second one the bots change seats.
    """
    for number in numbers:
        swapped = pairs and number % 2 == 1
        cards = number // 2 if pairs else number
        seated = bots[::-1] if swapped else bots
        result = play_match(rules, seated, f"{seed}/{cards}", first_dealer=cards % 2, deal_limit=deal_limit)
        yield replace(_turned(result) if swapped else result, number=number)


def _turned(result: LocalResult) -> LocalResult:
    winner = None if result.winner is None else 1 - result.winner
    return LocalResult(winner, result.score[::-1], result.deals, result.game_points[::-1])


def play_match(
    rules: RuleSet,
    bots: tuple[Bot, Bot],
    seed: str,
    first_dealer: int = 0,
    deal_limit: int = DEAL_LIMIT,
    on_record: Callable[[DealRecord], object] | None = None,
) -> LocalResult:
    """Play one match; raises BotFault for an illegal action, and lets errors of the bots through.

    After each deal, `on_record` gets its record, with the seed and the number of the deal as its name.
    """
    players = tuple(bot.for_match(Random(f"{seed}/bot{seat}")) for seat, bot in enumerate(bots))
    names = [bot.display_name for bot in bots]
    for seat, player in enumerate(players):
        player.on_match_start(MatchInfo(seed, rules, seat, names[1 - seat], None, deal_limit))
    shuffle_key = Random(f"{seed}/deals").random
    match = Match(rules, first_dealer, deal_limit)
    won = [0, 0]
    while not match.over:
        number = match.deals + 1
        # As even as `shuffle`, and four times as fast.
        deck = sorted(rules.deck, key=lambda _: shuffle_key())
        deal = Deal.from_deck(rules, deck, match.dealer, match.carry)
        for seat, player in enumerate(players):
            info = DealInfo(number, match.dealer, match.score[seat], match.score[1 - seat], match.carry)
            player.on_deal_start(info)
        dealt = None if on_record is None else DealRecord.of(deal, id=f"{seed}/{number}")
        actions: list[Action] = []
        outcome = _play_deal(deal, (players[0], players[1]), match, number, actions)
        if on_record is not None and dealt is not None:
            on_record(replace(dealt, actions=tuple(action.text for action in actions)))
        for player in players:
            player.on_deal_end(outcome)
        if outcome.winner is not None:
            won[outcome.winner] += outcome.score_change[outcome.winner]
        match.add(outcome)
    winner = match.winner
    for seat, player in enumerate(players):
        result = None if winner is None else winner == seat
        reason = "deal_limit" if winner is None else "target"
        player.on_match_end(MatchReport(result, reason, "", match.score[seat], match.score[1 - seat]))
    return LocalResult(winner, (match.score[0], match.score[1]), match.deals, (won[0], won[1]))


def _play_deal(deal: Deal, players: tuple[Bot, Bot], match: Match, number: int, actions: list[Action]) -> Outcome:
    told = [0, 0]
    listeners = [seat for seat in (0, 1) if players[seat].wants_events]
    score = (match.score[0], match.score[1])
    while deal.outcome is None:
        for seat in listeners:
            told[seat] = _tell(players[seat], deal, seat, told[seat])
        seat = deal.turn
        player = players[seat]
        if deal.stage is _BEFORE_DRAW and not player.ask_before_draw:
            deal.apply(DRAW)
            actions.append(DRAW)
            continue
        view = View.of(deal, seat, score, number)
        try:
            action = player.choose(view)
        except Exception as error:
            error.add_note(f"{player.display_name} had to choose in deal {number} at {view!r}")
            raise
        try:
            deal.apply(action)
        except IllegalActionError as error:
            raise BotFault(_fault(player, view, action, str(error))) from None
        actions.append(action)
    for seat in listeners:
        _tell(players[seat], deal, seat, told[seat])
    return deal.outcome


def _tell(player: Bot, deal: Deal, seat: int, told: int) -> int:
    assert deal.log is not None
    log = deal.log[seat]
    for event in log[told:]:
        player.on_event(event)
    return len(log)


def _fault(player: Bot, view: View, action: Action, reason: str) -> str:
    legal = ", ".join(str(allowed) for allowed in view.legal_actions)
    return f"{player.display_name} played {action!r}, which is not legal: {reason}. {view!r}; legal: {legal}"
