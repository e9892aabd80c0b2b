"""The environment: one agent a seat, one step an action, one episode a deal or a match."""

from collections.abc import Mapping
from random import Random
from typing import Any, Literal, TypeAlias

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper, TerminateIllegalWrapper

from sixtysix.data.arrays import FEATURES, encode
from sixtysix.rules import ACTIONS, Deal, Match, RuleSet, View, pretty, rule_set

AGENTS = ("seat_0", "seat_1")
"""The agents, by seat."""

ILLEGAL_REWARD = -3.0
"""What an illegal action costs in `env`; it also ends the episode. A deal costs 3 game points at most."""

Episode: TypeAlias = Literal["deal", "match"]
Observed: TypeAlias = dict[str, NDArray[Any]]


def env(
    rules: str | Mapping[str, Any] | RuleSet = "schnapsen",
    episode: Episode = "deal",
    render_mode: str | None = None,
) -> Any:
    """Return the environment in PettingZoo's usual wrappers: an illegal action ends the episode with ILLEGAL_REWARD.

    Args:
        rules: the name of a rule set, what `sixtysix.rules.rule_set` reads, or a rule set.
        episode: "deal", at a score of 0:0, or "match", up to the target of the rule set.
        render_mode: None, or "ansi": `render` returns a text with all cards.

    Raises:
        RuleSetError: there is no such rule set.
        ValueError: another argument is outside its range.
    """
    wrapped = TerminateIllegalWrapper(raw_env(rules, episode, render_mode), illegal_reward=ILLEGAL_REWARD)
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(wrapped))


class raw_env(AECEnv):  # type: ignore[misc]  # noqa: N801  # no types without PettingZoo; its own name for this class
    """The environment without wrappers: an illegal action raises IllegalActionError and changes nothing.

    An observation is a dictionary: "observation" with the numbers named by `sixtysix.data.FEATURES`, float32, and
    "action_mask", int8, with 1 for each legal action by its index in `sixtysix.rules.ACTIONS`. It holds what the seat
    may see; the mask is empty for a seat that is not on turn. At the end of an episode all is 0.

    The end of a deal rewards its winner with the game points won and the other seat with the same number below 0.
    A match that is drawn at the deal limit is truncated.

    Args and errors are those of `env`.
    """

    metadata = {"name": "sixtysix_v1", "render_modes": ["ansi"], "is_parallelizable": False}  # noqa: RUF012

    def __init__(
        self,
        rules: str | Mapping[str, Any] | RuleSet = "schnapsen",
        episode: Episode = "deal",
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        if episode not in ("deal", "match"):
            raise ValueError(f'episode must be "deal" or "match", not {episode!r}')
        if render_mode not in (None, "ansi"):
            raise ValueError(f'render_mode must be None or "ansi", not {render_mode!r}')
        self.rules = rules if isinstance(rules, RuleSet) else rule_set(rules)
        self.episode = episode
        self.render_mode = render_mode
        self.possible_agents = list(AGENTS)
        self.agents: list[str] = []
        self.agent_selection = AGENTS[0]
        self.action_spaces = {agent: spaces.Discrete(len(ACTIONS)) for agent in AGENTS}
        self.observation_spaces = {agent: _observation_space() for agent in AGENTS}
        self._rng = Random()

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The space of the observations of an agent."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The space of the actions of an agent."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal; the same seed deals the same cards. Without one the random numbers go on. There are no options."""
        if seed is not None:
            self._rng = Random(seed)
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        self._match = Match(self.rules, first_dealer=self._rng.randrange(2))
        self._shuffle()

    def observe(self, agent: str) -> Observed:
        """What the seat of an agent may see."""
        if self._deal.outcome is not None:
            return {
                "observation": np.zeros(len(FEATURES), np.float32),
                "action_mask": np.zeros(len(ACTIONS), np.int8),
            }
        numbers, legal = encode(self.view(agent))
        return {"observation": numbers, "action_mask": legal.astype(np.int8)}

    def view(self, agent: str) -> View:
        """The same in the form that a `sixtysix.Bot` gets, so that a bot can play for an agent."""
        score = self._match.score
        return View.of(self._deal, AGENTS.index(agent), (score[0], score[1]), self._match.deals + 1)

    def step(self, action: int | None) -> None:
        """Carry out the action of the agent on turn: its index in `ACTIONS`, None for one whose episode has ended."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError(f"{agent} is on turn and needs an action")
        deal = self._deal
        deal.apply(ACTIONS[action])
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        if deal.outcome is None:
            self.agent_selection = AGENTS[deal.turn]
        else:
            self._end_deal()
        self._accumulate_rewards()

    def render(self) -> str | None:
        """The position as a text, with all cards, in the mode "ansi"."""
        if self.render_mode is None:
            return None
        deal = self._deal
        table = "" if deal.led is None else f", led {deal.led.pretty}"
        turned = "" if deal.turn_up is None else f", turn-up {deal.turn_up.pretty}"
        hands = [
            f"{agent}: {pretty(deal.hands[seat])} ({deal.card_points(seat)} points)"
            for seat, agent in enumerate(AGENTS)
        ]
        return "\n".join([f"trump {deal.trump.symbol}{turned}{table}", *hands])

    def close(self) -> None:
        """There is nothing to release."""

    def _shuffle(self) -> None:
        deck = sorted(self.rules.deck, key=lambda _: self._rng.random())
        self._deal = Deal.from_deck(self.rules, deck, self._match.dealer, self._match.carry)
        self.agent_selection = AGENTS[self._deal.turn]

    def _end_deal(self) -> None:
        outcome = self._deal.outcome
        assert outcome is not None
        for agent in AGENTS:
            self.infos[agent] = {"reason": outcome.reason.value, "card_points": list(outcome.card_points)}
        if outcome.winner is not None:
            points = float(outcome.score_change[outcome.winner])
            self.rewards[AGENTS[outcome.winner]] = points
            self.rewards[AGENTS[1 - outcome.winner]] = -points
        self._match.add(outcome)
        if self.episode == "match" and not self._match.over:
            self._shuffle()
            return
        drawn = self.episode == "match" and self._match.winner is None
        self.truncations = dict.fromkeys(AGENTS, drawn)
        self.terminations = dict.fromkeys(AGENTS, not drawn)


def _observation_space() -> spaces.Dict:
    return spaces.Dict(
        {
            "observation": spaces.Box(-np.inf, np.inf, (len(FEATURES),), np.float32),
            "action_mask": spaces.Box(0, 1, (len(ACTIONS),), np.int8),
        }
    )
