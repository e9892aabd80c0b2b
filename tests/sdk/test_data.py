import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from sixtysix.data import (
    COLUMNS,
    FEATURES,
    IDENTITY,
    OBSERVATION,
    OUTCOME,
    STAGES,
    Batch,
    DataError,
    Observation,
    batches,
    encode,
    features,
    legal,
    observe,
    schema,
)
from sixtysix.rules import ACTIONS, CARDS, RULE_SETS, Stage, Suit, View
from tests.rules.hiding_pairs import hiding_pair, swapped
from tests.rules.playouts import Playout, playouts
from tests.sdk.decisions import rows_of, write


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two hundred matches; each two of an even hundred have the same cards."""
    rows = []
    for number in range(200):
        cards = f"{number - number % 2}" if number < 100 else ""
        rows += rows_of(f"{number}", cards)
    return write(tmp_path_factory.mktemp("data") / "decisions.parquet", rows)


def joined(found: list[Batch]) -> Batch:
    return {name: np.concatenate([batch[name] for batch in found]) for name in found[0]}


def members(mask: int) -> set[int]:
    return {index for index in range(64) if mask >> index & 1}


def test_every_column_has_a_type_and_a_place() -> None:
    assert tuple(OBSERVATION) == Observation._fields
    assert list(COLUMNS) == [*IDENTITY, *OBSERVATION, *OUTCOME]
    assert schema().names == list(COLUMNS)
    assert set(STAGES) == set(Stage) - {Stage.OVER}


@given(playouts())
def test_an_observation_says_what_the_view_says(playout: Playout) -> None:
    deal, _ = playout.play(unfinished=True)
    view = View.of(deal, deal.turn, (3, 5), 2)
    seen = observe(view)
    assert members(seen.hand) == set(view.hand)
    assert members(seen.unseen) == set(view.unseen)
    assert members(seen.played) == {card for card in CARDS if view.played >> card & 1}
    assert members(seen.opponent_known) == set(view.opponent_known)
    assert members(seen.own_shown) == set(view.own_shown)
    assert members(seen.legal) == set(view.legal_actions)
    assert STAGES[seen.stage] is view.stage
    assert (seen.dealt, seen.leads) == (view.dealer == view.seat, view.leader == view.seat)
    assert (seen.own_score, seen.opponent_score) == ((3, 5) if view.seat == 0 else (5, 3))
    assert seen.trump == view.trump
    assert seen.turn_up == (-1 if view.turn_up is None else view.turn_up)
    assert seen.led == (-1 if view.led is None else view.led)
    assert seen.declared == (-1 if view.declared is None else view.declared)
    for name in OBSERVATION:
        if hasattr(view, name) and isinstance(getattr(view, name), int) and name not in ("led", "turn_up", "declared"):
            assert getattr(seen, name) == getattr(view, name)
    if view.closing is None:
        assert (seen.closed, seen.own_points_at_close, seen.opponent_tricks_at_close) == (0, 0, 0)
    else:
        own = view.closing.seat == view.seat
        assert seen.closed == (1 if own else -1)
        assert seen.own_points_at_close == view.closing.card_points[view.seat]
        assert seen.opponent_points_at_close == view.closing.card_points[1 - view.seat]
        assert seen.own_tricks_at_close == view.closing.tricks[view.seat]
        assert seen.opponent_tricks_at_close == view.closing.tricks[1 - view.seat]


@settings(max_examples=300)
@given(playouts(), st.integers(0, 1), st.integers(0, 1 << 32))
def test_an_observation_tells_nothing_that_the_seat_has_not_seen(playout: Playout, seat: int, seed: int) -> None:
    pair = hiding_pair(playout, seat, Random(seed))
    assume(pair is not None)
    assert pair is not None
    one, other = playout.start(), swapped(playout.start(), *pair.swapped)
    for action in pair.actions:
        assert observe(View.of(one, seat)) == observe(View.of(other, seat))
        if set(one.hands[1 - seat]) != set(other.hands[1 - seat]):
            assert observe(View.of(one, 1 - seat)) != observe(View.of(other, 1 - seat))
        one.apply(action)
        other.apply(action)


@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=str)
def test_observations_fit_into_their_columns(rules: Any) -> None:
    rows = rows_of("1", rules=rules)
    arrays = [pa.array(column, field.type) for column, field in zip(zip(*rows, strict=True), schema(), strict=True)]
    assert pa.Table.from_arrays(arrays, schema=schema()).to_pylist() == [
        dict(zip(COLUMNS, row, strict=True)) for row in rows
    ]


def test_reading_gives_back_what_was_written(path: Path) -> None:
    rows = [
        row for number in range(200) for row in rows_of(f"{number}", f"{number - number % 2}" if number < 100 else "")
    ]
    read = joined(list(batches(path)))
    assert list(read) == list(COLUMNS)
    for name, column in zip(COLUMNS, zip(*rows, strict=True), strict=True):
        assert read[name].tolist() == [value if isinstance(value, str) else int(value) for value in column]


def test_batches_are_no_longer_than_asked(path: Path) -> None:
    sizes = [len(batch["action"]) for batch in batches(path, size=64)]
    assert max(sizes) <= 64
    assert sum(sizes) == len(joined(list(batches(path)))["action"])


def test_only_the_columns_that_are_asked_for(path: Path) -> None:
    for part in ("all", "train"):
        batch = next(iter(batches(path, columns=["action", "hand"], part=part)))
        assert list(batch) == ["action", "hand"]
        assert batch["hand"].dtype == np.uint32


def test_several_files_one_after_the_other(path: Path) -> None:
    once, twice = joined(list(batches(path))), joined(list(batches([path, str(path)])))
    assert twice["match"].tolist() == 2 * once["match"].tolist()


@pytest.mark.parametrize("size", [50, 65_536])
def test_matches_belong_to_one_part_and_duplicates_stay_together(path: Path, size: int) -> None:
    parts = {
        part: joined(list(batches(path, part=part, test_share=0.3, size=size, columns=["match", "cards", "number"])))
        for part in ("train", "test", "all")
    }
    train, test = (set(parts[part]["match"].tolist()) for part in ("train", "test"))
    assert train | test == {f"{number}" for number in range(200)}
    assert not train & test
    assert not set(parts["train"]["cards"].tolist()) & set(parts["test"]["cards"].tolist())
    assert len(parts["train"]["match"]) + len(parts["test"]["match"]) == len(parts["all"]["match"])
    assert 0.15 < len(test) / 200 < 0.45


def test_the_parts_do_not_depend_on_what_else_is_in_the_file(path: Path, tmp_path: Path) -> None:
    whole = set(joined(list(batches(path, part="test")))["match"].tolist())
    for number in range(100, 130):
        alone = write(tmp_path / "alone.parquet", rows_of(f"{number}"))
        assert bool(list(batches(alone, part="test"))) == (f"{number}" in whole)


@pytest.mark.parametrize(("share", "empty"), [(0.0, "test"), (1.0, "train")])
def test_a_part_may_be_empty(path: Path, share: float, empty: Any) -> None:
    assert list(batches(path, part=empty, test_share=share)) == []


def test_a_file_without_decisions(tmp_path: Path) -> None:
    assert list(batches(write(tmp_path / "none.parquet", []))) == []


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"columns": ["hnad"]}, "no column is named 'hnad'"),
        ({"part": "validation"}, 'part must be "all", "train" or "test", not \'validation\''),
        ({"test_share": 1.5}, r"test_share must lie in 0\.\.1, not 1\.5"),
        ({"size": 0}, "size must be 1 or more, not 0"),
    ],
)
def test_wrong_arguments(path: Path, changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        batches(path, **changes)


def test_files_that_cannot_be_read(path: Path, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"nowhere\.parquet: cannot be read: .*No such file"):
        list(batches(tmp_path / "nowhere.parquet"))
    text, half, other = (tmp_path / name for name in ("text", "half", "other"))
    text.write_text("no data at all")
    half.write_bytes(path.read_bytes()[:-100])
    pq.write_table(pa.table({"hand": [1, 2]}), other)
    for bad, message in [
        (text, "text: is not a whole Parquet file"),
        (half, "half: is not a whole Parquet file"),
        (other, "other: holds no decisions of the form that this version reads"),
    ]:
        with pytest.raises(DataError, match=message) as caught:
            list(batches(bad))
        assert "\n" not in str(caught.value)


@given(playouts())
def test_features_can_be_read_back(playout: Playout) -> None:
    deal, _ = playout.play(unfinished=True)
    view = View.of(deal, deal.turn)
    vector, allowed = encode(view)
    values = dict(zip(FEATURES, vector.tolist(), strict=True))
    assert {card.text for card in view.hand} == {card.text for card in CARDS if values[f"hand {card.text}"] == 1}
    assert {card.text for card in view.unseen} == {card.text for card in CARDS if values[f"unseen {card.text}"] == 1}
    assert [suit for suit in Suit if values[f"trump {suit.letter}"] == 1] == [view.trump]
    assert [stage for stage in STAGES if values[f"stage {stage.value}"] == 1] == [view.stage]
    assert [card for card in CARDS if values[f"led {card.text}"] == 1] == ([] if view.led is None else [view.led])
    assert values["own_trick_points"] == pytest.approx(view.own_trick_points / 66)
    assert values["opponent_tricks"] == pytest.approx(view.opponent_tricks / 12)
    assert {ACTIONS[index] for index in np.flatnonzero(allowed)} == set(view.legal_actions)


@given(playouts(), st.integers(0, 1))
def test_one_view_is_encoded_as_a_batch_is(playout: Playout, seat: int) -> None:
    deal, _ = playout.play(unfinished=True)
    view = View.of(deal, seat, (-3, 5))
    seen = observe(view)._asdict()
    columns = {name: np.array([seen[name]], dtype=kind) for name, kind in OBSERVATION.items()}
    vector, allowed = encode(view)
    assert vector.dtype == np.float32
    assert allowed.dtype == np.bool_
    assert vector.tolist() == features(columns)[0].tolist()
    assert allowed.tolist() == legal(columns)[0].tolist()


def test_features_of_a_batch_are_those_of_its_views(path: Path) -> None:
    batch = next(iter(batches(path)))
    matrix, allowed = features(batch), legal(batch)
    assert matrix.shape == (len(batch["action"]), len(FEATURES))
    assert matrix.dtype == np.float32
    assert len(set(FEATURES)) == len(FEATURES)
    assert allowed.shape == (len(batch["action"]), 37)
    assert allowed.dtype == np.bool_
    assert allowed[np.arange(len(allowed)), batch["action"]].all()
    assert np.isfinite(matrix).all()
    row = {name: batch[name][7:8] for name in OBSERVATION}
    assert features(row)[0].tolist() == matrix[7].tolist()


def run_python(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)


def test_the_sdk_does_without_numpy_and_pyarrow() -> None:
    code = "import sixtysix, sixtysix.client, sys; print(sorted({'numpy', 'pyarrow'} & set(sys.modules)))"
    assert run_python(code).stdout == "[]\n"


@pytest.mark.parametrize("name", ["numpy", "pyarrow"])
def test_what_is_missing_is_named_with_what_to_install(name: str) -> None:
    result = run_python(f"import sys; sys.modules[{name!r}] = None\nimport sixtysix.data")
    assert result.stderr.splitlines()[-1] == (
        f"ModuleNotFoundError: sixtysix.data needs {name}, which is not installed: pip install 'sixtysix[data]'"
    )
