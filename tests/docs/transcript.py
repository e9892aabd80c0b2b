"""One deal as messages: the section of docs/protocol.md and docs/transcript.jsonl, made by the arbiter itself.

The lobby, a match runner and two seats run without a network. The bots are scripts, the cards and the time that each
answer takes are fixed, so the messages are always the same. To write both files anew:

    python -m tests.docs.transcript
"""

import itertools
import json
import re
from collections.abc import Iterator, Sequence
from copy import deepcopy
from pathlib import Path
from typing import NamedTuple, cast

import trio
from google.protobuf import json_format, text_format
from google.protobuf.message import Message

from arbiter.connection import Connection, Stamp
from arbiter.dealing import commitment
from arbiter.lobby import Lobby
from arbiter.match_runner import MatchRunner, Terms
from arbiter.policy import Consequence, FaultPolicy
from arbiter.remote_seat import RemoteSeat
from arbiter.schedule import ScheduledMatch
from arbiter.stalls import StallMeter
from arbiter.status import StreamStatus
from arbiter.tokens import hash_token
from arbiter.transport import Transport
from sixtysix import wire
from sixtysix.rules import Card, Deal, parse_action, rule_set
from sixtysix.timecontrol import TimeControl
from sixtysix.v1 import bot_service_pb2 as pb

DOCS = Path(__file__).parents[2] / "docs"
PAGE = DOCS / "protocol.md"
LINES = DOCS / "transcript.jsonl"
HEADING = "## A whole deal as messages"
WIDTH = 110
"""Longest message that is shown on one line."""

BOTS = ("ada", "bob")
MATCH = ScheduledMatch("001-01", "001", 1, BOTS, first_dealer=1)
TOURNAMENT_ID = "transcript"
SALT = bytes(range(16))
RULES = rule_set({"base": "schnapsen", "target": 2})
CONTROL = TimeControl(
    ready_us=10_000_000, decision_us=1_000_000, bank_us=30_000_000, increment_us=50_000, lag_us=20_000
)
ROUND_TRIP_US = 240
FIRST_ANSWER_US = 900
"""Time of the first answer; each further one takes a little longer."""
LONGER_US = 50

DECK = "KC JH QS AC JC QH TH KS AD JS TD QC AH KH JD QD TC KD TS AS"
"""In dealing order: the first three cards are seat 0's, for seat 1 deals."""
SCRIPT: Sequence[tuple[int, str, str]] = [
    (0, "exchange", "Seat 0 leads and holds the jack of trumps: it takes the turn-up for it."),
    (0, "KC", "It stays on lead and plays a card."),
    (1, "AC", "Seat 1 is asked for the first time. It takes the trick."),
    (1, "JC", "Both have drawn; seat 1 leads."),
    (0, "TH", "No duty while the talon is open: seat 0 takes the trick with a trump."),
    (0, "marriage S", "Seat 0 declares king and queen of spades. They count at once, for it has a trick."),
    (0, "QS", "Now only the two cards, or a claim, are legal."),
    (1, "JS", "Seat 1 sees the king of spades in the other hand, and throws its jack in."),
    (0, "close", "Seat 0 has 37 points and closes: nobody draws any more, and suit has to be followed."),
    (0, "AH", "It leads its highest trump."),
    (1, "QH", "Seat 1 has one legal action only. It is asked all the same; the answer costs nothing."),
    (0, "AD", "The next sure trick."),
    (1, "JD", "Seat 1 has to follow suit: the ten or the jack."),
    (0, "KH", "64 points: one more trick."),
    (1, "QC", "Seat 1 holds no hearts, which are trump too: any card is legal."),
    (0, "claim", "71 points: seat 0 claims, and is right. Seat 1 has less than 33, so the deal is worth 2."),
]


class Entry(NamedTuple):
    """One message: whether the bot of the seat sent it, and its one command or update."""

    seat: int
    is_command: bool
    message: pb.Command | pb.Update

    @property
    def kind(self) -> str:
        """Which command or update it is."""
        message = self.message
        is_command = isinstance(message, pb.Command)
        return str(message.WhichOneof("command") if is_command else message.WhichOneof("update"))

    @property
    def content(self) -> Message:
        """The command or update itself."""
        content = getattr(self.message, self.kind)
        assert isinstance(content, Message)
        return content


class _Wire:
    """Takes the place of the transport: nothing is ever on its way."""

    stalls = StallMeter(0)


class _Line:
    """Takes the place of a connection, and of the bot at its other end, which answers at once by the script."""

    max_decisions = 64

    def __init__(self, seat: int, lobby: Lobby, answers: Iterator[tuple[str, int]], entries: list[Entry]) -> None:
        self.bot = BOTS[seat]
        self._seat = seat
        self._lobby = lobby
        self._answers = answers
        self._entries = entries

    def connect(self, hello: pb.Hello) -> None:
        """Say hello."""
        self._lobby.opened(cast(Connection, self))
        self._say(pb.Command(hello=hello), 0)

    def send(self, update: pb.Update, stamp: Stamp | None = None) -> None:
        """Note an update and answer it."""
        self._note(update)
        written_ns = 0
        if stamp is not None:
            written_ns = 1_000_000_000
            stamp.send(written_ns)
        match update.WhichOneof("update"):
            case "ping":
                self._say(pb.Command(pong=pb.Pong(nonce=update.ping.nonce)), written_ns + ROUND_TRIP_US * 1000)
            case "match_offered":
                self._say(pb.Command(ready=pb.Ready(match_id=update.match_offered.match_id)), written_ns)
            case "decision":
                token, think_us = next(self._answers)
                answer = pb.ActionCommand(
                    match_id=update.decision.match_id,
                    decision_id=update.decision.decision_id,
                    action=wire.action_message(parse_action(token)),
                )
                self._say(pb.Command(action=answer), written_ns + think_us * 1000)

    def close(self, status: StreamStatus | None) -> None:
        """Refuse: the script gives no reason to end a stream."""
        raise AssertionError(f"the arbiter closed the stream of seat {self._seat}: {status}")

    def _say(self, command: pb.Command, arrived_ns: int) -> None:
        self._note(command)
        self._lobby.received(cast(Connection, self), pb.PlayRequest(commands=[command]), arrived_ns)

    def _note(self, message: pb.Command | pb.Update) -> None:
        copy = deepcopy(message)
        # What is drawn by lot is replaced, to be the same every time.
        if isinstance(copy, pb.Update):
            if copy.HasField("welcome"):
                copy.welcome.session_id = f"session-of-{self.bot}"
            if copy.HasField("ping"):
                copy.ping.nonce = 6600 + self._seat
        elif copy.HasField("pong"):
            copy.pong.nonce = 6600 + self._seat
        self._entries.append(Entry(self._seat, isinstance(copy, pb.Command), copy))


class _Shoe:
    """The one deal of the match."""

    def deal(self, number: int, dealer: int, carry: int) -> tuple[Deal, bytes, bytes]:
        deck = [Card.parse(text) for text in DECK.split()]
        bound = commitment(TOURNAMENT_ID, MATCH.match_id, number, SALT, deck)
        return Deal.from_deck(RULES, deck, dealer, carry), SALT, bound


def play() -> list[Entry]:
    """Play the match and return every message."""
    entries: list[Entry] = []
    lobby = Lobby(
        RULES,
        hashes={name: hash_token(f"token of {name}") for name in BOTS},
        most_matches={},
        reconnect_us=10_000_000,
        on_connect=lambda name: None,
        on_dismissed=lambda name, why: None,
    )
    lobby.transport = cast(Transport, _Wire())
    timed = [(seat, token, FIRST_ANSWER_US + LONGER_US * place) for place, (seat, token, _) in enumerate(SCRIPT)]
    for seat, name in enumerate(BOTS):
        answers = iter([(token, think_us) for whose, token, think_us in timed if whose == seat])
        hello = pb.Hello(
            protocol_major=wire.PROTOCOL_MAJOR,
            protocol_minor=wire.PROTOCOL_MINOR,
            bot_name=name,
            bot_version="1.0",
            sdk="none",
            language="any",
            rule_sets=["schnapsen"],
            max_concurrent_matches=1,
            max_decisions_per_message=1,
            want_events=seat == 1,
        )
        _Line(seat, lobby, answers, entries).connect(hello)
    policy = FaultPolicy(Consequence.FORFEIT_DEAL, Consequence.FORFEIT_DEAL, limit=3, reconnect_us=10_000_000)
    first, second = (RemoteSeat(lobby.participants[name]) for name in BOTS)
    runner = MatchRunner(MATCH, (first, second), Terms(RULES, CONTROL, policy, deal_limit=100), _Shoe())
    result = trio.run(runner.play)
    assert result.reason == "target", "the script plays the match to its end"
    # Both seats get ready at the same time; the order is chance.
    started = next(place for place, entry in enumerate(entries) if entry.kind == "deal_started")
    return (
        sorted(entries[:started], key=lambda entry: (entry.kind in ("match_offered", "ready"), entry.seat))
        + (entries[started:])
    )


def json_lines(entries: Sequence[Entry]) -> str:
    """Every message on a line of its own: who sent it, as JSON and as the bytes of the gRPC message."""
    lines = []
    for entry in entries:
        if isinstance(entry.message, pb.Command):
            whole: Message = pb.PlayRequest(commands=[entry.message])
        else:
            whole = pb.PlayResponse(updates=[entry.message])
        line = {
            "seat": entry.seat,
            "from": "bot" if entry.is_command else "arbiter",
            "message": json_format.MessageToDict(whole),
            "hex": whole.SerializeToString(deterministic=True).hex(),
        }
        lines.append(json.dumps(line, separators=(",", ":")) + "\n")
    return "".join(lines)


INTRODUCTION = f"""\
One deal of a match, with every message of both seats in protobuf's text form; the arbiter itself has made them,
and a test keeps this page equal to what it sends. The rule set is `schnapsen`, changed to end at 2 game points, so
that one deal makes a match. The bots are called ada (seat 0) and bob (seat 1). Bob wants events, ada does not.
Each message is shown by itself, though several may travel together.

[`transcript.jsonl`](transcript.jsonl) has the same messages complete, one a line: `seat`, `from` (`bot` or
`arbiter`), `message` (the JSON form of `PlayRequest` or `PlayResponse`) and `hex` (its bytes). Feed your bot the
lines of one seat that come from the arbiter, and compare its answers with those that come from the bot.
[`vectors/messages.jsonl`](../vectors/README.md) has every single message, action and stage in both forms.

What is left out here: after the first decision of a seat, its decisions show **only what has changed** since the
one before, of `history` and `played_cards` only what was added; `legal_actions` are always complete. Session ids
and nonces are random in reality. The commitment is that of the tournament id `{TOURNAMENT_ID}`, the pairing
`{MATCH.match_id}`, deal 1, the salt `{SALT.hex()}` and the deck
`{DECK}`
(see [shuffles and commitments](#shuffles-and-commitments))."""


def section(entries: Sequence[Entry]) -> str:
    """The whole section, heading included."""
    remarks = iter(SCRIPT)
    previous: dict[int, pb.Decision] = {}
    parts = [HEADING, "", INTRODUCTION, ""]
    for title, group in _groups(entries):
        parts += [f"### {title}", ""]
        # An action and what follows from it up to the next decision form one block.
        block: list[str] = []
        way = ""
        for entry in group:
            if entry.kind == "decision":
                _, token, remark = next(remarks)
                parts += [*_fenced(block), f"**{token}.** {remark}", ""]
                block, way = [], ""
            if _way(entry) != way:
                way = _way(entry)
                block += [""] * bool(block) + [f"# {way}"]
            block += _shown(entry, previous)
        parts += _fenced(block)
    return "\n".join(parts) + "\n"


def _fenced(block: list[str]) -> list[str]:
    return ["```text", *block, "```", ""] if block else []


def _way(entry: Entry) -> str:
    return f"seat {entry.seat} -> arbiter" if entry.is_command else f"arbiter -> seat {entry.seat}"


def _groups(entries: Sequence[Entry]) -> Iterator[tuple[str, list[Entry]]]:
    def title(entry: Entry) -> str:
        if entry.kind in ("hello", "welcome", "ping", "pong"):
            return "Connecting"
        return "The match is offered" if entry.kind in ("match_offered", "ready") else "The deal"

    for name, group in itertools.groupby(entries, title):
        yield name, list(group)


def _shown(entry: Entry, previous: dict[int, pb.Decision]) -> list[str]:
    content = entry.content
    if isinstance(content, pb.Decision):
        before = previous.get(entry.seat)
        previous[entry.seat] = content
        lines = list(_fields(content)) if before is None else list(_changes(before, content))
    elif isinstance(content, pb.MatchOffered) and entry.seat == 1:
        lines = [*_fields(content, skipped="rules"), "  # rules: as those of seat 0"]
    elif isinstance(content, pb.DealStarted):
        lines = [*_fields(content), f"  # the commitment in hexadecimal: {content.commitment.hex()}"]
    elif isinstance(content, pb.MatchEvent):
        return [f"event {{ event {{ {_one_line(content.event)} }} }}"]
    else:
        short = f"{entry.kind} {{ {_one_line(content)} }}"
        if len(short) <= WIDTH:
            return [short]
        lines = list(_fields(content))
    return [f"{entry.kind} {{", *lines, "}"]


def _fields(message: Message, indent: str = "  ", skipped: str = "") -> Iterator[str]:
    for field, value in message.ListFields():
        if field.name == skipped:
            continue
        if field.name in ("observation", "rules", "outcome"):
            yield f"{indent}{field.name} {{"
            yield from _fields(value, f"{indent}  ")
            yield f"{indent}}}"
        else:
            yield from _lines(message, field.name, indent)


def _lines(message: Message, name: str, indent: str) -> Iterator[str]:
    """The text form of one field, a line for each element of a list of messages."""
    alone = type(message)()
    value = getattr(message, name)
    if isinstance(value, Message):
        yield f"{indent}{name} {{ {_one_line(value)} }}"
    elif message.DESCRIPTOR.fields_by_name[name].message_type is not None:
        yield from (f"{indent}{name} {{ {_one_line(element)} }}" for element in value)
    else:
        if isinstance(value, bool | int | str | bytes):
            setattr(alone, name, value)
        else:
            getattr(alone, name).extend(value)
        yield f"{indent}{_one_line(alone)}"


def _one_line(message: Message) -> str:
    return text_format.MessageToString(message, as_one_line=True, use_short_repeated_primitives=True)


def _changes(before: pb.Decision, after: pb.Decision) -> Iterator[str]:
    yield f"  decision_id: {after.decision_id}"
    if after.stage != before.stage:
        yield from _lines(after, "stage", "  ")
    yield "  observation {"
    for field in after.observation.DESCRIPTOR.fields:
        yield from _change(field.name, before.observation, after.observation)
    yield "  }"
    for name in ("legal_actions", "clock", "previous_charge"):
        yield from _lines(after, name, "  ")


def _change(name: str, before: Message, after: Message) -> Iterator[str]:
    old, new = getattr(before, name), getattr(after, name)
    if old == new:
        return
    if name in ("history", "played_cards"):
        added = type(after)()
        # The history grows at its end; the cards are in the order of the enum.
        fresh = new[len(old) :] if name == "history" else [card for card in new if card not in old]
        getattr(added, name).extend(fresh)
        yield from (f"{line}  # added" for line in _lines(added, name, "    "))
    elif new or isinstance(new, Message):
        yield from _lines(after, name, "    ")
    else:
        yield f"    # {name} is not set any more"


def page_with(text: str, page: str) -> str:
    """The page with its section replaced by `text`."""
    found = re.search(rf"^{HEADING}\n.*?(?=^## )", page, re.MULTILINE | re.DOTALL)
    assert found is not None, f"{PAGE.name} needs the heading {HEADING!r} and another one after it"
    return page[: found.start()] + text + page[found.end() :]


def main() -> None:
    """Write the section and the lines."""
    entries = play()
    PAGE.write_text(page_with(section(entries), PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    LINES.write_text(json_lines(entries), encoding="utf-8")


if __name__ == "__main__":
    main()
