"""A PostgreSQL of the tests' own: in a folder of its own, on a socket there, as a user of its own."""

from __future__ import annotations

import itertools
import os
import pwd
import shutil
import subprocess
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

PACKAGE = "postgresql-15"
PROGRAMS = Path("/usr/lib/postgresql/15/bin")


def missing() -> list[str]:
    """The packages that the tests want and the machine lacks."""
    return [] if (PROGRAMS / "postgres").exists() else [PACKAGE]


@dataclass
class Postgres:
    """A server that runs, or may be started again."""

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
        """On the socket alone; processes are killed here, no power fails, and so nothing waits for a disk."""
        options = f"-k {self.folder} -c listen_addresses='' -c fsync=off"
        self._run("pg_ctl", "-D", self.data, "-l", str(self.folder / "log"), "-w", "-o", options, "start")

    def stop(self, mode: str = "immediate") -> None:
        """At once, or as `mode` has it."""
        self._run("pg_ctl", "-D", self.data, "-w", "-m", mode, "stop")

    def remove(self) -> None:
        if (self.folder / "data" / "postmaster.pid").exists():
            self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def database(self) -> str:
        """The URL of a new and empty one."""
        name = f"ledger{next(self.numbers)}"
        self.sql(f"CREATE DATABASE {name}")
        return f"postgresql+psycopg://{_user()}@/{name}?host={self.folder}"

    def sql(self, statement: str, database: str = "postgres") -> str:
        """What psql says to it."""
        return self._run("psql", "-h", str(self.folder), "-d", database, "-qAtc", statement)

    def _run(self, program: str, *arguments: str) -> str:
        # pg_ctl's server would hold a pipe open: what it says goes to a file.
        with tempfile.TemporaryFile("w+") as said:
            command = [*_as_user(), str(PROGRAMS / program), *arguments]
            done = subprocess.run(command, stdout=said, stderr=said, stdin=subprocess.DEVNULL, cwd="/", timeout=60)
            said.seek(0)
            text = said.read()
        assert done.returncode == 0, f"{program}: {text}"
        return text.strip()


def _user() -> str:
    return "postgres" if os.getuid() == 0 else pwd.getpwuid(os.getuid()).pw_name


def _as_user() -> list[str]:
    return ["runuser", "-u", "postgres", "--"] if os.getuid() == 0 else []
