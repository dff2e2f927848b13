"""The bot as a process of its own: begun, killed, stopped; and its ledger, looked at from outside."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

NETWORK = "net"
CONFIG = """
[bot]
data = {folder}
log_file = {folder}/log
{bot}
[network {network}]
host = 127.0.0.1
port = {port}
tls = no
nick = {nick}
channels = {channels}
flood_burst = {burst}
flood_interval = 0.05
reconnect_first = 0.2
{more}
[limits]
user_burst = 10000
user_interval = 0.001
channel_burst = 10000
channel_interval = 0.001
"""


@dataclass
class BotProcess:
    """`ircdice run -c FILE`, again and again on one ledger."""

    folder: Path
    port: int
    channels: tuple[str, ...]
    nick: str = "FUDice"
    bot: str = ""  # more lines of [bot]
    more: str = ""  # of the network, and sections behind it
    burst: int = 1000
    environ: Mapping[str, str] = field(default_factory=dict)
    process: subprocess.Popen[bytes] | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        self.config.write_text(
            CONFIG.format(
                **{name: getattr(self, name) for name in ("folder", "port", "nick", "more", "burst")},
                bot=self.bot if "ledger_wait" in self.bot else f"ledger_wait = 60\n{self.bot}",
                network=NETWORK,
                channels=", ".join(self.channels),
            )
        )
        self.config.chmod(0o600)

    @property
    def config(self) -> Path:
        return self.folder / "config.ini"

    @property
    def database(self) -> Path:
        return self.folder / "ledger.db"

    def start(self, *arguments: str) -> None:
        """Begin; what it says beside its log goes to `out`."""
        command = [*_PROGRAM, "run", "-c", str(self.config), *arguments]
        with (self.folder / "out").open("ab") as out:
            self.process = subprocess.Popen(command, stdout=out, stderr=out, env={**os.environ, **self.environ})

    def kill(self) -> None:
        """kill -9."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None

    def stop(self) -> int:
        """SIGTERM; the exit code."""
        assert self.process is not None
        self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(120)
        self.process = None
        return code

    def refused(self, *arguments: str) -> tuple[int, str]:
        """A start that comes to nothing: its exit code, and what it said."""
        command = [*_PROGRAM, "run", "-c", str(self.config), *arguments]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120)
        return done.returncode, done.stdout + done.stderr

    def command(self, *arguments: str) -> tuple[int, str]:
        """Another command on the same config: its exit code, and what it said."""
        done = subprocess.run(
            [*_PROGRAM, *arguments, "-c", str(self.config)], capture_output=True, text=True, timeout=120
        )
        return done.returncode, done.stdout + done.stderr

    @property
    def log(self) -> str:
        path = self.folder / "log"
        return path.read_text() if path.exists() else ""

    def __enter__(self) -> BotProcess:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()


_PROGRAM = (sys.executable, "-m", "ircdice")
_ID = re.compile(r"; id ([0-9a-z]+-[0-9a-z]{6})$")


def posted(text: str) -> list[tuple[str, str]]:
    """The recorded lines in what the bot said once: each line whole, with its id."""
    return [(part, found[1]) for part in text.split(" | ") if (found := _ID.search(part))]
