import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("schnapsen.bots", reason="the teaching platform is not installed: pip install schnapsen==0.0.5")

from schnapsen import game as platform
from schnapsen.bots import BullyBot, RandBot, RdeepBot

from arbiter.cli import main as arbiter
from example_bots.counting_bot import CountingBot
from example_bots.greedy_bot import GreedyBot
from sixtysix.adapters.platform_state import ENGINE, our_card, platform_card, position
from sixtysix.adapters.schnapsen_platform import PlatformBot, load
from sixtysix.bot import Bot
from sixtysix.local import play_match
from sixtysix.rules import (
    CLAIM,
    MARRIAGES,
    RULE_SETS,
    Card,
    Deal,
    EventKind,
    Rank,
    Stage,
    Suit,
    View,
    parse_action,
    parse_record,
)
from tests.rules.hiding_pairs import hiding_pair
from tests.rules.playouts import Playout, playouts

# The rules that the platform knows; the deals of the other sets with this pack differ in their ends only.
DEALS = playouts("schnapsen")
SCHNAPSEN = RULE_SETS["schnapsen"]


class Asked(platform.Bot):  # type: ignore[misc]  # no types without the platform
    """Looks at all that a perspective shows, then plays at random; keeps what it was told."""

    def __init__(self, rand: Random) -> None:
        self.rand = rand
        self.exchanges: list[Any] = []
        self.ends: list[tuple[bool, Any]] = []
        self.seen: list[Any] = []

    def get_move(self, perspective: Any, leader_move: Any) -> Any:
        self.seen.append(perspective)
        perspective.get_game_history()
        perspective.make_assumption(leader_move, self.rand)
        return self.rand.choice(perspective.valid_moves())

    def notify_trump_exchange(self, move: Any) -> None:
        self.exchanges.append(move)

    def notify_game_end(self, won: bool, perspective: Any) -> None:
        self.ends.append((won, perspective))


class Spy(PlatformBot):
    """Keeps the decisions that its bot was asked, and the bots."""

    def __init__(self, make: Any) -> None:
        super().__init__(make)
        self.bots: list[Any] = []
        self.views: list[View] = []

        def keep(rng: Random) -> Any:
            self.bots.append(make(rng))
            return self.bots[-1]

        self._make = keep

    def choose(self, view: View) -> Any:
        action = super().choose(view)
        self.views.append(view)
        return action


def ours(cards: Any) -> set[Card]:
    return {our_card(card) for card in cards}


def unfinished(playout: Playout) -> Deal:
    deal, _ = playout.play(unfinished=True)
    return deal


def shown(view: View, seed: int) -> str:
    """All that the platform's state has, as text."""
    made = position(view, Random(seed))
    state = made.state.copy_with_other_bots(None, None)
    text, previous = f"{state.leader} {state.follower} {state.talon} {made.leader_move}", state.previous
    while previous:
        text += f" {previous.trick} {previous.state.talon}"
        previous = previous.state.previous
    return text


@given(DEALS, st.integers(0, 99))
def test_the_state_agrees_with_what_the_seat_sees(playout: Playout, seed: int) -> None:
    deal = unfinished(playout)
    view = View.of(deal, deal.turn)
    made = position(view, Random(seed))
    leads = made.leader_move is None
    me, other = (made.state.leader, made.state.follower)[:: 1 if leads else -1]
    assert leads == (view.stage is not Stage.FOLLOW)
    assert ours(me.hand) == set(view.hand)
    other_hand = ours(other.hand) - (set() if leads else {view.led})
    assert len(other_hand) == view.opponent_hand_size
    assert set(view.opponent_known) <= other_hand <= {*view.opponent_known, *view.unseen}
    # A marriage on the present lead counts there once it is led.
    declared = deal.marriage_points[deal.leader] if view.declared is not None else 0
    for seat, state in ((view.seat, me), (view.opponent, other)):
        points = state.score.direct_points + state.score.pending_points
        told = deal.trick_points[seat] + deal.marriage_points[seat]
        assert points == told or (declared and seat == deal.leader and points in (told - 20, told - 40))
        assert len(state.won_cards) == 2 * deal.tricks[seat]
    if view.closing is None:
        face_up = [] if view.turn_up is None else [view.turn_up]
        assert len(made.state.talon) == view.face_down + len(face_up)
        assert [our_card(card) for card in made.state.talon][view.face_down :] == face_up
    else:
        assert made.state.talon.is_empty()
    assert made.state.trump_suit.name == view.trump.name


@given(DEALS, st.integers(0, 1), st.randoms(use_true_random=False), st.integers(0, 99))
def test_the_state_depends_on_nothing_that_is_hidden(playout: Playout, seat: int, rng: Any, seed: int) -> None:
    pair = hiding_pair(playout, seat, rng)
    if pair is None or pair.deals[0].over or pair.deals[0].turn != seat:
        return
    first, second = (shown(View.of(deal, seat), seed) for deal in pair.deals)
    assert first == second


@pytest.mark.parametrize("make", [Asked, RandBot, BullyBot, lambda rng: RdeepBot(2, 3, rng)])
@pytest.mark.parametrize("opponent", [GreedyBot, CountingBot])
def test_bots_of_the_platform_play_whole_matches(make: Any, opponent: type[Bot]) -> None:
    for number in range(3):
        bots = (PlatformBot(make), opponent())
        assert play_match(SCHNAPSEN, bots, f"platform {number}", number % 2).winner is not None


def test_they_play_each_other_the_whole_deal_as_there() -> None:
    closed = [0]

    class Watched(PlatformBot):
        def on_event(self, event: Any) -> None:
            super().on_event(event)
            closed[0] += event.kind is EventKind.CLOSED

    play_match(SCHNAPSEN, (Watched(RandBot), PlatformBot(BullyBot)), "each other")
    assert closed == [0]


def platform_moves(perspective: Any) -> list[Any]:
    """What the platform itself would allow."""
    asked = perspective.asked.position
    if asked.leader_move is None:
        return list(platform.LeaderPerspective(asked.state, ENGINE).valid_moves())
    return list(platform.FollowerPerspective(asked.state, ENGINE, asked.leader_move).valid_moves())


def test_what_the_platform_allows_is_what_the_arbiter_allows_while_the_talon_is_open() -> None:
    spy = Spy(Asked)
    for number in range(4):
        play_match(SCHNAPSEN, (spy, GreedyBot()), f"moves {number}", number % 2)
    compared = 0
    for bot in spy.bots:
        for perspective in bot.seen:
            view = perspective.asked.view
            if view.closing is not None:
                continue
            moves = {repr(move) for move in perspective.valid_moves()}
            # Of the exchange alone it is less strict: it asks for no cards under the turn-up's talon.
            theirs = {repr(move) for move in platform_moves(perspective)}
            assert moves == {move for move in theirs if "Exchange" not in move or move in moves}
            led = perspective.asked.position.leader_move
            if view.face_down:
                assert ours(perspective.seen_cards(led)) == set(SCHNAPSEN.deck) - set(view.unseen)
            compared += 1
    assert compared > 50


def test_a_bot_is_told_of_exchanges_and_of_the_end() -> None:
    spy = Spy(Asked)
    exchanged = ended = 0
    for number in range(4):
        result = play_match(SCHNAPSEN, (spy, GreedyBot()), f"told {number}", number % 2)
        bot = spy.bots[-1]
        exchanged += len(bot.exchanges)
        assert len(bot.ends) <= result.deals
        ended += len(bot.ends)
        assert all(isinstance(perspective, platform.PlayerPerspective) for _, perspective in bot.ends)
    assert exchanged > 0
    assert ended > 0


def view_of(actions: list[str], first: list[str], second: list[str], talon: list[str], turn_up: str) -> View:
    record = {
        "rules": "schnapsen",
        "dealer": 1,
        "hands": [first, second],
        "talon": talon,
        "turn_up": turn_up,
        "actions": actions,
    }
    parsed = parse_record(record)
    deal = parsed.deal()
    for text in parsed.actions:
        deal.apply(parse_action(text))
    return View.of(deal, deal.turn)


HANDS = (
    ["KH", "QH", "AD", "AC", "AS"],
    ["TH", "TD", "TC", "JS", "QS"],
    ["QD", "JD", "JC", "AH", "JH", "KD", "KC", "QC", "TS"],
    "KS",
)


class First(platform.Bot):  # type: ignore[misc]  # no types without the platform
    """Declares a marriage if it can."""

    def get_move(self, perspective: Any, leader_move: Any) -> Any:
        moves = perspective.valid_moves()
        return next((move for move in moves if move.is_marriage()), moves[0])


def bot_of(make: Any) -> PlatformBot:
    return PlatformBot(make).for_match(Random(1))


def test_a_marriage_is_declared_and_its_king_led() -> None:
    bot = bot_of(lambda rng: First())
    assert bot.choose(view_of([], *HANDS)) == MARRIAGES[Suit.HEARTS]
    assert bot.choose(view_of(["marriage H"], *HANDS)) == Card.of(Rank.KING, Suit.HEARTS)


def test_a_marriage_whose_queen_is_led_is_understood() -> None:
    view = view_of(["marriage H", "QH"], *HANDS)
    made = position(view, Random(1))
    assert made.leader_move is not None
    assert made.leader_move.is_marriage()
    assert our_card(made.leader_move.underlying_regular_move().card) == Card.of(Rank.QUEEN, Suit.HEARTS)
    after = view_of(["marriage H", "QH", "TH"], *HANDS)
    state = position(after, Random(1)).state
    assert (state.leader.score.direct_points, state.follower.score.pending_points) == (13, 20)


def test_it_claims_at_66_without_asking() -> None:
    class Never(platform.Bot):  # type: ignore[misc]  # no types without the platform
        def get_move(self, perspective: Any, leader_move: Any) -> Any:
            raise AssertionError

    won = view_of(["AD", "TD", "AC", "TC", "AS", "JS", "marriage H"], *HANDS)
    assert won.own_card_points >= 66
    assert bot_of(lambda rng: Never()).choose(won) == CLAIM


def test_a_closed_talon_looks_empty_and_its_hidden_cards_are_guessed_anew() -> None:
    view = view_of(["close", "AD"], *HANDS)
    guesses = {repr(position(view, Random(seed)).state.leader.hand) for seed in range(20)}
    assert len(guesses) > 1
    bot = Asked(Random(1))
    bot_of(lambda rng: bot).choose(view)
    (perspective,) = bot.seen
    assert perspective.get_phase() is platform.GamePhase.TWO
    led = perspective.asked.position.leader_move
    assumed = {repr(perspective.make_assumption(led, Random(seed)).leader.hand) for seed in range(20)}
    assert len(assumed) > 1
    assert [our_card(move.cards[0]) for move in perspective.valid_moves()] == list(view.legal_actions)


def test_states_have_no_players() -> None:
    state = position(view_of([], *HANDS), Random(1)).state
    with pytest.raises(RuntimeError, match="copy_with_other_bots"):
        state.leader.implementation.get_move(None, None)


def test_cards_go_there_and_back() -> None:
    assert {our_card(platform_card(card)) for card in SCHNAPSEN.deck} == set(SCHNAPSEN.deck)
    assert {platform_card(card) for card in SCHNAPSEN.deck} == set(ENGINE.deck_generator.get_initial_deck())


def test_bots_are_found_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    code = """\
    from schnapsen.bots import RandBot, RdeepBot
    class Mine(RandBot):
        pass
    def deep():
        return RdeepBot(1, 1, None)
    """
    (tmp_path / "platform_bots.py").write_text("\n".join(line[4:] for line in code.splitlines()), encoding="utf-8")
    assert type(load("platform_bots:Mine")(Random(1))).__name__ == "Mine"
    assert isinstance(load("platform_bots:deep")(Random(1)), RdeepBot)
    for name, problem in [
        ("platform_bots:RdeepBot", "platform_bots:RdeepBot needs num_samples, depth"),
        ("platform_bots:Nobody", "module 'platform_bots' has no 'Nobody'"),
        ("no_such_bots:Mine", "no module named 'no_such_bots'"),
        ("platform_bots", "'platform_bots' is neither rand, bully, rdeep nor of the form module:Class"),
    ]:
        with pytest.raises(ValueError, match=problem):
            load(name)


def test_they_play_in_a_tournament(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    adapter = "sixtysix.adapters.schnapsen_platform"
    commands = {name: ["-m", adapter, name] for name in ("rand", "bully")}
    commands["rdeep"] = ["-m", adapter, "rdeep", "--samples", "2", "--depth", "3"]
    commands["greedy"] = ["-m", "example_bots.greedy_bot"]
    bots = "".join(
        f'\n[[bots]]\nname = "{name}"\ncommand = {["{python}", *command]!r}\n' for name, command in commands.items()
    )
    head = '[tournament]\nname = "platform"\nrules = "schnapsen"\nmatches_per_pair = 2\n'
    out = tmp_path / "out"
    (tmp_path / "platform.toml").write_text(f'{head}out = "{out}"\n\n[time]\nready = "60s"\n{bots}', encoding="utf-8")
    assert arbiter(["run", "--quiet", str(tmp_path / "platform.toml")]) == 0
    capsys.readouterr()
    assert arbiter(["standings", "--json", str(out)]) == 0
    standings = json.loads(capsys.readouterr().out)["standings"]
    assert {line["name"]: (line["matches"], line["faults"]) for line in standings} == dict.fromkeys(commands, (6, 0))
