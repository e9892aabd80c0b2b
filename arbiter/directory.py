"""The directory of a tournament: results, effective configuration and logs."""

import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from arbiter import database
from arbiter.config import ConfigError, TournamentConfig, parse
from arbiter.holding import hold_file
from arbiter.store import FILE_NAME, Store, StoreError, TournamentRow

CONFIG_FILE = "tournament.json"
"""The effective configuration."""
STORE_FILE = "store.json"
"""Where the results are, if not in the directory: the URL of a database and the tournament's id in it."""
LOG_FILE = "arbiter.log"
"""The arbiter's own log."""
BOT_LOGS = "logs"
"""Directory of the logs of the bot processes."""
LOCK_FILE = "arbiter.lock"
"""Made by the arbiter that plays the tournament, and removed by it."""

REPORT_FILE = "report.html"
"""What `arbiter report` writes."""

_KNOWN = (f"{FILE_NAME}*", f"{STORE_FILE}*", LOG_FILE, BOT_LOGS, REPORT_FILE, "crash-*.txt")


class DirectoryError(Exception):
    """The directory cannot be used; the message names it."""


@contextmanager
def held(out: Path) -> Iterator[None]:
    """Let no other arbiter play in a directory, which is made if it is missing.

    Raises:
        DirectoryError: it cannot be made.
        HeldError: another arbiter plays there.
        StoreError: it cannot be locked.
    """
    try:
        out.mkdir(parents=True, exist_ok=True)
    except FileExistsError as error:
        raise DirectoryError(f"{out}: cannot be used: Not a directory") from error
    except OSError as error:
        raise _unusable(out, error) from error
    with hold_file(out / LOCK_FILE, str(out)):
        yield


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
        if out.exists() and any(path.name != LOCK_FILE for path in out.iterdir()):
            _check_replaceable(out, force)
            _remove_tournament(out)
        out.mkdir(parents=True, exist_ok=True)
        text = json.dumps(config.to_toml_dict(), indent=2, ensure_ascii=False)
        (out / CONFIG_FILE).write_text(f"{text}\n", encoding="utf-8")
    except OSError as error:
        raise _unusable(out, error) from error


def create_store(out: Path, tournament: TournamentRow, url: str | None) -> Store:
    """Make the store of a tournament: in its directory or, with a URL, in a database that the directory names then.

    Raises:
        DirectoryError: the directory cannot be written.
        StoreError: the store cannot be made.
    """
    if url is None:
        return Store.create(out / FILE_NAME, tournament)
    url = _absolute(url)
    Store.create(url, tournament).close()
    store = Store.take(url, tournament.id)
    try:
        _write_place(out, url, tournament.id)
    except BaseException:
        store.close()
        raise
    return store


def open_store(path: Path) -> Store:
    """Open the store of a tournament to read it.

    Args:
        path: its directory, or a file with the results themselves.

    Raises:
        DirectoryError: a directory without a tournament.
        StoreError: the store cannot be opened.
    """
    if not path.is_dir():
        return Store.open(path)
    place = _place(path)
    return Store.open(path / FILE_NAME) if place is None else Store.open(*place)


def resume_store(out: Path, url: str | None) -> Store:
    """Open the store of a tournament to go on with it; one of an earlier version is brought up to date.

    Args:
        out: the directory of the tournament.
        url: of the database, as configured now; the tournament may have been moved there from another one.

    Raises:
        DirectoryError: there is no tournament, or it is in a file although a URL is configured.
        HeldError: another arbiter plays the tournament, from a directory of its own.
        StoreError: the store cannot be opened.
    """
    place = _place(out)
    if place is None:
        if url is not None:
            raise DirectoryError(f"{out}: its results are in {FILE_NAME}, not in {url}: leave out the store's URL")
        return Store.open(out / FILE_NAME, migrate=True)
    before, tournament_id = place
    now = before if url is None else _absolute(url)
    store = Store.take(now, tournament_id)
    try:
        if now != before:
            _write_place(out, now, tournament_id)
    except BaseException:
        store.close()
        raise
    return store


def check_resumable(out: Path) -> None:
    """Raise DirectoryError unless the directory says where its tournament is."""
    _place(out)


def _unusable(out: Path, error: OSError) -> DirectoryError:
    return DirectoryError(f"{error.filename or out}: cannot be used: {error.strerror}")


def _place(directory: Path) -> tuple[str, str] | None:
    """Where the results are: URL of a database and id of the tournament, or None for the file in the directory."""
    path = directory / STORE_FILE
    try:
        place = json.loads(path.read_text(encoding="utf-8"))
        return str(place["url"]), str(place["tournament"])
    except FileNotFoundError:
        if not (directory / FILE_NAME).is_file():
            raise DirectoryError(f"{directory}: holds no tournament ({FILE_NAME} is missing)") from None
        return None
    except OSError as error:
        raise DirectoryError(f"{path}: cannot be read: {error.strerror}") from error
    except (ValueError, TypeError, KeyError) as error:
        raise DirectoryError(f"{path}: does not say where the results are") from error


def _write_place(out: Path, url: str, tournament_id: str) -> None:
    path = out / STORE_FILE
    draft = path.with_name(f"{path.name}.new")
    try:
        with draft.open("w", encoding="utf-8") as file:
            json.dump({"url": url, "tournament": tournament_id}, file, indent=2)
            file.write("\n")
            file.flush()
            os.fsync(file.fileno())
        draft.rename(path)
    except OSError as error:
        raise DirectoryError(f"{path}: cannot be written: {error.strerror}") from error


def _absolute(url: str) -> str:
    """The URL of a SQLite file must not depend on where a command is started."""
    address = database.address(url)
    path = database.file_of(address)
    return (address if path is None else address.set(database=str(path.absolute()))).render_as_string()


def _check_replaceable(out: Path, force: bool) -> None:
    if not (_has_results(out) or _has_config(out)):
        raise DirectoryError(f"{out}: holds files, but no tournament; choose a new or empty directory")
    # Without results nothing was played: an earlier start has failed.
    if any((out / name).exists() for name in (FILE_NAME, STORE_FILE)) and not force:
        raise DirectoryError(f"{out}: holds a tournament already; --resume goes on with it, --force replaces it")


def _has_results(out: Path) -> bool:
    try:
        if _place(out) is None:
            Store.open(out / FILE_NAME).close()
    except (DirectoryError, StoreError):
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
