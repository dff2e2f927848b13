"""`python -m bench trace [COMMAND]`: the files and functions of ours between the bytes of a command and its answer.

The whole bot plays on a real ngircd, its ledger in SQLite. The command is typed twice before, with other comments.
Functions of all threads count; comprehensions and lambdas do not. `--all` lists them.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import threading
from collections import Counter
from pathlib import Path
from types import CodeType, FrameType

import grammars
import ircdice
from bench.round_trip import CONFIG
from ircdice.cli.config import loaded
from ircdice.cli.run import open_for_bot, ready_bot
from ircdice.run import Hooks, run
from tests.wire import servers
from tests.wire.client import Person

OURS = tuple(str(Path(module.__file__ or "").parent) for module in (grammars, ircdice))
CHANNEL = "#trace"


class Trace:
    """Counts the calls of our functions while it is on, in every thread."""

    def __init__(self) -> None:
        self.on, self.calls = False, Counter[CodeType]()

    def __call__(self, frame: FrameType, event: str, _argument: object) -> None:
        code = frame.f_code
        if self.on and event == "call" and code.co_filename.startswith(OURS) and not code.co_name.startswith("<"):
            self.calls[code] += 1


async def traced(trace: Trace, port: int, folder: Path, command: str) -> str:
    """Say the command to a running bot, and trace the last time; the answer."""
    config = folder / "config.ini"
    config.write_text(CONFIG.format(port=port, channel=CHANNEL, nick="Trace"))
    async with await Person("alice").connect(port, CHANNEL) as person, open_for_bot(loaded(config)) as ledger:
        bot = await ready_bot(ledger, loaded(config))
        running = asyncio.create_task(run(loaded(config), bot, Hooks(delivered=bot.delivered)))
        await person.sees(f"JOIN :?{CHANNEL}")
        for number in range(3):
            await asyncio.sleep(2)
            trace.on = number == 2
            person.say(CHANNEL, f"{command} # {number}")
            answer = await person.sees(f"PRIVMSG {CHANNEL} :")
            await asyncio.sleep(0.05)
            trace.on = False
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        return answer


def main() -> None:
    """Print the figures."""
    options = argparse.ArgumentParser(prog="python -m bench trace")
    options.add_argument("command", nargs="?", default="roll 5d10 h2")
    options.add_argument("--all", action="store_true")
    chosen = options.parse_args(sys.argv[2:] if sys.argv[1:2] == ["trace"] else [])
    trace, server = Trace(), servers.ngircd(flood_limit=False)
    threading.setprofile(trace)
    sys.setprofile(trace)
    try:
        with tempfile.TemporaryDirectory() as folder:
            answer = asyncio.run(traced(trace, server.port, Path(folder), chosen.command))
    finally:
        sys.setprofile(None)
        server.remove()
    files = Counter(code.co_filename for code in trace.calls)
    print(f"{answer}\n{len(files)} files, {len(trace.calls)} functions, {trace.calls.total()} calls")
    for file, functions in sorted(files.items()):
        print(f"  {file.removeprefix(str(Path(OURS[0]).parent) + '/')}: {functions}")
        for code, calls in sorted(trace.calls.items(), key=lambda each: each[0].co_firstlineno) if chosen.all else ():
            if code.co_filename == file:
                print(f"      {code.co_qualname} {calls}")
