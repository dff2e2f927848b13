"""A network with services: an InspIRCd and an Atheme that may come and go, with accounts of the tests' own."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from . import servers
from .client import Person
from .servers import Server

LINKED = """
<module name="monitor"><module name="sasl"><module name="deaf"><module name="spanningtree">
<module name="sslinfo"><module name="chghost"><module name="hidechans"><module name="svshold">
<sasl target="services.test" requiressl="no">
<bind address="127.0.0.1" port="{link_port}" type="servers">
<link name="services.test" ipaddr="127.0.0.1" port="{link_port}" allowmask="127.0.0.1" sendpass="linked"
 recvpass="linked">
<uline server="services.test" silent="yes">
"""
STS = """<module name="ircv3_sts"><sts host="*" duration="1h" port="{tls_port}">
"""

MODULES = (
    *(
        "protocol/inspircd",
        "backend/opensex",
        "crypto/pbkdf2v2",
        "nickserv/main",
        "nickserv/register",
        "nickserv/ghost",
    ),
    *("nickserv/identify", "nickserv/cert", "nickserv/set_core", "nickserv/set_property", "nickserv/set_pubkey"),
    *("nickserv/group", "nickserv/info", "saslserv/main", "saslserv/plain", "saslserv/external"),
    *("saslserv/ecdsa-nist256p-challenge", "nickserv/drop", "nickserv/logout"),
)

CONF = """
{modules}
serverinfo {{
 name = "services.test"; desc = "services"; numeric = "00A"; recontime = 1; netname = "Test";
 adminname = "tests"; adminemail = "nobody@localhost"; registeremail = "nobody@localhost"; mta = "/bin/true";
 loglevel = {{ error; info; admin; network; }}; maxlogins = 99; maxusers = 99; mdlimit = 30; emaillimit = 99;
 emailtime = 1; auth = none; casemapping = rfc1459;
}};
uplink "irc.test" {{ host = "127.0.0.1"; send_password = "linked"; receive_password = "linked"; port = {link_port}; }};
nickserv {{ nick = "NickServ"; user = "NickServ"; host = "services.test"; real = "NickServ"; maxnicks = 9; }};
saslserv {{ nick = "SaslServ"; user = "SaslServ"; host = "services.test"; real = "SaslServ"; }};
general {{ permissive_mode; helpchan = "#help"; helpurl = "x"; }};
"""


@dataclass
class Network:
    """The server, and its services, which may be stopped and started on their own."""

    server: Server
    folder: Path
    link_port: int
    atheme: subprocess.Popen[bytes] | None = field(default=None, repr=False)

    def start_services(self) -> None:
        at = [str(self.folder / name) for name in ("atheme.conf", "atheme.log", "atheme.pid", ".")]
        command = [
            servers.PACKAGES["atheme-services"],
            "-n",
            *(part for pair in zip(("-c", "-l", "-p", "-D"), at, strict=True) for part in pair),
        ]
        with (self.folder / "atheme.out").open("ab") as out:
            self.atheme = subprocess.Popen(command, stdout=out, stderr=out, cwd=self.folder, **servers._as_user())

    def stop_services(self) -> None:
        if self.atheme is not None:
            self.atheme.send_signal(signal.SIGTERM)
            try:
                self.atheme.wait(30)
            except subprocess.TimeoutExpired:
                self.atheme.kill()
                self.atheme.wait()
            self.atheme = None

    def remove(self) -> None:
        self.stop_services()
        self.server.remove()
        shutil.rmtree(self.folder, ignore_errors=True)

    async def register(self, nick: str, password: str, *commands: str) -> None:
        """An account, once services are there; then what else its owner tells NickServ."""
        async with await Person(nick).connect(self.server.port) as owner:
            owner.send("MONITOR + NickServ")
            await owner.sees(" 730 .*NickServ")
            owner.say("NickServ", f"REGISTER {password} {nick}@tests.example")
            await owner.sees(r"NOTICE \S+ :.*(registered|using)")
            for command in commands:
                owner.say("NickServ", command)
                await owner.sees(f":NickServ!.* NOTICE {nick} ")


def launch(*, atheme: bool = True, account_tag: bool = True) -> Network:
    """A network of its own, with Atheme started unless other services are to be linked."""
    link_port = servers.free_port()
    template = servers.INSPIRCD if account_tag else servers.INSPIRCD.replace('<module name="ircv3_accounttag">', "")
    server = servers._launch("inspircd", template + LINKED, casemapping="rfc1459", link_port=link_port)
    folder = Path(tempfile.mkdtemp(prefix="atheme-"))
    modules = "\n".join(f'loadmodule "modules/{name}";' for name in MODULES)
    (folder / "atheme.conf").write_text(CONF.format(modules=modules, link_port=link_port))
    if os.getuid() == 0:
        servers._give_away(folder)
    network = Network(server, folder, link_port)
    if atheme:
        network.start_services()
    return network
