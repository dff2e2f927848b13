"""Other bots as the bench runs them: each answers a roll with a constant line and a number, and rolls nothing.

Those that are called kept write each line to SQLite before they say it, as LED-03 asks of ours, and no more than that.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.others.durable import FILE

HERE = Path(__file__).parent
_NICKLEN = 9  # on ngircd
ENVIRONMENT = Path(".bench") / "peers"
RAISED = "[limits]\nuser_burst = 100000\nuser_interval = 0.001\nchannel_burst = 100000\nchannel_interval = 0.001\n"
OURS = """[bot]
data = {folder}
[network bench]
host = 127.0.0.1
port = {port}
tls = no
nick = {nick}
channels = {channels}
"""
AS_ANYBODY = """
import os
os.getuid = os.geteuid = lambda: 1000  # it does not run as root, and a bench in a container often does
from sopel.cli.run import main
main()
"""
SOPEL = """[core]
nick = {nick}
host = 127.0.0.1
port = {port}
use_ssl = false
owner = nobody
channels =
{lines}
homedir = {folder}
extra = {here}
enable = rolls
logging_level = ERROR
{free}
"""
LIMNORIA = """supybot.nick: {nick}
supybot.ident: bench
supybot.networks: bench
supybot.networks.bench.servers: 127.0.0.1:{port}
supybot.networks.bench.ssl: False
supybot.networks.bench.channels: {channels}
supybot.directories.plugins: {here}
supybot.plugins: RollPlug
supybot.plugins.RollPlug: True
supybot.log.stdout.level: CRITICAL
supybot.log.level: CRITICAL
{free}
"""


@dataclass(frozen=True)
class Bot:
    """One of those compared; `written` puts its config into a folder and gives the command."""

    name: str
    written: Callable[[Path, int, str, Sequence[str], bool], list[str]]
    kept: bool = False

    def start(self, folder: Path, port: int, channels: Sequence[str], *, free: bool) -> subprocess.Popen[bytes]:
        """A process in `channels`; `free` of its own limits, or as it is shipped."""
        place = folder / f"{self.name}-{channels[0][1:]}"
        place.mkdir(parents=True)
        command = self.written(place, port, self.nick, channels, free)
        importable = os.pathsep.join(filter(None, (os.environ.get("PYTHONPATH"), str(HERE))))  # for their plugins
        environment = {**os.environ, "PYTHONPATH": importable} | ({FILE: str(place / "said.db")} if self.kept else {})
        with (place / "out").open("wb") as out:
            return subprocess.Popen(command, env=environment, stdout=out, stderr=out, stdin=subprocess.DEVNULL)

    @property
    def nick(self) -> str:
        return self.name.replace("-", "")[:_NICKLEN].title()


def prepare() -> Path:
    """An environment of the others' own, made once; its folder of programs."""
    programs = ENVIRONMENT.absolute() / "bin"
    if not (programs / "supybot").exists():
        subprocess.run([sys.executable, "-m", "venv", str(ENVIRONMENT)], check=True, stdin=subprocess.DEVNULL)
        pip = [str(programs / "python"), "-m", "pip", "install", "-qq", "--disable-pip-version-check"]
        subprocess.run([*pip, "sopel>=8,<9", "limnoria"], check=True, stdin=subprocess.DEVNULL)
    return programs


def _ours(folder: Path, port: int, nick: str, channels: Sequence[str], free: bool) -> list[str]:
    values = {"folder": folder, "port": port, "nick": nick, "channels": ", ".join(channels)}
    pace = "flood_burst = 100000\nflood_interval = 0.001\n" if free else ""
    (folder / "config.ini").write_text(OURS.format(**values) + pace + RAISED)
    return [sys.executable, "-m", "ircdice", "run", "-c", str(folder / "config.ini")]


def _echo(_folder: Path, port: int, nick: str, channels: Sequence[str], _free: bool) -> list[str]:
    return [sys.executable, "-m", "bench.echo", str(port), ",".join(channels), nick]


def _sopel(folder: Path, port: int, nick: str, channels: Sequence[str], free: bool) -> list[str]:
    limits = "flood_max_wait = 0\nflood_burst_lines = 100000\nantiloop_threshold = 0" if free else ""
    lines = "\n".join(f'    "{channel}"' for channel in channels)
    values = {"folder": folder, "port": port, "nick": nick, "here": HERE, "lines": lines, "free": limits}
    (folder / "bot.cfg").write_text(SOPEL.format(**values))
    python = str(prepare() / "python")
    return [python, "-c", AS_ANYBODY, "start", "-c", str(folder / "bot.cfg")]


def _limnoria(folder: Path, port: int, nick: str, channels: Sequence[str], free: bool) -> list[str]:
    limits = "supybot.protocols.irc.throttleTime: 0.0" if free else ""
    values = {"port": port, "nick": nick, "channels": " ".join(channels), "here": HERE, "free": limits}
    kinds = "".join(f"supybot.directories.{kind}: {folder / kind}\n" for kind in ("conf", "data", "log", "backup"))
    (folder / "bot.conf").write_text(LIMNORIA.format(**values) + kinds)
    return [str(prepare() / "supybot"), "--allow-root", str(folder / "bot.conf")]


BOTS = (Bot("ircdice", _ours), Bot("echo", _echo), Bot("sopel", _sopel), Bot("limnoria", _limnoria))
KEPT = tuple(Bot(f"kept-{bot.name}", bot.written, kept=True) for bot in BOTS[1:])
