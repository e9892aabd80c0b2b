from random import Random
from typing import Self

import pytest

from example_bots.counting_bot import CountingBot
from example_bots.greedy_bot import GreedyBot
from example_bots.random_bot import RandomBot
from example_bots.rollout_bot import RolloutBot
from sixtysix.bot import Bot
from sixtysix.loading import load_bot
from sixtysix.local import play_matches
from sixtysix.rules import CLAIM, RULE_SETS, Action, RuleSet, Stage, View


class Watched(Bot):
    """A bot whose every answer is checked; it is also asked where it might have cards drawn unasked."""

    ask_before_draw = True

    def __init__(self, bot: Bot) -> None:
        self.bot = bot
        self.stages: set[Stage] = set()

    def for_match(self, rng: Random) -> Self:
        player = super().for_match(rng)
        player.bot = self.bot.for_match(rng)
        return player

    def choose(self, view: View) -> Action:
        self.stages.add(view.stage)
        action = self.bot.choose(view)
        assert action in view.legal_actions
        assert action != CLAIM or view.can_claim
        return action


def quick_rollout() -> RolloutBot:
    bot = RolloutBot()
    bot.samples = 2
    return bot


def wins(first: Bot, second: Bot, rules: str, matches: int) -> tuple[int, int]:
    results = list(play_matches(RULE_SETS[rules], (first, second), range(matches), seed=11))
    return sum(result.winner == 0 for result in results), sum(result.winner == 1 for result in results)


BOTS = {"random": RandomBot, "greedy": GreedyBot, "counting": CountingBot, "rollout": quick_rollout}


@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=lambda rules: rules.name)
@pytest.mark.parametrize("name", BOTS)
def test_every_bot_plays_every_rule_set_and_claims_rightly(name: str, rules: RuleSet) -> None:
    bot, opponent = Watched(BOTS[name]()), Watched(RandomBot())
    matches = 2 if name == "rollout" else 6
    results = list(play_matches(rules, (bot, opponent), range(matches), seed=3))
    assert len(results) == matches
    assert bot.stages >= {Stage.LEAD, Stage.FOLLOW}
    assert (Stage.BEFORE_DRAW in bot.stages) == rules.close_before_draw


def test_a_sixty_six_player_is_offered_the_exchange_after_a_close() -> None:
    bot = Watched(CountingBot())
    list(play_matches(RULE_SETS["sixty-six"], (bot, RandomBot()), range(10), seed=3))
    assert Stage.EXCHANGE_OFFER in bot.stages


@pytest.mark.parametrize("name", BOTS)
def test_the_same_seed_gives_the_same_matches(name: str) -> None:
    runs = [list(play_matches(RULE_SETS["schnapsen"], (BOTS[name](), GreedyBot()), range(2), seed=5)) for _ in range(2)]
    assert runs[0] == runs[1]


@pytest.mark.parametrize("rules", ["schnapsen", "sixty-six"])
def test_the_greedy_bot_beats_the_random_bot_clearly(rules: str) -> None:
    assert wins(GreedyBot(), RandomBot(), rules, 40)[0] >= 36


@pytest.mark.parametrize("rules", ["schnapsen", "sixty-six"])
def test_the_counting_bot_beats_the_greedy_bot(rules: str) -> None:
    won, lost = wins(CountingBot(), GreedyBot(), rules, 60)
    assert won > lost


def test_the_rollout_bot_beats_the_counting_bot() -> None:
    won, lost = wins(RolloutBot(), CountingBot(), "schnapsen", 24)
    assert won > lost


@pytest.mark.parametrize(
    ("module", "kind"),
    [
        ("random_bot", RandomBot),
        ("greedy_bot", GreedyBot),
        ("counting_bot", CountingBot),
        ("rollout_bot", RolloutBot),
    ],
)
def test_each_module_is_one_bot(module: str, kind: type[Bot]) -> None:
    assert type(load_bot(f"example_bots.{module}")) is kind
