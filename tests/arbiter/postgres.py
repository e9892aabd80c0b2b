"""A PostgreSQL server for tests: of its own, on a socket of its own, gone afterwards."""

import itertools
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import sqlalchemy as sa


def binaries() -> Path | None:
    """Where `initdb` and the others are; Debian keeps them off the path."""
    folders = [Path(folder) for folder in os.environ.get("PATH", "").split(os.pathsep)]
    folders += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return next((folder for folder in folders if all((folder / name).exists() for name in ("initdb", "pg_ctl"))), None)


class Server:
    """A server in a temporary directory.

    Attributes:
        running: it was started, and not killed since.
    """

    running = False

    def __init__(self, binaries: Path) -> None:
        self._binaries = binaries
        # The path of a socket must be short.
        self._directory = Path(tempfile.mkdtemp(prefix="pg-"))
        self._numbers = itertools.count(1)
        # It refuses to run as root.
        self._as_user: list[str] = []
        if os.geteuid() == 0:
            names = {entry.pw_name for entry in pwd.getpwall()}
            user = "postgres" if "postgres" in names else "nobody"
            self._as_user = ["runuser", "-u", user, "--"]
            shutil.chown(self._directory, user)
        self._run("initdb", "-D", self._data, "-U", "arbiter", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "-N")
        settings = {
            "listen_addresses": "''",
            "unix_socket_directories": f"'{self._directory}'",
            # A server that is killed keeps what the kernel has; only a power cut would not.
            "fsync": "off",
            "max_connections": "50",
        }
        with (Path(self._data) / "postgresql.conf").open("a") as file:
            file.writelines(f"{key} = {value}\n" for key, value in settings.items())
        self.start()

    @property
    def _data(self) -> str:
        return str(self._directory / "data")

    def url(self, database: str = "postgres") -> str:
        return f"postgresql+psycopg://arbiter@/{database}?host={self._directory}"

    def start(self) -> None:
        self.running = True
        self._run("pg_ctl", "-D", self._data, "-w", "-l", str(self._directory / "log"), "start")

    def kill(self) -> None:
        """End the server at once, as if it had crashed."""
        self.running = False
        self._run("pg_ctl", "-D", self._data, "-w", "-m", "immediate", "stop")

    def freeze(self) -> None:
        """Stop all its processes where they are: it is there, and says nothing."""
        self._signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """Let them go on."""
        self._signal(signal.SIGCONT)

    def remove(self) -> None:
        if self.running:
            self.kill()
        shutil.rmtree(self._directory)

    def new_database(self) -> str:
        """Make an empty database and return its URL."""
        name = f"test{next(self._numbers)}"
        self.execute(self.url(), f"CREATE DATABASE {name}")
        return self.url(name)

    def execute(self, url: str, *statements: str) -> Sequence[sa.Row[Any]]:
        """Execute statements, each on its own, and return the rows of the last one."""
        rows: Sequence[sa.Row[Any]] = []
        engine = sa.create_engine(url, isolation_level="AUTOCOMMIT", poolclass=sa.NullPool)
        with engine.connect() as connection:
            for statement in statements:
                result = connection.exec_driver_sql(statement)
                rows = result.all() if result.returns_rows else []
        return rows

    def _signal(self, number: signal.Signals) -> None:
        first = int((Path(self._data) / "postmaster.pid").read_text().splitlines()[0])
        # The first of them first: it starts the others.
        os.kill(first, number)
        for child in Path(f"/proc/{first}/task/{first}/children").read_text().split():
            os.kill(int(child), number)

    def _run(self, program: str, *arguments: str) -> None:
        command = [*self._as_user, str(self._binaries / program), *arguments]
        done = subprocess.run(
            command,
            cwd=self._directory,
            check=False,
            stdin=subprocess.DEVNULL,
            # Not a pipe: the server would inherit it, and nobody would see its end.
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        log = self._directory / "log"
        assert done.returncode == 0, f"{command}: {log.read_text() if log.exists() else 'failed'}"
