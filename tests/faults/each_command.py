"""`each_command.py FOLDER …`: every command on the config in each FOLDER, without root's powers over its files.

Gives a line for each folder: an object of each command's exit code and words; null where that cannot be tried here.
Each runs in a process of its own, forked from this one: what they import takes longer than what they do. A folder
called `read-only` becomes a file system that cannot be written to.
"""

from __future__ import annotations

import ctypes
import json
import os
import signal
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from typing import IO

from ircdice.cli.main import main

_LIBC = ctypes.CDLL(None, use_errno=True)
_NEW_MOUNTS, _NEW_USER = 0x20000, 0x10000000
_PRIVATE, _BIND, _REMOUNT_READ_ONLY = 0x44000, 0x1000, 0x1000 | 0x20 | 0x1
_CAPABILITIES = 0x20080522  # the version of the call
_OVER_FILES = 0b1110  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH, CAP_FOWNER
_RUNS = b"event=disconnected"  # the bot has begun, and found nobody at home
_PATIENCE = 120.0  # seconds
_CANNOT = 77
_AT_ONCE = 4  # they wait more than they work


def commands(folder: Path) -> dict[str, tuple[str, ...]]:
    """By name, those that change most last; what they write goes beside the folder.

    Where the folder is called `config` its config is at fault, which every command reads in the same way.
    """
    beside = folder.parent
    every = {
        "config": ("config", "check"),
        "verify": ("verify", "2-000000"),
        "check": ("ledger", "check"),
        "stats": ("ledger", "stats"),
        "keys": ("ledger", "keys"),
        "export": ("ledger", "export", str(beside / "out.jsonl")),
        "backup": ("ledger", "backup", str(beside / "backup")),
        "rotate": ("ledger", "keys", "--rotate", "signing"),
        "redact": ("ledger", "redact", "--yes", "--who", "~bob"),
        "reveal": ("ledger", "reveal"),
        "run": ("run",),
        "import": ("ledger", "import", str(beside / "export.jsonl")),
    }
    return {name: every[name] for name in ("config", "verify", "stats", "run")} if folder.name == "config" else every


def read_only(folder: Path) -> None:
    """Make FOLDER a read-only file system, for this process and its children alone."""
    where = str(folder).encode()
    done = _LIBC.unshare(_NEW_MOUNTS | (0 if os.getuid() == 0 else _NEW_USER)) == 0
    done = done and _LIBC.mount(b"none", b"/", None, _PRIVATE, None) == 0
    done = done and _LIBC.mount(where, where, None, _BIND, None) == 0
    if not done or _LIBC.mount(b"none", where, None, _REMOUNT_READ_ONLY, None) != 0:
        os._exit(_CANNOT)


def powerless() -> None:
    """Heed the modes of files, as everybody but root must."""
    head = (ctypes.c_uint32 * 2)(_CAPABILITIES, 0)
    sets = (ctypes.c_uint32 * 6)()
    if _LIBC.capget(head, sets):
        os._exit(_CANNOT)
    sets[0] &= ~_OVER_FILES  # effective
    sets[1] &= ~_OVER_FILES  # permitted: access(2) asks for these
    if _LIBC.capset(head, sets):
        os._exit(_CANNOT)


def said(words: tuple[str, ...]) -> tuple[int, str]:
    """The exit code of one command, and all that it said; a bot that runs is told to stop."""
    with tempfile.TemporaryFile("w+b") as told:
        child = os.fork()
        if not child:
            _become(words, told.fileno())
        code = _ended(child, told.fileno())
        return code, os.pread(told.fileno(), 1 << 20, 0).decode()


def _become(words: tuple[str, ...], told: int) -> None:
    for number in (1, 2):
        os.dup2(told, number)
    sys.argv = ["ircdice", *words]
    try:
        main()
        code: object = 0
    except SystemExit as end:
        code = end.code
    except BaseException:
        sys.excepthook(*sys.exc_info())
        code = -1
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(int(str(code or 0)) & 0xFF)


def _ended(child: int, told: int) -> int:
    end, stopped = time.monotonic() + _PATIENCE, False
    while time.monotonic() < end:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        if not stopped and (stopped := _RUNS in os.pread(told, 1 << 20, 0)):
            os.kill(child, signal.SIGTERM)
        time.sleep(0.02)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return -signal.SIGKILL


def begun(folder: Path, told: IO[bytes]) -> int:
    """A process that tries each command on a folder, and writes down what became of them."""
    child = os.fork()
    if not child:
        if folder.name == "read-only":
            read_only(folder)
        powerless()
        config = str(folder / "config.ini")
        found = {name: said((*words, "-c", config)) for name, words in commands(folder).items()}
        os.write(told.fileno(), json.dumps(found).encode())
        os._exit(0)
    return child


def ended(child: int, told: IO[bytes]) -> None:
    _, status = os.waitpid(child, 0)
    told.seek(0)
    print("null" if os.waitstatus_to_exitcode(status) == _CANNOT else told.read().decode(), flush=True)


if __name__ == "__main__":
    with ExitStack() as stack:
        running: list[tuple[int, IO[bytes]]] = []
        for name in sys.argv[1:]:
            file = stack.enter_context(tempfile.TemporaryFile("w+b"))
            running.append((begun(Path(name), file), file))
            if len(running) == _AT_ONCE:
                ended(*running.pop(0))
        for one in running:
            ended(*one)
