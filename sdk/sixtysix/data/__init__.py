"""Decisions from tournaments, for machine learning: what a seat saw, what it did and what came of it.

`arbiter export --format parquet` writes them, `batches` reads them as numpy arrays, `features` and `legal` make input
for a model of them, and `encode` makes the same of a `View`, so that a bot can ask what was trained. Needs numpy and
pyarrow: ``pip install 'sixtysix[data]'``.
"""

from sixtysix.data.columns import ABSENT, COLUMNS, IDENTITY, OBSERVATION, OUTCOME, STAGES, Observation, observe

try:
    from sixtysix.data.arrays import FEATURES, encode, features, legal
    from sixtysix.data.parquet import Batch, DataError, batches, schema
except ModuleNotFoundError as error:
    if error.name not in ("numpy", "pyarrow"):
        raise
    text = f"sixtysix.data needs {error.name}, which is not installed: pip install 'sixtysix[data]'"
    raise ModuleNotFoundError(text, name=error.name) from None

__all__ = [
    "ABSENT",
    "COLUMNS",
    "FEATURES",
    "IDENTITY",
    "OBSERVATION",
    "OUTCOME",
    "STAGES",
    "Batch",
    "DataError",
    "Observation",
    "batches",
    "encode",
    "features",
    "legal",
    "observe",
    "schema",
]
