"""The rules of Sixty-Six and Schnapsen: one engine, every rule set as data. Standard library only."""

from sixtysix.rules.actions import (
    ACTIONS,
    CLAIM,
    CLOSE,
    DRAW,
    EXCHANGE,
    MARRIAGES,
    MOVES,
    PASS,
    TRUMPS,
    Action,
    Move,
    parse_action,
)
from sixtysix.rules.cards import CARDS, Card, Rank, Suit, pretty
from sixtysix.rules.deal import Deal, Stage
from sixtysix.rules.errors import (
    IllegalActionError,
    InvariantError,
    NotationError,
    RecordError,
    RulesError,
    RuleSetError,
)
from sixtysix.rules.events import Event, EventKind
from sixtysix.rules.match import DEAL_LIMIT, Match
from sixtysix.rules.record import DealRecord, parse_record, replay, replay_text
from sixtysix.rules.ruleset import RULE_SETS, RuleSet, parse_spec, rule_set
from sixtysix.rules.sample import Sampler, sample
from sixtysix.rules.scoring import Closing, Outcome, Reason
from sixtysix.rules.view import Clock, View

__all__ = [
    "ACTIONS",
    "CARDS",
    "CLAIM",
    "CLOSE",
    "DEAL_LIMIT",
    "DRAW",
    "EXCHANGE",
    "MARRIAGES",
    "MOVES",
    "PASS",
    "RULE_SETS",
    "TRUMPS",
    "Action",
    "Card",
    "Clock",
    "Closing",
    "Deal",
    "DealRecord",
    "Event",
    "EventKind",
    "IllegalActionError",
    "InvariantError",
    "Match",
    "Move",
    "NotationError",
    "Outcome",
    "Rank",
    "Reason",
    "RecordError",
    "RuleSet",
    "RuleSetError",
    "RulesError",
    "Sampler",
    "Stage",
    "Suit",
    "View",
    "parse_action",
    "parse_record",
    "parse_spec",
    "pretty",
    "replay",
    "replay_text",
    "rule_set",
    "sample",
]
