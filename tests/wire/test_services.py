"""InspIRCd with Atheme behind it: logging in right and wrong, services that go and come, nicks got back, accounts."""

from __future__ import annotations

import asyncio
import subprocess
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)

from ircdice.config import PrivateKey
from ircdice.wire.connection import Timeouts

from . import services
from .bots import Echo, Log, authority, config, network, running
from .client import Person
from .services import Network

ROOM = "#services"


def key_pair(folder: Path, name: str) -> tuple[PrivateKey, str]:
    """A key of the curve P-256, and its public half as Atheme takes it."""
    key = ec.generate_private_key(ec.SECP256R1())
    pem = key.private_bytes(Encoding.PEM, PrivateFormat.TraditionalOpenSSL, NoEncryption())
    (folder / name).write_bytes(pem)
    import base64

    public = key.public_key().public_bytes(Encoding.X962, PublicFormat.CompressedPoint)
    return PrivateKey(folder / name, pem.decode()), base64.b64encode(public).decode()


def client_certificate(folder: Path, name: str) -> tuple[Path, str]:
    """A certificate with its key in one file, and its fingerprint."""
    file = folder / f"{name}.pem"
    new = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", f"/CN={name}", "-days", "2"]
    openssl = ["openssl", "req", "-x509", *new, "-keyout", str(folder / "k"), "-out", str(folder / "c")]
    subprocess.run(openssl, check=True, capture_output=True)
    file.write_bytes((folder / "k").read_bytes() + (folder / "c").read_bytes())
    shown = subprocess.run(
        ["openssl", "x509", "-in", str(file), "-noout", "-fingerprint", "-sha256"], check=True, capture_output=True
    )
    return file, shown.stdout.decode().partition("=")[2].strip().replace(":", "").lower()


class Known:
    """The account `dice`: what opens it, and what does not."""

    def __init__(self, folder: Path) -> None:
        self.key, self.public = key_pair(folder, "right.key")
        self.other_key, _ = key_pair(folder, "wrong.key")
        self.certificate, self.fingerprint = client_certificate(folder, "right")
        self.other_certificate, _ = client_certificate(folder, "wrong")


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> Known:
    return Known(tmp_path_factory.mktemp("keys"))


@pytest.fixture(scope="module")
def linked(server_packages: None, known: Known) -> Iterator[Network]:
    """A network with services, which no test stops, and an account on it."""
    made = services.launch()
    commands = (f"SET PUBKEY {known.public}", f"CERT ADD {known.fingerprint}", "SET ENFORCE ON")
    asyncio.run(made.register("dice", "pencil", *commands[:2]))
    yield made
    made.remove()


@pytest.fixture
def loose(server_packages: None) -> Iterator[Network]:
    """A network whose services a test may stop."""
    made = services.launch()
    yield made
    made.remove()


def account(made: Network, nick: str, **values: object) -> dict[str, object]:
    """The values of a network on which the bot logs in as `dice`, over TLS."""
    login = {"sasl": ("auto",), "sasl_username": "dice", "nick": nick}
    return authority(made.server.ca) | login | values


@asynccontextmanager
async def bot(made: Network, room: str, **values: object) -> AsyncIterator[Log]:
    """The bot on the network, and its log."""
    port = made.server.tls_port if values.get("tls") else made.server.port
    with Log() as log:
        async with running(config(network(port, room, **values)), Echo(), timeouts=Timeouts(leave=1)):
            yield log


async def whois(alice: Person, nick: str) -> str:
    """What the server says that `nick` is logged in as, or nothing."""
    alice.send(f"WHOIS {nick}")
    line = await alice.sees(" 330 | 318 | 401 ")
    return line.split()[4] if " 330 " in line else ""


@pytest.mark.parametrize("mechanism", ["PLAIN", "ECDSA-NIST256P-CHALLENGE", "EXTERNAL"])
async def test_right_credentials(linked: Network, known: Known, mechanism: str) -> None:
    """IRC-04: with each mechanism that Atheme has the bot is logged in before it comes to a channel."""
    given: dict[str, dict[str, object]] = {
        "PLAIN": {"sasl_password": "pencil"},
        "ECDSA-NIST256P-CHALLENGE": {"sasl_key": known.key, "sasl_password": "never sent"},
        "EXTERNAL": {"tls_cert": known.certificate, "sasl_password": "never sent"},
    }
    nick = f"Right{mechanism[:2]}"
    room = f"{ROOM}-{nick}"
    values = account(linked, nick, **given[mechanism])
    async with await Person(f"al{nick}").connect(linked.server.port, room) as alice, bot(linked, room, **values) as log:
        await alice.sees(f":{nick}!\\S+ JOIN")
        assert await whois(alice, nick) == "dice"
    said = [line for line in log.lines if "logged in" in line or "joined" in line]
    assert said == [f"test logged in {mechanism} as dice", f"test {room} joined"]


@pytest.mark.parametrize("mechanism", ["plain", "ecdsa-nist256p-challenge", "external"])
async def test_wrong_credentials(linked: Network, known: Known, mechanism: str) -> None:
    """IRC-04: what Atheme refuses is final; the bot does not come in, and does not hammer at the door."""
    wrong = {"sasl_password": "pen", "sasl_key": known.other_key, "tls_cert": known.other_certificate}
    nick = f"Wrong{mechanism[:2]}"
    async with bot(linked, ROOM, **account(linked, nick, sasl=(mechanism,), reconnect_longest=300.0, **wrong)) as log:
        await log.says(f"disconnected refused for good: SASL failed: {mechanism.upper()}: 904 .*; again in 300.0 s")
    assert not any("welcome" in line for line in log.lines)


async def test_a_certificate_that_is_not_known_and_a_password_that_is_right(linked: Network, known: Known) -> None:
    """IRC-04: the next credential is tried where the first one is not known."""
    values = account(linked, "Falls", tls_cert=known.other_certificate, sasl_password="pencil")
    async with bot(linked, f"{ROOM}-falls", **values) as log:
        await log.says("logged in PLAIN as dice")
        await log.says("joined")


async def test_wrong_credentials_that_are_not_required(linked: Network) -> None:
    """IRC-04: with `sasl_required = no` the bot comes in, and says in the log that it did so without."""
    async with bot(linked, ROOM, **account(linked, "Guest", sasl_password="pen", sasl_required=False)) as log:
        await log.says("SASL failed PLAIN: 904")
        await log.says("joined")


async def test_no_password_in_the_clear(linked: Network) -> None:
    """IRC-04: PLAIN is never sent without TLS, unless the config says so."""
    login = {"sasl": ("plain",), "sasl_username": "dice", "sasl_password": "pencil"}
    async with bot(linked, ROOM, nick="Clear", **login) as log:
        await log.says("SASL failed: the config allows no mechanism without TLS")
    async with bot(linked, ROOM, nick="Clear", sasl_plain_without_tls=True, **login) as log:
        await log.says("logged in PLAIN as dice")


@pytest.mark.parametrize(
    ("password", "event"), [("pencil", "identified"), ("pen", "NickServ refused Invalid password")]
)
async def test_nickserv(linked: Network, password: str, event: str) -> None:
    """IRC-04: NickServ's IDENTIFY where the config says so; the channels come after it, the password in no log."""
    values = {"nickserv_password": password, "sasl_username": "dice", "nick": f"Ident{len(password)}"}
    async with bot(linked, ROOM, **values) as log:
        await log.says(event)
        await log.says("joined")
    events = [line for line in log.lines if event in line or "joined" in line]
    assert "joined" in events[-1]
    assert not any("pencil" in line for line in log.lines)


async def test_services_that_are_away(loose: Network) -> None:
    """IRC-04: without services there is no SASL; the bot stays out, tries again, and comes in when they are back."""
    await loose.register("dice", "pencil")
    loose.stop_services()
    values = account(loose, "Waits", sasl_password="pencil", reconnect_longest=1.0)
    async with bot(loose, ROOM, **values) as log:
        await log.says("SASL failed: the server does not offer it", times=2)
        assert not any("welcome" in line for line in log.lines)
        loose.start_services()
        await log.says("logged in PLAIN as dice")
        await log.says("joined")


async def test_services_that_come_back(loose: Network) -> None:
    """IRC-04: a bot that came in without is logged in once they are back; services that go cost it nothing."""
    await loose.register("dice", "pencil")
    loose.stop_services()
    values = account(loose, "Stays", sasl_password="pencil", sasl_required=False)
    async with await Person("alice").connect(loose.server.port, ROOM) as alice, bot(loose, ROOM, **values) as log:
        await log.says("SASL failed the server does not offer it")
        await alice.sees(":Stays!\\S+ JOIN")
        loose.start_services()
        await log.says("logged in PLAIN as dice")
        loose.stop_services()
        alice.say(ROOM, "say still here")
        await alice.sees(": still here$")
    assert not any("disconnected" in line for line in log.lines)


async def test_a_nick_that_falls_free(linked: Network) -> None:
    """IRC-07: MONITOR tells when the wanted nick is free, and the bot takes it."""
    other = await Person("Wanted").connect(linked.server.port, f"{ROOM}-nick")
    async with bot(linked, f"{ROOM}-nick", nick="Wanted", alternate_nicks=("Second",)) as log:
        await other.sees(":Second!\\S+ JOIN")
        await log.says("nick taken watching for Wanted")
        async with await Person("seer").connect(linked.server.port, f"{ROOM}-nick") as seer:
            other.send("QUIT :bye")
            await seer.sees(":Second!\\S+ NICK :?Wanted$")


async def test_a_nick_that_services_give_back(linked: Network) -> None:
    """IRC-07: the account's own nick is got back through services, from whoever sits on it."""
    other = await Person("dice").connect(linked.server.port, f"{ROOM}-ghost")
    values = account(linked, "dice", sasl_password="pencil", alternate_nicks=("dice2",))
    seer = await Person("ghostseer").connect(linked.server.port, f"{ROOM}-ghost")
    async with bot(linked, f"{ROOM}-ghost", **values), seer:
        await seer.sees(":dice2!\\S+ NICK :?dice$")
    await other.__aexit__()


async def test_accounts_by_whox(server_packages: None) -> None:
    """IRC-14: a server without account-tag is asked by WHOX; who logs in later is known too, a nick proves nothing."""
    made = await asyncio.to_thread(services.launch, account_tag=False)
    try:
        await made.register("boss", "pencil")
        room, hearer = f"{ROOM}-who", Echo()
        async with await Person("chief").connect(made.server.port, room) as boss:
            boss.say("NickServ", "IDENTIFY boss pencil")
            await boss.sees(" 900 ")
            made_config = config(network(made.server.port, room), storytellers=("boss",))
            async with running(made_config, hearer), await Person("late").connect(made.server.port) as late:
                await boss.sees(":FUDice!\\S+ JOIN")
                boss.say(room, "say nothing")
                await boss.sees(": nothing$")  # by now the server has told the bot all accounts
                boss.say(room, "say one")
                await boss.sees(": one$")
                await late.join(room)
                late.say(room, "say two")
                await boss.sees(": two$")
                late.say("NickServ", "IDENTIFY boss pencil")
                await late.sees(" 900 ")
                late.say(room, "say three")
                await boss.sees(": three$")
                boss.send("NICK another")
                late.send("NICK chief")
                await late.sees("NICK :?chief")
                late.say("NickServ", "LOGOUT")
                await late.sees(" 901 ")
                late.say(room, "say four")
                await boss.sees(": four$")
                boss.say(room, "say five")
                await boss.sees(": five$")
    finally:
        made.remove()
    assert [(message.text, message.account, message.storyteller) for message in hearer.heard[1:]] == [
        ("say one", "boss", True),
        ("say two", None, False),
        ("say three", "boss", True),
        ("say four", None, False),
        ("say five", "boss", True),
    ]
