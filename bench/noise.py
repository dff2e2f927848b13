"""`python -m bench noise --lines 1000000`: random lines at the whole bot; it stays, answers, and its memory is flat."""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from pathlib import Path
from time import perf_counter

from bench.round_trip import CONFIG, memory
from bench.timing import table
from tests.wire.noise import Noise
from tests.wire.scripted import Scripted, scripted

SEED = 760_353
STEPS = 10
ALIVE = b":s 001 FUDice :hi\r\n:FUDice!u@h JOIN #ours\r\n:zz!u@closing PRIVMSG #ours :roll 5d10 h2 dc3\r\n"


async def measured(lines: int) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = []
    pids: list[int] = []

    async def script(server: Scripted) -> None:
        await server.lets_in()
        noise, began = Noise(SEED), perf_counter()
        for step in range(1, STEPS + 1):
            for _ in range(lines // STEPS // 20):
                server.says(b"".join(noise.lines(20)))
                await server.drains()
            server.says(ALIVE)
            await server.gets("PRIVMSG #ours :zz: ", within=120)
            server.got.clear()
            took = perf_counter() - began
            rows.append((f"{step * (lines // STEPS):,}", f"{memory(pids[0]):.1f} MB", f"{took:.0f} s"))

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "config.ini"
        async with scripted(script) as (port, done):
            path.write_text(CONFIG.format(port=port, channel="#ours", nick="FUDice"))
            command = [sys.executable, "-m", "ircdice", "run", "-c", str(path)]
            bot = await asyncio.create_subprocess_exec(*command, stderr=(Path(folder) / "log").open("wb"))
            pids.append(bot.pid)
            try:
                await done
            finally:
                bot.terminate()
                await bot.wait()
        faults = (Path(folder) / "log").read_text().count(" error ")
    rows.append(("errors in the log", f"{faults}", ""))
    return rows


def main() -> None:
    options = argparse.ArgumentParser(prog="python -m bench noise")
    options.add_argument("--lines", type=int, default=1_000_000)
    chosen = options.parse_args(sys.argv[2:] if sys.argv[1:2] == ["noise"] else [])
    table("Random lines at the whole bot", ("lines", "memory", "time"), asyncio.run(measured(chosen.lines)))
