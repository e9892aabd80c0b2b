"""Shuffles and commitments that anyone can verify after the tournament.

Every deck follows from the tournament's secret, the pairing and the number of the deal alone, so nothing that
happens at the tables can influence the cards. Each deal is committed to when it starts and revealed in its
record.

The construction, for an independent check; `join` puts its fields one after another, each preceded by its
length as 4 bytes, texts in UTF-8, numbers as 8 bytes, all numbers big-endian:

* random bytes: HMAC-SHA-256(secret, join("sixtysix shuffle v1", pairing, deal, block)) for block = 0, 1, ...
* an index below n: take bytes until one is below the largest multiple of n up to 256; its remainder modulo n
* shuffle (Fisher-Yates): start from the pack in canonical order; for each i from the last position down to 1,
  swap the cards at i and at an index below i + 1
* salt: the first 16 bytes of HMAC-SHA-256(secret, join("sixtysix salt v1", pairing, deal))
* commitment: SHA-256(join("sixtysix commitment v1", tournament id, pairing, deal, salt, deck)), the deck as
  one text: the names of the cards joined by single spaces
"""

import hashlib
import hmac
import secrets
from collections.abc import Iterator, Sequence

from sixtysix.rules.cards import Card

SECRET_BYTES = 32
SALT_BYTES = 16

_SHUFFLE_TAG = "sixtysix shuffle v1"
_SALT_TAG = "sixtysix salt v1"
_COMMITMENT_TAG = "sixtysix commitment v1"


def new_secret() -> bytes:
    """Return a fresh tournament secret: 32 bytes from the operating system."""
    return secrets.token_bytes(SECRET_BYTES)


class Dealer:
    """Decks and salts of one tournament, derived from its secret; keeps no other state.

    Args:
        secret: 32 bytes, as from `new_secret`.

    Raises:
        ValueError: the secret has another length.
    """

    __slots__ = ("_secret",)

    def __init__(self, secret: bytes) -> None:
        if len(secret) != SECRET_BYTES:
            raise ValueError(f"a secret has {SECRET_BYTES} bytes, not {len(secret)}")
        self._secret = secret

    def deck(self, pairing: str, deal: int, deck: Sequence[Card]) -> tuple[Card, ...]:
        """Return the cards of a deal in dealing order.

        Args:
            pairing: what shares its cards: the same pairing and deal always get the same deck.
            deal: number of the deal, from 1.
            deck: the pack in canonical order, as in the rule set; at most 256 cards.
        """
        cards = list(deck)
        if len(cards) > 256:
            raise ValueError(f"a pack has at most 256 cards, not {len(cards)}")
        stream = self._stream(pairing, deal)
        for last in range(len(cards) - 1, 0, -1):
            other = _index_below(last + 1, stream)
            cards[last], cards[other] = cards[other], cards[last]
        return tuple(cards)

    def salt(self, pairing: str, deal: int) -> bytes:
        """Return the 16 bytes that keep the commitment of a deal from being guessed while it is played."""
        message = _join(_SALT_TAG, pairing, deal)
        return hmac.digest(self._secret, message, "sha256")[:SALT_BYTES]

    def _stream(self, pairing: str, deal: int) -> Iterator[int]:
        block = 0
        while True:
            yield from hmac.digest(self._secret, _join(_SHUFFLE_TAG, pairing, deal, block), "sha256")
            block += 1


def commitment(tournament_id: str, pairing: str, deal: int, salt: bytes, deck: Sequence[Card]) -> bytes:
    """Return the 32 bytes published when a deal starts.

    Once salt and deck are revealed, anyone can compute them again.

    Args:
        tournament_id: id of the tournament.
        pairing: as given to `Dealer.deck`.
        deal: number of the deal, from 1.
        salt: 16 bytes, as from `Dealer.salt`.
        deck: the cards in dealing order.

    Raises:
        ValueError: the salt has another length.
    """
    if len(salt) != SALT_BYTES:
        raise ValueError(f"a salt has {SALT_BYTES} bytes, not {len(salt)}")
    text = " ".join(str(card) for card in deck)
    return hashlib.sha256(_join(_COMMITMENT_TAG, tournament_id, pairing, deal, salt, text)).digest()


def _index_below(count: int, stream: Iterator[int]) -> int:
    # Bytes in the last, incomplete multiple of `count` would favour the small indices.
    limit = 256 - 256 % count
    return next(byte for byte in stream if byte < limit) % count


def _join(*parts: str | bytes | int) -> bytes:
    message = bytearray()
    for part in parts:
        if isinstance(part, int):
            part = part.to_bytes(8, "big")
        elif isinstance(part, str):
            part = part.encode()
        message += len(part).to_bytes(4, "big") + part
    return bytes(message)
