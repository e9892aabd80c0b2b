from random import Random

import pytest

from example_bots.counting_bot import CountingBot
from example_bots.rollout_bot import RolloutBot, play_out
from sixtysix.rules import RULE_SETS, Clock, Deal, Stage, View
from sixtysix.rules.invariants import check
from tests.bots.positions import random_deal

SCHNAPSEN = RULE_SETS["schnapsen"]


class Ticking(RolloutBot):
    """A bot whose clock moves on by `step_us` whenever it is read."""

    samples = 50
    step_us = 1_000
    readings = 0

    def now_us(self) -> int:
        self.readings += 1
        return self.readings * self.step_us


def first_lead(clock: Clock | None) -> View:
    deal = random_deal(SCHNAPSEN, Random(2))
    view = View.of(deal, deal.turn)
    view.clock = clock
    return view


@pytest.mark.parametrize(
    ("clock", "allowed_us"),
    [
        (Clock(cap_us=1_000_000, bank_us=30_000_000, opponent_bank_us=0), 20_000),
        (Clock(cap_us=40_000, bank_us=30_000_000, opponent_bank_us=0), 10_000),
        (Clock(cap_us=1_000_000, bank_us=500_000, opponent_bank_us=0), 5_000),
        (Clock(cap_us=1_000_000, bank_us=0, opponent_bank_us=0), 0),
    ],
)
def test_it_stops_when_its_share_of_the_clock_is_used(clock: Clock, allowed_us: int) -> None:
    bot = Ticking()
    bot.budget_us = 20_000
    view = first_lead(clock)
    assert bot.choose(view) in view.legal_actions
    assert bot.readings == 1 + max(1, allowed_us // bot.step_us)


def test_without_time_it_plays_as_the_counting_bot() -> None:
    view = first_lead(Clock(cap_us=1_000_000, bank_us=0, opponent_bank_us=0))
    assert Ticking().choose(view) == CountingBot().choose(view)


def test_without_a_clock_it_takes_all_samples_and_reads_no_time() -> None:
    bot = Ticking()
    bot.samples = 3
    view = first_lead(None)
    assert len(bot.try_out(view, view.legal_actions[:2], bot.deadline_us(view))) == 3
    assert bot.readings == 0


def test_a_sample_that_is_cut_short_does_not_count() -> None:
    bot = Ticking()
    view = first_lead(None)
    samples = bot.try_out(view, view.legal_actions[:2], deadline_us=6 * bot.step_us)
    assert [len(values) for values in samples] == [2, 2]


@pytest.mark.parametrize("name", RULE_SETS)
def test_playing_out_ends_with_the_last_draw(name: str) -> None:
    random = Random(f"play out {name}")
    ends: set[Stage] = set()
    for _ in range(30):
        deal: Deal = random_deal(RULE_SETS[name], random)
        play_out(deal)
        check(deal)
        assert deal.over or not deal.talon_open
        ends.add(deal.stage)
    assert Stage.LEAD in ends
