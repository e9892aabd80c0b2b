"""Rule sets as data: one frozen value for each written source of the game.

The engine reads only these fields; no rule set has code of its own. `docs/rules.md` says in prose what the fields
mean and where each source stands.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from difflib import get_close_matches
from enum import StrEnum
from functools import cached_property
from typing import Any, NamedTuple, get_type_hints

from sixtysix.rules.cards import CARDS, Card, Rank, Suit
from sixtysix.rules.errors import RuleSetError

MOST_POINTS = 1_000_000
"""Bound on every number of points in a rule set or a record, so that all of them fit where they are sent."""


class Leader(StrEnum):
    """Who leads to the first trick."""

    FOREHAND = "forehand"
    DEALER = "dealer"


class NextDealer(StrEnum):
    """Who deals next; after a draw, ``WINNER`` keeps the dealer."""

    WINNER = "winner"
    ALTERNATE = "alternate"


class Duty(StrEnum):
    """What the second player of a trick must do.

    ``HEAD``: a higher card of the suit led, else a lower one, else a trump, else any card.
    ``FOLLOW``: a card of the suit led, else any card.
    """

    NONE = "none"
    FOLLOW = "follow"
    HEAD = "head"


class Measure(StrEnum):
    """When the other player's points and tricks are counted for the value of a closer's correct claim."""

    AT_CLAIM = "at-claim"
    AT_CLOSE = "at-close"


class BothOver(StrEnum):
    """A correct claim while the other player has more than 66: the claimant wins, or nobody and a carry grows."""

    CLAIMANT = "claimant"
    CARRY = "carry"


class CloserFails(StrEnum):
    """What a closer pays who does not claim correctly.

    ``OTHER_TRICKLESS``: 2, or 3 if the other had no trick when it was closed.
    ``CLOSER_TRICKLESS``: 2, or 3 if the closer has no trick at the end.
    ``NO_PENALTY``: nothing; the deal is a draw, and a false claim is an ordinary one.
    """

    OTHER_TRICKLESS = "other-trickless"
    CLOSER_TRICKLESS = "closer-trickless"
    NO_PENALTY = "no-penalty"


class CloserBeaten(StrEnum):
    """What a correct claim against a closer is worth."""

    FLAT = "flat"
    AS_FAILED_CLOSE = "as-failed-close"
    AS_CLAIM = "as-claim"


class Unclaimed(StrEnum):
    """How an open deal ends that nobody claims.

    ``LAST_TRICK``: its winner wins 1, 2 or 3 by the loser's points, as with a claim; ``LAST_TRICK_FLAT``: 1.
    """

    HIGHER_TOTAL = "higher-total"
    TIE = "tie"
    DRAW = "draw"
    LAST_TRICK = "last-trick"
    LAST_TRICK_FLAT = "last-trick-flat"


class ClosedUnclaimed(StrEnum):
    """How a closed deal ends that nobody claims."""

    FAILED = "failed"
    TIE_AT_66 = "tie-at-66"
    DRAW = "draw"


class LastClaim(StrEnum):
    """After which deals the winner of the last trick may still claim."""

    CLOSED = "closed"
    ALWAYS = "always"


@dataclass(frozen=True)
class RuleSet:
    """Everything in which the games of this family differ.

    Attributes:
        name: identifier in records and tournament files.
        title: one line for people.
        source: which written source it follows.
        ranks: the ranks in play, strongest first.
        card_points: points of each rank, in the order of `ranks`.
        hand_size: cards in a hand.
        packets: how many cards a player gets at a time, forehand first; their sum is the hand size.
        turn_up_after: packets to each player before the trump is turned up.
        turn_up_on_top: the turn-up goes back face up on the talon, instead of under it.
        first_lead: who leads to the first trick.
        next_dealer: who deals the next deal.
        open_duty: the second player's duty while the talon is open.
        closed_duty: the same once the talon is closed or exhausted.
        exchange: the lowest trump may be exchanged for the turn-up, on lead and with an open talon.
        exchange_needs_trick: only with a trick won.
        exchange_min_face_down: face-down cards that must be left in the talon.
        exchange_before_following: also while following.
        exchange_after_close: once, at once, for the opponent of a closer.
        trump_change: on lead, holding the lowest trump, with a trick won, another suit may be named as trump.
        marriage_any_lead: marriages also with the talon closed or exhausted.
        marriage_needs_its_trick: a marriage counts only if the trick it leads is won; otherwise with any trick.
        marriage_points: points of a marriage.
        trump_marriage_points: points of a marriage in trumps.
        close_before_draw: the winner of a trick may close before drawing, and is asked.
        close_needs_trick: closing only with a trick won.
        last_trick_points: bonus for the last trick of an open deal.
        claim_points: card points that make a claim correct.
        schneider_points: card points that save the loser from paying 2.
        closer_measure: when the value of a closer's correct claim is measured.
        both_over: what a correct claim brings while the other has more than `claim_points`.
        false_claim: game points for the other after a false claim.
        false_claim_trickless: the same if the other has no trick.
        closer_fails: what a failed close pays.
        closer_beaten: what a correct claim against the closer pays.
        unclaimed: the end of an open deal without a claim.
        closed_unclaimed: the end of a closed deal without a claim.
        last_claim: after which deals a claim is still possible.
        forfeit: least game points for the other after a forfeit.
        zero_sum: the loser loses what the winner wins.
        target: match score that wins the match.
        score_down: people count from `target` down to 0.
    """

    name: str
    title: str
    source: str
    ranks: str = "ATKQJ9"
    card_points: tuple[int, ...] = (11, 10, 4, 3, 2, 0)
    hand_size: int = 6
    packets: tuple[int, ...] = (3, 3)
    turn_up_after: int = 2
    turn_up_on_top: bool = False
    first_lead: Leader = Leader.FOREHAND
    next_dealer: NextDealer = NextDealer.WINNER
    open_duty: Duty = Duty.NONE
    closed_duty: Duty = Duty.HEAD
    exchange: bool = True
    exchange_needs_trick: bool = True
    exchange_min_face_down: int = 1
    exchange_before_following: bool = False
    exchange_after_close: bool = False
    trump_change: bool = False
    marriage_any_lead: bool = False
    marriage_needs_its_trick: bool = False
    marriage_points: int = 20
    trump_marriage_points: int = 40
    close_before_draw: bool = True
    close_needs_trick: bool = False
    last_trick_points: int = 10
    claim_points: int = 66
    schneider_points: int = 33
    closer_measure: Measure = Measure.AT_CLAIM
    both_over: BothOver = BothOver.CLAIMANT
    false_claim: int = 2
    false_claim_trickless: int = 2
    closer_fails: CloserFails = CloserFails.OTHER_TRICKLESS
    closer_beaten: CloserBeaten = CloserBeaten.FLAT
    unclaimed: Unclaimed = Unclaimed.HIGHER_TOTAL
    closed_unclaimed: ClosedUnclaimed = ClosedUnclaimed.FAILED
    last_claim: LastClaim = LastClaim.CLOSED
    forfeit: int = 2
    zero_sum: bool = False
    target: int = 7
    score_down: bool = False

    def __post_init__(self) -> None:
        """Refuse rule sets that cannot be played; raises RuleSetError naming the field."""
        known = {rank.letter for rank in Rank}
        if not set(self.ranks) <= known or len(set(self.ranks)) != len(self.ranks):
            self._refuse("ranks", f"must be different letters of {''.join(sorted(known))}, not {self.ranks!r}")
        if not {"K", "Q"} <= set(self.ranks):
            self._refuse("ranks", "must contain K and Q, which make the marriage")
        in_range = all(0 <= points <= MOST_POINTS for points in self.card_points)
        if len(self.card_points) != len(self.ranks) or not in_range:
            self._refuse("card_points", f"must give {len(self.ranks)} numbers in 0..{MOST_POINTS}, one for each rank")
        if self.hand_size < 1 or 2 * self.hand_size + 2 > 4 * len(self.ranks):
            self._refuse("hand_size", "leaves no talon")
        if sum(self.packets) != self.hand_size or min(self.packets) < 1:
            self._refuse("packets", f"must add up to the hand size {self.hand_size}")
        if not 0 <= self.turn_up_after <= len(self.packets):
            self._refuse("turn_up_after", f"must lie in 0..{len(self.packets)}")
        if self.exchange and (self.trump_change or self.turn_up_on_top):
            self._refuse("exchange", "needs a turn-up under the talon and a trump that stays")
        if (self.exchange_before_following or self.exchange_after_close) and not self.exchange:
            self._refuse("exchange", "must be true for exchange_before_following and exchange_after_close")
        for name, least in _LEAST.items():
            if getattr(self, name) < least:
                self._refuse(name, f"must be {least} or more, not {getattr(self, name)}")
            if getattr(self, name) > MOST_POINTS:
                self._refuse(name, f"must be {MOST_POINTS} or less, not {getattr(self, name)}")

    def _refuse(self, field: str, problem: str) -> None:
        raise RuleSetError(f"rule set {self.name!r}: {field} {problem}")

    @cached_property
    def deck(self) -> tuple[Card, ...]:
        """The cards of the pack, suit by suit, strongest first."""
        ranks = [Rank("ATKQJ9".index(letter)) for letter in self.ranks]
        return tuple(Card.of(rank, suit) for suit in Suit for rank in ranks)

    @cached_property
    def tables(self) -> "Tables":
        """The lookup tables of the engine."""
        return Tables(self)

    @cached_property
    def hash(self) -> str:
        """SHA-256 over all fields but title and source, as canonical JSON, in hex: equal for equal rules."""
        values = {name: value for name, value in asdict(self).items() if name not in ("title", "source")}
        text = json.dumps(values, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
        return hashlib.sha256(text.encode()).hexdigest()

    def spec(self) -> str | dict[str, Any]:
        """The shortest form that `rule_set` reads back: a preset's name, or a base and what differs."""
        preset = RULE_SETS.get(self.name)
        if preset is None:
            raise RuleSetError(f"{self.name!r} is not derived from a preset")
        changed = {
            f.name: _plain(getattr(self, f.name))
            for f in fields(self)
            if getattr(self, f.name) != getattr(preset, f.name)
        }
        return {"base": self.name, **changed} if changed else self.name


class Tables:
    """What the engine looks up at every action, worked out once for a rule set.

    Attributes:
        points: card points by card.
        strength: by card, higher is stronger within its suit.
        lowest: the card that is exchanged for the turn-up, by trump.
        beats: at ``(trump * 24 + led) * 24 + reply``, 1 if the reply takes the trick.
        places: where in the deck the cards of a deal lie.
    """

    __slots__ = ("beats", "lowest", "places", "points", "strength")

    def __init__(self, rules: RuleSet) -> None:
        points, strength = [0] * len(CARDS), [-1] * len(CARDS)
        for card in rules.deck:
            place = rules.ranks.index(card.rank.letter)
            points[card], strength[card] = rules.card_points[place], len(rules.ranks) - place
        self.points, self.strength = tuple(points), tuple(strength)
        self.lowest = tuple(min((c for c in rules.deck if c.suit is suit), key=strength.__getitem__) for suit in Suit)
        self.beats = bytes(
            (reply.suit is led.suit and strength[reply] > strength[led])
            or (reply.suit is trump and led.suit is not trump)
            for trump in Suit
            for led in CARDS
            for reply in CARDS
        )
        self.places = _places(rules)


class Places(NamedTuple):
    """Places in the deck, from the top: of the cards of each hand in order of receipt, of the talon and the turn-up."""

    forehand: tuple[int, ...]
    dealer: tuple[int, ...]
    talon: tuple[int, ...]
    turn_up: int


def _places(rules: RuleSet) -> Places:
    hands: tuple[list[int], list[int]] = ([], [])
    place = turn_up = 0
    for number, size in enumerate((*rules.packets, 0)):
        if number == rules.turn_up_after:
            turn_up, place = place, place + 1
        for hand in hands:
            hand.extend(range(place, place + size))
            place += size
    rest = range(place, len(rules.deck))
    talon = (turn_up, *rest) if rules.turn_up_on_top else tuple(rest)
    return Places(tuple(hands[0]), tuple(hands[1]), talon, turn_up)


_LEAST = {
    "turn_up_after": 0,
    "exchange_min_face_down": 0,
    "marriage_points": 0,
    "trump_marriage_points": 0,
    "last_trick_points": 0,
    "claim_points": 1,
    "schneider_points": 0,
    "false_claim": 0,
    "false_claim_trickless": 0,
    "forfeit": 1,
    "target": 1,
}

_SIXTY_SIX = RuleSet(
    name="sixty-six",
    title="Sixty-Six by the full rules",
    source="the full rules of Sixty-Six, as on pagat.com and in its family of descriptions",
    exchange_after_close=True,
)
_SCHNAPSEN = RuleSet(
    name="schnapsen",
    title="Schnapsen, Austrian rules",
    source="the Austrian description of Schnapsen",
    ranks="ATKQJ",
    card_points=(11, 10, 4, 3, 2),
    hand_size=5,
    packets=(3, 2),
    turn_up_after=1,
    next_dealer=NextDealer.ALTERNATE,
    exchange_needs_trick=False,
    exchange_min_face_down=2,
    marriage_any_lead=True,
    close_before_draw=False,
    last_trick_points=0,
    false_claim_trickless=3,
    closer_beaten=CloserBeaten.AS_FAILED_CLOSE,
    unclaimed=Unclaimed.LAST_TRICK,
    score_down=True,
)
_PRESETS = (
    _SIXTY_SIX,
    replace(
        _SIXTY_SIX,
        name="mariage",
        title="Mariage, the game of 1718",
        source="the encyclopedia's description of the Mariagen-Spiel of 1718",
        next_dealer=NextDealer.ALTERNATE,
        exchange_before_following=True,
        exchange_after_close=False,
        closer_fails=CloserFails.CLOSER_TRICKLESS,
        closer_beaten=CloserBeaten.AS_FAILED_CLOSE,
        unclaimed=Unclaimed.TIE,
        closed_unclaimed=ClosedUnclaimed.TIE_AT_66,
        last_claim=LastClaim.ALWAYS,
    ),
    replace(
        _SIXTY_SIX,
        name="sechsundsechzig",
        title="Sechsundsechzig, modern German rules",
        source="a modern German overview of Sechsundsechzig",
        next_dealer=NextDealer.ALTERNATE,
        exchange_after_close=False,
        close_before_draw=False,
        closer_beaten=CloserBeaten.AS_FAILED_CLOSE,
    ),
    RuleSet(
        name="trump-change",
        title="Trump change, an East-Asian home variant",
        source="an East-Asian description of a home variant",
        packets=(1, 1, 1, 1, 1, 1),
        turn_up_after=6,
        turn_up_on_top=True,
        first_lead=Leader.DEALER,
        next_dealer=NextDealer.ALTERNATE,
        open_duty=Duty.FOLLOW,
        closed_duty=Duty.FOLLOW,
        exchange=False,
        trump_change=True,
        marriage_any_lead=True,
        marriage_needs_its_trick=True,
        close_needs_trick=True,
        both_over=BothOver.CARRY,
        false_claim=3,
        false_claim_trickless=3,
        closer_fails=CloserFails.NO_PENALTY,
        closer_beaten=CloserBeaten.AS_CLAIM,
        unclaimed=Unclaimed.DRAW,
        closed_unclaimed=ClosedUnclaimed.DRAW,
        last_claim=LastClaim.ALWAYS,
        forfeit=3,
        zero_sum=True,
    ),
    _SCHNAPSEN,
    replace(_SCHNAPSEN, name="schnapsen-short", title="Schnapsen to 5", target=5),
    replace(
        _SCHNAPSEN,
        name="schnapsen-vienna",
        title="Schnapsen as in Austrian tournaments",
        source="Austrian tournament rules, as also on pagat.com",
        exchange_min_face_down=0,
        closer_measure=Measure.AT_CLOSE,
        unclaimed=Unclaimed.LAST_TRICK_FLAT,
    ),
)
RULE_SETS: dict[str, RuleSet] = {preset.name: preset for preset in _PRESETS}
"""The rule sets that ship, by name."""

_DESCRIPTIVE = ("name", "title", "source")
_FIELD_TYPES = {name: kind for name, kind in get_type_hints(RuleSet).items() if name not in _DESCRIPTIVE}


def rule_set(spec: str | Mapping[str, Any]) -> RuleSet:
    """A preset by name, or one derived from it: ``{"base": "schnapsen", "target": 5}``.

    Raises RuleSetError that names an unknown rule set, field or value, and what would be right.
    """
    if isinstance(spec, str):
        return _preset(spec)
    if not isinstance(spec, Mapping):
        raise RuleSetError(f"rules must be a name or a table with 'base', not {spec!r}")
    if not isinstance(spec.get("base"), str):
        raise RuleSetError("rules given as a table need 'base', the name of a rule set")
    base = _preset(spec["base"])
    changes: dict[str, Any] = {name: _read_field(name, value) for name, value in spec.items() if name != "base"}
    return replace(base, **changes)


def parse_spec(text: str) -> str | dict[str, Any]:
    """What stands for a rule set on a command line, as `rule_set` takes it: a name, or a JSON object.

    Raises RuleSetError if it looks like JSON and is none; whether there is such a rule set is for `rule_set` to say.
    """
    if not text.lstrip().startswith("{"):
        return text
    try:
        spec: dict[str, Any] = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise RuleSetError(f"not JSON: {error}") from None
    return spec


def _preset(name: str) -> RuleSet:
    if name not in RULE_SETS:
        raise RuleSetError(f"unknown rule set {name!r}{_nearest(name, RULE_SETS)} (known: {', '.join(RULE_SETS)})")
    return RULE_SETS[name]


def _read_field(name: str, value: object) -> object:
    kind = _FIELD_TYPES.get(name)
    if kind is None:
        raise RuleSetError(f"unknown field {name!r} of a rule set{_nearest(name, _FIELD_TYPES)}")
    if kind is bool or kind is str:
        if not isinstance(value, kind):
            raise RuleSetError(f"{name} must be {'true or false' if kind is bool else 'text'}, not {value!r}")
        return value
    if kind is int:
        if not isinstance(value, int) or isinstance(value, bool):
            raise RuleSetError(f"{name} must be a whole number, not {value!r}")
        return value
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        choices = [member.value for member in kind]
        if value not in choices:
            raise RuleSetError(f"{name} must be one of {', '.join(choices)}, not {value!r}")
        return kind(value)
    if not isinstance(value, list | tuple) or not all(type(item) is int for item in value):
        raise RuleSetError(f"{name} must be a list of whole numbers, not {value!r}")
    return tuple(value)


def _nearest(word: str, known: Mapping[str, object]) -> str:
    close = get_close_matches(word, known, n=1, cutoff=0.5)
    return f", did you mean {close[0]!r}?" if close else ""


def _plain(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value
