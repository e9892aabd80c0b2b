"""The rule sets for people and as JSON: what differs, and what each field means. No I/O."""

import inspect
import re
from collections.abc import Iterator
from dataclasses import asdict, fields
from functools import cache

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from arbiter.report import add_texts, new_table, value_text
from arbiter.views import Json
from sixtysix.rules import RULE_SETS, RuleSet

_DESCRIPTIVE = ("name", "title", "source")
_BASE = RULE_SETS["sixty-six"]


@cache
def meanings() -> dict[str, str]:
    """Return what each field of a rule set means, as `RuleSet` documents it."""
    text = inspect.getdoc(RuleSet) or ""
    _, _, attributes = text.partition("Attributes:\n")
    found = re.findall(r"^    (\w+): (.+(?:\n {8,}.+)*)", attributes, re.MULTILINE)
    return {name: " ".join(meaning.split()) for name, meaning in found}


def rule_set_json(rules: RuleSet) -> Json:
    """Return all fields of a rule set, and the hash that identifies equal rules."""
    return {**asdict(rules), "hash": rules.hash}


def rule_sets_report() -> Iterator[RenderableType]:
    """Yield the parts of the overview: the rule sets, and what differs from sixty-six."""
    titles = new_table()
    add_texts(titles, "rule set", "title", "follows")
    for rules in RULE_SETS.values():
        titles.add_row(rules.name, rules.title, rules.source)
    yield titles
    yield Text("")
    yield _differences()


def _differences() -> Table:
    table = new_table()
    add_texts(table, "field", _BASE.name, "elsewhere")
    for field in fields(RuleSet):
        if field.name in _DESCRIPTIVE:
            continue
        usual = _text(_BASE, field.name)
        others: dict[str, list[str]] = {}
        for rules in RULE_SETS.values():
            if _text(rules, field.name) != usual:
                others.setdefault(_text(rules, field.name), []).append(rules.name)
        if others:
            cell = "; ".join(f"{value}: {', '.join(names)}" for value, names in others.items())
            table.add_row(field.name, usual, cell)
    return table


def rule_set_report(rules: RuleSet) -> Iterator[RenderableType]:
    """Yield the parts of the description of one rule set: every field with its meaning."""
    yield Text(f"{rules.name}: {rules.title}")
    yield Text(f"Follows {rules.source}; hash {rules.hash}")
    yield Text("")
    table = new_table()
    add_texts(table, "field", "value", _BASE.name, "meaning")
    for field in fields(RuleSet):
        if field.name in _DESCRIPTIVE:
            continue
        value, usual = _text(rules, field.name), _text(_BASE, field.name)
        table.add_row(field.name, value, "" if value == usual else usual, meanings().get(field.name, ""))
    yield table


def _text(rules: RuleSet, field: str) -> str:
    return value_text(getattr(rules, field))
