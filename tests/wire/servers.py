"""Real IRC servers for the tests: ngircd and InspIRCd, each in a folder of its own, on free ports of loopback."""

from __future__ import annotations

import itertools
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

PACKAGES = {
    "ngircd": "/usr/sbin/ngircd",
    "inspircd": "/usr/sbin/inspircd",
    "atheme-services": "/usr/bin/atheme-services",
}
_START = 120.0
_NAME, _OTHER = "irc.test", "other.test"
_LOWEST_PORT, _PORTS, _PORTS_A_PROCESS = 10_000, 22_000, 500
_ports = itertools.count()

NGIRCD = """
[Global]
Name = {name}
Info = tests
AdminInfo1 = tests
AdminEMail = nobody@localhost
Listen = 127.0.0.1
Ports = {port}
MotdPhrase = hello
Password = {password}
[Limits]
MaxConnectionsIP = 0
MaxJoins = 0
MaxNickLength = 20
MaxPenaltyTime = {penalty}
ConnectRetry = 1
[Options]
DNS = no
Ident = no
PAM = no
[SSL]
Ports = {tls_port}
CertFile = {folder}/cert.pem
KeyFile = {folder}/key.pem
DHFile = {folder}/dh.pem
{link}"""

LINK = """
[Server]
Name = {name}
MyPassword = linked
PeerPassword = linked
{how}
"""

INSPIRCD = """
<server name="irc.test" description="tests" network="Test">
<admin name="tests" nick="tests" email="nobody@localhost">
<bind address="127.0.0.1" port="{port}" type="clients">
<bind address="127.0.0.1" port="{tls_port}" type="clients" sslprofile="Clients">
<sslprofile name="Clients" provider="gnutls" certfile="{folder}/cert.pem" keyfile="{folder}/key.pem" hash="sha256">
<module name="cap"><module name="ircv3"><module name="ircv3_accounttag"><module name="ircv3_servertime">
<module name="ircv3_ctctags"><module name="ircv3_capnotify"><module name="ircv3_echomessage">
<module name="ircv3_batch"><module name="ircv3_labeledresponse">
<module name="services_account"><module name="botmode"><module name="redirect"><module name="ssl_gnutls">
<connect name="main" allow="*" timeout="20" pingfreq="2m" hardsendq="1M" softsendq="10240" recvq="10K" threshold="10"
 commandrate="1000" fakelag="yes" localmax="99" globalmax="99" resolvehostnames="no">
<options casemapping="{casemapping}">
<pid file="{folder}/pid">
<path configdir="{folder}" datadir="{folder}" logdir="{folder}" runtimedir="{folder}">
<log method="file" type="*" level="default" target="{folder}/log">
"""


@dataclass
class Server:
    """A server that runs, or may be started again on the same ports."""

    kind: str
    folder: Path
    port: int
    tls_port: int
    process: subprocess.Popen[bytes] | None = field(default=None, repr=False)
    host: str = "127.0.0.1"

    @property
    def ca(self) -> Path:
        return self.folder / "ca.pem"

    def start(self) -> None:
        command = {
            "ngircd": [PACKAGES["ngircd"], "-n", "-f", str(self.folder / "conf")],
            "inspircd": [PACKAGES["inspircd"], "--nofork", f"--config={self.folder / 'conf'}"],
        }[self.kind]
        with (self.folder / "out").open("ab") as out:
            self.process = subprocess.Popen(command, stdout=out, stderr=out, cwd=self.folder, **_as_user())
        _wait(lambda: _listens(self.port) and _listens(self.tls_port), self)

    def stop(self) -> None:
        if self.process is not None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(30)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
            self.process = None

    def remove(self) -> None:
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)


def missing() -> list[str]:
    """The packages that the tests want and the machine lacks."""
    return [name for name, path in PACKAGES.items() if not Path(path).exists()]


def ngircd(*, flood_limit: bool = True, password: str = "") -> Server:
    """An ngircd with its default flood limit of three lines a second, or with none."""
    return _launch("ngircd", NGIRCD, name=_NAME, password=password, penalty=-1 if flood_limit else 0, link="")


def linked_ngircds() -> tuple[Server, Server]:
    """Two that are one network; the second calls the first, again a second after it is gone."""
    first = _launch("ngircd", NGIRCD, name=_NAME, password="", penalty=0, link=_link(_OTHER, "Passive = yes"))
    try:
        how = f"Host = 127.0.0.1\nPort = {first.port}"
        return first, _launch("ngircd", NGIRCD, name=_OTHER, password="", penalty=0, link=_link(_NAME, how))
    except BaseException:
        first.remove()
        raise


def _link(name: str, how: str) -> str:
    return LINK.format(name=name, how=how)


def inspircd(*, casemapping: str = "rfc1459") -> Server:
    """An InspIRCd with the limits of its example class."""
    return _launch("inspircd", INSPIRCD, casemapping=casemapping)


def certificates(folder: Path, *names: str) -> None:
    """An authority and a certificate of it in `folder`: ca.pem, cert.pem, key.pem; DH parameters for ngircd."""
    key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    _openssl(folder, "req", "-x509", *key, "-keyout", "ca.key", "-out", "ca.pem", "-days", "2", "-subj", "/CN=tests")
    _openssl(folder, "req", *key, "-keyout", "key.pem", "-out", "request", "-subj", "/CN=tests")
    (folder / "extensions").write_text(f"subjectAltName={','.join(names)}")
    sign = ["-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-extfile", "extensions"]
    _openssl(folder, "x509", "-req", "-in", "request", *sign, "-out", "cert.pem", "-days", "2")
    _openssl(folder, "genpkey", "-genparam", "-algorithm", "DH", "-pkeyopt", "group:ffdhe2048", "-out", "dh.pem")


def free_port() -> int:
    """One that nobody listens at, and nobody else is given: each process goes through the ports from a place of its
    own, below those that connections take.
    """
    while True:
        port = _LOWEST_PORT + (os.getpid() * _PORTS_A_PROCESS + next(_ports)) % _PORTS
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


def _launch(kind: str, template: str, **values: object) -> Server:
    # Not pytest's own folder: only root could enter it, and both servers refuse to run as root.
    folder = Path(tempfile.mkdtemp(prefix=f"{kind}-"))
    server = Server(kind, folder, free_port(), free_port())
    certificates(folder, "DNS:localhost", "IP:127.0.0.1")
    text = template.format(folder=folder, port=server.port, tls_port=server.tls_port, **values)
    (folder / "conf").write_text(text.replace("Password = \n", ""))
    _give_away(folder)
    try:
        server.start()
    except BaseException:
        server.remove()
        raise
    return server


def _as_user() -> dict[str, object]:
    return {"user": "irc", "group": "irc", "extra_groups": []} if os.getuid() == 0 else {}


def _give_away(folder: Path) -> None:
    if os.getuid() == 0:
        for path in (folder, *folder.iterdir()):
            shutil.chown(path, "irc", "irc")


def _openssl(folder: Path, *arguments: str) -> None:
    subprocess.run(["openssl", *arguments], cwd=folder, check=True, capture_output=True)


def _listens(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=30).close()
    except OSError:
        return False
    return True


def _wait(ready: Callable[[], bool], server: Server) -> None:
    end = time.monotonic() + _START
    while not ready():
        if server.process is None or server.process.poll() is not None or time.monotonic() > end:
            raise RuntimeError(f"{server.kind} did not start:\n{(server.folder / 'out').read_text(errors='replace')}")
        time.sleep(0.02)
