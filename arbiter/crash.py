"""Reports of faults of the arbiter itself."""

import platform
import sys
import tempfile
import time
import traceback
from pathlib import Path

from sixtysix._version import __version__


def write_report(error: BaseException, directory: Path) -> Path:
    """Write the traceback of an error to a new file and return its path.

    Args:
        error: what went wrong.
        directory: where to write; the directory for temporary files takes its place if that fails.

    Raises:
        OSError: nothing can be written there either.
    """
    lines = [
        f"arbiter {__version__}, Python {platform.python_version()}, {platform.platform()}\n",
        f"arguments: {sys.argv[1:]}\n\n",
        *traceback.format_exception(error),
    ]
    name = time.strftime("crash-%Y%m%d-%H%M%S-")
    try:
        return _write(lines, name, directory)
    except OSError:
        return _write(lines, name, Path(tempfile.gettempdir()))


def _write(lines: list[str], name: str, directory: Path) -> Path:
    with tempfile.NamedTemporaryFile(
        "w", prefix=name, suffix=".txt", dir=directory, delete=False, encoding="utf-8"
    ) as file:
        file.writelines(lines)
    return Path(file.name)
