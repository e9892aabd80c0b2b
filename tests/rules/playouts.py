"""Random deals for property tests: any rule set, any shuffle, any legal actions."""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from hypothesis import strategies as st

from sixtysix.rules import CLAIM, CLOSE, DRAW, PASS, RULE_SETS, Action, Card, Deal, RuleSet

LONGEST = 60
# Ends and closes are rare enough for deals to get far, exchanges and marriages frequent whenever they are possible.
_WEIGHTS = {CLAIM: 1, CLOSE: 2, DRAW: 24, PASS: 4}
_CARD_WEIGHT, _OTHER_WEIGHT = 4, 12


@dataclass(frozen=True)
class Playout:
    """A deal and a seed for its first actions.

    Attributes:
        rules: the rule set.
        seed: decides the cards, the carry, how far the deal goes and what is played.
        dealer: seat that deals.
    """

    rules: RuleSet
    seed: int
    dealer: int

    @property
    def deck(self) -> tuple[Card, ...]:
        """The shuffled pack."""
        deck = list(self.rules.deck)
        Random(f"deck {self.seed}").shuffle(deck)
        return tuple(deck)

    def start(self) -> Deal:
        """The deal before its first action."""
        return Deal.from_deck(self.rules, self.deck, self.dealer, carry=self.seed % 3)

    def moves(self, deal: Deal) -> Iterator[Action]:
        """The actions picked; the caller applies each to `deal` before it asks for the next."""
        random = Random(f"actions {self.seed}")
        for _ in range(random.choice((LONGEST, random.randrange(LONGEST)))):
            if deal.over:
                return
            yield pick(deal, random)

    def play(self, *, unfinished: bool = False) -> tuple[Deal, list[Action]]:
        """The deal after the last action picked, and the actions that led there; `unfinished`: before its end."""
        deal, done = self.start(), []
        for action in self.moves(deal):
            if unfinished and _ends(deal, action):
                break
            deal.apply(action)
            done.append(action)
        return deal, done


def _ends(deal: Deal, action: Action) -> bool:
    branch = deal.copy()
    branch.apply(action)
    return branch.over


def pick(deal: Deal, random: Random) -> Action:
    """A legal action."""
    legal = deal.legal_actions()
    return random.choices(legal, [_weight(action) for action in legal])[0]


def _weight(action: Action) -> int:
    if isinstance(action, Card):
        return _CARD_WEIGHT
    return _WEIGHTS.get(action, _OTHER_WEIGHT)


def playouts(*names: str) -> st.SearchStrategy[Playout]:
    """Deals of these rule sets, all by default, that stop anywhere."""
    rules = [RULE_SETS[name] for name in names or RULE_SETS]
    return st.builds(Playout, st.sampled_from(rules), st.integers(0, 1 << 32), st.integers(0, 1))
