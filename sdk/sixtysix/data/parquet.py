"""Parquet files of decisions: their form, and a reader that holds a part of them at a time."""

import hashlib
from collections.abc import Iterator, Sequence
from itertools import chain
from os import PathLike, fspath
from typing import Any, Literal, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from sixtysix.data.columns import COLUMNS

_KEY, _VERSION = b"sixtysix.decisions", b"1"
FORM: dict[bytes | str, bytes | str] = {_KEY: _VERSION}
"""What marks a file of decisions among its metadata, and the version of the columns."""

Part = Literal["all", "train", "test"]
Batch: TypeAlias = dict[str, NDArray[Any]]
Path: TypeAlias = str | PathLike[str]

_TYPES: dict[str, pa.DataType] = {
    "text": pa.dictionary(pa.int32(), pa.string()),
    "int8": pa.int8(),
    "uint8": pa.uint8(),
    "int32": pa.int32(),
    "uint32": pa.uint32(),
    "int64": pa.int64(),
    "uint64": pa.uint64(),
}
_SPLIT_BY = ("tournament", "cards")


class DataError(Exception):
    """A file of decisions cannot be read; the message names it."""


def schema() -> pa.Schema:
    """Return the form of a file of decisions."""
    return pa.schema([pa.field(name, _TYPES[kind], nullable=False) for name, kind in COLUMNS.items()], metadata=FORM)


def batches(
    paths: Path | Sequence[Path],
    *,
    columns: Sequence[str] | None = None,
    part: Part = "all",
    test_share: float = 0.2,
    size: int = 65_536,
) -> Iterator[Batch]:
    """Iterate over the decisions of files in their order, as arrays of equal length by the name of the column.

    Matches belong as a whole to one part, and so do two matches that were played with the same cards; which one depends
    on the tournament and its match alone, not on the files. Texts are arrays of `str` objects.

    Args:
        paths: one file or several.
        columns: which of `sixtysix.data.COLUMNS`; all by default.
        part: "train" and "test" have no match in common, "all" is both.
        test_share: the share of the matches that belong to "test", about; 0 to 1.
        size: decisions at a time, at most; what a batch needs in memory follows from it.

    Raises:
        DataError: a file cannot be read or holds no decisions of this form.
        ValueError: an argument is outside its range.
    """
    unknown = [name for name in columns or () if name not in COLUMNS]
    if unknown:
        raise ValueError(f"no column is named {unknown[0]!r}")
    if part not in ("all", "train", "test"):
        raise ValueError(f'part must be "all", "train" or "test", not {part!r}')
    if not 0 <= test_share <= 1:
        raise ValueError(f"test_share must lie in 0..1, not {test_share}")
    if size < 1:
        raise ValueError(f"size must be 1 or more, not {size}")
    wanted = list(columns or COLUMNS)
    files = [paths] if isinstance(paths, str | PathLike) else paths
    return chain.from_iterable(_batches_of(path, wanted, part, test_share, size) for path in files)


def _batches_of(path: Path, wanted: list[str], part: Part, test_share: float, size: int) -> Iterator[Batch]:
    needed = wanted if part == "all" else list(dict.fromkeys([*wanted, *_SPLIT_BY]))
    try:
        with pq.ParquetFile(fspath(path)) as file:
            found = file.schema_arrow.metadata or {}
            if found.get(_KEY) != _VERSION:
                raise DataError(f"{path}: holds no decisions of the form that this version reads")
            # Asked for all groups at once, the reader keeps more of them than it needs.
            groups = range(file.num_row_groups)
            for rows in chain.from_iterable(file.iter_batches(size, [group], needed) for group in groups):
                batch = {name: rows.column(name).to_numpy(zero_copy_only=False) for name in needed}
                if part != "all":
                    keep = _in_test(batch, test_share) == (part == "test")
                    if not keep.any():
                        continue
                    batch = {name: batch[name][keep] for name in wanted}
                yield batch
    except OSError as error:
        raise DataError(f"{path}: cannot be read: {error.strerror or error}") from error
    except pa.ArrowInvalid as error:
        raise DataError(f"{path}: is not a whole Parquet file: {str(error).splitlines()[0]}") from error


def _in_test(batch: Batch, share: float) -> NDArray[np.bool_]:
    keys = list(zip(*(batch[name].tolist() for name in _SPLIT_BY), strict=True))
    verdicts = {key: _place("/".join(key)) < share for key in set(keys)}
    return np.fromiter((verdicts[key] for key in keys), np.bool_, len(keys))


def _place(key: str) -> float:
    """A number in 0..1 that looks random and depends on nothing else."""
    return int.from_bytes(hashlib.sha256(key.encode()).digest()[:6]) / 2**48
