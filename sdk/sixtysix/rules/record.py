"""Deal records: the written form of a deal, and its replay.

`docs/rules.md` describes the notation. One record is one JSON object.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from sixtysix.rules.actions import Action, parse_action
from sixtysix.rules.cards import Card
from sixtysix.rules.deal import Deal
from sixtysix.rules.errors import IllegalActionError, NotationError, RecordError, RuleSetError
from sixtysix.rules.ruleset import MOST_POINTS, RuleSet, rule_set

Json = dict[str, Any]


@dataclass(frozen=True)
class DealRecord:
    """One deal as written down: the cards and every action.

    Attributes:
        id: a name, or None.
        rules: the rule set.
        dealer: seat that dealt.
        carry: carry at the start.
        hands: cards of seat 0 and seat 1, as dealt.
        talon: top first; with the turn-up first where it lies on top.
        turn_up: the card turned up.
        actions: action tokens as written.
    """

    id: str | None
    rules: RuleSet
    dealer: int
    carry: int
    hands: tuple[tuple[Card, ...], tuple[Card, ...]]
    talon: tuple[Card, ...]
    turn_up: Card
    actions: tuple[str, ...]

    @classmethod
    def of(cls, deal: Deal, actions: Iterable[Action] = (), id: str | None = None) -> "DealRecord":
        """The record of a deal that has just been dealt and the actions played in it since."""
        assert deal.turn_up is not None, "a record starts from the cards as dealt"
        hands = (tuple(deal.hands[0]), tuple(deal.hands[1]))
        texts = tuple(action.text for action in actions)
        return cls(id, deal.rules, deal.dealer, deal.carry, hands, deal.talon, deal.turn_up, texts)

    def deal(self) -> Deal:
        """The deal before its first action."""
        return Deal(self.rules, self.dealer, self.hands, self.talon, self.turn_up, self.carry)

    def to_json(self) -> Json:
        """The members of the record, canonical spelling."""
        return {
            "id": self.id,
            "rules": self.rules.spec(),
            "dealer": self.dealer,
            "carry": self.carry,
            "hands": [[card.text for card in hand] for hand in self.hands],
            "talon": [card.text for card in self.talon],
            "turn_up": self.turn_up.text,
            "actions": list(self.actions),
        }


def parse_record(data: object) -> DealRecord:
    """Read and check one record; raises RecordError naming the member that is wrong."""
    if not isinstance(data, Mapping):
        raise RecordError("a record is a JSON object")
    missing = [name for name in ("rules", "dealer", "hands", "talon", "turn_up", "actions") if name not in data]
    if missing:
        raise RecordError(f"member {missing[0]!r} is missing")
    try:
        rules = rule_set(data["rules"])
    except RuleSetError as error:
        raise RecordError(f"rules: {error}") from None
    hands = data["hands"]
    if not isinstance(hands, list) or len(hands) != 2:
        raise RecordError("hands: must be a list of two hands, seat 0 and seat 1")
    first, second = (_cards(f"hands[{seat}]", hands[seat]) for seat in (0, 1))
    actions = data["actions"]
    if not isinstance(actions, list) or not all(isinstance(token, str) for token in actions):
        raise RecordError("actions: must be a list of texts")
    record = DealRecord(
        id=_identity(data),
        rules=rules,
        dealer=_whole("dealer", data["dealer"], most=1),
        carry=_whole("carry", data.get("carry", 0), most=MOST_POINTS),
        hands=(first, second),
        talon=_cards("talon", data["talon"]),
        turn_up=_cards("turn_up", [data["turn_up"]])[0],
        actions=tuple(actions),
    )
    _check_pack(record)
    return record


def _identity(data: Mapping[str, Any]) -> str | None:
    value = data.get("id")
    if value is not None and not isinstance(value, str):
        raise RecordError(f"id: must be a text, not {value!r}")
    return value


def _whole(name: str, value: object, most: int) -> int:
    if type(value) is not int or not 0 <= value <= most:
        raise RecordError(f"{name}: must be a whole number in 0..{most}, not {value!r}")
    return value


def _cards(name: str, value: object) -> tuple[Card, ...]:
    if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
        raise RecordError(f"{name}: must be written as card texts")
    try:
        return tuple(Card.parse(text) for text in value)
    except NotationError as error:
        raise RecordError(f"{name}: {error}") from None


def _check_pack(record: DealRecord) -> None:
    rules = record.rules
    for seat in (0, 1):
        if len(record.hands[seat]) != rules.hand_size:
            raise RecordError(f"hands[{seat}]: {len(record.hands[seat])} cards, {rules.name} deals {rules.hand_size}")
    if rules.turn_up_on_top and record.talon[:1] != (record.turn_up,):
        raise RecordError("talon: must start with the turn-up, which lies on top")
    held = [*record.hands[0], *record.hands[1], *record.talon]
    if not rules.turn_up_on_top:
        held.append(record.turn_up)
    for card in held:
        if card not in rules.deck:
            raise RecordError(f"{card.text} is not in the pack of {rules.name}")
        if held.count(card) > 1:
            raise RecordError(f"{card.text} occurs twice")
    if len(held) != len(rules.deck):
        raise RecordError(f"talon: {len(record.talon)} cards, {len(rules.deck) - len(held)} missing from the pack")


def outcome_json(deal: Deal) -> Json:
    """The state of a deal in the form of the replay output, without `id`."""
    outcome = deal.outcome
    if outcome is None:
        return {
            "over": False,
            "seat": deal.turn,
            "stage": deal.stage.value,
            "legal": [action.text for action in deal.legal_actions()],
            "card_points": [deal.card_points(0), deal.card_points(1)],
            "tricks": list(deal.tricks),
        }
    return {
        "over": True,
        "winner": outcome.winner,
        "game_points": outcome.game_points,
        "score_change": list(outcome.score_change),
        "carry": outcome.carry,
        "reason": outcome.reason.value,
        "card_points": list(outcome.card_points),
        "tricks": list(outcome.tricks),
    }


def _error(id: object, reason: str, index: int | None = None, action: str | None = None) -> Json:
    return {"id": id, "error": {"index": index, "action": action, "reason": reason}}


def replay(record: DealRecord, *, trace: bool = False) -> Json:
    """Play a record and describe where it ends; an action that cannot be played gives an ``error`` member."""
    deal = record.deal()
    steps: list[Json] = []
    for index, token in enumerate(record.actions):
        if trace and not deal.over:
            steps.append(_step(deal))
        try:
            deal.apply(parse_action(token))
        except (NotationError, IllegalActionError) as error:
            return _error(record.id, str(error), index, token)
    result = {"id": record.id, **outcome_json(deal)}
    if trace:
        if not deal.over:
            steps.append(_step(deal))
        result["trace"] = steps
    return result


def _step(deal: Deal) -> Json:
    return {
        "seat": deal.turn,
        "stage": deal.stage.value,
        "legal": [action.text for action in deal.legal_actions()],
    }


def replay_text(text: str, *, trace: bool = False) -> Iterator[Json]:
    """Replay every record of a JSON Lines text, or the one record of a JSON text; errors become results."""
    for number, data in documents(text):
        if isinstance(data, ValueError):
            yield _error(None, f"line {number}: not JSON: {data}")
            continue
        try:
            record = parse_record(data)
        except RecordError as error:
            readable = data.get("id") if isinstance(data, dict) else None
            yield _error(readable if isinstance(readable, str) else None, f"line {number}: {error}")
            continue
        yield replay(record, trace=trace)


def documents(text: str) -> Iterator[tuple[int, object]]:
    """The values of a JSON Lines text, or the one of a JSON text, with line numbers; a ValueError for what is none."""
    # Not splitlines: it also splits at characters that may stand inside a JSON string.
    lines = [(number, line) for number, line in enumerate(text.split("\n"), start=1) if line.strip()]
    if len(lines) > 1 and isinstance(_load(lines[0][1]), ValueError):
        whole = _load(text)
        if not isinstance(whole, ValueError):
            yield lines[0][0], whole
            return
    for number, line in lines:
        yield number, _load(line)


def _load(text: str) -> object:
    try:
        return json.loads(text)
    except ValueError as error:
        return error
    except RecursionError:
        return ValueError("nested too deeply")
