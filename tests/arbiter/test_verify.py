"""Everything that is wrong in an archive is found, the first thing first: byte by byte, and cleverly."""

import io
import json
import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from arbiter import archive, hosting
from arbiter.archive import Chain, MatchPart, canonical
from arbiter.cli import main
from arbiter.config import parse
from arbiter.console import USER_ERROR
from arbiter.dealing import commitment
from arbiter.records import deck_of
from arbiter.store import FILE_NAME, Store
from arbiter.tournament import run_tournament
from arbiter.verify import Report, verify, verify_archive
from sixtysix.rules import RULE_SETS, parse_record, replay
from tests.arbiter import played, recorded
from tests.arbiter.reporting import KeepingReporter

Json = dict[str, Any]
FLIPS = 2_500


def archive_of(store: Store, path: Path) -> Path:
    with store:
        archive.write(store, path)
    return path


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> list[Json]:
    """The lines of an archive in which every kind of fault has happened, without their chain."""
    folder = tmp_path_factory.mktemp("good")
    path = archive_of(recorded.with_faults(folder / "out"), folder / "club.jsonl")
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    for line in lines:
        del line["chain"]
    return lines


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A small archive."""
    folder = tmp_path_factory.mktemp("small")
    config = recorded.config_of({"base": "schnapsen", "target": 1}, ("ada", "bob"))
    return archive_of(recorded.make(folder / "out", config), folder / "club.jsonl").read_bytes()


def sealed(lines: Sequence[Json]) -> bytes:
    """The archive that somebody would make who has changed these lines: digests and chain are right."""
    chain = Chain()
    texts = []
    for line in lines:
        if "match" in line and isinstance(line["match"], dict):
            try:
                part = MatchPart.model_validate(line["match"])
                line["match"]["digest"] = part.to_stored().result.digest(part.attempt)
            except (ValueError, RecursionError):
                pass
        texts.append(canonical({**line, "chain": chain.add(line)}) + "\n")
    return "".join(texts).encode()


def check(content: bytes) -> Report:
    return verify_archive(io.BytesIO(content))


@pytest.mark.parametrize("rules", RULE_SETS)
def test_a_tournament_by_any_rules_is_right(tmp_path: Path, rules: str) -> None:
    store = recorded.make(tmp_path / "out", recorded.config_of(rules))
    deals = sum(match.deals for match in store.summaries())
    report = verify(archive_of(store, tmp_path / "club.jsonl"))
    assert report.error is None
    assert (report.matches, report.void, report.deals, report.shuffles) == (6, 0, deals, True)
    assert report.decisions > 10 * deals
    assert verify(tmp_path / "out") == report


def test_a_tournament_with_every_fault_is_right(tmp_path: Path, good: list[Json]) -> None:
    report = check(sealed(good))
    assert report.error is None
    deals = [deal for line in good[1:-1] for deal in line["match"]["deals"]]
    assert (report.matches, report.void, report.deals) == (8, 2, len(deals))
    assert report.decisions == sum(charge != [0, 0, 0, 0] for deal in deals for charge in deal["clock"])
    assert {deal["forfeit"]["fault"] for deal in deals if "forfeit" in deal} == {
        *("late", "illegal", "malformed", "disconnected")
    }


def test_duplicates_are_right(tmp_path: Path) -> None:
    config = recorded.config_of(matches_per_pair=4, duplicate=True)
    report = verify(archive_of(recorded.make(tmp_path / "out", config), tmp_path / "club.jsonl"))
    assert (report.error, report.matches, report.shuffles) == (None, 12, True)


def test_a_tournament_that_goes_on_is_right_as_far_as_it_got(tmp_path: Path) -> None:
    config = recorded.config_of()
    first, second, third, *_ = recorded.schedule_of(config)
    with Store.create(tmp_path / FILE_NAME, played.tournament(config)) as store:
        store.issue([first, second, third])
        store.fix(recorded.play(config, first, recorded.honest_seats(first)))
        store.fix(played.void(third))
        store.issue(third)
        archive.write(store, tmp_path / "club.jsonl")
    report = verify(tmp_path / "club.jsonl")
    assert (report.error, report.matches, report.shuffles) == (None, 2, False)
    assert any("secret is not revealed" in line for line in report.lines())
    of_store = verify(tmp_path)
    assert (of_store.error, of_store.matches, of_store.shuffles) == (None, 2, True)


def test_matches_that_were_never_begun_are_right(tmp_path: Path) -> None:
    config = recorded.config_of(bots=("ada", "bob"))
    first, second = recorded.schedule_of(config)
    interrupted = replace(played.void(first), detail="interrupted", seats=(played.IDLE, played.IDLE))
    walkover = replace(interrupted, winner=1, reason="forfeit", detail="ada: withdrawn")
    with Store.create(tmp_path / FILE_NAME, played.tournament(config)) as store:
        for match, result in (
            (first, interrupted),
            (first, walkover),
            (second, replace(walkover, match_id=second.match_id, number=2, bots=second.bots, winner=0)),
        ):
            store.issue(match)
            store.fix(result)
        archive.write(store, tmp_path / "club.jsonl")
    report = verify(tmp_path)
    assert (report.error, report.matches, report.void) == (None, 3, 1)
    assert verify(tmp_path / "club.jsonl") == report


def test_a_tournament_of_real_bots_is_right(tmp_path: Path) -> None:
    data: Json = {
        "tournament": {"name": "x", "rules": "sixty-six", "matches_per_pair": 2},
        "bots": [{"name": name, "command": ["{python}", "-m", "example_bots.random_bot"]} for name in ("ada", "bob")],
    }
    hosting.run(run_tournament, parse(data, "x"), tmp_path, KeepingReporter())
    report = verify(tmp_path)
    assert (report.error, report.matches) == (None, 2)
    with Store.open(tmp_path / FILE_NAME) as store:
        archive.write(store, tmp_path / "x.jsonl")
    assert verify(tmp_path / "x.jsonl") == report


def test_every_byte_counts(tmp_path: Path, small: bytes) -> None:
    assert check(small).error is None
    rng = random.Random(66)
    # Every place once, and more bits of some.
    places = [*range(len(small)), *rng.choices(range(len(small)), k=max(0, FLIPS - len(small)))]
    for place in places:
        changed = bytearray(small)
        changed[place] ^= rng.randrange(1, 256)
        error = check(bytes(changed)).error
        assert error is not None, place
        line = small.count(b"\n", 0, place) + 1
        # Without its newline a line takes the next one in.
        assert error.where.startswith(f"line {line}"), (place, error)


@pytest.mark.parametrize("kind", ["deleted", "doubled", "inserted"])
def test_no_byte_more_or_less(tmp_path: Path, small: bytes, kind: str) -> None:
    rng = random.Random(kind)
    for place in rng.sample(range(len(small)), 150):
        middle = {
            "deleted": b"",
            "doubled": 2 * small[place : place + 1],
            "inserted": small[place : place + 1] + rng.randbytes(1),
        }[kind]
        error = check(small[:place] + middle + small[place + 1 :]).error
        assert error is not None, place


def lines_where(count: int) -> list[tuple[list[int], str]]:
    """Orders of lines that are not those of an archive, and the line in which it is noticed."""
    whole = list(range(count))
    cases = []
    for place in range(count):
        without = [*whole[:place], *whole[place + 1 :]]
        cases.append((without, f"line {place + 1}" if place < count - 1 else "the end"))
        cases.append(([*whole[: place + 1], *whole[place:]], f"line {place + 2}"))
        if place:
            cases.append(
                ([*whole[: place - 1], place, place - 1, *whole[place + 1 :]], f"line {place if place > 1 else 1}")
            )
    return cases


def test_no_line_is_missing_added_or_moved(tmp_path: Path, small: bytes) -> None:
    lines = small.splitlines(keepends=True)
    for order, where in lines_where(len(lines)):
        error = check(b"".join(lines[number] for number in order)).error
        assert error is not None, order
        assert error.where == where, order


def test_no_line_is_missing_added_or_moved_under_a_new_chain(tmp_path: Path, good: list[Json]) -> None:
    for order, _ in lines_where(len(good)):
        same = sorted(order) == list(range(len(good)))
        moved = [json.loads(json.dumps(good[number])) for number in order]
        error = check(sealed(moved)).error
        in_place = same and order[0] == 0 and order[-1] == len(good) - 1
        attempts_in_order = [number for number in order if number in (1, 2, 3)] == [1, 2, 3]
        # The order of different matches says nothing.
        assert (error is None) == (in_place and attempts_in_order), order


def match_of(lines: Sequence[Json], name: str) -> Any:
    """The attempt at a match that counts, or with #1 the first one."""
    match_id, _, attempt = name.partition("#")
    found = [line["match"] for line in lines[1:-1] if line["match"]["match_id"] == match_id]
    return found[int(attempt or 0) - 1]


def set_charge(deal: Json, index: int, *times: int) -> None:
    deal["clock"][index] = list(times)
    deal["times"][index] = times[3]


def slower(lines: list[Json], by_us: int, *, told: bool) -> None:
    """Make one decision slower, and the account of the seat too, if told so."""
    match = match_of(lines, "001-01")
    deal = match["deals"][0]
    charge = deal["clock"][0]
    # Each seat has its own way to be timed in the recorded matches.
    seat = 0 if charge[1] else 1
    used = charge[3] + by_us
    set_charge(deal, 0, charge[0] + by_us, charge[1], charge[2], used)
    if told:
        stats = match["seats"][seat]
        stats["total_us"] += by_us
        stats["worst_us"] = max(stats["worst_us"], used)


def swap_cards(lines: list[Json], *, commit: bool) -> None:
    deal = match_of(lines, "002-01")["deals"][1]
    deal["hands"][0][0], deal["talon"][-1] = deal["talon"][-1], deal["hands"][0][0]
    if commit:
        deck, salt = deck_of(parse_record(deal)), bytes.fromhex(deal["salt"])
        deal["commitment"] = commitment(deal["tournament"], deal["cards"], deal["deal"], salt, deck).hex()


def new_salt(lines: list[Json]) -> None:
    deal = match_of(lines, "002-01")["deals"][1]
    deal["salt"] = "ab" * 16
    deck = deck_of(parse_record(deal))
    deal["commitment"] = commitment(deal["tournament"], deal["cards"], deal["deal"], b"\xab" * 16, deck).hex()


def forge_result(lines: list[Json]) -> None:
    match = match_of(lines, "001-02")
    match["winner"] = 1 - match["winner"]
    match["score"].reverse()


def drop(lines: list[Json], name: str) -> None:
    match = match_of(lines, name)
    lines[:] = [line for line in lines if line.get("match") is not match]
    lines[-1]["matches"] -= 1


def rename(lines: list[Json], tournament: str) -> None:
    lines[0]["tournament"]["id"] = tournament
    for line in lines[1:-1]:
        for deal in line["match"]["deals"]:
            deal["tournament"] = tournament


def swap_seats(lines: list[Json]) -> None:
    """As if the other had dealt: the deck and its commitment stay as they are, and so does the play."""
    deal = match_of(lines, "001-01")["deals"][1]
    deal["dealer"] = 1 - deal["dealer"]
    deal["hands"].reverse()
    result = deal["result"]
    result["winner"] = 1 - result["winner"]
    for member in ("score_change", "card_points", "tricks"):
        result[member].reverse()


def carry_over(lines: list[Json]) -> None:
    deal = match_of(lines, "001-01")["deals"][1]
    deal["carry"] = 1
    deal["result"]["score_change"][deal["result"]["winner"]] += 1


def break_off(lines: list[Json]) -> None:
    deal = match_of(lines, "001-01")["deals"][-1]
    for member in ("actions", "times", "clock"):
        deal[member].pop()
    deal["result"] = replay(parse_record(deal))


def last_deal_away(lines: list[Json]) -> None:
    match_of(lines, "001-01")["deals"].pop()


def first_deal_away(lines: list[Json]) -> None:
    match = match_of(lines, "001-01")
    del match["deals"][0]
    for number, deal in enumerate(match["deals"], start=1):
        deal["deal"] = number
        deal["id"] = deal["result"]["id"] = f"001-01#3/{number}"


def one_deal_more(lines: list[Json]) -> None:
    match = match_of(lines, "001-01")
    deal = json.loads(json.dumps(match["deals"][-1]))
    deal["deal"] += 1
    deal["id"] = deal["result"]["id"] = f"001-01#3/{deal['deal']}"
    match["deals"].append(deal)


def other_action(lines: list[Json]) -> None:
    deal = match_of(lines, "003-02")["deals"][1]
    last = match_of(lines, "001-01")["deals"][0]
    assert deal["actions"] != last["actions"]
    last["actions"][1] = next(card for card in last["hands"][0] + last["hands"][1] if card in last["actions"][:1])


def set_in(*path: Any, to: Any) -> Callable[[list[Json]], None]:
    """Set a value: of a line by its number, or of a match by its name."""

    def change(lines: list[Json]) -> None:
        where, *members, last = path
        inner: Any = match_of(lines, where) if isinstance(where, str) else lines[where]
        for member in members:
            inner = inner[member]
        inner[last] = to(inner[last]) if callable(to) else to

    return change


def nested(depth: int) -> Json:
    value: Json = {}
    for _ in range(depth):
        value = {"x": value}
    return value


CHANGES: dict[str, tuple[Callable[[list[Json]], None], str, str]] = {
    # The form.
    "another member": (set_in("001-01", "note", to="x"), "line 4", "note: Extra inputs are not permitted"),
    "another type": (set_in("001-01", "score", 0, to="7"), "line 4", "score[0]: Input should be a valid integer"),
    "a float": (set_in("001-01", "seconds", to=1), "line 4, match 001-01#3", "seconds: expected 1.0, found 1"),
    "a charge that is no charge": (
        set_in("001-01", "deals", 0, "clock", 0, to=[1, 2, 3]),
        "line 4",
        "deals[0].clock[0]: List should have at least 4 items",
    ),
    "a line of another kind": (set_in(1, "more", to=1), "line 2", "members: expected 'match', found 'match, more'"),
    "too many levels": (
        set_in("001-01", "deals", 0, "result", "x", to=nested(400)),
        "line 4, deal 001-01#3/1",
        "result.x: ",
    ),
    "far too many levels": (
        set_in("001-01", "deals", 0, "result", "x", to=nested(900)),
        "line 4, deal 001-01#3/1",
        "result.x: ",
    ),
    "a text that is no text": (lambda lines: rename(lines, "\ud800"), "line 1", "id: Value error, 'utf-8' codec"),
    # The tournament.
    "its name": (set_in(0, "tournament", "name", to="x"), "line 1", "name: expected 'club', found 'x'"),
    "its rules": (
        set_in(0, "tournament", "rules", "spec", to="sixty-six"),
        "line 1",
        "rules.spec: expected 'schnapsen', found 'sixty-six'",
    ),
    "the hash of its rules": (set_in(0, "tournament", "rules", "hash", to="0"), "line 1", "rules.hash: expected '"),
    "its schedule": (set_in(0, "tournament", "scheduled", to=7), "line 1", "scheduled: expected 6, found 7"),
    "its configuration": (
        set_in(0, "tournament", "config", "tournament", "rules", to="chess"),
        "line 1",
        "config: tournament.rules",
    ),
    "a secret configuration": (
        set_in(0, "tournament", "config", "server", to={"listen": "127.0.0.1:0"}),
        "line 1",
        "config.server: does not belong here",
    ),
    "its id": (lambda lines: rename(lines, "0bad"), "line 2, deal 001-01/1", "the cards and the salt give the commit"),
    "its secret": (set_in(0, "tournament", "secret", to="ab" * 32), "line 2, deal 001-01/1", "card "),
    "its bots": (
        set_in(0, "tournament", "config", "bots", 0, "name", to="eve"),
        "line 2, match 001-01",
        "bots: expected ('eve', 'bob'), found ('ada', 'bob')",
    ),
    "its deal limit": (
        set_in(0, "tournament", "config", "tournament", "deal_limit", to=2),
        "line 4, deal 001-01#3/3",
        "the match was over before this deal",
    ),
    "its fault limit": (
        set_in(0, "tournament", "config", "faults", "limit", to=2),
        "line 9, deal 003-02/3",
        "the match was forfeited before this deal",
    ),
    "its lag": (
        set_in(0, "tournament", "config", "time", "lag", to="100us"),
        "line 2, deal 001-01/1",
        "expected an allowance of at most 100 us, found 300",
    ),
    # The schedule.
    "an unknown match": (set_in("002-02", "match_id", to="009-01"), "line 7, match 009-01", "is not in the schedule"),
    "its pairing": (set_in("002-02", "pairing", to="001"), "line 7, match 002-02", "pairing: expected '002', found"),
    "its number": (set_in("002-02", "number", to=1), "line 7, match 002-02", "number: expected 2, found 1"),
    "its seats": (set_in("002-02", "bots", to=["ada", "cy"]), "line 7, match 002-02", "bots: expected ('cy', 'ada')"),
    "its first dealer": (
        set_in("002-02", "first_dealer", to=1),
        "line 7, match 002-02",
        "first_dealer: expected 0, found 1",
    ),
    "an attempt left out": (
        lambda lines: drop(lines, "001-01#2"),
        "line 3, match 001-01#3",
        "attempt: expected 2, found 3",
    ),
    "a match left out": (
        lambda lines: drop(lines, "003-01"),
        "line 9, match 003-01",
        "is missing, although the tournament is finished",
    ),
    "a void match that counts": (
        set_in("001-01#2", "void", to=False),
        "line 3, match 001-01#2",
        "void: expected True, found False",
    ),
    "a match that counts twice": (
        lambda lines: lines.insert(5, json.loads(json.dumps(lines[4]))),
        "line 6, match 001-02",
        "the match was fixed before",
    ),
    # The cards.
    "two cards": (
        lambda lines: swap_cards(lines, commit=False),
        "line 6, deal 002-01/2",
        "the cards and the salt give",
    ),
    "two cards and the commitment": (
        lambda lines: swap_cards(lines, commit=True),
        "line 6, deal 002-01/2",
        "card 0 of the shuffle: expected ",
    ),
    "a salt": (
        set_in("002-01", "deals", 0, "salt", to="ab" * 16),
        "line 6, deal 002-01/1",
        "the cards and the salt give the commitment",
    ),
    "a salt and the commitment": (new_salt, "line 6, deal 002-01/2", "salt: expected '"),
    "a commitment": (set_in("002-01", "deals", 0, "commitment", to="cd" * 32), "line 6, deal 002-01/1", "the cards"),
    "a card twice": (
        set_in("002-01", "deals", 0, "talon", 0, to=lambda card: "AS" if card != "AS" else "TS"),
        "line 6, deal 002-01/1",
        "not a deal record: ",
    ),
    "the rules of a deal": (
        set_in("002-01", "deals", 0, "rules", to="schnapsen-vienna"),
        "line 6, deal 002-01/1",
        "rules: expected 'schnapsen', found 'schnapsen-vienna'",
    ),
    "the key of the cards": (
        set_in("002-01", "deals", 0, "cards", to="002-02"),
        "line 6, match 002-01",
        "deals[0].cards: expected '002-01', found '002-02'",
    ),
    # The replay.
    "an action": (other_action, "line 4, deal 001-01#3/1", "actions[1] "),
    "an action that is none": (
        set_in("001-01", "deals", 0, "actions", 0, to="castle"),
        "line 4, deal 001-01#3/1",
        "actions[0] 'castle': ",
    ),
    "a result": (
        set_in("001-01", "deals", 0, "result", "game_points", to=9),
        "line 4, deal 001-01#3/1",
        "result.game_points: expected ",
    ),
    "who forfeits": (
        set_in("002-01", "deals", 0, "forfeit", "seat", to=lambda seat: 1 - seat),
        "line 6, deal 002-01/1",
        "forfeit.seat: the seat on turn: expected ",
    ),
    "an unknown fault": (
        set_in("002-01", "deals", 0, "forfeit", "fault", to="ugly"),
        "line 6, deal 002-01/1",
        "forfeit.fault: unknown fault 'ugly'",
    ),
    "no fault": (
        lambda lines: match_of(lines, "002-01")["deals"][0].pop("forfeit"),
        "line 6, deal 002-01/1",
        "result.over: expected False, found True",
    ),
    # The match.
    "a dealer": (swap_seats, "line 4, deal 001-01#3/2", "dealer: expected "),
    "a carry": (carry_over, "line 4, deal 001-01#3/2", "carry: expected 0, found 1"),
    "the first deal": (first_deal_away, "line 4, deal 001-01#3/1", "the cards and the salt give the commitment"),
    "a deal without an end": (break_off, "line 4, deal 001-01#3/4", "the deal did not end"),
    "a score": (set_in("001-01", "score", 0, to=8), "line 4, match 001-01#3", "score: expected ["),
    "a winner": (set_in("001-01", "winner", to=lambda seat: 1 - seat), "line 4, match 001-01#3", "winner: expected "),
    "no winner": (set_in("001-01", "winner", to=None), "line 4, match 001-01#3", "winner: expected "),
    "a reason": (
        set_in("001-01", "reason", to="deal_limit"),
        "line 4, match 001-01#3",
        "reason: expected 'target', found 'deal_limit'",
    ),
    "a forfeit": (
        set_in("001-01", "reason", to="forfeit"),
        "line 4, match 001-01#3",
        "reason: expected 'target', found 'forfeit'",
    ),
    "no forfeit": (
        set_in("003-02", "reason", to="target"),
        "line 9, match 003-02",
        "reason: expected 'forfeit', found 'target'",
    ),
    "a match that was not played": (
        set_in("002-02", "reason", to="target"),
        "line 7, match 002-02",
        "reason of a match without deals: expected 'forfeit', found 'target'",
    ),
    "nobody wins a forfeit": (
        set_in("002-02", "winner", to=None),
        "line 7, match 002-02",
        "a forfeited match has a winner, found none",
    ),
    "the other wins a forfeit": (
        set_in("002-02", "winner", to=lambda seat: 1 - seat),
        "line 7, match 002-02",
        "a match without deals is lost by one fault of the loser",
    ),
    "a void match with a winner": (
        set_in("001-01#1", "winner", to=1),
        "line 2, match 001-01",
        "winner of a void match: expected None, found 1",
    ),
    "a match that is not over": (last_deal_away, "line 4, match 001-01#3", "score: expected ["),
    "a deal too many": (one_deal_more, "line 4, deal 001-01#3/5", "the cards and the salt give the commitment"),
    "a forged result": (forge_result, "line 5, match 001-02", "score: expected ["),
    "no faults": (set_in("003-02", "seats", 0, "faults", to=2), "line 9, match 003-02", "seats[0].faults: expected 3"),
    # The clocks.
    "a charge": (
        lambda lines: set_charge(match_of(lines, "001-01")["deals"][0], 0, 1500, 300, 40, 1),
        "line 4, deal 001-01#3/1",
        "clock[0]: charged us: expected 1160, found 1",
    ),
    "times": (
        set_in("001-01", "deals", 0, "times", 0, to=1),
        "line 4, match 001-01#3",
        "deals[0].times[0]: expected ",
    ),
    "a decision that took longer": (
        lambda lines: slower(lines, 5_000, told=False),
        "line 4, match 001-01#3",
        "total_us: expected ",
    ),
    "a decision that took too long": (
        lambda lines: slower(lines, 2_000_000, told=True),
        "line 4, deal 001-01#3/1",
        "charged us: expected 0, found ",
    ),
    "an allowance": (
        lambda lines: set_charge(match_of(lines, "001-01")["deals"][0], 0, 21_500, 20_001, 0, 1_499),
        "line 4, deal 001-01#3/1",
        "clock[0]: expected an allowance of at most 20000 us, found 20001",
    ),
    "a stall": (
        lambda lines: set_charge(match_of(lines, "001-01")["deals"][0], 0, 1_500, 0, 1_501, 0),
        "line 4, deal 001-01#3/1",
        "clock[0]: a stall of 1501 us within 1500 us",
    ),
    "an entry of the clock": (
        lambda lines: match_of(lines, "002-01")["deals"][0]["clock"].pop(),
        "line 6, deal 002-01/1",
        "entries of clock: expected 2, found 1",
    ),
    "late in time": (
        set_in("003-02", "deals", 2, "clock", -1, to=[500, 300, 40, 160]),
        "line 9, deal 003-02/3",
        "forfeited as late after 160 us, but the limit was 1000000",
    ),
    "the number of decisions": (
        set_in("001-01", "seats", 0, "decisions", to=lambda count: count - 1),
        "line 4, match 001-01#3",
        "seats[0].decisions: expected ",
    ),
    "the worst decision": (
        set_in("001-01", "seats", 1, "worst_us", to=1),
        "line 4, match 001-01#3",
        "seats[1].worst_us: expected 700, found 1",
    ),
    # The standings.
    "a place": (set_in(-1, "standings", 0, "won", to=9), "line 10", "standings[0].won: expected "),
    "the order": (lambda lines: lines[-1]["standings"].reverse(), "line 10", "standings[0]."),
    "the number of matches": (set_in(-1, "matches", to=7), "line 10", "matches: expected 8, found 7"),
    "a bot more": (
        lambda lines: lines[-1]["standings"].append(lines[-1]["standings"][0]),
        "line 10",
        "standings: expected ",
    ),
    "more in the last line": (set_in(-1, "note", to="x"), "line 10", "note: does not belong here"),
    "a line after the last": (lambda lines: lines.append({"note": 1}), "line 11", "expected the end after the stand"),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_is_found_although_digests_and_chain_are_made_anew(
    tmp_path: Path, good: list[Json], name: str
) -> None:
    change, where, what = CHANGES[name]
    lines = json.loads(json.dumps(good))
    change(lines)
    error = check(sealed(lines)).error
    assert error is not None
    assert error.where == where
    assert what in error.what


def test_a_digest_alone(tmp_path: Path, good: list[Json]) -> None:
    lines = json.loads(json.dumps(good))
    content = sealed(lines).replace(lines[1]["match"]["digest"].encode(), b"ab" * 32)
    chain = Chain()
    texts = []
    for line in content.splitlines():
        value = json.loads(line)
        del value["chain"]
        texts.append(canonical({**value, "chain": chain.add(value)}) + "\n")
    error = check("".join(texts).encode()).error
    assert error is not None
    assert (error.where, error.what[:18]) == ("line 2, match 001-01", "digest: expected '")


@pytest.mark.parametrize(
    ("content", "where", "what"),
    [
        (b"", "line 1", "members: expected 'tournament', found 'nothing'"),
        (b"\n", "line 1", "not JSON"),
        (b"[1]\n", "line 1", "expected a JSON object, found list"),
        (b'{"a": 1}\n', "line 1", "not in canonical form"),
        (b'{"a":NaN}\n', "line 1", "NaN is not JSON"),
        (b'{"a":1e999}\n', "line 1", "not in canonical form"),
        (b'{"a":1}', "line 1", "expected a newline at its end"),
        (b"\xff\n", "line 1", "expected ASCII, found byte 0xff at 0"),
        (b'{"a":' + b"9" * 5_000 + b"}\n", "line 1", "not JSON"),
        (b'{"a":' + b"[" * 100_000 + b"\n", "line 1", "nested too deeply"),
        (b'{"chain":"0"}\n', "line 1", "chain: expected '"),
    ],
)
def test_what_is_no_archive_at_all(tmp_path: Path, content: bytes, where: str, what: str) -> None:
    error = check(content).error
    assert error is not None
    assert error.where == where
    assert what in error.what


def test_the_command_says_what_is_wrong(tmp_path: Path, small: bytes, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "club.jsonl"
    path.write_bytes(small.replace(b'"attempt":1', b'"attempt":2', 1))
    assert main(["verify", str(path)]) == USER_ERROR
    out, told = capsys.readouterr()
    assert out == ""
    assert told.startswith(f"arbiter: {path}: line 2: chain: expected '")
    assert main(["verify", str(path), "--json"]) == USER_ERROR
    out, told = capsys.readouterr()
    values = json.loads(out)
    assert told == ""
    assert (values["ok"], values["checked"]["matches"], values["error"]["where"]) == (False, 0, "line 2")
    assert values["error"]["what"].startswith("chain: expected '")


def test_files_that_are_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", str(tmp_path / "no")]) == USER_ERROR
    assert capsys.readouterr().err == f"arbiter: {tmp_path}/no: cannot be read: No such file or directory\n"
    assert main(["verify", str(tmp_path)]) == USER_ERROR
    assert "holds no tournament" in capsys.readouterr().err
    assert main(["export", str(tmp_path)]) == USER_ERROR
    assert "holds no tournament" in capsys.readouterr().err
