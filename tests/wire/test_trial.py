"""`config check --connect`: wrong credentials and names are found by going there."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from ircdice.wire.connection import Timeouts, connect_failure
from ircdice.wire.network import TrialResult, attempt

from . import services
from .bots import authority, config, network
from .client import Person
from .scram_services import scram_services
from .scripted import Scripted, scripted
from .servers import Server, free_port
from .services import Network


async def tried(port: int, **values: object) -> TrialResult:
    made = config(network(port, "#never", **values))
    return await attempt(made.networks[0], made, Timeouts(connect=30))


async def test_a_network_that_takes_the_bot(ngircd_unlimited: Server) -> None:
    """IRC-08: nothing is joined, and nobody is left behind."""
    async with await Person("sees").connect(ngircd_unlimited.port, "#never") as alice:
        verdict = await tried(ngircd_unlimited.port, nick="Tries")
        await alice.sees_not("Tries")
    assert verdict.faults == ()
    assert [line.partition(",")[0] for line in verdict.good] == ["welcome: as Tries"]


async def test_names_that_are_wrong(ngircd_unlimited: Server) -> None:
    """IRC-07, IRC-02: a nick that is taken, a host that is not there, a certificate that nobody signed."""
    async with await Person("Sits").connect(ngircd_unlimited.port):
        taken = await tried(ngircd_unlimited.port, nick="Sits", alternate_nicks=("Stands",))
    assert [line.partition(" Nick")[0] for line in taken.faults] == ["nick refused: Sits: 433"]
    port = free_port()
    shut = f"127.0.0.1 port {port}: connection refused: check host and port, and whether the server runs"
    assert (await tried(port)).faults == (shut,)
    assert (await tried(port, host="localhost")).faults == (shut.replace("127.0.0.1", "localhost"),)
    assert (await tried(1, host="host.invalid")).faults == ("the host host.invalid is not found: check host",)
    untrusted = await tried(ngircd_unlimited.tls_port, tls=True, host="localhost")
    assert untrusted.faults[0].startswith("TLS handshake failed: ")
    assert untrusted.faults[0].endswith("set tls_ca or tls_fingerprint")


async def test_tls_on_a_port_without_it_and_the_reverse(ngircd_unlimited: Server) -> None:
    """IRC-02: the reason says which of the two keys to change."""

    async def plain(server: Scripted) -> None:
        server.says(b":s NOTICE * :Looking up your hostname\r\n")
        await server.gets("^NEVER")

    async with scripted(plain) as (port, _):
        (fault,) = (await tried(port, tls=True)).faults
    assert fault.endswith(
        f"127.0.0.1 port {port} is probably a port without TLS: port 6697 usually has it, or set tls = no"
    )
    (fault,) = (await tried(ngircd_unlimited.tls_port)).faults
    assert fault.endswith(f"; if port {ngircd_unlimited.tls_port} takes only TLS, set tls = yes")


async def test_irc_02_the_trial_follows_a_server_to_tls(ngircd_unlimited: Server) -> None:
    """IRC-02: on a plain connection the port for TLS is taken up in a trial too."""

    async def asks(server: Scripted) -> None:
        server.says(f":s CAP * LS :sts=port={ngircd_unlimited.tls_port}\r\n".encode())
        await server.gets("^NEVER")

    async with scripted(asks) as (port, _):
        verdict = await tried(port)
    assert verdict.good == (f"STS: the server asks for TLS on port {ngircd_unlimited.tls_port}",)
    assert verdict.faults[0].startswith("TLS handshake failed: ")


def test_a_server_that_never_answers_the_handshake() -> None:
    """IRC-02: asyncio aborts it, and the reason names the port."""
    made = network(6667, tls=True)
    error = ConnectionAbortedError("SSL handshake is taking longer than 10.0 seconds: aborting the connection")
    assert connect_failure(error, made).startswith(
        "no TLS handshake within 10 seconds: 127.0.0.1 port 6667 is probably"
    )


async def test_a_server_password_that_is_wrong(ngircd_password: Server) -> None:
    """IRC-05: it is told by the server's word, without the password."""
    assert (await tried(ngircd_password.port, password="open")).faults == ()
    wrong = await tried(ngircd_password.port, password="hunter2")
    assert "assword" in " ".join(wrong.faults)
    assert "hunter2" not in " ".join(wrong.faults)


@pytest.fixture(scope="module")
def unserved(server_packages: None) -> Iterator[Network]:
    made = services.launch(atheme=False)
    yield made
    made.remove()


@pytest.mark.parametrize(("password", "right"), [("pencil", True), ("pen", False)])
async def test_credentials(unserved: Network, password: str, right: bool) -> None:
    """IRC-04: right ones are said to be right, wrong ones to be wrong."""
    login = {"sasl": ("auto",), "sasl_username": "dice", "sasl_password": password}
    async with scram_services(unserved.link_port, "pencil"):
        verdict = await tried(unserved.server.tls_port, **authority(unserved.server.ca), **login)
    if right:
        assert verdict.good[0] == "logged in: SCRAM-SHA-256 as dice"
        assert verdict.faults == ()
    else:
        assert verdict.faults[0].startswith("refused for good: SASL failed: SCRAM-SHA-256: 904")


def test_the_command(ngircd_unlimited: Server, tmp_path: Path) -> None:
    """IRC-04: what can be said without a server is said first; then each network's word, and the exit code 1."""
    text = (
        f"[network here]\nhost = 127.0.0.1\nport = {ngircd_unlimited.port}\ntls = no\nnick = Command\nchannels = #fu\n"
        f"[network away]\nhost = 127.0.0.1\nport = {free_port()}\ntls = no\nchannels = #fu\n"
    )
    (tmp_path / "config.ini").write_text(text)
    command = [sys.executable, "-m", "ircdice", "config", "check", "--connect"]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120, env=environment)
    assert done.returncode == 1
    assert "here: welcome: as Command" in done.stdout
    assert [line.partition(" 127")[0] for line in done.stderr.splitlines()] == ["ircdice: away:"]
