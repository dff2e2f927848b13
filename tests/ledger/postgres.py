"""A PostgreSQL server for the tests, in a temporary folder and on a socket there."""

from __future__ import annotations

import itertools
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

PACKAGE = "postgresql-15"
PROGRAMS = Path("/usr/lib/postgresql/15/bin")


def missing() -> list[str]:
    """The packages that the tests need and the machine lacks."""
    return [] if (PROGRAMS / "postgres").exists() else [PACKAGE]


@dataclass
class Postgres:
    """A server that can be stopped, started and frozen."""

    folder: Path
    numbers: itertools.count[int] = field(default_factory=itertools.count)

    @classmethod
    def launch(cls) -> Postgres:
        # Not pytest's own folder: only root could enter it, and the server refuses to run as root.
        server = cls(Path(tempfile.mkdtemp(prefix="postgres-")))
        if _user() != pwd.getpwuid(os.getuid()).pw_name:
            shutil.chown(server.folder, _user(), _user())
        try:
            server._run("initdb", "-D", server.data, "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync")
            server.start()
        except BaseException:
            server.remove()
            raise
        return server

    @property
    def data(self) -> str:
        return str(self.folder / "data")

    def start(self) -> None:
        """Listen on the socket alone. Processes are killed here and no power fails, so nothing needs to be synced."""
        options = f"-k {self.folder} -c listen_addresses='' -c fsync=off"
        self._run("pg_ctl", "-D", self.data, "-l", str(self.folder / "log"), "-w", "-o", options, "start")

    def stop(self, mode: str = "immediate") -> None:
        """Stop at once, or in another of pg_ctl's modes."""
        self._run("pg_ctl", "-D", self.data, "-w", "-m", mode, "stop")

    @contextmanager
    def frozen(self) -> Iterator[None]:
        """Its processes are stopped and answer nothing, but no connection breaks."""
        main = int((self.folder / "data" / "postmaster.pid").read_text().split()[0])
        processes = [main, *map(int, Path(f"/proc/{main}/task/{main}/children").read_text().split())]
        for process in processes:
            os.kill(process, signal.SIGSTOP)
        try:
            yield
        finally:
            for process in processes:
                os.kill(process, signal.SIGCONT)

    def remove(self) -> None:
        if (self.folder / "data" / "postmaster.pid").exists():
            self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def database(self) -> str:
        """The URL of a new and empty database."""
        name = f"ledger{next(self.numbers)}"
        self.sql(f"CREATE DATABASE {name}")
        return f"postgresql+psycopg://{_user()}@/{name}?host={self.folder}"

    def sql(self, statement: str, database: str = "postgres") -> str:
        """What psql prints for a statement."""
        return self._run("psql", "-h", str(self.folder), "-d", database, "-qAtc", statement)

    def _run(self, program: str, *arguments: str) -> str:
        # The server that pg_ctl starts would keep a pipe open.
        with tempfile.TemporaryFile("w+") as said:
            command = [*_as_user(), str(PROGRAMS / program), *arguments]
            done = subprocess.run(command, stdout=said, stderr=said, stdin=subprocess.DEVNULL, cwd="/", timeout=120)
            said.seek(0)
            text = said.read()
        assert done.returncode == 0, f"{program}: {text}"
        return text.strip()


def _user() -> str:
    return "postgres" if os.getuid() == 0 else pwd.getpwuid(os.getuid()).pw_name


def _as_user() -> list[str]:
    return ["runuser", "-u", "postgres", "--"] if os.getuid() == 0 else []
