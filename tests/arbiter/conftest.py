"""Stores for tests, each kind of database that can hold one; and the loop that gRPC needs."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from arbiter import hosting
from arbiter.store import FILE_NAME
from tests.arbiter.postgres import Server, binaries


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    found = binaries()
    if found is None:
        if os.environ.get("CI"):
            pytest.fail("PostgreSQL is not installed")
        pytest.skip("PostgreSQL is not installed")
    server = Server(found)
    yield server
    server.remove()


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where a store can be made: the path of a file, or the URL of an empty database."""
    if request.param == "sqlite":
        return str(tmp_path / FILE_NAME)
    server: Server = request.getfixturevalue("postgres")
    return server.new_database()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give asynchronous tests marked "hosted" their own way to run; it has to stand before that of the trio mode."""
    for item in items:
        if item.get_closest_marker("hosted") is not None and item.get_closest_marker("trio") is not None:
            item.add_marker(pytest.mark.trio(run=hosting.run), append=False)
