"""`python -m bench image`: the bot in the image that `deploy/Containerfile` made, played with on a real ngircd.

It answers, leaves on SIGTERM with a QUIT and 0, goes on with what its volume holds after that and after a kill, is not
root, and writes in its volume alone. `--engine` runs containers as docker does; `--option` is handed on to it.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from bench.timing import table
from tests.wire import servers
from tests.wire.client import Person
from tests.wire.servers import Server

CHANNEL = "#image"
CONFIG = """
[bot]
data = /var/lib/ircdice
[network local]
host = 127.0.0.1
port = {port}
tls = no
channels = {channel}
[channel local/{channel}]
official = yes
"""
HARDENED = ("--network", "host", "--read-only", "--cap-drop", "all", "--security-opt", "no-new-privileges")
ROLL = rf"^:FUDice!\S+ PRIVMSG {CHANNEL} :alice: .*; id (\S+)$"
WRITES = "for at in / /etc /opt/ircdice /opt/ircdice/bin /var/lib/ircdice; do [ -w $at ] && echo $at; done"
GENUINE = "Genuine and official"


@dataclass(frozen=True)
class Image:
    """An image on one volume, its config in `folder`."""

    engine: str
    name: str
    options: tuple[str, ...]
    folder: Path

    @property
    def called(self) -> str:
        """The container and its volume."""
        return f"ircdice-check-{os.getpid()}"

    def command(self, *words: str, entry: str = "") -> list[str]:
        """One container, which is taken away when it ends."""
        places = ("-v", f"{self.folder}:/etc/ircdice:ro", "-v", f"{self.called}:/var/lib/ircdice")
        instead = ("--entrypoint", entry) if entry else ()
        named = ("--name", self.called)
        return [self.engine, "run", "--rm", *named, *HARDENED, *self.options, *places, *instead, self.name, *words]

    def said(self, *words: str, entry: str = "") -> str:
        """The last line that a command prints in it."""
        done = subprocess.run(self.command(*words, entry=entry), capture_output=True, text=True, timeout=120)
        return (done.stdout.strip() or done.stderr.strip()).splitlines()[-1]

    def asked(self, *words: str) -> None:
        """Have the engine do something with the container or the volume."""
        subprocess.run([self.engine, *words, self.called], check=True, capture_output=True, timeout=60)


async def life(image: Image, person: Person, *end: str) -> tuple[str, str]:
    """The bot comes, rolls, and is ended: its line, and how it left."""
    with (image.folder.parent / "log").open("ab") as out:
        bot = await asyncio.create_subprocess_exec(*image.command(), stdout=out, stderr=out)
    try:
        await person.sees(rf"^:FUDice!\S+ JOIN :?{CHANNEL}", within=90)
        person.say(CHANNEL, "roll 5d10 h2 dc3")
        line = (await person.sees(ROLL)).partition(f" {CHANNEL} :")[2]
        await asyncio.to_thread(image.asked, *end)
        quit_ = await person.sees(r"^:FUDice!\S+ QUIT", within=30)
        return line, f"{quit_.partition(' QUIT :')[2]}; exit code {await bot.wait()}"
    finally:
        if bot.returncode is None:
            bot.terminate()
            await bot.wait()


async def checked(image: Image, server: Server) -> list[tuple[str, str]]:
    async with await Person("alice").connect(server.port, CHANNEL) as person:
        first, left = await life(image, person, "kill", "--signal", "TERM")
        second, died = await life(image, person, "kill", "--signal", "KILL")
        third, _ = await life(image, person, "stop", "--time", "20")
    again = [line for line in person.seen if line.endswith((first, second, third))]
    words = [image.said("verify", line, "-c", "/etc/ircdice/config.ini") for line in (first, second, third)]
    return [
        ("its user", image.said("-u", entry="id")),
        ("where it may write", image.said("-c", WRITES, entry="sh")),
        ("SIGTERM", left),
        ("kill -9", died),
        ("rolls of its three lives that verify finds genuine", f"{sum(GENUINE in word for word in words)}"),
        ("posted in all", f"{len(again)}"),
        ("ledger check", image.said("ledger", "check", "-c", "/etc/ircdice/config.ini")),
    ]


def main() -> None:
    options = argparse.ArgumentParser(prog="python -m bench image")
    options.add_argument("--engine", default="docker")
    options.add_argument("--image", default="ircdice")
    options.add_argument("--option", action="append", default=[], help="of the engine's `run`, as --option=--x=y")
    chosen = options.parse_args(sys.argv[2:] if sys.argv[1:2] == ["image"] else [])
    server = servers.ngircd(flood_limit=False)
    with tempfile.TemporaryDirectory() as place:
        Path(place).chmod(0o755)
        folder = Path(place) / "config"
        folder.mkdir()
        (folder / "config.ini").write_text(CONFIG.format(port=server.port, channel=CHANNEL))
        image = Image(chosen.engine, chosen.image, tuple(chosen.option), folder)
        try:
            table("The image, its root read-only, on ngircd", ("what", "seen"), asyncio.run(checked(image, server)))
        except BaseException:
            print((Path(place) / "log").read_text(), file=sys.stderr)
            raise
        finally:
            server.remove()
            subprocess.run([image.engine, "volume", "rm", image.called], capture_output=True)
