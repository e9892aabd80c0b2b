"""Where the results of a tournament are, as its directory tells."""

import json
from pathlib import Path

import pytest

from arbiter import database, directory
from arbiter.directory import STORE_FILE, DirectoryError
from arbiter.store import FILE_NAME, Store, StoreError, StoreExistsError, StoreNotFoundError
from tests.arbiter.played import config
from tests.arbiter.postgres import Server
from tests.arbiter.stored import SCHEDULE, TOURNAMENT


def test_results_go_to_a_file_by_default(tmp_path: Path) -> None:
    directory.create_store(tmp_path, TOURNAMENT, None).close()
    assert [path.name for path in tmp_path.iterdir()] == [FILE_NAME]
    for opened in (directory.open_store(tmp_path), directory.open_store(tmp_path / FILE_NAME)):
        with opened as store:
            assert store.tournament == TOURNAMENT
    with directory.resume_store(tmp_path, None) as store:
        store.issue(SCHEDULE)


def test_results_in_a_database(tmp_path: Path, postgres: Server) -> None:
    url = postgres.new_database()
    directory.create_store(tmp_path, TOURNAMENT, url).close()
    assert [path.name for path in tmp_path.iterdir()] == [STORE_FILE]
    place = json.loads((tmp_path / STORE_FILE).read_text())
    assert (database.address(place["url"]), place["tournament"]) == (database.address(url), TOURNAMENT.id)
    for again in (None, url):
        with directory.resume_store(tmp_path, again) as store:
            store.issue(SCHEDULE)
    with directory.open_store(tmp_path) as store:
        assert len(store.issued()) == len(SCHEDULE)


def test_a_database_that_has_moved(tmp_path: Path) -> None:
    old, new = tmp_path / "old.sqlite", tmp_path / "new.sqlite"
    out = tmp_path / "out"
    out.mkdir()
    directory.create_store(out, TOURNAMENT, f"sqlite:///{old}").close()
    with pytest.raises(StoreNotFoundError):
        directory.resume_store(out, f"sqlite:///{new}")
    old.rename(new)
    with pytest.raises(StoreNotFoundError):
        directory.open_store(out)
    directory.resume_store(out, f"sqlite:///{new}").close()
    directory.open_store(out).close()
    assert [path.name for path in out.iterdir()] == [STORE_FILE]


def test_a_relative_path_holds_from_anywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "out"
    out.mkdir()
    monkeypatch.chdir(tmp_path)
    directory.create_store(out, TOURNAMENT, "sqlite:///club.sqlite").close()
    monkeypatch.chdir("/")
    directory.open_store(out).close()
    assert (tmp_path / "club.sqlite").is_file()


def test_a_tournament_in_a_file_is_not_looked_for_in_a_database(tmp_path: Path) -> None:
    directory.create_store(tmp_path, TOURNAMENT, None).close()
    url = "postgresql+psycopg://arbiter@localhost/club"
    with pytest.raises(DirectoryError, match=f"its results are in {FILE_NAME}, not in postgresql"):
        directory.resume_store(tmp_path, url)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"url": "sqlite:///x"}', "\udcff"])
def test_a_file_that_does_not_say_where_the_results_are(tmp_path: Path, text: str) -> None:
    (tmp_path / STORE_FILE).write_bytes(text.encode(errors="surrogateescape"))
    for use in (directory.open_store, directory.check_resumable, lambda out: directory.resume_store(out, None)):
        with pytest.raises(DirectoryError, match=f"{STORE_FILE}: does not say where the results are"):
            use(tmp_path)


def test_a_directory_without_a_tournament(tmp_path: Path) -> None:
    for use in (directory.open_store, directory.check_resumable, lambda out: directory.resume_store(out, None)):
        with pytest.raises(DirectoryError, match=f"holds no tournament \\({FILE_NAME} is missing\\)"):
            use(tmp_path)


def test_a_tournament_in_a_database_is_replaced_only_by_force(tmp_path: Path, postgres: Server) -> None:
    url = postgres.new_database()
    directory.prepare(tmp_path, config(), force=False)
    directory.create_store(tmp_path, TOURNAMENT, url).close()
    (tmp_path / directory.CONFIG_FILE).unlink()
    with pytest.raises(
        DirectoryError, match="holds a tournament already; --resume goes on with it, --force replaces it"
    ):
        directory.prepare(tmp_path, config(), force=False)
    directory.prepare(tmp_path, config(), force=True)
    assert [path.name for path in tmp_path.iterdir()] == [directory.CONFIG_FILE]
    # The database keeps it: it may be the only copy, and whoever wants to may delete it.
    Store.open(url, TOURNAMENT.id).close()


def test_a_store_that_cannot_be_made_is_not_named(tmp_path: Path) -> None:
    path = tmp_path / "club.sqlite"
    path.touch()
    out = tmp_path / "out"
    out.mkdir()
    for url, kind in ((f"sqlite:///{path}", StoreExistsError), ("mysql://host/db", StoreError)):
        with pytest.raises(kind):
            directory.create_store(out, TOURNAMENT, url)
    assert list(out.iterdir()) == []
