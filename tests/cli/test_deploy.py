"""What the supervisor is told, and the files that hand the bot to one."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from ircdice import run

DEPLOY = Path(__file__).parents[2] / "deploy"
UNIT = DEPLOY / "ircdice.service"


@contextmanager
def supervisor(address: str) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as receiver:
        receiver.bind(address.replace("@", "\0", 1) if address.startswith("@") else address)
        receiver.settimeout(60)
        yield receiver


@pytest.mark.parametrize("kind", ["a path", "abstract"])
def test_the_supervisor_is_told(tmp_path: Path, kind: str) -> None:
    """IRC-26: sd_notify, by a socket of the file system or an abstract one."""
    address = str(tmp_path / "notify") if kind == "a path" else f"@ircdice-tests-{os.getpid()}"
    with supervisor(address) as receiver:
        assert run.notify("READY=1", "STATUS=networks: a", environ={"NOTIFY_SOCKET": address})
        assert receiver.recv(1000) == b"READY=1\nSTATUS=networks: a"
        assert run.notify(*run.reloading(), environ={"NOTIFY_SOCKET": address})
        assert re.fullmatch(rb"RELOADING=1\nMONOTONIC_USEC=[0-9]+", receiver.recv(1000))


@pytest.mark.parametrize("address", [None, "", "relative", "/nowhere/at/all"])
def test_without_a_supervisor_nothing_happens(address: str | None) -> None:
    """IRC-26: no socket, or one that is gone, stops nothing."""
    assert not run.notify("READY=1", environ={} if address is None else {"NOTIFY_SOCKET": address})


@pytest.mark.parametrize(
    ("environ", "seconds"),
    [
        ({}, None),
        ({"WATCHDOG_USEC": "60000000"}, 30.0),
        ({"WATCHDOG_USEC": "60000000", "WATCHDOG_PID": str(os.getpid())}, 30.0),
        ({"WATCHDOG_USEC": "60000000", "WATCHDOG_PID": "1"}, None),
        ({"WATCHDOG_USEC": "0"}, None),
        ({"WATCHDOG_USEC": "soon"}, None),
        ({"WATCHDOG_USEC": "٣"}, None),
    ],
)
def test_watchdog(environ: dict[str, str], seconds: float | None) -> None:
    """IRC-26: the supervisor is told twice in the time that it waits, where it waits at all."""
    assert run.watchdog(environ) == seconds


def unit() -> list[tuple[str, str]]:
    pairs = (line.partition("=") for line in UNIT.read_text().splitlines() if re.match("[A-Z]", line))
    return [(key, value) for key, _, value in pairs]


def test_the_unit_waits_for_what_the_bot_says() -> None:
    """IRC-26, IRC-25: notify and watchdog are used, a reload is SIGHUP, the end has the time that it may take."""
    settings = dict(unit())
    assert (settings["Type"], settings["ExecReload"]) == ("notify", "/bin/kill -HUP $MAINPID")
    assert int(settings["TimeoutStopSec"]) > 10
    assert settings["TimeoutStartSec"] == "infinity"  # a migration of millions of records, or --accept-loss
    assert int(settings["WatchdogSec"]) > 0
    hardening = {
        "NoNewPrivileges": "yes",
        "ProtectSystem": "strict",
        "CapabilityBoundingSet": "",
        "PrivateDevices": "yes",
    }
    assert hardening.items() <= settings.items()


def test_the_unit_waits_for_a_database_that_is_down() -> None:
    """LED-05: exit code 75 is tried again for as long as it takes, 2 is not."""
    settings = dict(unit())
    assert (settings["Restart"], settings["RestartPreventExitStatus"]) == ("on-failure", "2")
    assert settings["StartLimitIntervalSec"] == "0"


@pytest.mark.parametrize("name", ["ircdice.service", "ircdice-web.service"])
def test_the_units_are_sound(tmp_path: Path, name: str) -> None:
    """IRC-26, WEB-11: systemd finds no fault in a unit, and calls it well hardened (1.4 of 10 at most)."""
    copy = tmp_path / name
    copy.write_text((DEPLOY / name).read_text().replace("/opt/ircdice/bin/ircdice", shutil.which("true") or ""))
    environ = {**os.environ, "LC_ALL": "C", "SYSTEMD_COLORS": "0"}
    for arguments in (["verify"], ["security", "--offline=true", "--threshold=20"]):
        command = ["systemd-analyze", "--no-pager", *arguments, str(copy)]
        done = subprocess.run(command, env=environ, capture_output=True, text=True, timeout=120)
        assert (done.returncode, done.stderr) == (0, ""), done.stdout[-3000:]


def test_the_ledger_that_the_page_reads_is_where_the_bot_may_write() -> None:
    """WEB-11: the folder of the ledger in web.md, for a page that runs as another user."""
    guide = (DEPLOY.parent / "docs/howto/web.md").read_text()
    folders = re.findall("ledger = sqlite:///(/.*)/ledger.db", guide)
    assert [f"-{folder}" for folder in folders] == [dict(unit())["ReadWritePaths"]]


def test_the_container_file_names_what_is_there() -> None:
    """IRC-26: all that is copied exists, the bot is no root, and the end is told by SIGTERM."""
    lines = [line.split() for line in (DEPLOY / "Containerfile").read_text().splitlines() if re.match("[A-Z]", line)]
    copied = [name for word, *names in lines if word == "COPY" and "--from" not in names[0] for name in names[:-1]]
    assert copied
    packages = {"grammars", "ircdice"}  # not next to the tests of a wheel
    assert [name for name in copied if name not in packages and not (DEPLOY.parent / name).exists()] == []
    users = [names[0] for word, *names in lines if word == "USER"]
    assert (users, ["STOPSIGNAL", "SIGTERM"] in lines) == (["10001"], True)
    ignored = (DEPLOY.parent / ".dockerignore").read_text().split()
    assert [name for name in copied if f"!{name}" not in ignored] == []
