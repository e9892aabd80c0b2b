"""Updates of a scripted arbiter, and one line that tells a person what a message says."""

from google.protobuf import text_format

from sixtysix import wire
from sixtysix._version import __version__
from sixtysix.conformance.server import MAX_MESSAGE_BYTES
from sixtysix.rules import Deal, Match, RuleSet
from sixtysix.timecontrol import TimeControl
from sixtysix.v1 import bot_service_pb2 as pb
from sixtysix.v1 import deal_pb2

HEARTBEAT_US = 2_000_000
_WIDEST = 300


def welcome(hello: pb.Hello, session_id: str, name: str, *, resumed: bool = False) -> pb.Update:
    """The answer to a hello; takes as many matches and decisions at once as the bot does."""
    return pb.Update(
        welcome=pb.Welcome(
            session_id=session_id,
            bot_name=name,
            protocol_major=wire.PROTOCOL_MAJOR,
            protocol_minor=min(wire.PROTOCOL_MINOR, hello.protocol_minor),
            max_message_bytes=MAX_MESSAGE_BYTES,
            max_concurrent_matches=hello.max_concurrent_matches or 1,
            max_decisions_per_message=hello.max_decisions_per_message or 1,
            heartbeat_us=HEARTBEAT_US,
            server_version=f"conformance {__version__}",
            resumed=resumed,
        )
    )


def offered(
    match_id: str, rules: RuleSet, seat: int, opponent: str, control: TimeControl, deal_limit: int, resumed: bool
) -> pb.Update:
    """The offer of a match."""
    return pb.Update(
        match_offered=pb.MatchOffered(
            match_id=match_id,
            rules=wire.rule_set_message(rules),
            seat=wire.seat_number(seat),
            opponent_name=opponent,
            time_control=wire.time_control_message(control),
            deal_limit=deal_limit,
            resumed=resumed,
        )
    )


def deal_started(
    match_id: str, number: int, dealer: int, seat: int, score: tuple[int, int], carry: int, commitment: bytes
) -> pb.Update:
    """The start of a deal; `score` by seat."""
    return pb.Update(
        deal_started=pb.DealStarted(
            match_id=match_id,
            deal_number=number,
            dealer=wire.seat_number(dealer),
            own_score=score[seat],
            opponent_score=score[1 - seat],
            carry=carry,
            commitment=commitment,
        )
    )


def events(match_id: str, deal: Deal, seat: int, first: int) -> list[pb.Update]:
    """The events of a deal that a seat has seen, from one of them on."""
    assert deal.log is not None
    return [
        pb.Update(event=pb.MatchEvent(match_id=match_id, event=wire.event_message(event)))
        for event in deal.log[seat][first:]
    ]


def deal_ended(match_id: str, number: int, deal: Deal, seat: int, score: tuple[int, int]) -> pb.Update:
    """The end of a deal that is over; `score` by seat."""
    assert deal.outcome is not None
    return pb.Update(
        deal_ended=pb.DealEnded(
            match_id=match_id,
            deal_number=number,
            outcome=wire.outcome_message(deal.outcome, seat),
            own_score=score[seat],
            opponent_score=score[1 - seat],
        )
    )


def match_ended(match_id: str, match: Match, seat: int, time_us: int) -> pb.Update:
    """The end of a match that was played to its end."""
    winner = match.winner
    result = pb.MATCH_RESULT_DRAWN if winner is None else pb.MATCH_RESULT_LOST
    if winner == seat:
        result = pb.MATCH_RESULT_WON
    return pb.Update(
        match_ended=pb.MatchEnded(
            match_id=match_id,
            result=result,
            reason=pb.MATCH_END_REASON_DEAL_LIMIT if winner is None else pb.MATCH_END_REASON_TARGET,
            own_score=match.score[seat],
            opponent_score=match.score[1 - seat],
            own_time_us=time_us,
        )
    )


def match_void(match_id: str) -> pb.Update:
    """The end of a match that does not count."""
    return pb.Update(
        match_ended=pb.MatchEnded(
            match_id=match_id,
            result=pb.MATCH_RESULT_VOID,
            reason=pb.MATCH_END_REASON_VOID,
            detail="the match is played again",
        )
    )


def action_result(match_id: str, decision_id: int, status: pb.ActionStatus, consequence: str = "") -> pb.Update:
    """What became of an action."""
    return pb.Update(
        action_result=pb.ActionResult(
            match_id=match_id,
            decision_id=decision_id,
            status=status,
            message="told by a check",
            consequence=consequence,
        )
    )


def error(reason: pb.ErrorReason) -> pb.Update:
    """What was wrong with a command."""
    return pb.Update(error=pb.Error(reason=reason, message="told by a check"))


def ping(nonce: int) -> pb.Update:
    """A heartbeat."""
    return pb.Update(ping=pb.Ping(nonce=nonce))


def draining(deadline_us: int) -> pb.Update:
    """The announcement of the end."""
    return pb.Update(draining=pb.Draining(deadline_us=deadline_us))


def action_text(action: deal_pb2.Action) -> str:
    """An action in the notation of deal records; fields that make no action are shown as they are."""
    try:
        return wire.read_action(action).text
    except wire.WireError:
        return f"no action {{ {text_format.MessageToString(action, as_one_line=True)} }}"


def describe(message: pb.Update | pb.Command) -> str:
    """One line about a message: decisions and answers in the notation of deal records, others in text format."""
    if isinstance(message, pb.Update) and message.HasField("decision"):
        decision = message.decision
        stage = deal_pb2.Stage.Name(decision.stage).removeprefix("STAGE_").lower().replace("_", "-")
        legal = ", ".join(action_text(action) for action in decision.legal_actions)
        clock = f"cap {decision.clock.cap_us} us, bank {decision.clock.bank_us} us"
        return f"decision {decision.decision_id} of match {decision.match_id}: {stage}; legal: {legal}; {clock}"
    if isinstance(message, pb.Command) and message.HasField("action"):
        answer = message.action
        return f"action for decision {answer.decision_id} of match {answer.match_id}: {action_text(answer.action)}"
    if isinstance(message, pb.Update) and message.HasField("match_offered"):
        offer = message.match_offered
        resumed = ", resumed" if offer.resumed else ""
        return f"match_offered {offer.match_id}: {offer.rules.name}, seat {offer.seat - 1}{resumed}"
    if isinstance(message, pb.Update) and message.HasField("deal_started"):
        message = pb.Update(deal_started=message.deal_started)
        message.deal_started.ClearField("commitment")
    text = str(text_format.MessageToString(message, as_one_line=True, as_utf8=True, print_unknown_fields=True))
    if not text:
        return f"{type(message).__name__} in which nothing is set"
    return text if len(text) <= _WIDEST else f"{text[:_WIDEST]} ..."
