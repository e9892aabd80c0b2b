"""Rows of the store as messages of TournamentService."""

from collections.abc import Sequence
from datetime import datetime

from google.protobuf.timestamp_pb2 import Timestamp

from arbiter import views
from arbiter.records import deck_of
from arbiter.results import DealResult, Forfeit, MatchResult, MatchSummary, Scoreboard, Standing
from arbiter.store import TournamentRow
from arbiter.views import Json
from sixtysix.rules import Reason, RuleSet, parse_action, parse_record, rule_set
from sixtysix.v1 import bot_service_pb2, tournament_service_pb2
from sixtysix.wire import action_message, rule_set_message, seat_number
from sixtysix.wire.values import card_number, card_numbers, reason_number

_Charge = tuple[int, int, int, int]

_STATES = {
    "running": tournament_service_pb2.TOURNAMENT_STATE_RUNNING,
    "finished": tournament_service_pb2.TOURNAMENT_STATE_FINISHED,
    "stopped": tournament_service_pb2.TOURNAMENT_STATE_STOPPED,
}
_END_REASONS = {
    "target": bot_service_pb2.MATCH_END_REASON_TARGET,
    "deal_limit": bot_service_pb2.MATCH_END_REASON_DEAL_LIMIT,
    "forfeit": bot_service_pb2.MATCH_END_REASON_FORFEIT,
    "void": bot_service_pb2.MATCH_END_REASON_VOID,
}


def tournament_message(
    tournament: TournamentRow, scheduled: int, board: Scoreboard, state: str
) -> tournament_service_pb2.Tournament:
    """The message of a tournament; `state` is ``running``, ``finished`` or ``stopped``."""
    return tournament_service_pb2.Tournament(
        tournament_id=tournament.id,
        name=tournament.name,
        rules=rule_set_message(rule_set(views.rules_spec(tournament))),
        bots=views.bot_names(tournament),
        state=_STATES[state],
        scheduled_matches=scheduled,
        played_matches=board.played,
        void_matches=board.void,
        created_at=_timestamp(tournament.created),
    )


def standing_message(standing: Standing) -> tournament_service_pb2.Standing:
    """The message of one line of the standings."""
    return tournament_service_pb2.Standing(
        rank=standing.rank,
        name=standing.name,
        matches=standing.matches,
        won=standing.won,
        lost=standing.lost,
        drawn=standing.drawn,
        game_points=standing.game_points,
        game_points_against=standing.game_points_against,
        deals=standing.deals,
        faults=standing.faults,
        mean_us=round(standing.mean_ms * 1000),
        worst_us=round(standing.worst_ms * 1000),
    )


def summary_message(match: MatchSummary) -> tournament_service_pb2.MatchSummary:
    """The message of a match without its deals."""
    return tournament_service_pb2.MatchSummary(
        match_id=match.match_id,
        pairing=match.pairing,
        number=match.number,
        bots=match.bots,
        first_dealer=seat_number(match.first_dealer),
        winner=seat_number(match.winner),
        reason=_END_REASONS[match.reason],
        detail=match.detail,
        score=match.score,
        deals=match.deals,
        seats=[
            tournament_service_pb2.SeatStats(
                decisions=stats.decisions, total_us=stats.total_us, worst_us=stats.worst_us, faults=stats.faults
            )
            for stats in match.seats
        ],
        started_at=_timestamp(match.started),
        duration_us=round(match.seconds * 1e6),
    )


def record_message(match: MatchResult, rules: RuleSet, pairing: str) -> tournament_service_pb2.MatchRecord:
    """The message of a match with all its deals, whose decks follow from `pairing`, as in `Dealer.deck`."""
    return tournament_service_pb2.MatchRecord(
        match=summary_message(match.summary()),
        rules=rule_set_message(rules),
        deals=[_deal_message(deal, pairing) for deal in match.deals],
    )


def _deal_message(deal: DealResult, pairing: str) -> tournament_service_pb2.DealRecord:
    written: Json = deal.record
    record = parse_record(written)
    comments = written.get("comments", {})
    return tournament_service_pb2.DealRecord(
        number=deal.number,
        dealer=seat_number(record.dealer),
        carry=record.carry,
        first_hand=card_numbers(record.hands[0]),
        second_hand=card_numbers(record.hands[1]),
        talon=card_numbers(record.talon),
        turn_up=card_number(record.turn_up),
        actions=[
            _action_message(token, charge, comments.get(str(index), ""))
            for index, (token, charge) in enumerate(zip(record.actions, deal.clock, strict=False))
        ],
        result=_result_message(deal.result),
        deck=card_numbers(deck_of(record)),
        salt=bytes.fromhex(deal.salt),
        commitment=bytes.fromhex(deal.commitment),
        forfeit=None if deal.forfeit is None else _forfeit_message(deal.forfeit, deal.clock[len(record.actions) :]),
        pairing=pairing,
    )


def _action_message(token: str, charge: _Charge, comment: str) -> tournament_service_pb2.RecordedAction:
    return tournament_service_pb2.RecordedAction(
        action=action_message(parse_action(token)), charge=_charge_message(charge), comment=comment
    )


def _charge_message(charge: _Charge) -> bot_service_pb2.Charge:
    elapsed_us, allowance_us, stall_us, charged_us = charge
    return bot_service_pb2.Charge(
        elapsed_us=elapsed_us, allowance_us=allowance_us, stall_us=stall_us, charged_us=charged_us
    )


def _result_message(result: Json) -> tournament_service_pb2.DealResult:
    message = tournament_service_pb2.DealResult(card_points=result["card_points"], tricks=result["tricks"])
    if result["over"]:
        message.winner = seat_number(result["winner"])
        message.game_points = result["game_points"]
        message.score_change.extend(result["score_change"])
        message.carry = result["carry"]
        message.reason = reason_number(Reason(result["reason"]))
    return message


def _forfeit_message(forfeit: Forfeit, charges: Sequence[_Charge]) -> tournament_service_pb2.Forfeit:
    return tournament_service_pb2.Forfeit(
        seat=seat_number(forfeit.seat),
        fault=forfeit.fault,
        detail=forfeit.detail,
        charge=_charge_message(charges[0]) if charges else None,
    )


def _timestamp(text: str) -> Timestamp:
    timestamp = Timestamp()
    timestamp.FromDatetime(datetime.fromisoformat(text))
    return timestamp
