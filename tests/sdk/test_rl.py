import re
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

from example_bots.greedy_bot import GreedyBot
from example_bots.random_bot import RandomBot
from sixtysix import rl
from sixtysix.data import encode
from sixtysix.rules import ACTIONS, CLAIM, RULE_SETS, IllegalActionError, RuleSetError, rule_set

ROOT = Path(__file__).parents[2]
# What PettingZoo remarks on in every environment with a mask.
REMARKS = pytest.mark.filterwarnings("ignore:Observation:UserWarning")


def play_at_random(env: Any, seed: int) -> list[float]:
    """Play one episode; both agents' rewards."""
    rng = Random(seed)
    env.reset(seed=seed)
    totals = dict.fromkeys(rl.AGENTS, 0.0)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, _ = env.last()
        totals[agent] += reward
        legal = np.flatnonzero(observation["action_mask"])
        env.step(None if termination or truncation else rng.choice(legal))
    return list(totals.values())


@REMARKS
@pytest.mark.parametrize("episode", ["deal", "match"])
@pytest.mark.parametrize("rules", RULE_SETS)
def test_pettingzoo_accepts_it(rules: str, episode: rl.Episode) -> None:
    api_test(rl.env(rules, episode), num_cycles=200)


@REMARKS
def test_the_seed_decides() -> None:
    seed_test(lambda: rl.env("schnapsen"), num_cycles=50)
    seed_test(lambda: rl.raw_env("sixty-six", "match"), num_cycles=50)


@pytest.mark.parametrize("rules", RULE_SETS)
def test_the_rewards_are_the_game_points_of_the_deal(rules: str) -> None:
    for seed in range(10):
        env = rl.raw_env(rules)
        first, second = play_at_random(env, seed)
        assert first == -second
        outcome = env._deal.outcome
        assert outcome is not None
        won = 0 if outcome.winner is None else outcome.score_change[outcome.winner]
        assert abs(first) == won
        if outcome.winner is not None:
            assert (first > 0) == (outcome.winner == 0)
            assert {env.infos[agent]["reason"] for agent in env.infos} <= {outcome.reason.value}


def test_a_match_goes_to_the_target() -> None:
    env = rl.raw_env("schnapsen", "match")
    first, second = play_at_random(env, 3)
    assert max(env._match.score) >= 7
    assert first == -second == env._match.score[0] - env._match.score[1]


def test_a_match_without_a_winner_is_truncated() -> None:
    env = rl.raw_env("schnapsen", "match")
    env.reset(seed=1)
    env._match.deal_limit = 1
    for agent in env.agent_iter():
        _, _, termination, truncation, _ = env.last()
        if termination or truncation:
            assert (termination, truncation) == (False, True)
            return
        env.step(next(ACTIONS.index(action) for action in env.view(agent).legal_actions if action != CLAIM))


def test_an_observation_is_the_encoding_of_the_view() -> None:
    env = rl.raw_env("trump-change")
    env.reset(seed=5)
    for _ in range(12):
        for agent in rl.AGENTS:
            view = env.view(agent)
            numbers, legal = encode(view)
            seen = env.observe(agent)
            assert (seen["observation"] == numbers).all()
            assert (seen["action_mask"] == legal).all()
            assert env.observation_space(agent).contains(seen)
            assert seen["action_mask"].any() == (agent == env.agent_selection)
        env.step(ACTIONS.index(next(a for a in env.view(env.agent_selection).legal_actions if a != CLAIM)))


def test_bots_can_play_for_agents() -> None:
    env = rl.raw_env("sixty-six", "match")
    env.reset(seed=2)
    bots = dict(zip(rl.AGENTS, (GreedyBot(), RandomBot()), strict=True))
    totals = dict.fromkeys(rl.AGENTS, 0.0)
    for agent in env.agent_iter():
        _, reward, termination, truncation, _ = env.last(observe=False)
        totals[agent] += reward
        env.step(None if termination or truncation else int(bots[agent].choose(env.view(agent))))
    assert totals["seat_0"] > 0


def test_an_illegal_action_ends_the_episode_in_the_wrappers_and_is_an_error_without() -> None:
    for env in (rl.env(), rl.raw_env()):
        env.reset(seed=1)
        agent = env.agent_selection
        illegal = int(np.flatnonzero(env.observe(agent)["action_mask"] == 0)[0])
        if isinstance(env, rl.raw_env):
            with pytest.raises(IllegalActionError):
                env.step(illegal)
            assert env.agent_selection == agent
            continue
        env.step(illegal)
        assert env.terminations[agent]
        assert env.rewards[agent] == rl.ILLEGAL_REWARD


def test_the_position_can_be_shown() -> None:
    env = rl.raw_env(render_mode="ansi")
    env.reset(seed=1)
    text = env.render()
    assert text is not None
    assert re.fullmatch(r"trump .*, turn-up .*\nseat_0: .* \(0 points\)\nseat_1: .* \(0 points\)", text)
    assert rl.raw_env().render() is None


def test_wrong_arguments_are_refused() -> None:
    with pytest.raises(RuleSetError, match="schnapsn"):
        rl.env("schnapsn")
    with pytest.raises(ValueError, match="episode must be"):
        rl.env(episode="season")  # type: ignore[arg-type]  # the mistake
    with pytest.raises(ValueError, match="render_mode must be"):
        rl.env(render_mode="human")
    env = rl.raw_env(rule_set({"base": "schnapsen", "target": 5}))
    env.reset()
    with pytest.raises(ValueError, match="needs an action"):
        env.step(None)


@pytest.mark.parametrize("name", ["pettingzoo", "pyarrow"])
def test_what_is_missing_is_named_with_what_to_install(name: str) -> None:
    code = f"import sys; sys.modules[{name!r}] = None\nimport sixtysix.rl"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert result.stderr.splitlines()[-1] == (
        f"ModuleNotFoundError: sixtysix.rl needs {name}, which is not installed: pip install 'sixtysix[rl]'"
    )


def test_the_documentation_shows_a_policy_that_learns(capsys: pytest.CaptureFixture[str]) -> None:
    page = (ROOT / "docs" / "reinforcement-learning.md").read_text(encoding="utf-8")
    first, learning = re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    exec(compile(first, "example", "exec"), {})
    exec(compile(learning, "example", "exec"), {})
    before, after = map(float, re.findall(r"[+-]\d\.\d\d", capsys.readouterr().out))
    assert before < 0.5 < 1.3 < after
