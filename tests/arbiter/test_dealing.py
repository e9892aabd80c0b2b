import itertools
import json
import math
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from arbiter.dealing import Dealer, commitment, new_secret
from sixtysix.rules.cards import Card
from sixtysix.rules.ruleset import rule_set

SECRET = bytes(range(32))
SCHNAPSEN = rule_set("schnapsen").deck
SIXTY_SIX = rule_set("sixty-six").deck
VECTORS = json.loads((Path(__file__).parents[2] / "vectors" / "shuffles.json").read_text())


@pytest.mark.parametrize("vector", VECTORS, ids=lambda v: f"{v['rules']}-{v['pairing']}-{v['deal']}")
def test_published_vectors(vector: dict[str, Any]) -> None:
    dealer = Dealer(bytes.fromhex(vector["secret"]))
    pairing, number = vector["pairing"], vector["deal"]
    deck = dealer.deck(pairing, number, rule_set(vector["rules"]).deck)
    salt = dealer.salt(pairing, number)
    assert [str(card) for card in deck] == vector["deck"]
    assert salt.hex() == vector["salt"]
    assert commitment(vector["tournament"], pairing, number, salt, deck).hex() == vector["commitment"]


@pytest.mark.parametrize("pack", [SCHNAPSEN, SIXTY_SIX])
def test_a_deck_is_the_whole_pack(pack: tuple[Card, ...]) -> None:
    deck = Dealer(SECRET).deck("001", 1, pack)
    assert sorted(deck) == sorted(pack)
    assert deck != pack


def test_a_long_pack_goes_on_into_the_next_block() -> None:
    deck = Dealer(SECRET).deck("long", 1, SIXTY_SIX * 3)
    assert " ".join(map(str, deck[:8])) == "AS QC 9H QH AS 9S AS KC"
    assert Counter(deck) == dict.fromkeys(SIXTY_SIX, 3)


def test_every_input_changes_deck_and_salt() -> None:
    # "1", 11 and "11", 1 would collide if the fields were merely written one after another.
    inputs = [
        (secret, pairing, deal)
        for secret in (SECRET, SECRET[::-1])
        for pairing in ("1", "11", "1\0", "é")
        for deal in (1, 11, 2)
    ]
    decks = {Dealer(secret).deck(pairing, deal, SCHNAPSEN) for secret, pairing, deal in inputs}
    salts = {Dealer(secret).salt(pairing, deal) for secret, pairing, deal in inputs}
    assert len(decks) == len(salts) == len(inputs)


def test_decks_do_not_depend_on_what_was_dealt_before() -> None:
    dealer = Dealer(SECRET)
    forwards = [dealer.deck("001", deal, SCHNAPSEN) for deal in range(1, 6)]
    backwards = [dealer.deck("001", deal, SCHNAPSEN) for deal in range(5, 0, -1)]
    assert forwards == backwards[::-1]


def assert_uniform(counts: Counter[tuple[int, int]], cells: int, degrees: int) -> None:
    """A chi-square statistic within 4 standard deviations of its mean, on both sides."""
    expected = counts.total() / cells
    statistic = sum((count - expected) ** 2 for count in counts.values()) / expected
    statistic += (cells - len(counts)) * expected
    assert abs(statistic - degrees) < 4 * math.sqrt(2 * degrees)


def test_every_card_is_equally_likely_in_every_place() -> None:
    size = len(SIXTY_SIX)
    dealer = Dealer(SECRET)
    places: Counter[tuple[int, int]] = Counter()
    neighbours: Counter[tuple[int, int]] = Counter()
    for deal in range(1, 5001):
        deck = dealer.deck("uniform", deal, SIXTY_SIX)
        places.update(enumerate(deck))
        neighbours.update(itertools.pairwise(deck))
    assert_uniform(places, size * size, (size - 1) ** 2)
    assert_uniform(neighbours, size * (size - 1), size * (size - 1) - 1)


def test_a_commitment_binds_every_part() -> None:
    salt = Dealer(SECRET).salt("001", 1)
    swapped = (SCHNAPSEN[1], SCHNAPSEN[0], *SCHNAPSEN[2:])
    commitments = {
        commitment("club", "001", 1, salt, SCHNAPSEN),
        commitment("club2", "001", 1, salt, SCHNAPSEN),
        commitment("club", "002", 1, salt, SCHNAPSEN),
        commitment("club", "001", 2, salt, SCHNAPSEN),
        commitment("club", "001", 1, salt[::-1], SCHNAPSEN),
        commitment("club", "001", 1, salt, swapped),
        commitment("club0", "01", 1, salt, SCHNAPSEN),
    }
    assert len(commitments) == 7


def test_new_secrets_differ_and_are_not_shown() -> None:
    secret = new_secret()
    assert len(secret) == 32
    assert secret != new_secret()
    dealer = Dealer(SECRET)
    assert repr(SECRET) not in repr(dealer)
    assert SECRET.hex() not in repr(dealer)


@pytest.mark.parametrize("length", [0, 31, 33])
def test_a_secret_of_another_length_is_refused(length: int) -> None:
    with pytest.raises(ValueError, match=f"32 bytes, not {length}"):
        Dealer(bytes(length))


def test_a_salt_of_another_length_is_refused() -> None:
    with pytest.raises(ValueError, match="16 bytes, not 15"):
        commitment("club", "001", 1, bytes(15), SCHNAPSEN)


def test_a_pack_too_large_for_the_construction_is_refused() -> None:
    with pytest.raises(ValueError, match="at most 256 cards, not 257"):
        Dealer(SECRET).deck("001", 1, [SCHNAPSEN[0]] * 257)
