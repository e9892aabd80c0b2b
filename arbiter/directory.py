"""The directory of a tournament: results, effective configuration and logs."""

import json
import shutil
from pathlib import Path

from arbiter.config import ConfigError, TournamentConfig, parse
from arbiter.store import FILE_NAME, Store, StoreError

CONFIG_FILE = "tournament.json"
"""The effective configuration."""
LOG_FILE = "arbiter.log"
"""The arbiter's own log."""
BOT_LOGS = "logs"
"""Directory of the logs of the bot processes."""

_KNOWN = (f"{FILE_NAME}*", LOG_FILE, BOT_LOGS, "crash-*.txt")


class DirectoryError(Exception):
    """The directory cannot be used; the message names it."""


def prepare(out: Path, config: TournamentConfig, *, force: bool) -> None:
    """Make the directory of a tournament that is about to be played, with its effective configuration.

    Args:
        out: a new or empty directory, one where nothing was played or, with `force`, one of a tournament. Its old
            files are removed; those that the arbiter does not know stay.
        config: what will be played.
        force: replace a tournament.

    Raises:
        DirectoryError: it holds something that is not to be replaced, or cannot be written.
    """
    try:
        if out.exists() and any(out.iterdir()):
            _check_replaceable(out, force)
            _remove_tournament(out)
        out.mkdir(parents=True, exist_ok=True)
        text = json.dumps(config.to_toml_dict(), indent=2, ensure_ascii=False)
        (out / CONFIG_FILE).write_text(f"{text}\n", encoding="utf-8")
    except OSError as error:
        raise DirectoryError(f"{error.filename or out}: cannot be used: {error.strerror}") from error


def store_path(path: Path) -> Path:
    """Return the path of the results in a tournament's directory; a file is taken as the results themselves.

    Raises:
        DirectoryError: a directory without results.
    """
    if not path.is_dir():
        return path
    if not (path / FILE_NAME).is_file():
        raise DirectoryError(f"{path}: holds no tournament ({FILE_NAME} is missing)")
    return path / FILE_NAME


def _check_replaceable(out: Path, force: bool) -> None:
    if not (_has_results(out) or _has_config(out)):
        raise DirectoryError(f"{out}: holds files, but no tournament; choose a new or empty directory")
    # Without results nothing was played: an earlier start has failed.
    if (out / FILE_NAME).exists() and not force:
        raise DirectoryError(f"{out}: holds a tournament already; --force replaces it")


def _has_results(out: Path) -> bool:
    try:
        Store.open(out / FILE_NAME).close()
    except StoreError:
        return False
    return True


def _has_config(out: Path) -> bool:
    path = out / CONFIG_FILE
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        if isinstance(data, dict):
            parse(data, str(path))
            return True
    except (FileNotFoundError, ValueError, ConfigError):
        return False
    return False


def _remove_tournament(out: Path) -> None:
    for pattern in _KNOWN:
        for path in out.glob(pattern):
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            else:
                path.unlink()
