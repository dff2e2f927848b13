"""A proxy in front of PostgreSQL that breaks a connection at its COMMIT: the client does not hear the outcome."""

from __future__ import annotations

import contextlib
import shutil
import socket
import tempfile
import threading
from pathlib import Path

SOCKET = ".s.PGSQL.5432"


class Proxy:
    """A socket in front of the server's own.

    `losing` breaks the next connection that commits: with `answer` the server commits and the answer is lost, with
    `commit` the server never receives it. The proxy then refuses connections until `open` is called.
    """

    def __init__(self, server: Path) -> None:
        self._server = str(server / SOCKET)
        self.folder = Path(tempfile.mkdtemp(prefix="proxy-"))
        self.losing: str | None = None
        self._shut = False
        self._listening = socket.socket(socket.AF_UNIX)
        self._listening.bind(str(self.folder / SOCKET))
        self._listening.listen()
        threading.Thread(target=self._accept, daemon=True).start()

    def open(self) -> None:
        self._shut = False

    def close(self) -> None:
        self._listening.close()
        shutil.rmtree(self.folder)

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._listening.accept()
                if self._shut:
                    client.close()
                    continue
                server = socket.socket(socket.AF_UNIX)
                server.connect(self._server)
                for work in (self._ask, self._answer):
                    threading.Thread(target=work, args=(client, server), daemon=True).start()

    def _ask(self, client: socket.socket, server: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while said := client.recv(65536):
                if self.losing and b"COMMIT\0" in said:
                    self._lose(client, server, said)
                    return
                server.sendall(said)
        _end(server)

    def _lose(self, client: socket.socket, server: socket.socket, said: bytes) -> None:
        self._shut, losing, self.losing = True, self.losing, None
        if losing == "answer":
            _end(client)  # nobody reads the answer; the server commits all the same
            server.sendall(said + b"X\0\0\0\x04")
        else:
            _end(server)
            _end(client)

    def _answer(self, client: socket.socket, server: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while said := server.recv(65536):
                client.sendall(said)
        _end(client)


def _end(side: socket.socket) -> None:
    with contextlib.suppress(OSError):
        side.shutdown(socket.SHUT_RDWR)
