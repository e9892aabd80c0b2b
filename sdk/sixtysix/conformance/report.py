"""What the scenarios have shown, for people and as JSON."""

from collections.abc import Sequence
from typing import Any

from google.protobuf import json_format

from sixtysix.conformance.messages import describe
from sixtysix.conformance.runner import Result, Verdict
from sixtysix.conformance.scenarios import SCENARIOS
from sixtysix.conformance.trial import ARBITER, Entry

_SHOWN = 16
"""Most messages that are shown of a failure; JSON has all."""

_WIDTH = max(len(scenario.name) for scenario in SCENARIOS)


def as_text(result: Result) -> str:
    """A line, and for a failure what was said and what the protocol says."""
    scenario = result.scenario
    head = f"{scenario.number:2} {scenario.name:{_WIDTH}}  {result.verdict.value:7}"
    if result.verdict is Verdict.SKIPPED:
        return f"{head}  {result.problem}"
    lines = [f"{head} {result.seconds:5.1f} s"]
    if result.verdict is Verdict.FAILED:
        lines += [f"   {result.problem}", f"   {result.clause}", f"   the scenario: {scenario.description}"]
        hidden = len(result.transcript) - _SHOWN
        if hidden > 0:
            lines.append(f"     ... {hidden} before")
        lines += [f"     {_line(entry)}" for entry in result.transcript[-_SHOWN:]]
        lines += [f"   | {line}" for line in result.output]
    return "\n".join(lines)


def summary(results: Sequence[Result]) -> str:
    """How many have passed."""
    counts = [f"{_count(results, verdict)} {verdict.value}" for verdict in Verdict]
    return f"{len(results)} scenarios: {', '.join(counts)}"


def _count(results: Sequence[Result], verdict: Verdict) -> int:
    return sum(result.verdict is verdict for result in results)


def as_json(name: str, results: Sequence[Result]) -> dict[str, Any]:
    """Everything, for programs."""
    return {
        "bot": name,
        **{verdict.value: _count(results, verdict) for verdict in Verdict},
        "scenarios": [_result_json(result) for result in results],
    }


def _result_json(result: Result) -> dict[str, Any]:
    clause = result.clause
    return {
        "number": result.scenario.number,
        "name": result.scenario.name,
        "description": result.scenario.description,
        "verdict": result.verdict.value,
        "problem": result.problem,
        "clause": None if clause is None else {"section": clause.section, "text": clause.text},
        "remarks": list(result.remarks),
        "seconds": round(result.seconds, 3),
        "messages": [_entry_json(entry) for entry in result.transcript],
        "output": list(result.output),
    }


def _entry_json(entry: Entry) -> dict[str, Any]:
    said = entry.message
    shown = {} if isinstance(said, str) else {"message": json_format.MessageToDict(said)}
    return {"stream": entry.stream, "from": entry.sender, "text": _text(entry), **shown}


def _line(entry: Entry) -> str:
    sign = "arbiter ->" if entry.sender == ARBITER else "bot     <-"
    return f"{sign} {entry.stream or '-'}: {_text(entry)}"


def _text(entry: Entry) -> str:
    return entry.message if isinstance(entry.message, str) else describe(entry.message)
