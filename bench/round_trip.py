"""Round trips on a real ngircd without limits: our bot and a bare echo bot, by turns in one run; start and memory."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter

from bench.timing import percentile, table
from tests.wire import servers
from tests.wire.client import Person

BLOCKS, IN_A_BLOCK = 8, 250
CONFIG = """
[network bench]
host = 127.0.0.1
port = {port}
tls = no
channels = #ours
flood_burst = 100000
flood_interval = 0.001
[limits]
user_burst = 100000
user_interval = 0.001
channel_burst = 100000
channel_interval = 0.001
"""


async def joined(person: Person, channel: str, process: list[str]) -> tuple[subprocess.Popen[bytes], float]:
    """Start a bot; the seconds until it was in the channel."""
    start = perf_counter()
    bot = subprocess.Popen(process)
    await person.sees(rf"JOIN :?{channel}")
    return bot, perf_counter() - start


async def block(person: Person, channel: str) -> list[float]:
    """Say a command, wait for the answer, again: ms for each."""
    taken = []
    for nth in range(IN_A_BLOCK):
        start = perf_counter()
        person.say(channel, f"roll {nth % 20 + 1}d10 h2 dc3")
        await person.sees(f"PRIVMSG {channel} :")
        taken.append((perf_counter() - start) * 1_000)
    person.seen.clear()
    person.rewind()
    return taken


def memory(pid: int) -> float:
    """Resident memory in MB."""
    fields = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines())
    return int(fields["VmRSS"].split()[0]) / 1024


async def measured(port: int, config: Path) -> None:
    """Both bots, block by block."""
    ours_bot = echo_bot = None
    async with Person("alice") as person:
        await person.connect(port, "#ours", "#echo")
        try:
            command = [sys.executable, "-m", "ircdice", "run", "-c", str(config)]
            ours_bot, start = await joined(person, "#ours", command)
            resident = memory(ours_bot.pid)
            echo_bot, _ = await joined(person, "#echo", [sys.executable, "-m", "bench.echo", str(port), "#echo"])
            ours, echo = [], []
            for nth in range(BLOCKS + 1):
                some_ours, some_echo = await block(person, "#ours"), await block(person, "#echo")
                if nth:  # the first warms up
                    ours += some_ours
                    echo += some_echo
            report(ours, echo, start, resident, memory(ours_bot.pid))
        finally:
            for bot in filter(None, (ours_bot, echo_bot)):
                bot.terminate()
                bot.wait()


def report(ours: list[float], echo: list[float], start: float, before: float, after: float) -> None:
    """Print the tables."""
    rows = [
        (name, f"{percentile(taken, 0.5):.3f}", f"{percentile(taken, 0.99):.3f}")
        for name, taken in (("ircdice", ours), ("bare asyncio echo", echo))
    ]
    ratio = percentile(ours, 0.5) / percentile(echo, 0.5)
    rows.append(("ratio", f"{ratio:.2f}", ""))
    table(f"Round trip on ngircd, closed loop, {len(ours)} each: ms", ("bot", "median", "99%"), rows)
    rows = [("process start to joined", f"{start:.2f} s"), ("memory when joined", f"{before:.1f} MB")]
    rows.append((f"memory after {len(ours)} rolls", f"{after:.1f} MB"))
    table("Start and memory", ("what", "figure"), rows)


def main() -> None:
    """Run it on a server of its own."""
    server = servers.ngircd(flood_limit=False)
    try:
        with tempfile.TemporaryDirectory() as folder:
            config = Path(folder) / "config.ini"
            config.write_text(CONFIG.format(port=server.port))
            asyncio.run(measured(server.port, config))
    finally:
        server.remove()
