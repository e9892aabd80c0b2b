"""What ``python -m sixtysix check`` does."""

import json
import sys
from collections.abc import Sequence

from sixtysix.commands import DONE, USER_ERROR, CommandError
from sixtysix.conformance import report
from sixtysix.conformance.process import StartError
from sixtysix.conformance.runner import Candidate, Result, Verdict, run
from sixtysix.conformance.scenarios import SCENARIOS, Scenario
from sixtysix.conformance.server import ListenError, Server

LOCAL_NAME = "checked"


def list_scenarios() -> int:
    """Print the scenarios; returns the exit status."""
    for scenario in SCENARIOS:
        print(f"{scenario.number:2} {scenario.name}: {scenario.description}")
    return DONE


def check(
    command: Sequence[str], remote: str | None, *, only: Sequence[int], address: str, limit_s: float, as_json: bool
) -> int:
    """Lead a bot through the scenarios and print what they show; returns 0 if none has failed, otherwise 1.

    Raises CommandError for what cannot be used.
    """
    scenarios = _chosen(only)
    try:
        with listen(address) as server:
            candidate = candidate_of(server, command, remote)
            results: list[Result] = []
            for result in run(scenarios, candidate, limit_s):
                results.append(result)
                if not as_json:
                    print(report.as_text(result), flush=True)
    except (ListenError, StartError) as error:
        raise CommandError(str(error)) from None
    if as_json:
        print(json.dumps(report.as_json(candidate.name, results)))
    else:
        print(report.summary(results))
    failed = any(result.verdict is Verdict.FAILED for result in results)
    return USER_ERROR if failed else DONE


def listen(address: str) -> Server:
    """A server at ``HOST:PORT``, where port 0 stands for any; raises CommandError and ListenError."""
    host, _, port = address.rpartition(":")
    if not (host and port.isascii() and port.isdecimal() and int(port) < 1 << 16):
        raise CommandError(f"--listen: must be HOST:PORT, not {address!r}")
    return Server(address)


def candidate_of(server: Server, command: Sequence[str], remote: str | None) -> Candidate:
    """The bot that a command line names; tells a person how to start one that is not started here."""
    if bool(command) == (remote is not None):
        raise CommandError("expected either -- COMMAND..., which starts the bot, or --remote NAME, which waits for it")
    candidate = Candidate(server, remote or LOCAL_NAME, command or None)
    if remote is not None:
        print(
            f"waiting for {remote}, which connects with\n"
            f"  SIXTYSIX_ADDRESS={server.address} SIXTYSIX_TOKEN={candidate.token} SIXTYSIX_BOT_NAME={remote}\n"
            "start it again whenever it has ended",
            file=sys.stderr,
            flush=True,
        )
    return candidate


def _chosen(only: Sequence[int]) -> Sequence[Scenario]:
    for number in only:
        if not 1 <= number <= len(SCENARIOS):
            raise CommandError(f"--only: scenarios are numbered from 1 to {len(SCENARIOS)}, not {number}")
    return [scenario for scenario in SCENARIOS if not only or scenario.number in only]
