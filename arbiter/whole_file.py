"""Files that are there whole or not at all."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from errno import EINVAL
from pathlib import Path
from typing import BinaryIO


@contextmanager
def whole_file(path: Path) -> Iterator[BinaryIO]:
    """Open a file to write, which takes the place of `path` when the block ends well; until then that stays as it is.

    If the block fails or is interrupted, nothing is left of what it wrote.

    Raises:
        OSError: it cannot be written, or `path` is something else than a file.
    """
    if path.exists() and not path.is_file():
        # To replace a device by a file, as root can, is never meant.
        raise OSError(EINVAL, "it is not a regular file", str(path))
    draft = path.with_name(f"{path.name}.part")
    try:
        with draft.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
