"""`python -m bench hostile [--lines 100000] [KIND …]`: a server that floods the bot with one kind of line (IRC-28)."""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from bench.timing import table
from tests.wire.scripted import Scripted, scripted

CONFIG = "[network n]\nhost = 127.0.0.1\nport = {port}\ntls = no\nchannels = #x\n"
BLOCK = 500  # lines that are written at once
KINDS: dict[str, Callable[[int], str]] = {
    "PING": lambda n: f"PING :{n}{'x' * 400}",
    "NAMES": lambda n: f":s 353 FUDice = #x :{' '.join(f'@n{n}x{number}' for number in range(30))}",
    "MODE": lambda n: f":op!u@h MODE #x +ooo a{n} b{n} c{n}",
    "JOIN": lambda n: f":n{n}!u@h{n} JOIN #x",
    "own-JOIN": lambda n: f":FUDice!u@h JOIN #c{n}",
    "NICK": lambda n: f":n{n}!u@h NICK m{n}",
    "INVITE": lambda n: f":n{n}!u@h INVITE FUDice #i{n}",
    "KICK": lambda n: f":n{n}!u@h KICK #x FUDice :{n}\r\n:FUDice!u@h JOIN #x",
    "talk": lambda n: f":n{n % 5000}!u@h{n % 5000} PRIVMSG #x :some talk number {n} that is no command at all",
    "commands": lambda n: f":n{n}!u@h{n} PRIVMSG #x :roll 5d10 h2",
    "private": lambda n: f":n{n}!u@h{n} PRIVMSG FUDice :roll 5d10 h2",
    "CTCP": lambda n: f":n{n}!u@h{n} PRIVMSG FUDice :\x01VERSION\x01",
}


def peak(pid: int) -> str:
    """The most memory that a process had."""
    fields = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines())
    return f"{int(fields['VmHWM'].split()[0]) / 1024:.0f} MB"


async def flooded(kind: str, lines: int) -> tuple[str, ...]:
    """The bot after a flood that it has read to its end: its peak of memory, its lines of log, its errors."""
    peaks: list[str] = []
    bot: asyncio.subprocess.Process

    async def script(server: Scripted) -> None:
        await server.lets_in()
        for start in range(0, lines, BLOCK):
            server.says("".join(f"{KINDS[kind](number)}\r\n" for number in range(start, start + BLOCK)).encode())
            await server.drains()
        server.says(b"PING :end\r\n")
        await server.gets("^PONG :end$")
        peaks.append(peak(bot.pid))

    with tempfile.TemporaryDirectory() as folder:
        config, log = Path(folder) / "config.ini", Path(folder) / "log"
        async with scripted(script) as (port, done):
            config.write_text(CONFIG.format(port=port))
            command = [sys.executable, "-m", "ircdice", "run", "-c", str(config)]
            with log.open("wb") as errors:
                bot = await asyncio.create_subprocess_exec(*command, stderr=errors)
            try:
                await done
            finally:
                bot.terminate()
                await bot.wait()
        text = log.read_text()
    return kind, f"{lines:,}", peaks[0], f"{text.count(chr(10)):,}", str(text.count(" error "))


async def all_of(kinds: list[str], lines: int) -> list[tuple[str, ...]]:
    return [await flooded(kind, lines) for kind in kinds]


def main() -> None:
    options = argparse.ArgumentParser(prog="python -m bench hostile")
    options.add_argument("--lines", type=int, default=100_000)
    options.add_argument("kinds", nargs="*", choices=[*KINDS, []], default=[])
    chosen = options.parse_args(sys.argv[2:] if sys.argv[1:2] == ["hostile"] else [])
    heads = ("lines of", "lines", "memory at most", "lines in the log", "errors")
    table("A server floods the bot", heads, asyncio.run(all_of(chosen.kinds or list(KINDS), chosen.lines)))
