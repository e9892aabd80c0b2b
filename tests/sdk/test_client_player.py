import logging
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from sixtysix import CLAIM, CLOSE, Action, Bot, DealInfo, MatchInfo, MatchReport, Turn, View
from sixtysix.local import BotFault
from sixtysix.player import Player
from sixtysix.rules import Event, Outcome
from sixtysix.v1 import bot_service_pb2 as pb
from sixtysix.wire import WireError, read_action
from tests.sdk.client_messages import (
    CONTROL,
    RULES,
    action_result,
    deal_ended,
    deal_started,
    decision,
    event,
    finished,
    kinds,
    match_ended,
    new_deal,
    offered,
    welcome,
)


class Recorder(Bot):
    """Plays the first legal action and writes down what it is told."""

    def __init__(self) -> None:
        self.told: list[tuple[str, object]] = []
        self.views: list[View] = []
        self.batches: list[int] = []

    def choose(self, view: View) -> Action:
        self.views.append(view)
        return view.legal_actions[0]

    def choose_many(self, turns: Sequence[Turn]) -> Sequence[Action]:
        self.batches.append(len(turns))
        return super().choose_many(turns)

    def on_match_start(self, match: MatchInfo) -> None:
        self.told.append(("match start", match))

    def on_deal_start(self, deal: DealInfo) -> None:
        self.told.append(("deal start", deal))

    def on_event(self, event: Event) -> None:
        self.told.append(("event", event))

    def on_deal_end(self, outcome: Outcome) -> None:
        self.told.append(("deal end", outcome))

    def on_match_end(self, report: MatchReport) -> None:
        self.told.append(("match end", report))

    @property
    def hooks(self) -> list[str]:
        return [name for name, _ in self.told]


def player_of(bot: Bot, seed: int = 1) -> Player:
    return Player(bot, seed, lambda: 0)


def opened(bot: Bot, *match_ids: str) -> Player:
    """A player with these matches, each in its first deal."""
    player = player_of(bot)
    player.take([welcome()], 0)
    for match_id in match_ids:
        player.take([offered(match_id), deal_started(match_id)], 0)
    return player


def test_a_whole_match_reaches_the_hooks_in_order() -> None:
    bot, deal = Recorder(), new_deal()
    player = player_of(bot)
    commands = player.take([welcome(), offered("m"), deal_started("m")], 0)
    assert commands == [pb.Command(ready=pb.Ready(match_id="m"))]
    decision_id = 0
    while deal.outcome is None:
        if deal.turn == 1:
            deal.apply(deal.legal_actions()[0])
            continue
        decision_id += 1
        seen = View.of(deal, 0)
        assert player.take([decision("m", decision_id, deal)], 0) == []
        (command,) = player.decide()
        assert (command.action.match_id, command.action.decision_id) == ("m", decision_id)
        bot.views[-1].clock = None
        assert bot.views[-1] == seen
        deal.apply(read_action(command.action.action))
    player.take([deal_ended("m", deal.outcome), match_ended("m")], 0)
    assert decision_id >= 5
    assert bot.told == [
        ("match start", MatchInfo("m", RULES, 0, "other", CONTROL, 100)),
        ("deal start", DealInfo(1, 1, 1, 0, 2, b"c")),
        ("deal end", deal.outcome),
        ("match end", MatchReport(True, "target", "", 7, 3, 12)),
    ]
    assert player.decide() == []


@pytest.mark.parametrize(
    "later",
    [
        [deal_ended("m", finished(new_deal()))],
        [match_ended("m")],
        [action_result("m", 1, pb.ACTION_STATUS_TOO_LATE)],
        [welcome(resumed=True)],
        [welcome(resumed=False)],
    ],
    ids=["deal ended", "match ended", "too late", "resumed", "new session"],
)
def test_a_decision_that_is_closed_in_the_same_sweep_is_not_computed(later: list[pb.Update]) -> None:
    bot = Recorder()
    player = opened(bot, "m")
    player.take([decision("m", 1, new_deal()), *later], 0)
    assert player.decide() == []
    assert bot.views == []


def test_only_the_newest_decision_of_a_match_is_computed() -> None:
    bot = Recorder()
    player = opened(bot, "m")
    player.take([decision("m", 1, new_deal(1)), decision("m", 2, new_deal(2))], 0)
    (command,) = player.decide()
    assert command.action.decision_id == 2
    assert [view.hand for view in bot.views] == [View.of(new_deal(2), 0).hand]


def test_all_open_decisions_are_answered_by_one_call_in_order() -> None:
    bot = Recorder()
    names = [f"m{number}" for number in range(64)]
    player = opened(bot, *names)
    for number, name in enumerate(names):
        player.take([decision(name, number + 1, new_deal(number))], 0)
    commands = player.decide()
    assert bot.batches == [64]
    assert [(command.action.match_id, command.action.decision_id) for command in commands] == [
        (name, number + 1) for number, name in enumerate(names)
    ]
    for number, command in enumerate(commands):
        assert read_action(command.action.action) == new_deal(number).legal_actions()[0]


def test_an_answered_decision_that_comes_again_gets_the_same_answer_without_a_search() -> None:
    bot = Recorder()
    player = opened(bot, "m")
    player.take([decision("m", 1, new_deal())], 0)
    answers = player.decide()
    again = [welcome(resumed=True), offered("m", resumed=True), deal_started("m"), decision("m", 1, new_deal())]
    commands = player.take(again, 0)
    assert kinds(commands) == ["ready", "action"]
    assert commands[1:] == answers
    assert player.decide() == []
    assert len(bot.views) == 1


def test_a_resumed_deal_is_told_once_and_only_new_events_are() -> None:
    bot, deal = Recorder(), new_deal()
    player = opened(bot, "m")
    player.take([event("m", deal, 0)], 0)
    player.take(
        [
            welcome(resumed=True),
            offered("m", resumed=True),
            deal_started("m"),
            event("m", deal, 0),
            event("m", deal, 1),
        ],
        0,
    )
    assert bot.hooks == ["match start", "deal start", "event", "event"]
    assert [what for name, what in bot.told if name == "event"] == list(View.of(deal, 0).history[:2])


def test_events_are_counted_for_each_deal() -> None:
    bot, deal = Recorder(), new_deal()
    player = opened(bot, "m")
    player.take([event("m", deal, 0), deal_started("m", 2), event("m", deal, 0)], 0)
    assert bot.hooks == ["match start", "deal start", "event", "deal start", "event"]


def test_what_a_later_version_tells_is_left_out() -> None:
    bot, deal = Recorder(), new_deal()
    player = opened(bot, "m")
    later_event, later_end, asked = event("m", deal, 0), deal_ended("m", finished(new_deal())), decision("m", 1, deal)
    later_event.event.event.kind = 99  # type: ignore[assignment]
    later_end.deal_ended.outcome.reason = 99  # type: ignore[assignment]
    asked.decision.observation.history[0].kind = 99  # type: ignore[assignment]
    player.take([later_event, event("m", deal, 1), asked], 0)
    assert kinds(player.decide()) == ["action"]
    player.take([later_end], 0)
    assert bot.hooks == ["match start", "deal start", "event"]
    assert bot.views[0].history == View.of(deal, deal.turn).history[1:]


def test_a_new_session_forgets_the_matches() -> None:
    bot = Recorder()
    player = opened(bot, "m")
    player.take([decision("m", 1, new_deal())], 0)
    player.decide()
    player.take([welcome("second", resumed=False), offered("m"), deal_started("m")], 0)
    assert player.take([decision("m", 1, new_deal())], 0) == []
    assert kinds(player.decide()) == ["action"]
    assert bot.hooks == ["match start", "deal start"] * 2


def test_the_end_of_a_match_that_is_not_known_is_ignored() -> None:
    bot = Recorder()
    player_of(bot).take([match_ended("m")], 0)
    assert bot.told == []


@pytest.mark.parametrize("result", [pb.MATCH_RESULT_DRAWN, pb.MATCH_RESULT_VOID, 99])
def test_a_match_without_a_winner_is_reported_as_such(result: Any) -> None:
    bot = Recorder()
    player = opened(bot, "m")
    end = match_ended("m")
    end.match_ended.result = result
    end.match_ended.reason = pb.MATCH_END_REASON_VOID
    end.match_ended.detail = "both bots are gone"
    player.take([end], 0)
    assert bot.told[-1] == ("match end", MatchReport(None, "void", "both bots are gone", 7, 3, 12))


@pytest.mark.parametrize(
    ("returned", "shown"),
    [
        (None, "None"),
        (int(new_deal(3).legal_actions()[0]), str(int(new_deal(3).legal_actions()[0]))),
        (True, "True"),
        ("close", "'close'"),
        (new_deal(3).hands[1][0], repr(new_deal(3).hands[1][0])),
        (CLAIM, "claim"),
    ],
)
def test_what_is_not_legal_is_refused_with_what_would_have_been(returned: Any, shown: str) -> None:
    class Wrong(Bot):
        def choose(self, view: View) -> Action:
            action: Action = returned
            return action

    deal = new_deal(3)
    player = opened(Wrong(), "m")
    asked = decision("m", 1, deal)
    del asked.decision.legal_actions[2:]
    player.take([asked], 0)
    first, second = deal.legal_actions()[:2]
    with pytest.raises(BotFault) as caught:
        player.decide()
    message = str(caught.value)
    assert message.startswith(f"Wrong returned {shown} in match m, which is not a legal action. ")
    assert message.endswith(f"; legal: {first}, {second}")


def test_an_exception_in_choose_is_logged_with_the_position(caplog: pytest.LogCaptureFixture) -> None:
    class Broken(Bot):
        def choose(self, view: View) -> Action:
            raise ValueError("no idea")

    player = opened(Broken(), "m")
    player.take([decision("m", 1, new_deal())], 0)
    with pytest.raises(BotFault, match=r"^Broken: choose raised ValueError: no idea$"):
        player.decide()
    assert repr(View.of(new_deal(), 0)) in caplog.text
    assert "Traceback" in caplog.text


@pytest.mark.parametrize("count", [0, 2])
def test_a_batch_hook_must_answer_every_decision(count: int) -> None:
    class Miscounting(Bot):
        def choose_many(self, turns: Sequence[Turn]) -> Sequence[Action]:
            return [turns[0].view.legal_actions[0]] * count

    player = opened(Miscounting(), "m")
    player.take([decision("m", 1, new_deal())], 0)
    with pytest.raises(BotFault, match=f"choose_many returned {count} actions for 1 decisions"):
        player.decide()


@pytest.mark.parametrize(
    ("hook", "updates"),
    [
        ("for_match", [offered("m")]),
        ("on_match_start", [offered("m")]),
        ("on_deal_start", [offered("m"), deal_started("m")]),
        ("on_event", [offered("m"), deal_started("m"), event("m", new_deal(), 0)]),
        ("on_deal_end", [offered("m"), deal_ended("m", finished(new_deal()))]),
        ("on_match_end", [offered("m"), match_ended("m")]),
    ],
)
def test_an_exception_in_a_hook_is_the_fault_of_the_bot(
    hook: str, updates: list[pb.Update], caplog: pytest.LogCaptureFixture
) -> None:
    def fail(self: Bot, told: object) -> None:
        raise KeyError("gone")

    bot = type("Broken", (Recorder,), {hook: fail})()
    with pytest.raises(BotFault, match=f"^Broken: {hook} raised KeyError: 'gone'$"):
        player_of(bot).take(updates, 0)
    assert "Traceback" in caplog.text


def test_the_time_that_a_decision_waited_is_taken_off_its_cap() -> None:
    now_us = 1_300
    bot = Recorder()
    player = Player(bot, 1, lambda: now_us)
    for name, arrived_us, cap_us in (("a", 1_000, 900), ("b", 1_300, 900), ("c", 0, 900)):
        player.take([offered(name), deal_started(name), decision(name, 1, new_deal(), cap_us)], arrived_us)
    player.decide()
    assert [view.clock and view.clock.cap_us for view in bot.views] == [600, 900, 0]
    assert {view.clock and view.clock.bank_us for view in bot.views} == {CONTROL.bank_us}


def test_random_numbers_depend_on_the_seed_and_the_match_alone() -> None:
    def drawn(seed: int, match_id: str) -> float:
        numbers = []

        class Drawing(Bot):
            def on_match_start(self, match: MatchInfo) -> None:
                numbers.append(self.rng.random())

        player_of(Drawing(), seed).take([offered(match_id)], 0)
        (number,) = numbers
        return number

    assert drawn(1, "m") == drawn(1, "m")
    assert len({drawn(1, "m"), drawn(1, "n"), drawn(2, "m")}) == 3


@pytest.mark.parametrize(
    ("status", "logged"),
    [
        (pb.ACTION_STATUS_TOO_LATE, "match m, decision 4: too late (because)"),
        (pb.ACTION_STATUS_ILLEGAL, "match m, decision 4: illegal (because)"),
        (pb.ACTION_STATUS_MALFORMED, "match m, decision 4: malformed (because)"),
        (pb.ACTION_STATUS_DUPLICATE, None),
        (pb.ACTION_STATUS_STALE, None),
    ],
)
def test_faults_are_logged_and_harmless_results_are_not(
    status: pb.ActionStatus, logged: str | None, caplog: pytest.LogCaptureFixture
) -> None:
    opened(Recorder(), "m").take([action_result("m", 4, status, "because")], 0)
    assert [record.message for record in caplog.records] == ([logged] if logged else [])


def test_what_is_only_informative_is_logged_and_what_is_unknown_is_ignored(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO)
    draining = pb.Update(draining=pb.Draining(deadline_us=5_000_000))
    error = pb.Update(error=pb.Error(reason=pb.ERROR_REASON_UNKNOWN_MATCH, message="no such match"))
    assert player_of(Recorder()).take([draining, error, pb.Update()], 0) == []
    assert [record.levelname for record in caplog.records] == ["INFO", "WARNING"]
    assert "within 5 s" in caplog.text
    assert "no such match" in caplog.text


def test_an_offer_of_other_rules_under_a_known_name_is_refused() -> None:
    offer = offered("m")
    offer.match_offered.rules.hash = replace(RULES, target=5).hash
    with pytest.raises(WireError, match=r"rules\.hash"):
        player_of(Recorder()).take([offer], 0)


def test_a_decision_that_cannot_be_read_names_the_field() -> None:
    player = opened(Recorder(), "m")
    asked = decision("m", 1, new_deal())
    asked.decision.observation.hand[0] = 99  # type: ignore[call-overload]  # not a card
    player.take([asked], 0)
    with pytest.raises(WireError, match=r"observation\.hand: 99 is not a card"):
        player.decide()


def test_closing_is_taken_as_an_action() -> None:
    class Closer(Bot):
        def choose(self, view: View) -> Action:
            return CLOSE

    player = opened(Closer(), "m")
    player.take([decision("m", 1, new_deal())], 0)
    (command,) = player.decide()
    assert read_action(command.action.action) is CLOSE
