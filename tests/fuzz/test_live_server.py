"""Random and mutated messages of one bot against a live server, while two others play."""

from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

import pytest

from arbiter.results import DealResult
from arbiter.store import FILE_NAME, Store
from sixtysix import wire
from sixtysix.rules import View, parse_action, parse_record
from sixtysix.rules.record import replay
from sixtysix.v1 import bot_service_pb2 as pb
from tests.fuzz.fuzzer import Fuzzer
from tests.fuzz.live import honest_bot, live_arbiter

TOKENS = {"ada": "the token of ada", "bob": "the token of bob", "eve": "the token of eve"}
FILE = """
[tournament]
name = "fuzz"
rules = "sixty-six"
matches_per_pair = {matches}
concurrency = 6
out = "out"
[server]
commands_per_second = 1000000
burst = 1000000
[time]
ready = "1s"
decision = "10s"
bank = "1h"
[faults]
limit = 1000
reconnect = "300ms"
withdraw = 1000000
[[bots]]
name = "ada"
token_env = "ADA_TOKEN"
concurrency = 4
[[bots]]
name = "bob"
token_env = "BOB_TOKEN"
concurrency = 4
[[bots]]
name = "eve"
token_env = "EVE_TOKEN"
"""
MOST_GROWTH_MIB = 40


@pytest.mark.parametrize(
    ("messages", "matches"), [(5_000, 1_000), pytest.param(200_000, 20_000, marks=pytest.mark.soak)]
)
def test_a_bot_that_says_anything(tmp_path: Path, messages: int, matches: int) -> None:
    with (
        live_arbiter(tmp_path, FILE.format(matches=matches), TOKENS) as arbiter,
        honest_bot(arbiter.address, TOKENS["ada"]),
        honest_bot(arbiter.address, TOKENS["bob"]),
    ):
        fuzzer = Fuzzer(arbiter.address, TOKENS["eve"], seed=66, others=[f"001-{number:02}" for number in range(1, 9)])
        fuzzer.run(messages // 5)
        before_mib, descriptors = arbiter.resident_mib, arbiter.descriptors
        fuzzer.run(messages - messages // 5)
        growth_mib = arbiter.resident_mib - before_mib
        print(
            f"{fuzzer.sent} messages on {fuzzer.streams} streams, {len(fuzzer.read)} updates read, resident "
            f"{before_mib:.1f} MiB after a fifth, {before_mib + growth_mib:.1f} MiB at the end"
        )
        # Not more than the ends of a few streams that are not closed yet.
        assert arbiter.descriptors <= descriptors + 10
        arbiter.stop()
    assert growth_mib < MOST_GROWTH_MIB
    check_others(arbiter.out)
    check_own(arbiter.out, fuzzer.read, messages)


def check_others(out: Path) -> None:
    """The valid bots have played on, without a fault, and everything that is stored replays."""
    with Store.open(out / FILE_NAME) as store:
        ended = list(store.summaries())
        for stored in store.deals():
            if stored.deal.forfeit is None:
                assert replay(parse_record(stored.deal.record)) == {"id": None, **stored.deal.result}
    between = [match for match in ended if match.bots in (("ada", "bob"), ("bob", "ada"))]
    assert len(between) >= 10
    assert {match.reason for match in between} == {"target"}
    for match in ended:
        for name, seat in zip(match.bots, match.seats, strict=True):
            assert name == "eve" or seat.faults == 0, match


def check_own(out: Path, updates: Iterable[pb.Update], messages: int) -> None:
    """The fuzzing bot has got its own view of its own matches, and nothing else."""
    own: set[str] = set()
    decisions: dict[str, set[bytes]] = defaultdict(set)
    events: dict[str, set[bytes]] = defaultdict(set)
    with Store.open(out / FILE_NAME) as store:
        for match in store.summaries():
            if "eve" in match.bots:
                own.add(match.match_id)
        for stored in store.deals():
            if "eve" in stored.bots:
                seat = stored.bots.index("eve")
                seen, heard = seen_by(seat, stored.deal)
                decisions[stored.match_id] |= seen
                events[stored.match_id] |= heard
    compared = 0
    for update in updates:
        kind = update.WhichOneof("update")
        assert kind is not None
        if kind in ("welcome", "ping", "draining"):
            continue
        said = getattr(update, kind)
        if kind == "action_result" and said.status == pb.ACTION_STATUS_UNKNOWN_MATCH:
            only = pb.ActionResult(match_id=said.match_id, decision_id=said.decision_id, status=said.status)
            assert said == only
        elif kind == "error":
            assert said.reason != pb.ERROR_REASON_MATCH_OVER or said.match_id in own
        elif said.match_id not in own:
            # Of the matches that were in play when the tournament was stopped.
            assert said.match_id.startswith(("002-", "003-"))
        elif kind == "decision":
            assert seen_bytes(said) in decisions[said.match_id]
            compared += 1
        elif kind == "event":
            assert said.event.SerializeToString(deterministic=True) in events[said.match_id]
            compared += 1
    print(f"{compared} decisions and events compared with the records")
    assert compared >= messages // 100


def seen_by(seat: int, result: DealResult) -> tuple[set[bytes], set[bytes]]:
    """All decisions and all events that a seat may be shown in a deal."""
    record = parse_record(result.record)
    deal = record.deal()
    assert deal.log is not None
    decisions = set()
    for token in (*record.actions, None):
        if deal.turn == seat and not deal.over:
            decision = pb.Decision()
            view = View.of(deal, seat, (0, 0), result.number)
            wire.fill_decision(decision, view, wire.history_bytes(deal.log[seat]))
            decisions.add(seen_bytes(decision))
        if token is not None:
            deal.apply(parse_action(token))
    if result.forfeit is not None:
        deal.forfeit(result.forfeit.seat)
    events = {wire.event_message(event).SerializeToString(deterministic=True) for event in deal.log[seat]}
    return decisions, events


def seen_bytes(decision: pb.Decision) -> bytes:
    """What a decision shows of the deal; the score of the match is known to all."""
    shown = pb.Decision(stage=decision.stage, observation=decision.observation, legal_actions=decision.legal_actions)
    shown.observation.own_score = shown.observation.opponent_score = 0
    return shown.SerializeToString(deterministic=True)
