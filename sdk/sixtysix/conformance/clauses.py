"""The sentences of `docs/protocol.md` that the scenarios hold a bot to, word for word."""

from typing import NamedTuple


class Clause(NamedTuple):
    """A sentence of the protocol.

    Attributes:
        section: heading under which it stands.
        text: the sentence, or the part of it that applies.
    """

    section: str
    text: str

    def __str__(self) -> str:
        return f"docs/protocol.md, {self.section}: {self.text}"


TOKEN = Clause("Connecting", "Each call of `BotService` carries the metadata authorization: Bearer TOKEN")
ONE_CONNECTION = Clause("Connecting", "A bot has one connection.")
HELLO_IN_TIME = Clause("Connecting", "A stream has to say `hello` within the time that the organiser sets (10 s)")
ANSWER_TOGETHER = Clause(
    "Envelope and batches",
    "At most `Welcome.max_decisions_per_message` decisions come in one message. The bot may answer them together, "
    "in any order, or one by one",
)
INDEPENDENT = Clause(
    "Envelope and batches",
    "Updates about one match come in the order in which things happened; those of different matches are independent.",
)
NOTHING_KNOWN = Clause("Envelope and batches", "A command in which nothing known is set is answered by `error`")
HELLO_FIRST = Clause("Handshake and versions", "The first command is `hello`, and it comes once.")
MAJOR = Clause("Handshake and versions", "The major version has to be the arbiter's.")
IGNORE_UNKNOWN = Clause(
    "Handshake and versions",
    "So **a reader ignores what it does not know**: unknown fields, updates in which nothing known is set, "
    "unknown values of enums that only inform.",
)
KNOWN_RULES = Clause("Handshake and versions", "`Hello.rule_sets` names the rule sets that the bot can play.")
ASK_BEFORE_DRAW = Clause(
    "Handshake and versions", "With `ask_before_draw` it is asked in the stage `STAGE_BEFORE_DRAW`"
)
READY = Clause("States of a match", "the bot has `TimeControl.ready_us` to say `ready`")
FAULT = Clause(
    "States of a match",
    "The `TOO_LATE` that is sent when the time runs out, `ILLEGAL` and `MALFORMED` end the deal: `deal_ended` or "
    "`match_ended` follows.",
)
ENDS_AT_ONCE = Clause(
    "States of a match",
    "A match that is forfeited or void ends at once: `match_ended` then comes without `deal_ended` for the deal that "
    "was being played.",
)
SINGLE_ACTIONS = Clause("The decision loop", "A deal is a sequence of single actions")
ANSWER_REPEATS = Clause("The decision loop", "`match_id` and `decision_id`, which the answer repeats.")
ANSWER_IS_LEGAL = Clause(
    "The decision loop",
    "The answer is one of them, sent as the action itself, not as its place in the list",
)
ONE_LEGAL = Clause("The decision loop", "A decision with one legal action is asked too, and costs nothing.")
LATE = Clause("Clocks", "If it is more than the cap or the bank, the answer is late.")
FIRST_COUNTS = Clause("Answers to actions", "The first valid answer to a decision counts.")
PONG = Clause("Heartbeat", "The bot answers at once with a `pong` that repeats the nonce, **also while it thinks**")
RESUME = Clause(
    "Reconnecting",
    "To go on, the bot connects again with the same token and `resume_session_id` set to the session id of its last "
    "`welcome`",
)
SAME_DECISION = Clause("Reconnecting", "the **same** decision, with the same id and the time that is left.")
NEW_SESSION = Clause(
    "Reconnecting",
    "False means that a new session has begun, because the old one is over or was another bot's: its matches are gone.",
)
VERSION_REFUSED = Clause("Stream errors", "other major version; metadata `major`, `minor` are the arbiter's | stop")
RULES_REFUSED = Clause("Stream errors", "the bot does not play the tournament's rule set, metadata `rule_set` | stop")
BAD_MESSAGE = Clause(
    "Stream errors", "the bytes are no `PlayRequest`, or a command comes before `welcome` or after `leave`"
)
STREAM_ENDS = Clause(
    "Stream errors", "The arbiter ends a stream with OK after `leave` and at the end of the tournament."
)
BREAKS_OFF = Clause(
    "Leaving and draining",
    "A stream that ends without `leave`, even in good order, counts as a lost connection. So does a process that dies.",
)
LEAVES = Clause("Leaving and draining", "`leave` ends the session at once. Its live matches are lost")
DRAINING = Clause("Leaving and draining", "`draining` says that the arbiter will shut down: matches go on, none begin")
TERMINATED = Clause(
    "Bots that the arbiter starts",
    "their process groups get `SIGTERM`, and a second later whatever is left is killed.",
)

CLAUSES = tuple(value for value in list(globals().values()) if isinstance(value, Clause))
"""All of them."""
