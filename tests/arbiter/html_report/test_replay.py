import random
from typing import Any

import pytest

from arbiter.html_report.replay import match_json, replay
from arbiter.results import DealResult, Forfeit
from arbiter.times_report import timed_decisions
from sixtysix.rules import RULE_SETS, parse_action
from tests.arbiter import played

NAMES = list(RULE_SETS)


def match_of(rules: str) -> tuple[dict[str, Any], Any]:
    config = played.config(rules)
    match = played.play_match(played.schedule(config)[0], config.rule_set())
    decisions = timed_decisions(match, config.time_control())
    times = {(decision.deal, decision.index): decision for decision in decisions}
    return match_json(match, [replay(deal) for deal in match.deals], times), match


@pytest.mark.parametrize("rules", NAMES)
def test_each_step_says_what_the_engine_made_of_it(rules: str) -> None:
    shown, match = match_of(rules)
    for deal_json, result in zip(shown["deals"], match.deals, strict=True):
        played_deal = replay(result)
        deal = played_deal.record.deal()
        for step, token in zip(deal_json["steps"], played_deal.record.actions, strict=True):
            padded: list[Any] = [*step, None, None, None, None]
            seat, action, first, second, time_us, winner, drawn, remark = padded[:8]
            assert seat == deal.turn
            assert action.startswith(token)
            before, tricks, turn_up = [list(hand) for hand in deal.hands], list(deal.tricks), deal.turn_up
            deal.apply(parse_action(token))
            assert [first, second] == [deal.card_points(0), deal.card_points(1)]
            won = [seat for seat in (0, 1) if deal.tricks[seat] > tricks[seat]]
            assert won == ([] if winner is None else [winner])
            new = [{card.text for card in deal.hands[seat]} - {card.text for card in before[seat]} for seat in (0, 1)]
            if drawn is not None:
                assert new == [{drawn[2 * (seat != deal.leader) :][:2]} for seat in (0, 1)]
            elif token == "exchange":
                given, taken = action.split()[1:]
                assert turn_up is not None
                assert deal.turn_up is not None
                assert (given, taken) == (deal.turn_up.text, turn_up.text)
            else:
                assert new == [set(), set()]
            assert time_us is None or time_us >= 0
            assert remark is None
        assert deal_json["result"].items() <= result.result.items()
        assert set(deal_json["result"]) == {"over", "winner", "game_points", "score_change", "reason"}


@pytest.mark.parametrize("rules", NAMES)
def test_a_deal_shows_every_card_of_the_pack_once(rules: str) -> None:
    shown, _ = match_of(rules)
    for deal in shown["deals"]:
        text = "".join([*deal["hands"], deal["talon"], deal["turn_up"]])
        cards = [text[place : place + 2] for place in range(0, len(text), 2)]
        assert sorted(cards) == sorted(card.text for card in RULE_SETS[rules].deck)


def test_what_a_marriage_is_worth_and_what_a_trump_change_shows() -> None:
    words: dict[str, set[str]] = {"marriage": set(), "trump": set()}
    for number in range(40):
        for token in random.Random(number).sample(NAMES, 2):
            shown, _ = match_of_number(token, number)
            for deal in shown["deals"]:
                for _, action, *_ in deal["steps"]:
                    word, *more = action.split()
                    if word in words:
                        words[word].add(more[1])
    assert words["marriage"] == {"20", "40"}
    assert words["trump"] <= {"9C", "9D", "9H", "9S"}
    assert words["trump"]


def match_of_number(rules: str, number: int) -> tuple[dict[str, Any], Any]:
    config = played.config(rules)
    match = played.play_match(played.schedule(config)[0], config.rule_set(), key=f"key-{number}")
    return match_json(match, [replay(deal) for deal in match.deals], {}), match


def test_times_remarks_and_forfeits_are_shown() -> None:
    forfeit = Forfeit(0, "illegal", "must follow suit")
    plain = played.play_deal(RULE_SETS["schnapsen"], actions=3, forfeit=forfeit)
    remarked = {**plain.record, "comments": {"1": "<b>ha</b>"}}
    deal = DealResult(1, remarked, plain.result, plain.clock, plain.salt, plain.commitment, forfeit)
    config = played.config()
    match = played.void(played.schedule(config)[0], [deal])
    times = {(decision.deal, decision.index): decision for decision in timed_decisions(match, config.time_control())}
    (shown,) = match_json(match, [replay(deal)], times)["deals"]
    assert shown["steps"][1][7] == "<b>ha</b>"
    assert [step[4] for step in shown["steps"]] == [900, 900, 902]
    assert shown["forfeit"] == {"seat": 0, "fault": "illegal", "detail": "must follow suit"}
