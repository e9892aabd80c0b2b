"""Everything that somebody may change in the database of a tournament is found, and named."""

import json
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest

from arbiter.cli import main
from arbiter.console import DONE
from arbiter.store import FILE_NAME
from arbiter.verify import Report, verify
from tests.arbiter import recorded


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with the store of a tournament in which every kind of fault has happened."""
    folder = tmp_path_factory.mktemp("tables")
    with recorded.with_faults(folder):
        pass
    return folder


def columns_of(table: str) -> list[str]:
    from arbiter import schema

    return [column.name for column in schema.metadata.tables[table].columns]


def tampered(tables: Path, folder: Path, *statements: tuple[str, Sequence[object]]) -> Report:
    with (
        closing(sqlite3.connect(tables / FILE_NAME)) as source,
        closing(sqlite3.connect(folder / FILE_NAME)) as target,
    ):
        source.backup(target)
        for statement, values in statements:
            assert target.execute(statement, values).rowcount > 0, statement
        target.commit()
    return verify(folder)


def other_values(value: object) -> list[object]:
    """What somebody may write in the place of a value."""
    if value is None:
        return [0, "x"]
    if isinstance(value, int | float):
        return [value + 1, "x", -1 - value]
    assert isinstance(value, str)
    changed = f"{value[:-1]}{'0' if value[-1] != '0' else '1'}" if value else "x"
    values: list[object] = [changed, f"{value}x", ""]
    if value[:1] in ("{", "["):
        values += ["{}", "[]", "null", "[[1, 2]]"]
    return [other for other in values if other != value]


# What no result follows from: when the tournament was made; whose cards a match has, which the schedule says.
UNCHECKED = {("tournament", "created"), ("matches", "cards")}


@pytest.mark.parametrize(
    ("table", "column"),
    [
        (table, column)
        for table in ("tournament", "matches", "results", "deals")
        for column in columns_of(table)
        if (table, column) not in UNCHECKED
    ],
)
def test_a_value_in_the_database_is_changed(tables: Path, tmp_path: Path, table: str, column: str) -> None:
    with closing(sqlite3.connect(tables / FILE_NAME)) as database:
        rows = database.execute(f"SELECT rowid, {column} FROM {table} ORDER BY rowid").fetchall()
    of_each_type = {type(value): (rowid, value) for rowid, value in rows}
    if column in ("forfeit_fault", "forfeit_detail"):
        # Without a seat nobody reads them.
        del of_each_type[type(None)]
    for rowid, value in of_each_type.values():
        for other in other_values(value):
            statement = f"UPDATE {table} SET {column} = ? WHERE rowid = ?"
            try:
                report = tampered(tables, tmp_path, (statement, (other, rowid)))
            except sqlite3.IntegrityError:
                continue
            # What does not belong to the tournament any more is as if it had not been played.
            unlinked = column in ("id", "tournament_id") and report.matches < 8
            assert report.error is not None or unlinked, (rowid, other)


@pytest.mark.parametrize(
    ("statements", "where", "what"),
    [
        (
            ["DELETE FROM deals WHERE match_id = '003-02' AND number = 2"],
            "match 003-02",
            "digest: expected '",
        ),
        (
            ["DELETE FROM deals WHERE match_id = '002-02'", "DELETE FROM results WHERE match_id = '002-02'"],
            "match 002-02",
            "is fixed, but has no result that counts",
        ),
        (
            ["UPDATE matches SET state = 'void' WHERE match_id = '002-02'"],
            "match 002-02",
            "state and attempts: expected ('fixed', 1), found ('void', 1)",
        ),
        (
            ["UPDATE matches SET attempt = 2 WHERE match_id = '002-02'"],
            "match 002-02",
            "attempts that have ended: expected 2, found 1",
        ),
        (
            ["UPDATE results SET deals = deals + 1 WHERE match_id = '003-02'"],
            "match 003-02",
            "deals: expected 3, found 4",
        ),
        (["UPDATE results SET score0 = score0 + 1 WHERE match_id = '003-02'"], "match 003-02", "digest: expected '"),
        (["UPDATE tournament SET secret = 'x'"], "tournament", "secret: String should match pattern"),
        (["UPDATE tournament SET config = 'x'"], "tournament", "cannot be read: JSONDecodeError"),
        (["UPDATE tournament SET config = '{}'"], "tournament", "cannot be read: KeyError"),
        (["UPDATE deals SET clock = '7' WHERE match_id = '003-02'"], "after match 003-01", "cannot be read: TypeError"),
        (
            [f"UPDATE deals SET result = '{'[' * 5_000}{']' * 5_000}' WHERE match_id = '003-02'"],
            "after match 003-01",
            "cannot be read: RecursionError",
        ),
    ],
)
def test_what_is_wrong_in_a_database_is_named(
    tables: Path, tmp_path: Path, statements: list[str], where: str, what: str
) -> None:
    deleting = [(text, ()) for text in statements if "FROM deals WHERE match_id = '002-02'" not in text]
    error = tampered(tables, tmp_path, *deleting).error
    assert error is not None
    assert error.where == where
    assert error.what.startswith(what)


def test_results_from_before_there_were_digests(tables: Path, tmp_path: Path) -> None:
    report = tampered(tables, tmp_path, ("UPDATE results SET digest = NULL WHERE match_id = '003-02'", ()))
    assert (report.error, report.undigested) == (None, 1)
    assert any("1 matches have no digest" in line for line in report.lines())


def test_the_commands(tables: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "club.jsonl"
    assert main(["export", str(tables), "--output", str(path)]) == DONE
    assert capsys.readouterr() == ("", "")
    assert main(["export", str(tables)]) == DONE
    assert capsys.readouterr().out == path.read_text()
    told = "club: all is right: 6 of 6 matches and 2 void, 20 deals, 239 decisions\n"
    for place in (tables, tables / FILE_NAME, path):
        assert main(["verify", str(place)]) == DONE
        assert capsys.readouterr() == (told, "")
        assert main(["verify", str(place), "--json"]) == DONE
        assert json.loads(capsys.readouterr().out) == {
            "ok": True,
            "checked": {
                **{"scheduled": 6, "matches": 8, "void": 2, "deals": 20, "decisions": 239},
                **{"shuffles": True, "undigested": 0},
            },
            "error": None,
        }
