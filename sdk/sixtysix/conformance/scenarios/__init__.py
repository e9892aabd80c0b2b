"""The numbered scenarios, in the order in which a bot meets what they are about."""

from collections.abc import Callable
from dataclasses import dataclass

from sixtysix.conformance.scenarios import connections, matches, opening, stages
from sixtysix.conformance.trial import Trial


@dataclass(frozen=True)
class Scenario:
    """One check.

    Attributes:
        number: from 1; `docs/conformance.md` has it too.
        name: a word or two.
        run: does it; raises Failed or NotApplicable.
        watches_process: makes sense only for a bot that is started here.
    """

    number: int
    name: str
    run: Callable[[Trial], None]
    watches_process: bool = False

    @property
    def description(self) -> str:
        """What happens in it, in one line."""
        return str(self.run.__doc__)


SCENARIOS = (
    Scenario(1, "handshake", opening.handshake),
    Scenario(2, "version refused", opening.version_refused, watches_process=True),
    Scenario(3, "rule set refused", opening.rules_refused, watches_process=True),
    Scenario(4, "one legal action", stages.one_legal_action),
    Scenario(5, "before drawing", stages.before_draw),
    Scenario(6, "exchange offer", stages.exchange_offer),
    Scenario(7, "last claim", stages.last_claim),
    Scenario(8, "pending marriage", stages.pending_marriage),
    Scenario(9, "rule sets", stages.rule_sets),
    Scenario(10, "64 decisions in one message", matches.batch),
    Scenario(11, "interleaved matches", matches.interleaved),
    Scenario(12, "results", matches.results),
    Scenario(13, "a deal lost on time", matches.lost_deal),
    Scenario(14, "a match that ends at once", matches.ends_at_once),
    Scenario(15, "unknown numbers", matches.unknown),
    Scenario(16, "connection lost", connections.resumed),
    Scenario(17, "session lost", connections.session_lost),
    Scenario(18, "ping while thinking", connections.thinking),
    Scenario(19, "clock nearly out", connections.short_of_time),
    Scenario(20, "draining", connections.draining),
    Scenario(21, "end of the tournament", opening.tournament_over, watches_process=True),
    Scenario(22, "termination", connections.terminated, watches_process=True),
)
