import json
from typing import Any

import pytest
from google.protobuf.descriptor import Descriptor
from google.protobuf.json_format import MessageToDict, ParseDict
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from sixtysix import wire
from sixtysix.rules import ACTIONS, RULE_SETS, parse_action
from sixtysix.v1 import status_pb2
from vectors import generate

GENERATED = ["deals.jsonl", "traces.jsonl", "shuffles.json", "messages.jsonl", "perft.json"]
MESSAGES: list[dict[str, Any]] = [
    json.loads(line) for line in (generate.FOLDER / "messages.jsonl").read_text(encoding="utf-8").splitlines()
]
EVERY = pytest.mark.parametrize("line", MESSAGES, ids=lambda line: f"{line['type'].split('.')[-1]}-{line['title']}")
DESCRIPTORS: dict[str, Descriptor] = {
    descriptor.full_name: descriptor
    for file in generate.FILES
    for descriptor in file.DESCRIPTOR.message_types_by_name.values()
}


def parsed(line: dict[str, Any]) -> Message:
    message: Message = GetMessageClass(DESCRIPTORS[line["type"]])()
    message.ParseFromString(bytes.fromhex(line["hex"]))
    return message


def texts() -> dict[str, str]:
    return dict([*generate.small_files(), *generate.counted_files()])


def test_the_files_are_what_the_script_makes() -> None:
    made = texts()
    assert sorted(made) == sorted(GENERATED)
    differing = [name for name, text in made.items() if (generate.FOLDER / name).read_text(encoding="utf-8") != text]
    assert not differing, "run `make vectors`"


def test_every_file_is_described() -> None:
    described = (generate.FOLDER / "README.md").read_text(encoding="utf-8")
    names = {path.name for path in generate.FOLDER.iterdir() if path.is_file()} - {"README.md"}
    assert names == {*GENERATED, "ratings.json", "generate.py"}
    for name in names:
        assert f"`{name}`" in described


@EVERY
def test_bytes_and_json_are_the_same_message(line: dict[str, Any]) -> None:
    message = parsed(line)
    if line["type"] == "sixtysix.v1.Status":
        # The type in its details belongs to another package, which has no descriptor here.
        (packed,) = message.details  # type: ignore[attr-defined]  # a message of any type
        (expected,) = line["json"]["details"]
        assert packed.type_url == expected["@type"]
        info = status_pb2.ErrorInfo.FromString(packed.value)
        assert {"@type": packed.type_url, **MessageToDict(info)} == expected
        return
    assert MessageToDict(message) == line["json"]
    if not line.get("later"):
        again = ParseDict(line["json"], type(message)())
        assert again.SerializeToString(deterministic=True).hex() == line["hex"]


def test_every_message_of_the_protocol_occurs_with_all_its_fields() -> None:
    set_fields: dict[str, set[str]] = {name: set() for name in DESCRIPTORS}
    for line in MESSAGES:
        set_fields[line["type"]] |= {field.name for field, _ in parsed(line).ListFields()}
    for name, descriptor in DESCRIPTORS.items():
        assert set_fields[name] == {field.name for field in descriptor.fields}, name


def test_every_action_and_every_rule_set_occurs() -> None:
    named = {line["title"] for line in MESSAGES}
    assert {f"action {action}" for action in ACTIONS} <= named
    assert {f"rule set {name}" for name in RULE_SETS} <= named


def test_the_decisions_can_be_read() -> None:
    decisions = [line for line in MESSAGES if line["title"].startswith("decision: ")]
    stages = set()
    for line in decisions:
        rules, stage = line["title"].removeprefix("decision: ").split(", ")[:2]
        view = wire.read_view(parsed(line), RULE_SETS[rules])  # type: ignore[arg-type]  # a Decision
        assert view.stage.value == stage
        assert view.legal_actions
        stages.add(stage)
    assert stages == {"lead", "follow", "before-draw", "exchange-offer", "last-claim"}


def test_the_traces_are_those_of_the_deals() -> None:
    deals = {deal["id"]: deal for deal in generate.deals()}
    lines = (generate.FOLDER / "traces.jsonl").read_text(encoding="utf-8").splitlines()
    traces = {trace["id"]: trace["steps"] for trace in map(json.loads, lines)}
    assert list(traces) == list(deals)
    for id, steps in traces.items():
        actions = deals[id]["actions"]
        assert len(steps) == len(actions) + (not deals[id]["expect"]["over"])
        played = [parse_action(action).text for action in actions]
        assert all(action in step["legal"] for action, step in zip(played, steps, strict=False))
