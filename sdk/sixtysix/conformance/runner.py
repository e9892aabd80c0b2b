"""Runs scenarios, one after another."""

import secrets
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial

from sixtysix.conformance.clauses import Clause
from sixtysix.conformance.process import BotProcess
from sixtysix.conformance.scenarios import Scenario
from sixtysix.conformance.server import Happenings, Server
from sixtysix.conformance.trial import Entry, Failed, NotApplicable, Trial

_NOT_HERE = "the process of a bot that is started elsewhere cannot be watched"


class Verdict(StrEnum):
    """What a scenario has shown."""

    PASSED = "passed"
    FAILED = "failed"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class Result:
    """What came of a scenario.

    Attributes:
        scenario: which one.
        verdict: passed, failed, or skipped because the bot does not offer what it is about.
        problem: what was wrong, or why it was skipped; empty if passed.
        clause: for a failure, what the protocol says.
        remarks: what else there is to say.
        seconds: how long it took.
        transcript: all that was said.
        output: of a process that was started here, the end of what it has written.
    """

    scenario: Scenario
    verdict: Verdict
    problem: str
    clause: Clause | None
    remarks: Sequence[str]
    seconds: float
    transcript: Sequence[Entry]
    output: Sequence[str]


class Candidate:
    """The bot that is checked.

    Args:
        server: where it connects.
        name: its name in the tournament.
        command: starts it for each scenario; None if somebody else starts it.

    Attributes:
        token: what it is known by.
    """

    def __init__(self, server: Server, name: str, command: Sequence[str] | None) -> None:
        self.token = secrets.token_urlsafe(16)
        self.name = name
        self._server = server
        self._command = command

    def trial(self, limit_s: float, *, on_terminal: bool = False) -> Trial:
        """Start it, if it is to be started; raises StartError."""
        launch = None
        if self._command is not None:
            launch = partial(self._launch, self._command, on_terminal)
        return Trial(self._server, self.token, self.name, launch, limit_s, patient=launch is None)

    def _launch(self, command: Sequence[str], on_terminal: bool, happenings: Happenings) -> BotProcess:
        address = self._server.address
        return BotProcess(command, address, self.token, self.name, happenings, on_terminal=on_terminal)

    @property
    def started_here(self) -> bool:
        """Is it started for each scenario?"""
        return self._command is not None


def run(scenarios: Sequence[Scenario], candidate: Candidate, limit_s: float) -> Iterator[Result]:
    """Run the scenarios and yield each result as it comes; raises StartError if the bot cannot be started."""
    for scenario in scenarios:
        if scenario.watches_process and not candidate.started_here:
            yield Result(scenario, Verdict.SKIPPED, _NOT_HERE, None, (), 0.0, (), ())
        else:
            yield _run_one(scenario, candidate, limit_s)


def _run_one(scenario: Scenario, candidate: Candidate, limit_s: float) -> Result:
    started = time.monotonic()
    verdict, problem, clause = Verdict.PASSED, "", None
    trial = candidate.trial(limit_s)
    try:
        scenario.run(trial)
    except Failed as failure:
        verdict, problem, clause = Verdict.FAILED, str(failure), failure.clause
    except NotApplicable as reason:
        verdict, problem = Verdict.SKIPPED, str(reason)
    finally:
        transcript = list(trial.transcript)
        trial.close()
    output = [] if trial.process is None else trial.process.output_tail
    seconds = time.monotonic() - started
    return Result(scenario, verdict, problem, clause, trial.remarks, seconds, transcript, output)
