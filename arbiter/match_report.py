"""One match for people: every deal with its cards, its tricks in columns, and what came of it. No I/O."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from arbiter.report import REASONS, add_figures, add_texts, duration_text, new_table, printable, rules_text
from arbiter.results import DealResult, MatchResult
from arbiter.views import Json
from sixtysix.rules import (
    DRAW,
    EXCHANGE,
    Action,
    Card,
    Deal,
    DealRecord,
    Move,
    RuleSet,
    parse_action,
    parse_record,
    pretty,
)

DEAL_REASONS = {
    "claim": "a correct claim",
    "false_claim": "a false claim",
    "failed_close": "a failed close",
    "closer_beaten": "a correct claim against the closer",
    "last_trick": "the last trick",
    "higher_total": "the higher total",
    "draw": "draw",
    "tie": "tie",
    "both_over_66": "both have more than a claim needs",
    "forfeit": "a forfeit",
}
"""Why a deal ended."""


@dataclass(slots=True)
class Trick:
    """What was done up to the end of one trick, or of the deal.

    Attributes:
        leader: seat that acted first.
        actions: by seat, in their order, for people.
        winner: seat that won the trick; None if the deal ended before.
        points: card points that counted afterwards, by seat.
        drawn: cards drawn afterwards, the winner's first.
    """

    leader: int
    actions: tuple[list[str], list[str]]
    winner: int | None = None
    points: tuple[int, int] = (0, 0)
    drawn: tuple[Card, ...] = ()


def tricks_of(record: DealRecord, comments: Mapping[str, str] | None = None) -> list[Trick]:
    """Replay a record and return its tricks.

    Args:
        record: the deal.
        comments: remarks of the bots by the index of the action.
    """
    deal = record.deal()
    tricks: list[Trick] = []
    open_trick: Trick | None = None
    for index, token in enumerate(record.actions):
        action, seat, turn_up = parse_action(token), deal.turn, deal.turn_up
        left, taken = deal.talon_left, sum(deal.tricks)
        deal.apply(action)
        # Drawing belongs to the trick before, where its cards are shown.
        if action != DRAW:
            open_trick = open_trick or Trick(seat, ([], []))
            remark = (comments or {}).get(str(index))
            shown = _action_text(action, deal, turn_up)
            open_trick.actions[seat].append(f"{shown} “{printable(remark)}”" if remark else shown)
            open_trick.points = (deal.card_points(0), deal.card_points(1))
            if sum(deal.tricks) > taken:
                open_trick.winner = deal.leader
                tricks.append(open_trick)
                open_trick = None
        if deal.talon_left < left:
            tricks[-1].drawn = (deal.hands[deal.leader][-1], deal.hands[1 - deal.leader][-1])
    return tricks if open_trick is None else [*tricks, open_trick]


def _action_text(action: Action, deal: Deal, turn_up: Card | None) -> str:
    if action == EXCHANGE:
        assert deal.turn_up is not None
        assert turn_up is not None
        return f"exchange {deal.turn_up.pretty} for {turn_up.pretty}"
    if isinstance(action, Move) and action.word == "marriage":
        assert deal.log is not None
        return f"{action.pretty} ({deal.log[0][-1].points})"
    return action.pretty


def match_report(match: MatchResult, rules: RuleSet) -> Iterator[RenderableType]:
    """Yield the parts of the report of a match."""
    first, second = match.bots
    yield _line(f"Match {match.match_id}: {first} – {second}, {rules_text(rules.spec())}")
    yield _line(_match_result(match))
    if match.detail:
        yield _line(printable(match.detail))
    yield _line(f"Started {match.started}, took {duration_text(match.seconds)}")
    yield _line("")
    yield _seats_table(match)
    score = [0, 0]
    for deal in match.deals:
        yield _line("")
        yield from _deal_report(deal, match, rules, score)


def _match_result(match: MatchResult) -> str:
    score = f"{match.score[0]} : {match.score[1]}"
    deals = f"{len(match.deals)} deal{'' if len(match.deals) == 1 else 's'}"
    if match.winner is None:
        return f"{'Void' if match.void else 'Drawn'} at {score}, {REASONS[match.reason]}, {deals}"
    return f"{match.bots[match.winner]} (seat {match.winner}) wins, score {score}, {REASONS[match.reason]}, {deals}"


def _seats_table(match: MatchResult) -> Table:
    table = new_table()
    add_figures(table, "seat")
    add_texts(table, "bot")
    add_figures(table, "decisions", "mean ms", "worst ms", "faults")
    for seat, stats in enumerate(match.seats):
        mean_us = stats.total_us / stats.decisions if stats.decisions else 0.0
        table.add_row(
            str(seat),
            match.bots[seat],
            str(stats.decisions),
            f"{mean_us / 1000:.2f}",
            f"{stats.worst_us / 1000:.1f}",
            str(stats.faults),
        )
    return table


def _deal_report(deal: DealResult, match: MatchResult, rules: RuleSet, score: list[int]) -> Iterator[RenderableType]:
    """Yield the parts of one deal; adds what it brought to `score`."""
    written: Json = deal.record
    result: Json = deal.result
    record = parse_record(written)
    bots = match.bots
    leader = record.deal().turn
    carry = f", carry {record.carry}" if record.carry else ""
    yield _line(f"Deal {deal.number}: {bots[record.dealer]} deals, {bots[leader]} leads{carry}")
    cards = Table.grid(padding=(0, 2))
    for name, hand in zip(bots, record.hands, strict=True):
        cards.add_row(f"  {name}", pretty(hand))
    cards.add_row("  turn-up", f"{record.turn_up.pretty} (trump {record.turn_up.suit.symbol})")
    cards.add_row("  talon", pretty(record.talon))
    yield cards
    yield _line("")
    yield _tricks_table(tricks_of(record, written.get("comments")), bots)
    if deal.forfeit is not None:
        forfeit = deal.forfeit
        yield _line(f"{bots[forfeit.seat]} forfeits the deal ({forfeit.fault}): {printable(forfeit.detail)}")
    yield _line(_deal_result(result, bots))
    for seat, change in enumerate(result.get("score_change", ())):
        score[seat] += change
    yield _line(_score_text(score, rules))


def _tricks_table(tricks: list[Trick], bots: tuple[str, str]) -> Table:
    table = new_table()
    add_figures(table, "trick")
    add_texts(table, *bots, "won by")
    add_figures(table, "points")
    add_texts(table, "drawn")
    for number, trick in enumerate(tricks, start=1):
        cells = [("> " if seat == trick.leader else "  ") + ", ".join(trick.actions[seat]) for seat in (0, 1)]
        winner = "" if trick.winner is None else bots[trick.winner]
        table.add_row(str(number), *cells, winner, f"{trick.points[0]}:{trick.points[1]}", pretty(trick.drawn))
    return table


def _deal_result(result: Json, bots: tuple[str, str]) -> str:
    points = "card points {} : {}, tricks {} : {}".format(*result["card_points"], *result["tricks"])
    if not result["over"]:
        return f"Broken off: the match ended before the deal did; {points}"
    reason = DEAL_REASONS[result["reason"]]
    if result["winner"] is None:
        return f"Nobody scores: {reason}, carry {result['carry']}; {points}"
    worth = result["game_points"]
    gained = result["score_change"][result["winner"]]
    with_carry = f" and {gained - worth} carried over" if gained != worth else ""
    return f"{bots[result['winner']]} wins {worth}{with_carry} by {reason}; {points}"


def _score_text(score: list[int], rules: RuleSet) -> str:
    text = f"Score {score[0]} : {score[1]}"
    if not rules.score_down:
        return text
    # Players of these games count down.
    left = [max(0, rules.target - points) for points in score]
    return f"{text}, to go {left[0]} : {left[1]}"


def _line(text: str) -> Text:
    return Text(text)
