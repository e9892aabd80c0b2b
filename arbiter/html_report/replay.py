"""Matches in the compact form in which the page replays them. No I/O.

The page knows no rules: each step says what the engine made of it, so the page only moves cards. A match is

    {id, bots, score, winner, reason, detail, started, seconds, faults, deals}

as `MatchSummary` has it, with `faults` and `seconds` of the match, and a deal is

    {number, dealer, leader, carry, hands, talon, turn_up, steps, result, forfeit}

with cards in the notation of records, joined without spaces (``"ASTH"``; a card has two characters). `leader` is the
seat that acts first, `talon` the face-down cards, top first, without the turn-up; `result` has of that of the record
{over, winner, game_points, score_change, reason}; `forfeit` is null or {seat, fault, detail}. A step is a list

    [seat, action, points 0, points 1, time in microseconds, winner of the trick, cards drawn, remark]

from which empty members at the end are left out. `time` is null where nobody was asked; cards are drawn by the winner
first. `action` is that of the record, and what the page could not know of it: ``exchange JS AS`` (given, taken),
``marriage H 20`` (what it is worth) and ``trump S 9H`` (the card shown).
"""

from collections.abc import Mapping
from dataclasses import dataclass

from arbiter.results import DealResult, MatchResult
from arbiter.times_report import TimedDecision
from arbiter.views import Json
from sixtysix.rules import CLAIM, EXCHANGE, Action, Card, Deal, DealRecord, Move, parse_action, parse_record

_SHOWN = ("over", "winner", "game_points", "score_change", "reason")

Times = Mapping[tuple[int, int], TimedDecision]
"""Decisions by number of the deal and index of the action."""


@dataclass(frozen=True, slots=True)
class Step:
    """What one action did.

    Attributes:
        seat: who acted.
        action: as in the record, with what it does not say.
        points: card points that count afterwards, by seat.
        trick: seat that won a trick by it; None if it ended none.
        drawn: cards drawn after it, the winner's first.
    """

    seat: int
    action: str
    points: tuple[int, int]
    trick: int | None
    drawn: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class PlayedDeal:
    """A deal and its replay.

    Attributes:
        result: as stored.
        record: its cards and actions.
        leader: seat that acted first.
        steps: one for each action.
        end: the deal after the last action; a forfeit is not applied.
        claimant: seat that claimed, or None.
    """

    result: DealResult
    record: DealRecord
    leader: int
    steps: tuple[Step, ...]
    end: Deal
    claimant: int | None


def replay(result: DealResult) -> PlayedDeal:
    """Replay a deal step by step."""
    record = parse_record(result.record)
    deal = record.deal()
    leader, claimant = deal.turn, None
    steps = []
    for token in record.actions:
        action = parse_action(token)
        if action is CLAIM:
            claimant = deal.turn
        steps.append(_step(deal, action))
    return PlayedDeal(result, record, leader, tuple(steps), deal, claimant)


def _step(deal: Deal, action: Action) -> Step:
    seat, turn_up, left, taken = deal.turn, deal.turn_up, deal.talon_left, sum(deal.tricks)
    deal.apply(action)
    text = action.text
    if action is EXCHANGE:
        assert deal.turn_up is not None
        assert turn_up is not None
        text = f"exchange {deal.turn_up.text} {turn_up.text}"
    elif isinstance(action, Move) and action.word in ("marriage", "trump"):
        assert deal.log is not None
        event = deal.log[0][-1]
        text += f" {event.points}" if action.word == "marriage" else f" {event.cards[0].text}"
    drawn = (deal.hands[deal.leader][-1], deal.hands[1 - deal.leader][-1]) if deal.talon_left < left else ()
    trick = deal.leader if sum(deal.tricks) > taken else None
    return Step(seat, text, (deal.card_points(0), deal.card_points(1)), trick, drawn)


def match_json(match: MatchResult, deals: list[PlayedDeal], times: Times) -> Json:
    """Return a match in the form that the page replays."""
    return {
        "id": match.match_id,
        "bots": list(match.bots),
        "score": list(match.score),
        "winner": match.winner,
        "reason": match.reason,
        "detail": match.detail,
        "started": match.started,
        "seconds": round(match.seconds, 3),
        "faults": [stats.faults for stats in match.seats],
        "deals": [_deal_json(deal, times) for deal in deals],
    }


def _deal_json(deal: PlayedDeal, times: Times) -> Json:
    record, result = deal.record, deal.result
    remarks = result.record.get("comments")
    forfeit = result.forfeit
    steps = []
    for index, step in enumerate(deal.steps):
        timed = times.get((result.number, index))
        remark = remarks.get(str(index)) if isinstance(remarks, dict) else None
        members = [
            step.seat,
            step.action,
            *step.points,
            None if timed is None else timed.net_us,
            step.trick,
            _joined(step.drawn) or None,
            remark,
        ]
        while members[-1] is None:
            members.pop()
        steps.append(members)
    return {
        "number": result.number,
        "dealer": record.dealer,
        "leader": deal.leader,
        "carry": record.carry,
        "hands": [_joined(hand) for hand in record.hands],
        "talon": _joined(record.talon[1:] if record.rules.turn_up_on_top else record.talon),
        "turn_up": record.turn_up.text,
        "steps": steps,
        "result": {name: result.result[name] for name in _SHOWN if name in result.result},
        "forfeit": None
        if forfeit is None
        else {"seat": forfeit.seat, "fault": forfeit.fault, "detail": forfeit.detail},
    }


def _joined(cards: tuple[Card, ...]) -> str:
    return "".join(card.text for card in cards)
