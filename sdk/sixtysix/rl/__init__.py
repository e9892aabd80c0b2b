"""The games as an environment for reinforcement learning, in the form of PettingZoo.

    from sixtysix import rl

    env = rl.env(rules="schnapsen")
    env.reset(seed=7)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        if termination or truncation:
            action = None
        else:
            action = env.action_space(agent).sample(observation["action_mask"])
        env.step(action)

`docs/reinforcement-learning.md` describes observations, actions and rewards. Needs PettingZoo, numpy and pyarrow:
``pip install 'sixtysix[rl]'``.
"""

try:
    from sixtysix.rl.environment import AGENTS, ILLEGAL_REWARD, Episode, env, raw_env
except ModuleNotFoundError as error:
    if error.name not in ("gymnasium", "numpy", "pettingzoo", "pyarrow"):
        raise
    text = f"sixtysix.rl needs {error.name}, which is not installed: pip install 'sixtysix[rl]'"
    raise ModuleNotFoundError(text, name=error.name) from None

__all__ = ["AGENTS", "ILLEGAL_REWARD", "Episode", "env", "raw_env"]
