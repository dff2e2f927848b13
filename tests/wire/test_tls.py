"""TLS on real servers: pinned, expired, asked for by the server; and what is kept of that."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import shutil
import ssl
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, load_pem_private_key

from ircdice.config import Join
from ircdice.wire.connection import Timeouts, fingerprint, pin_fault
from ircdice.wire.sts import FILE, Endpoint, Policy, parse_policy

from . import servers, services
from .bots import Log, authority, config, network, running
from .client import Person
from .servers import Server
from .tables import on_both, table

WRONG = "0" * 64


def pin(server: Server) -> str:
    """The fingerprint of a server's certificate."""
    return fingerprint(ssl.PEM_cert_to_DER_cert((server.folder / "cert.pem").read_text()))


@on_both
async def test_a_pinned_certificate(server: Server) -> None:
    """IRC-02: one pin of several that matches is enough, with an authority that nobody knows and another name."""
    pins = (WRONG, pin(server))
    async with table(server, tls=True, host="127.0.0.1", tls_fingerprint=pins, port=server.tls_port) as seats:
        seats.alice.say(seats.room, "say pinned")
        await seats.alice.sees(": pinned$")


@on_both
async def test_a_certificate_that_is_not_the_pinned_one(server: Server) -> None:
    """IRC-02: is refused, though all else is right with it, before a byte is sent; the log shows which it was."""
    values = authority(server.ca) | {"tls_fingerprint": (WRONG,), "nick": "Unpinned", "name": server.kind}
    with Log() as log:
        alice = await Person(f"pin{server.kind}").connect(server.port, "#pin")
        async with alice, running(config(network(server.tls_port, "#pin", **values))):
            shown = f"{server.kind} disconnected TLS refused: .* not among tls_fingerprint, it is {pin(server)}"
            await log.says(shown, times=2)
            await alice.sees_not(":Unpinned!")


def expire(server: Server) -> None:
    """Give a server a certificate of the same authority whose time is over."""
    folder = server.folder
    authority_key = load_pem_private_key((folder / "ca.key").read_bytes(), None)
    issuer = x509.load_pem_x509_certificate((folder / "ca.pem").read_bytes())
    own = x509.load_pem_x509_certificate((folder / "cert.pem").read_bytes())
    now, old = datetime.now(UTC), x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "old")])
    names = own.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert isinstance(authority_key, ec.EllipticCurvePrivateKey)
    made = (
        x509.CertificateBuilder(issuer.subject, old, own.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=2))
        .not_valid_after(now - timedelta(days=1))
        .add_extension(names, critical=False)
        .sign(authority_key, SHA256())
    )
    (folder / "cert.pem").write_bytes(made.public_bytes(Encoding.PEM))
    if os.getuid() == 0:
        shutil.chown(folder / "cert.pem", "irc", "irc")


async def test_an_expired_certificate(ngircd_alone: Server) -> None:
    """IRC-02: is refused by name, tried again, and nothing goes in the clear; a pin takes it nevertheless."""
    await asyncio.to_thread(ngircd_alone.stop)
    expire(ngircd_alone)
    await asyncio.to_thread(ngircd_alone.start)
    with Log() as log:
        async with running(config(network(ngircd_alone.tls_port, "#old", **authority(ngircd_alone.ca)))):
            await log.says("disconnected TLS handshake failed: certificate has expired", times=2)
    assert not any("welcome" in line for line in log.lines)
    pinned = network(ngircd_alone.tls_port, "#old", tls=True, tls_fingerprint=(pin(ngircd_alone),))
    with Log() as log:
        async with running(config(pinned)):
            await log.says("joined")


async def test_tls_where_there_is_none(ngircd_unlimited: Server) -> None:
    """IRC-02: a server that speaks none on that port, and says nothing, is given up and tried again, by TLS."""
    with Log() as log:
        async with running(config(network(ngircd_unlimited.port, tls=True)), timeouts=Timeouts(connect=0.5)):
            await log.says("disconnected no answer from 127.0.0.1 port .* in time", times=2)


@pytest.fixture(scope="module")
def strict(server_packages: None) -> Iterator[Server]:
    """An InspIRCd that asks for TLS."""
    made = servers._launch("inspircd", servers.INSPIRCD + services.STS, casemapping="rfc1459")
    yield made
    made.remove()


async def test_a_server_that_asks_for_tls(strict: Server, tmp_path: Path) -> None:
    """IRC-02: taken up at once, the password unsaid until then; kept over a restart, when nothing goes in the clear."""
    values = authority(strict.ca) | {"tls": False, "data": tmp_path, "password": "hunter2"}
    with Log() as log:
        async with running(config(network(strict.port, "#sts", **values))):
            await log.says("joined")
            lasts = json.loads((tmp_path / FILE).read_text())["localhost"]["until"]
    assert [line for line in log.lines if "disconnected" in line] == [
        f"test disconnected continued over TLS on port {strict.tls_port}; again in 0.0 s"
    ]
    kept = json.loads((tmp_path / FILE).read_text())["localhost"]
    assert kept["port"] == strict.tls_port
    assert kept["until"] > lasts, "from the end of the connection"
    with Log() as log:
        async with running(config(network(strict.port, "#sts", **values))):
            await log.says("joined")
    assert not any("disconnected" in line for line in log.lines)


async def test_a_server_that_asks_for_tls_and_cannot_prove_itself(strict: Server, tmp_path: Path) -> None:
    """IRC-02: once it has asked the bot never goes back to the clear, whatever fails."""
    made = network(strict.port, "#sts", host="localhost", data=tmp_path, nick="Never")
    with Log() as log:
        async with await Person("watch").connect(strict.port, "#sts") as alice, running(config(made)):
            await log.says("disconnected TLS handshake failed", times=3)
            await alice.sees_not(":Never!")
    assert sum("the server asks for TLS" in line for line in log.lines) == 1
    assert not (tmp_path / FILE).exists()


@pytest.mark.parametrize(
    ("value", "read"),
    [
        ("port=6697,duration=60,preload", Policy(6697, 60)),
        ("duration=0", Policy(None, 0)),
        ("port=65536,duration=-1", Policy()),
        ("port=1,port=2", Policy(1)),
        ("port", Policy()),
        ("port=٣", Policy()),
        ("", Policy()),
    ],
)
def test_policy(value: str, read: Policy) -> None:
    """IRC-02: what makes no sense counts as not said."""
    assert parse_policy(value) == read


def test_policies_end(tmp_path: Path) -> None:
    """IRC-02: a policy holds for its time; 0 ends it at once."""
    plain = network(6667, host="Irc.Example", data=tmp_path, tls=False)
    one = Endpoint(tmp_path)
    assert one.config(plain, 0.0) is plain
    one.secure(plain.host, 6697)
    used = one.config(plain, 0.0)
    assert (used.tls, used.port) == (True, 6697)
    one.keep(used, 100, 50.0)
    after = Endpoint(tmp_path)  # a restart
    assert [after.config(plain, now).port for now in (50.0, 149.0, 150.0)] == [6697, 6697, 6667]
    assert after.config(network(6667, host="irc.example", tls=False, sts=False), 60.0).port == 6667
    assert after.config(network(6667, host="other.example", tls=False), 60.0).port == 6667
    after.keep(after.config(plain, 60.0), 0, 60.0)
    assert Endpoint(tmp_path).config(plain, 61.0).port == 6667


@pytest.mark.parametrize("text", ["", "[]", "{", '{"irc.example": 1}', '{"irc.example": {"port": "x"}}', "\xff"])
def test_a_broken_file_of_policies(tmp_path: Path, text: str) -> None:
    """IRC-02: is passed over, and written anew."""
    (tmp_path / FILE).write_text(text, "latin-1")
    plain, secured = (network(port, host="irc.example", tls=tls) for port, tls in ((6667, False), (6697, True)))
    endpoint = Endpoint(tmp_path)
    assert endpoint.config(plain, 0.0) == plain
    endpoint.keep(secured, 10, 0.0)
    assert endpoint.config(replace(plain, host="IRC.example"), 9.0).port == 6697


def test_a_folder_that_cannot_be_written(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """IRC-02: costs a line in the log, not the connection."""
    Endpoint(tmp_path / "none").keep(network(6697, host="irc.example", tls=True), 10, 0.0)
    assert "cannot be written" in caplog.text


@pytest.mark.parametrize("certificate", [None, b"other"])
def test_a_pin_that_does_not_match(certificate: bytes | None) -> None:
    """IRC-02: neither another certificate nor none passes; without pins this is no check."""
    assert pin_fault((fingerprint(b"this"),), b"this") == pin_fault((), certificate) == ""
    assert pin_fault((fingerprint(b"this"),), certificate).startswith("TLS refused: ")


async def test_a_key_set_on_a_channel_stands_in_no_log(
    ngircd_unlimited: Server, caplog: pytest.LogCaptureFixture
) -> None:
    """IRC-05: not at DEBUG either, whoever sets it and whoever is told."""
    caplog.set_level(logging.DEBUG)
    made = config(network(ngircd_unlimited.port, Join("#kept", "xyzzy"), nick="Keeps"))
    async with await Person("keeper").connect(ngircd_unlimited.port, "#kept") as alice, running(made):
        await alice.sees(":Keeps!\\S+ JOIN")
        alice.send("MODE #kept +k xyzzy")
        alice.say("#kept", "say set")
        await alice.sees(": set$")
    assert "MODE #kept +k ***" in caplog.text
    assert "xyzzy" not in caplog.text
