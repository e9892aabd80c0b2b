"""Works out the results in the vectors and writes the files: ``make vectors``.

What is played stands in the files themselves; the results beside it, the traces and the messages are made here.
`ratings.json` was worked out elsewhere and is not touched.
"""

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from arbiter.dealing import Dealer, commitment
from sixtysix import wire
from sixtysix.rules import ACTIONS, RULE_SETS, Clock, Deal, Outcome, Reason, View, parse_action, parse_record
from sixtysix.rules import replay as replay_record
from sixtysix.rules.record import outcome_json
from sixtysix.v1 import bot_service_pb2, cards_pb2, deal_pb2, rules_pb2, status_pb2, tournament_service_pb2

FOLDER = Path(__file__).resolve().parent
FILES = (cards_pb2, rules_pb2, deal_pb2, bot_service_pb2, status_pb2, tournament_service_pb2)
"""The modules of all .proto files."""

ERROR_INFO = "type.googleapis.com/google.rpc.ErrorInfo"
TIMESTAMP = "google.protobuf.Timestamp"
SCORE, DEAL_NUMBER, CLOCK = (3, 5), 4, Clock(1_000_000, 58_250_000, 60_000_000)

Json = dict[str, Any]


def main() -> int:
    """Write the files; returns the exit status."""
    for name, text in (*small_files(), *counted_files()):
        (FOLDER / name).write_text(text, encoding="utf-8")
    return 0


def small_files() -> Iterator[tuple[str, str]]:
    """Name and text of each file that is made quickly."""
    given = deals()
    yield "deals.jsonl", lines(map(with_results, given))
    yield "traces.jsonl", lines({"id": deal["id"], "steps": steps(deal)} for deal in given)
    yield "shuffles.json", array(map(shuffled, read("shuffles.json")))
    yield "messages.jsonl", lines(messages())


def counted_files() -> Iterator[tuple[str, str]]:
    """Name and text of the file that takes a few seconds."""
    yield "perft.json", array({**tree, "counts": counts(tree, len(tree["counts"]))} for tree in read("perft.json"))


def read(name: str) -> list[Json]:
    """The values of a file that holds a JSON array."""
    values: list[Json] = json.loads((FOLDER / name).read_text(encoding="utf-8"))
    return values


def deals() -> list[Json]:
    """The worked deals."""
    return [json.loads(line) for line in (FOLDER / "deals.jsonl").read_text(encoding="utf-8").splitlines()]


def lines(values: Iterator[Json]) -> str:
    """JSON Lines."""
    return "".join(json.dumps(value, ensure_ascii=False) + "\n" for value in values)


def array(values: Iterator[Json]) -> str:
    """A JSON array with one value a line."""
    return "[\n" + ",\n".join("  " + json.dumps(value, ensure_ascii=False) for value in values) + "\n]\n"


def with_results(given: Json) -> Json:
    """A worked deal with what the engine makes of it."""
    result = replay_record(parse_record(given))
    del result["id"]
    made = {**given, "expect": result}
    if "forfeit" in given:
        deal = played(given)
        deal.forfeit(given["forfeit"]["seat"])
        made["forfeit"] = {**given["forfeit"], "expect": outcome_json(deal)}
    return made


def steps(given: Json) -> list[Json]:
    """Who could do what before each action of a deal, and at its end unless it is over."""
    trace: list[Json] = replay_record(parse_record(given), trace=True)["trace"]
    return trace


def played(given: Json) -> Deal:
    """The deal after all actions of its record."""
    *_, last = positions(given)
    return last


def positions(given: Json) -> Iterator[Deal]:
    """A deal before each of its actions and after the last one; the same object, which goes on."""
    record = parse_record(given)
    deal = record.deal()
    yield deal
    for token in record.actions:
        deal.apply(parse_action(token))
        yield deal


def shuffled(given: Json) -> Json:
    """The inputs of a shuffle with what follows from them."""
    dealer = Dealer(bytes.fromhex(given["secret"]))
    pairing, number = given["pairing"], given["deal"]
    deck, salt = dealer.deck(pairing, number, RULE_SETS[given["rules"]].deck), dealer.salt(pairing, number)
    bound = commitment(given["tournament"], pairing, number, salt, deck)
    return {**given, "deck": [card.text for card in deck], "salt": salt.hex(), "commitment": bound.hex()}


def counts(given: Json, depth: int) -> list[int]:
    """How many sequences of 1, 2, ... `depth` legal actions lead on from the end of a record."""
    deal = played(given)
    return [count(deal, length) for length in range(1, depth + 1)]


def count(deal: Deal, depth: int) -> int:
    """How many sequences of `depth` legal actions there are."""
    legal = deal.legal_actions()
    if depth == 1:
        return len(legal)
    total = 0
    for action in legal:
        branch = deal.copy()
        branch.apply(action)
        total += count(branch, depth - 1)
    return total


def messages() -> Iterator[Json]:
    """The serialized messages."""
    for descriptor in (one for file in FILES for one in file.DESCRIPTOR.message_types_by_name.values()):
        if not descriptor.fields:
            yield vector("no fields", GetMessageClass(descriptor)())
        elif descriptor.name != "Status":
            yield from (vector(title, message) for title, message in full(descriptor))
    yield from (vector(f"action {action}", wire.action_message(action)) for action in ACTIONS)
    yield from (vector(f"rule set {rules.name}", wire.rule_set_message(rules)) for rules in RULE_SETS.values())
    yield from (vector(f"outcome {outcome.reason.value}", outcome_message(outcome)) for outcome in outcomes())
    for title, view in asked():
        yield vector(title, decision(view))
    for status in bot_service_pb2.ActionStatus.keys()[1:]:
        result = bot_service_pb2.ActionResult(match_id="001-01", decision_id=7, status=status)
        yield vector(status.removeprefix("ACTION_STATUS_"), result)
    yield refusal()
    yield from of_a_later_version()


def vector(title: str, message: Message, **more: object) -> Json:
    """One line of the file."""
    data = message.SerializeToString(deterministic=True)
    return {
        "title": title,
        "type": message.DESCRIPTOR.full_name,
        "json": MessageToDict(message),
        "hex": data.hex(),
        **more,
    }


def full(descriptor: Descriptor) -> Iterator[tuple[str, Message]]:
    """Messages with every field set; of a oneof, one message for each of its fields."""
    choices = [field for oneof in descriptor.oneofs for field in oneof.fields]
    if choices:
        for field in choices:
            yield field.name, filled(descriptor, [field])
    else:
        yield "every field", filled(descriptor, descriptor.fields)


def filled(descriptor: Descriptor, fields: Sequence[FieldDescriptor]) -> Message:
    """A message with these fields set."""
    message = GetMessageClass(descriptor)()
    for field in fields:
        fill(message, field)
    return message


def fill(message: Message, field: FieldDescriptor) -> None:
    """Set a field to a value of its own; repeated ones get two."""
    if field.message_type is not None:
        fill_with_messages(message, field, field.message_type)
        return
    first, second = value(field, 1), value(field, 2)
    if field.is_repeated:
        getattr(message, field.name).extend([first, second])
    else:
        setattr(message, field.name, first)


def fill_with_messages(message: Message, field: FieldDescriptor, kind: Descriptor) -> None:
    """Set a field whose values are messages of a kind."""
    if kind.GetOptions().map_entry:
        getattr(message, field.name).update({"key": "value"})
    elif kind.full_name == TIMESTAMP:
        getattr(message, field.name).FromJsonString("2026-01-31T20:15:00.250Z")
    else:
        parts = [part for _, part in full(kind)]
        if field.is_repeated:
            getattr(message, field.name).extend(parts)
        else:
            getattr(message, field.name).CopyFrom(parts[0])


def value(field: FieldDescriptor, number: int) -> object:
    """A value that belongs to the field: large where 64 bits are, negative where signs are."""
    if field.enum_type is not None:
        return field.enum_type.values[number].number
    return {
        FieldDescriptor.TYPE_BOOL: True,
        FieldDescriptor.TYPE_BYTES: bytes([number, 0, 255]),
        FieldDescriptor.TYPE_STRING: f"{field.name} {number} ♥",
        FieldDescriptor.TYPE_INT32: -field.number - number,
        FieldDescriptor.TYPE_SINT32: -field.number - number,
        FieldDescriptor.TYPE_UINT32: 200 + field.number + number,
        FieldDescriptor.TYPE_UINT64: 2**53 + field.number + number,
    }[field.type]


def outcomes() -> Iterator[Outcome]:
    """The first outcome for each reason among the worked deals."""
    found: set[Reason] = set()
    for given in deals():
        deal = played(given)
        if deal.outcome is None and "forfeit" in given:
            deal.forfeit(given["forfeit"]["seat"])
        if deal.outcome is not None and deal.outcome.reason not in found:
            found.add(deal.outcome.reason)
            yield deal.outcome


def outcome_message(outcome: Outcome) -> deal_pb2.Outcome:
    """An outcome as the second seat is told it."""
    return wire.outcome_message(outcome, 1)


def asked() -> Iterator[tuple[str, View]]:
    """The last decision of each kind in the worked deals of each rule set: rule set, stage, deal, actions before it."""
    found: dict[str, tuple[str, View]] = {}
    for given in deals():
        for number, deal in enumerate(positions(given)):
            if deal.outcome is None:
                kind = f"{given['rules']}, {deal.stage.value}"
                title = f"decision: {kind}, deal {given['id']} after {number} actions"
                found[kind] = title, View.of(deal, deal.turn, SCORE, DEAL_NUMBER)
    yield from found.values()


def decision(view: View) -> bot_service_pb2.Decision:
    """The message that asks for it."""
    message = bot_service_pb2.Decision(match_id="001-01", decision_id=7 + view.seat)
    wire.fill_decision(message, view, wire.history_bytes(view.history))
    message.clock.cap_us, message.clock.bank_us, message.clock.opponent_bank_us = CLOCK
    return message


def refusal() -> Json:
    """The end of a stream: the trailer ``grpc-status-details-bin`` with its ErrorInfo."""
    info = status_pb2.ErrorInfo(reason="TOKEN_UNKNOWN", domain="sixtysix", metadata={"bot": "my-bot"})
    status = status_pb2.Status(code=16, message="no bot has this token")
    made = vector("a stream is refused", status)
    made["json"]["details"] = [{"@type": ERROR_INFO, **MessageToDict(info)}]
    packed = status.details.add()
    packed.type_url, packed.value = ERROR_INFO, info.SerializeToString(deterministic=True)
    return {**made, "hex": status.SerializeToString(deterministic=True).hex()}


def of_a_later_version() -> Iterator[Json]:
    """What a reader of this version has to skip: a field, an update and a kind of event that it does not know."""
    field_1000 = "c23e03" + b"new".hex()
    ping = bot_service_pb2.Update(ping=bot_service_pb2.Ping(nonce=7))
    made = vector("later version: an unknown field beside a ping, to be skipped", ping, later=True)
    yield {**made, "hex": made["hex"] + field_1000}
    yield {**vector("later version: an unknown update, to be ignored", bot_service_pb2.Update(), later=True)} | {
        "hex": field_1000
    }
    event = deal_pb2.Event(seat="SEAT_FIRST")
    yield {**vector("later version: an unknown kind of event, to be left out", event, later=True)} | {
        "json": {"kind": 99, "seat": "SEAT_FIRST"},
        "hex": "0863" + event.SerializeToString().hex(),
    }


if __name__ == "__main__":
    sys.exit(main())
