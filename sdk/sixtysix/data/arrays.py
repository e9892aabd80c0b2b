"""Decisions as numpy arrays of numbers that a model can be trained on."""

from collections.abc import Mapping
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from sixtysix.data.columns import ABSENT, STAGES, observe
from sixtysix.rules import ACTIONS, CARDS, Suit, View

Floats: TypeAlias = NDArray[np.float32]
Column: TypeAlias = NDArray[Any]

_CARD_NAMES = [card.text for card in CARDS]
_SUIT_NAMES = [suit.letter for suit in Suit]

# By column, what its number is divided by, so that features are of the order of 1.
_SCALES = {
    "dealt": 1,
    "leads": 1,
    "own_score": 7,
    "opponent_score": 7,
    "carry": 7,
    "face_down": 12,
    "closed": 1,
    "own_tricks": 12,
    "opponent_tricks": 12,
    "own_trick_points": 66,
    "opponent_trick_points": 66,
    "own_marriage_points": 66,
    "opponent_marriage_points": 66,
    "pending_marriage": 66,
    "own_points_at_close": 66,
    "opponent_points_at_close": 66,
    "own_tricks_at_close": 12,
    "opponent_tricks_at_close": 12,
}
_DIVISORS = np.array(list(_SCALES.values()), dtype=np.float32)
_SETS = {
    **dict.fromkeys(("hand", "unseen", "played", "opponent_known", "own_shown"), _CARD_NAMES),
    "used_nines": _SUIT_NAMES,
}
_CHOICES = {
    "turn_up": _CARD_NAMES,
    "led": _CARD_NAMES,
    "trump": _SUIT_NAMES,
    "declared": _SUIT_NAMES,
    "stage": [stage.value for stage in STAGES],
}

FEATURES = (
    *(f"{column} {name}" for column, names in (*_SETS.items(), *_CHOICES.items()) for name in names),
    *_SCALES,
)
"""The names of the columns of `features`."""


def features(columns: Mapping[str, Column]) -> Floats:
    """Return the observations of decisions, shape (rows, len(FEATURES)).

    Sets become a 0 or 1 for each member, cards and suits one 1 among zeros (none: zeros only); numbers are divided: by
    66 for card points, 12 for cards and tricks, 7 for game points. The rules may allow more than that.

    Args:
        columns: with the fields of `sixtysix.data.Observation`, each of the same length.
    """
    parts = [_bits(columns[name], len(names)) for name, names in _SETS.items()]
    parts += [_one_hot(columns[name], len(names)) for name, names in _CHOICES.items()]
    parts += [columns[name].astype(np.float32)[:, np.newaxis] / np.float32(by) for name, by in _SCALES.items()]
    return np.concatenate(parts, axis=1)


def legal(columns: Mapping[str, Column]) -> NDArray[np.bool_]:
    """Return which actions were legal, shape (rows, 37), by the index of the action."""
    return _bits(columns["legal"], len(ACTIONS)) > 0


def encode(view: View) -> tuple[Floats, NDArray[np.bool_]]:
    """Return `features` and `legal` of one view, without the dimension of the rows: what a trained bot asks of it."""
    seen = observe(view)
    # One whole number for all bits: several times as fast as an array for each column.
    bits, width = 0, 0
    for name, names in _SETS.items():
        bits |= getattr(seen, name) << width
        width += len(names)
    for name, names in _CHOICES.items():
        index = getattr(seen, name)
        if index != ABSENT:
            bits |= 1 << width + index
        width += len(names)
    numbers = np.array([getattr(seen, name) for name in _SCALES], dtype=np.float32) / _DIVISORS
    encoded = np.concatenate([_unpack(bits, width), numbers], dtype=np.float32)
    return encoded, _unpack(seen.legal, len(ACTIONS)).astype(np.bool_)


def _unpack(bits: int, width: int) -> NDArray[np.uint8]:
    """Return the lowest bits of a whole number as 0 and 1, shape (width,)."""
    data = np.frombuffer(bits.to_bytes((width + 7) // 8, "little"), dtype=np.uint8)
    return np.unpackbits(data, count=width, bitorder="little")


def _bits(masks: Column, width: int) -> Floats:
    """Return bit masks as rows of 0 and 1, shape (rows, width)."""
    places = np.arange(width, dtype=np.uint64)
    ones: NDArray[np.uint64] = masks.astype(np.uint64)[:, np.newaxis] >> places & np.uint64(1)
    return ones.astype(np.float32)


def _one_hot(indices: Column, width: int) -> Floats:
    hits: NDArray[np.bool_] = indices[:, np.newaxis] == np.arange(width)
    return hits.astype(np.float32)
