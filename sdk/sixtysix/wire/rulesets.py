"""Rule sets on the wire: every field but the description of the source, under the same name."""

from enum import StrEnum
from typing import Any, get_type_hints

from sixtysix.rules import RULE_SETS, Rank, RuleSet, RuleSetError
from sixtysix.v1 import cards_pb2, rules_pb2
from sixtysix.wire.values import WireError

_NOT_SENT = ("source",)
_TYPES = {name: kind for name, kind in get_type_hints(RuleSet).items() if name not in _NOT_SENT}
_ENUMS = {name: kind for name, kind in _TYPES.items() if isinstance(kind, type) and issubclass(kind, StrEnum)}


def _enum_number(member: StrEnum) -> int:
    # Enum members are numbered from 1 in the order of their definition, on both sides.
    return list(type(member)).index(member) + 1


def rule_set_message(rules: RuleSet) -> rules_pb2.RuleSet:
    """The message of a rule set."""
    values: dict[str, Any] = {"hash": rules.hash}
    for name in _TYPES:
        value = getattr(rules, name)
        values[name] = _enum_number(value) if name in _ENUMS else value
    values["ranks"] = [cards_pb2.Rank.ValueType("ATKQJ9".index(letter) + 1) for letter in rules.ranks]
    return rules_pb2.RuleSet(**values)


def read_rule_set(message: rules_pb2.RuleSet) -> RuleSet:
    """The rule set of a message; raises WireError if it cannot be played here or is not what its hash says."""
    values: dict[str, Any] = {}
    for name, kind in _TYPES.items():
        value = getattr(message, name)
        if name in _ENUMS:
            members = list(_ENUMS[name])
            if not 1 <= value <= len(members):
                raise WireError(f"rules.{name}: {value} is not known here")
            value = members[value - 1]
        elif name == "ranks":
            if not all(1 <= number <= len(Rank) for number in value):
                raise WireError("rules.ranks: a rank that is not known here")
            value = "".join("ATKQJ9"[number - 1] for number in value)
        elif kind not in (int, bool, str):
            value = tuple(value)
        values[name] = value
    try:
        rules = RuleSet(**values, source=RULE_SETS[message.name].source if message.name in RULE_SETS else "")
    except RuleSetError as error:
        raise WireError(f"rules: {error}") from None
    if rules.hash != message.hash:
        raise WireError(f"rules.hash: {message.name!r} means other rules here than at the other side")
    return rules
